"""An interactive page: what its scripts draw, what they are given, and that they compute right."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.verify.content import preset_settings
from engine.verify.parsed import Node, Page, Text
from engine.verify.reading import Reading
from engine.verify.runs import Broken

BUILD = "build the site again"


def check_view(reading: Reading, node: Node) -> None:
    """A view holds what the scripts draw now, element by element."""
    name = node.attrs.get("data-view", "")
    views = reading.runs.widget(reading.slug)["views"] if reading.slug else {}
    if name not in views:
        return reading.found(node, f'the scripts draw no view "{name}"', BUILD)
    drawn = Page("", f"<!doctype html><body><div>{views[name]}</div>").root.find("div")[0]
    here, there = list(_parts(node)), list(_parts(drawn))
    for (part, at), (wanted, _) in zip([*here, ("nothing", node.end)], [*there, ("nothing", 0)]):
        if part != wanted:
            what = f"the view {name} has {part} where the scripts draw {wanted}"
            return reading.found(at, what, BUILD)
    return None


def _parts(view: Node) -> Iterator[tuple[str, int]]:
    """Each element and text in a view, and where it stands."""
    for part in list(view.walk())[1:]:
        if isinstance(part, Text):
            yield f'"{part.text}"', part.offset(0)
        else:
            attrs = "".join(f' {name}="{value}"' for name, value in sorted(part.attrs.items()))
            yield f"<{part.tag}{attrs}>", part.offset


def check_widget(reading: Reading, site: Path) -> list[Broken]:
    """The page's data and files are those of content/, and its port agrees with Python."""
    try:
        widget = reading.runs.widget(reading.slug)
    except Broken as error:
        return [error]
    data = reading.page.ids.get("data")
    if not data or _json(data.text) != widget["data"]:
        reading.found(data or 0, "the data is not what widget.py gives", BUILD)
    page = (site / f"{reading.slug}/widget/index.html").parent
    scripts = [node for node in reading.page.root.find("script") if "src" in node.attrs]
    styles = [
        node for node in reading.page.root.find("link") if node.attrs.get("rel") == "stylesheet"
    ]
    loaded = [_text(page / node.attrs["src"]) for node in scripts]
    folder = reading.content.root / reading.slug / "widget"
    if loaded != [_text(folder / name) for name in widget["scripts"]]:
        reading.found(0, f"the scripts are not {', '.join(widget['scripts'])} as they are", BUILD)
    has = [_text(page / node.attrs.get("href", "")) for node in styles]
    for path in sorted(folder.glob("*.css")):
        if _text(path) not in has:
            reading.found(0, f"the style sheet {path.name} is not loaded as it is", BUILD)
    for call, python, port in widget["calls"]:
        if python != port:
            fix = "mend the script or the program"
            reading.found(0, f"{call} is not the same in the script and in Python", fix)
            break
    return []


def wrong_settings(reading: Reading, slug: str, link: Node, anchor: str) -> Iterator[str]:
    """Settings of a link that the widget has not, or that are not those of the facts it shows."""
    for setting in anchor.split("&"):
        name, _, _ = setting.partition("=")
        if name not in reading.runs.widget(slug)["data"]["first"]:
            yield f'the widget has no setting "{name}"'
    shown = [node.attrs.get("data-from", "").partition(", ")[0] for node in link.find("data")]
    if (anchor, shown) not in _presets(reading):
        yield f"no preset of {', '.join(shown) or 'nothing'} leads to {anchor}"


def _presets(reading: Reading) -> Iterator[tuple[str, list[str]]]:
    """Where each preset of the text leads, and the facts that it shows."""
    for expression in reading.lesson.expressions if reading.lesson else ():
        settings = preset_settings(expression)
        known = [(name, fact) for name, fact in settings for fact in reading.facts(fact)[:1]]
        target = "&".join(f"{name}={fact.value}" for name, fact in known)
        yield target, [fact for _, fact in settings]


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8-sig").replace("\r\n", "\n") if path.is_file() else ""
