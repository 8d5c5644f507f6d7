"""Figures as SVG that is the same on every machine, can be read aloud, and wears the page's colours.

The only importer of matplotlib. It runs in the child process, beside the lesson's figures.py.
"""

import io
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

# Roles, not colours: each becomes a variable of the page's style sheet.
INK, MUTED, RULE, PAPER = "#000001", "#000002", "#000003", "#000004"
FIRST, SECOND, THIRD = "#000005", "#000006", "#000007"
ROLES = {
    INK: "ink", MUTED: "muted", RULE: "rule", PAPER: "paper",
    FIRST: "first", SECOND: "second", THIRD: "third",
}  # fmt: skip
WIDTH = 400  # user units; text of 13 units can still be read on a phone 328 pixels wide
TEXT, SMALL = 13, 12
DESCRIPTION = "\u200b"  # what the page replaces by the alternative text
SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"


def chart(height: int, rows: int = 1, columns: int = 1, ratios: list[float] | None = None):
    """A matplotlib figure WIDTH x `height` units and its axes, in the house style."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    pyplot.rcParams.update({
        "svg.fonttype": "none", "font.family": "DejaVu Sans", "font.size": SMALL,
        "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": MUTED,
        "axes.titlesize": TEXT, "axes.labelsize": SMALL,
        "axes.titlelocation": "left", "axes.spines.top": False, "axes.spines.right": False,
        "xtick.color": MUTED, "ytick.color": MUTED, "xtick.labelcolor": INK,
        "ytick.labelcolor": INK, "axes.facecolor": "none", "figure.facecolor": "none",
        "figure.dpi": 72, "lines.linewidth": 2,
    })  # fmt: skip
    return pyplot.subplots(
        rows, columns, figsize=(WIDTH / 72, height / 72), gridspec_kw={"height_ratios": ratios}
    )


def drawing(template: Path, **values: Any) -> str:
    """An SVG drawn by hand as a Jinja template, filled in."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(undefined=StrictUndefined, autoescape=True)
    return environment.from_string(template.read_text(encoding="utf-8")).render(values)


def axis_numbers(figure: Any) -> list[str]:
    """The numbers at the ticks of a chart's axes: places on a scale, which need no other source.

    Those that matplotlib wrote, that is; names that the author gave to ticks are labels.
    """
    if isinstance(figure, str):
        return []
    from matplotlib.ticker import ScalarFormatter

    scales = [axis for plot in figure.axes for axis in (plot.xaxis, plot.yaxis)]
    drawn = set()
    for axis in scales:
        if axis.get_visible() and isinstance(axis.get_major_formatter(), ScalarFormatter):
            low, high = sorted(axis.get_view_interval())
            ticks = zip(axis.get_majorticklocs(), axis.get_ticklabels())
            drawn |= {label.get_text() for place, label in ticks if low <= place <= high}
    return sorted(drawn - {""})


def to_svg(figure: Any, name: str, title: str) -> str:
    """A matplotlib figure, or SVG text, made fit to stand in a page under `name`.

    Raises ValueError for a figure without a title (its function's docstring).
    """
    if not title:
        raise ValueError(f"figure {name} has no title: give its function a docstring")
    if not isinstance(figure, str):
        if not hasattr(figure, "savefig"):
            raise ValueError(f"figure {name} returned {type(figure).__name__}, which is no figure")
        import matplotlib

        out = io.BytesIO()
        with matplotlib.rc_context({"svg.hashsalt": name, "svg.fonttype": "none"}):
            figure.savefig(
                out, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type"))
            )
        figure = out.getvalue().decode()
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", XLINK)
    root = ElementTree.fromstring(figure.replace(DESCRIPTION, ""))
    for parent in root.iter():
        for child in list(parent):
            if child.tag.rpartition("}")[2] in ("metadata", "style"):
                parent.remove(child)
        _style_to_attributes(parent)
        for key in ("width", "height") if parent is root else ():
            parent.attrib.pop(key, None)
    _refuse_scripts(root, name)
    _own_ids(root, name)
    root.set("role", "img")
    root.set("stroke-linejoin", "round")  # of the style element, which a strict policy blanks
    root.set("aria-labelledby", f"{name}-title {name}-desc")
    root.set("data-kind", "figure")
    label, description = (ElementTree.Element(f"{{{SVG}}}{tag}") for tag in ("title", "desc"))
    label.text = title
    label.set("id", f"{name}-title")
    description.set("id", f"{name}-desc")
    description.text = DESCRIPTION
    root[:0] = [label, description]
    text = ElementTree.tostring(root, encoding="unicode")
    for color, role in ROLES.items():
        text = text.replace(color, f"var(--{role})")
    return text


def _refuse_scripts(root: ElementTree.Element, name: str) -> None:
    for element in root.iter():
        if element.tag.rpartition("}")[2] in ("script", "foreignObject"):
            raise ValueError(f"figure {name} holds a <{element.tag.rpartition('}')[2]}>")
        if any(key.lower().startswith("on") for key in element.attrib):
            raise ValueError(f"figure {name} holds an event handler")


def _style_to_attributes(element: ElementTree.Element) -> None:
    """style="a: b" -> a="b", which a strict content-security policy lets through."""
    for declaration in element.attrib.pop("style", "").split(";"):
        key, _, value = (part.strip() for part in declaration.partition(":"))
        if key == "font":  # "700 12px 'DejaVu Sans'": the page chooses the face
            weight, size = re.search(r"(?:\b(\d+|bold) )?([\d.]+px)", value).groups()
            element.attrib |= {"font-size": size, "font-weight": weight or "400"}
        elif key:
            element.set(key, value)
    element.attrib.pop("font-family", None)


def _own_ids(root: ElementTree.Element, name: str) -> None:
    """Keep only the ids that something refers to, and make them this figure's own."""
    text = ElementTree.tostring(root, encoding="unicode")
    referred = set(re.findall(r"url\(#([^)]+)\)", text)) | set(re.findall(r'href="#([^"]+)"', text))
    for element in root.iter():
        for key, value in list(element.attrib.items()):
            if key == "id" and value not in referred:
                del element.attrib[key]
            elif key == "id":
                element.set(key, f"{name}-{value}")
            elif key.endswith("href"):
                element.set(key, re.sub("^#", f"#{name}-", value))
            elif "url(#" in value:
                element.set(key, value.replace("url(#", f"url(#{name}-"))
