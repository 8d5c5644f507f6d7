"""Figures: the same bytes everywhere, readable aloud, in the page's colours."""

import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from jinja2 import UndefinedError
from matplotlib import pyplot

from engine.figures import (
    DESCRIPTION,
    FIRST,
    INK,
    MUTED,
    PAPER,
    ROLES,
    RULE,
    SECOND,
    SVG,
    THIRD,
    WIDTH,
    XLINK,
    chart,
    drawing,
    to_svg,
)

EVERYTHING = """
from engine.figures import FIRST, INK, MUTED, PAPER, RULE, SECOND, THIRD, chart


def everything(names=("a", "b", "c")):
    figure, (above, below) = chart(height=260, rows=2, ratios=[2, 1])
    above.plot([1, 2, 3], [1, 4, 9], color=FIRST, marker="o", label="line 12 & more")
    above.scatter([1, 2, 3], [9, 4, 1], color=SECOND, label="dots")
    above.fill_between([1, 2, 3], [0, 1, 2], [1, 3, 5], color=THIRD, alpha=0.5)
    above.axhline(4, color=RULE, linestyle="--")
    above.set_title("A bold title", fontweight="bold")
    above.set_xlabel("an italic label", fontstyle="italic")
    above.annotate("here", (2, 4), (1.2, 8), arrowprops={"arrowstyle": "->", "color": MUTED})
    above.legend()
    below.bar(sorted({*names}), [3, 2, 1], color=FIRST, edgecolor=INK, hatch="//")
    below.text(0, 1, "turned \\u200b text", rotation=30, color=PAPER)
    below.imshow([[0, 1], [1, 0]], cmap="gray", aspect="auto", extent=(2, 3, 0, 1))
    below.set_xlim(-1, 4)
    return figure
"""
PRINT = (
    EVERYTHING
    + """
import sys
from engine.figures import to_svg
sys.stdout.write(to_svg(everything(), "all", "Everything at once"))
"""
)
HAND_DRAWN = f"""
<svg xmlns="{SVG}" xmlns:xlink="{XLINK}" viewBox="0 0 400 90" width="400" height="90">
  <style>text {{ fill: red }}</style>
  <metadata>by hand</metadata>
  <defs><linearGradient id="fade"><stop stop-color="{FIRST}"/></linearGradient>
    <path id="box" d="M 0 0"/><path id="unused" d="M 1 1"/></defs>
  <rect fill="url(#fade)" style="stroke: {INK}; stroke-width: 2"/>
  <use href="#box"/><use xlink:href="#box"/>
  <a href="https://example.org/#box"><text style="font: 700 12px 'DejaVu Sans'; fill: {INK}">5 MiB</text></a>
  <text font-family="Arial" style="font: 13px 'DejaVu Sans', sans-serif">plain{DESCRIPTION}</text>
</svg>
"""


@pytest.fixture(scope="module")
def svgs() -> dict[str, str]:
    names: dict = {}
    exec(EVERYTHING, names)
    svgs = {
        name: to_svg(names["everything"](), name, f"Title of {name}") for name in ("one", "two")
    }
    svgs["hand"] = to_svg(HAND_DRAWN, "hand", 'Drawn <by> hand & "quoted"')
    pyplot.close("all")
    return svgs


@pytest.fixture(scope="module")
def drawn(svgs) -> dict[str, ElementTree.Element]:
    return {name: ElementTree.fromstring(svg) for name, svg in svgs.items()}


@pytest.fixture(params=["one", "two", "hand"])
def name(request) -> str:
    return request.param


@pytest.fixture
def root(drawn, name) -> ElementTree.Element:
    return drawn[name]


def local(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def ids(root: ElementTree.Element) -> list[str]:
    return [element.get("id") for element in root.iter() if element.get("id")]


def references(root: ElementTree.Element) -> list[str]:
    """What is pointed at inside the drawing."""
    found = []
    for element in root.iter():
        for key, value in element.attrib.items():
            found += re.findall(r"url\(#([^)]+)\)", value)
            if key.endswith("href") and value.startswith("#"):
                found.append(value[1:])
    return found


# -- the same everywhere


def test_two_processes_draw_the_same_bytes_whatever_their_surroundings(tmp_path):
    def draw(**surroundings: str) -> bytes:
        environment = {**os.environ, "MPLCONFIGDIR": str(tmp_path), **surroundings}
        return subprocess.run(
            [sys.executable, "-c", PRINT], env=environment, check=True, capture_output=True
        ).stdout

    here = draw(PYTHONHASHSEED="1", TZ="UTC", LC_ALL="C.UTF-8", SOURCE_DATE_EPOCH="1")
    there = draw(PYTHONHASHSEED="2", TZ="Asia/Tokyo", LC_ALL="C", LANG="de_DE.UTF-8")
    assert len(here) > 5000
    assert here == there


def test_nothing_says_when_or_with_what_it_was_drawn(svgs, name):
    for trace in ("metadata", "matplotlib", "dc:date", "<!--", "<?xml", "<!DOCTYPE"):
        assert trace not in svgs[name]


# -- read aloud


def test_a_figure_is_an_image_with_a_title_and_a_description(root, name):
    title, description = list(root)[:2]
    assert (local(title), local(description)) == ("title", "desc")
    assert root.get("role") == "img"
    assert root.get("aria-labelledby").split() == [title.get("id"), description.get("id")]
    assert title.get("id") == f"{name}-title"
    assert description.text == DESCRIPTION


def test_the_title_is_the_one_given(drawn):
    assert drawn["one"].findtext(f"{{{SVG}}}title") == "Title of one"
    assert drawn["hand"].findtext(f"{{{SVG}}}title") == 'Drawn <by> hand & "quoted"'


def test_the_description_stands_in_one_place_only(root):
    assert ElementTree.tostring(root, encoding="unicode").count(DESCRIPTION) == 1


@pytest.mark.parametrize("title", ["", None])
def test_a_figure_without_a_title_is_refused(title):
    with pytest.raises(ValueError, match="figure fills has no title"):
        to_svg(HAND_DRAWN, "fills", title)


def test_text_stays_text(drawn):
    said = {"".join(text.itertext()) for text in drawn["one"].iter(f"{{{SVG}}}text")}
    assert {"A bold title", "an italic label", "line 12 & more", "here", "a", "b", "c"} <= said


def test_text_stays_text_in_a_figure_that_was_not_begun_with_chart():
    with pyplot.rc_context({"svg.fonttype": "path"}):
        figure = pyplot.figure()
        figure.text(0.5, 0.5, "selectable")
        root = ElementTree.fromstring(to_svg(figure, "own", "Own"))
        pyplot.close(figure)
    assert [text.text for text in root.iter(f"{{{SVG}}}text")] == ["selectable"]


# -- a strict content-security policy


def test_no_style_is_left(root):
    for element in root.iter():
        assert local(element) not in ("style", "script", "metadata")
        assert not {"style", "font-family"} & element.attrib.keys()


def test_what_a_style_said_stands_in_attributes(drawn):
    root = drawn["hand"]
    rect = root.find(f".//{{{SVG}}}rect")
    assert (rect.get("stroke"), rect.get("stroke-width")) == ("var(--ink)", "2")
    bold, plain = root.iter(f"{{{SVG}}}text")
    assert (bold.get("font-size"), bold.get("font-weight")) == ("12px", "700")
    assert (plain.get("font-size"), plain.get("font-weight")) == ("13px", "400")


def test_bold_and_italic_survive_and_sizes_are_sizes(drawn):
    texts = {"".join(text.itertext()): text for text in drawn["one"].iter(f"{{{SVG}}}text")}
    assert texts["A bold title"].get("font-weight") == "700"
    assert texts["an italic label"].get("font-style") == "italic"
    assert {text.get("font-size") for text in texts.values()} == {"12px", "13px"}


# -- ids


def test_ids_and_what_points_at_them_belong_to_the_figure(root, name):
    assert len(ids(root)) == len(set(ids(root))) > 2
    assert all(identifier.startswith(f"{name}-") for identifier in ids(root))
    assert references(root)
    assert set(references(root)) <= set(ids(root))


def test_two_figures_of_one_page_share_no_id(drawn):
    assert not set(ids(drawn["one"])) & set(ids(drawn["two"]))


def test_an_id_that_nothing_points_at_is_dropped(drawn):
    assert set(ids(drawn["hand"])) == {"hand-title", "hand-desc", "hand-fade", "hand-box"}


def test_a_link_to_elsewhere_keeps_its_anchor(drawn):
    assert drawn["hand"].find(f".//{{{SVG}}}a").get("href") == "https://example.org/#box"


# -- the page's colours and size


def test_roles_become_variables_of_the_page(drawn):
    text = ElementTree.tostring(drawn["one"], encoding="unicode")
    used = set(re.findall(r"var\(--(\w+)\)", text))
    assert used == {"ink", "muted", "rule", "paper", "first", "second", "third"}
    assert not re.search("#00000[1-7]", text)


def test_there_is_one_colour_for_each_role():
    colours = [INK, MUTED, RULE, PAPER, FIRST, SECOND, THIRD]
    assert [ROLES[colour] for colour in colours] == [
        "ink", "muted", "rule", "paper", "first", "second", "third",
    ]  # fmt: skip


def test_the_page_decides_how_large_a_figure_is(root):
    assert not {"width", "height"} & root.attrib.keys()
    assert root.get("viewBox").split()[2] == str(WIDTH)


def test_a_chart_is_as_high_as_it_was_asked_to_be(drawn):
    assert drawn["one"].get("viewBox") == f"0 0 {WIDTH} 260"


def test_a_chart_may_have_several_panels():
    figure, axes = chart(100, rows=2, columns=3)
    pyplot.close(figure)
    assert axes.shape == (2, 3)


# -- drawings by hand


def test_a_drawing_is_filled_with_values_as_text(tmp_path):
    template = tmp_path / "plan.svg"
    template.write_text(
        f'<svg xmlns="{SVG}" viewBox="0 0 400 9"><text x="{{{{ x }}}}">{{{{ label }}}}</text></svg>',
        encoding="utf-8",
    )
    root = ElementTree.fromstring(
        to_svg(drawing(template, x=7, label='é <b> & "q"'), "plan", "A plan")
    )
    (text,) = root.iter(f"{{{SVG}}}text")
    assert (text.get("x"), text.text) == ("7", 'é <b> & "q"')


def test_a_drawing_that_lacks_a_value_is_refused(tmp_path):
    template = tmp_path / "plan.svg"
    template.write_text("<svg>{{ pages }}</svg>", encoding="utf-8")
    with pytest.raises(UndefinedError, match="pages"):
        drawing(template, page=1)


def test_a_drawing_may_leave_its_namespace_out():
    svg = to_svg(
        '<svg viewBox="0 0 400 9"><style>x</style><g id="a"/><text>5</text></svg>', "p", "P"
    )
    root = ElementTree.fromstring(svg)
    assert [local(element) for element in root.iter()] == ["svg", "title", "desc", "g", "text"]
