"""Markdown: all of it reaches the page, and each number is where the author sees it."""

import re
from collections.abc import Callable
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.markup import figure_names, headings, parse, render, stands_alone
from engine.pieces import pieces
from engine.stamps import RESERVED, stamp

CASES = sorted((Path(__file__).parent / "cases" / "markup").glob("*.md"))
NUMBER = re.compile(r"\d{3,}")  # markers of lists and ordinary digits are shorter
WORD = re.compile(r"[^\W\d_]{2,}")
ON_PAGE = ("text", "code", "alt", "title")
each_case = pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)


class Page:
    """Markdown rendered: its HTML, and the figures it asked for as (name, alt, caption)."""

    def __init__(self, source: str, value: str = "LIVE", block: str = ""):
        stamped, expressions = stamp(source)
        self.figures: list[tuple[str, str, str]] = []
        self.tokens = parse(stamped, lambda index: expressions[index].typed)
        self._block, self._value = block, value
        self.html = self.render()

    def render(self) -> str:
        def draw(name: str, alt: str, caption: str) -> str:
            self.figures.append((name, alt, caption))
            return f'<svg><title alt="{escape(alt)}">{escape(name)}</title></svg>\n{caption}'

        return render(
            self.tokens,
            lambda index: self._block or escape(self._value),
            lambda index: self._value,
            lambda index: bool(self._block),
            draw,
        )

    @property
    def text(self) -> str:
        return "".join(text for text in self._read() if not isinstance(text, tuple))

    @property
    def attributes(self) -> list[tuple[str, str]]:
        return [item for item in self._read() if isinstance(item, tuple)]

    @property
    def tags(self) -> list[str]:
        return re.findall(r"<([a-z0-9]+)", self.html)

    def _read(self) -> list[str | tuple[str, str]]:
        found: list[str | tuple[str, str]] = []

        class Reader(HTMLParser):
            def handle_starttag(self, tag, attrs):
                found.extend(attrs)

            def handle_data(self, data):
                found.append(data)

        reader = Reader()
        reader.feed(self.html)
        reader.close()
        return found


def numbers(source: str) -> list[tuple[str, int]]:
    return [(match[0], match.start()) for match in NUMBER.finditer(source)]


def numbers_in_pieces(source: str) -> list[tuple[str, int]]:
    """Each number that `pieces` tells of, and where it says it stands."""
    stamped, expressions = stamp(source)
    tokens = parse(stamped, lambda index: expressions[index].typed)
    return [
        (match[0], piece.at(match.start()))
        for piece in pieces(tokens, stamped)
        if piece.place in ON_PAGE
        for match in NUMBER.finditer(piece.text)
    ]


# -- positions


@each_case
def test_every_number_is_where_the_author_sees_it(case):
    source = case.read_text(encoding="utf-8")
    assert sorted(numbers_in_pieces(source)) == sorted(numbers(source))
    assert len(numbers(source)) > 4


INLINES = st.sampled_from([
    "word §", "*§*", "**§** §", "`§`", "[§ word](https://example.org)", '"§"', "it's §", "§",
    '[w](https://example.org "t §")', "{{ live }} §", "and\\\n§", "and\n§", "x§y", "so §.", "(§)", "§%",
])  # fmt: skip
LINES = st.lists(INLINES, min_size=1, max_size=4).map(" ".join)
ONE_LINE = LINES.map(lambda text: text.replace("\\\n", "").replace("\n", " "))


def indented(text: str, first: str, other: str) -> str:
    return first + text.replace("\n", "\n" + other)


BLOCKS = st.recursive(
    st.one_of(
        LINES,
        ONE_LINE.map(lambda text: f"## {text}"),
        ONE_LINE.map(lambda text: f"| {text} | § |\n| --- | --- |\n| § | {text} |"),
        ONE_LINE.map(lambda text: f"![{text}](fills)\n{text}"),
    ),
    lambda inner: st.one_of(
        inner.map(lambda text: indented(text, "- ", "  ")),
        inner.map(lambda text: indented(text, "> ", "> ")),
        st.tuples(inner, inner).map("\n\n".join),
        inner.map(lambda text: f"::: answer\n{text}\n:::"),
    ),
    max_leaves=5,
)


@settings(deadline=None)
@given(st.lists(BLOCKS, min_size=1, max_size=3))
def test_numbers_are_where_the_author_sees_them_however_blocks_are_nested(blocks):
    count = iter(range(100, 1000))
    source = re.sub("§", lambda _: str(next(count)), "\n\n".join(blocks))
    assume(numbers(source))
    assert sorted(numbers_in_pieces(source)) == sorted(numbers(source))


def test_each_piece_says_what_kind_of_place_it_is():
    source = (
        '# Head\n\nrun `code` [link](https://example.org "title")\n\n![alt](name)\ncaption\n\n'
        "    typed block\n"
    )
    found = [(piece.text.strip(), piece.place) for piece in pieces(parse(source, str), source)]
    assert [item for item in found if item[0] not in ("", "name")] == [
        ("Head", "text"),
        ("run", "text"),
        ("code", "code"),
        ("link", "text"),
        ("https://example.org", "target"),
        ("title", "title"),
        ("alt", "alt"),
        ("caption", "text"),
        ("typed block", "block"),
    ]


def test_a_typed_block_is_found_on_its_line():
    source = "text\n\n- item\n\n  ```\n  typed\n  ```\n"
    (block,) = [piece for piece in pieces(parse(source, str), source) if piece.place == "block"]
    assert source.count("\n", 0, block.at(0)) == 4


@pytest.mark.parametrize(
    "source", ["`f'{{ x }}'`", "    {{ x }}", "```\n{{ x }}\n```", "- `{{ x }}`"]
)
def test_code_says_the_braces_that_were_typed(source):
    stamped, expressions = stamp(source)
    tokens = parse(stamped, lambda index: expressions[index].typed)
    (piece,) = pieces(tokens, stamped)
    assert "{{ x }}" in piece.text


# -- nothing is lost


@each_case
def test_every_word_reaches_the_page(case):
    source = case.read_text(encoding="utf-8")
    page = Page(source)
    said = set(WORD.findall(page.text + " ".join(value for _, value in page.attributes)))
    expected = set(WORD.findall(source.replace("{{ live }}", "LIVE"))) - {"answer"}
    assert expected <= said
    assert page.text.count("LIVE") + str(page.attributes).count("LIVE") == source.count(
        "{{ live }}"
    )


@pytest.mark.parametrize(
    "nest",
    [
        lambda text: indented(text, "- ", "  "),
        lambda text: indented(text, "1. ", "   "),
        lambda text: indented(text, "> ", "> "),
        lambda text: indented(text, "> - ", ">   "),
    ],
    ids=["bullets", "numbers", "quotes", "both"],
)
def test_deep_nesting_drops_no_text(nest: Callable[[str], str]):
    source = "innermost {{ live }} *words*"
    for level in range(25):
        source = f"level{level:02}\n\n{nest(source)}"
    page = Page(source)
    assert "innermost LIVE words" in page.text
    assert re.findall(r"level\d\d", page.text) == [
        f"level{level:02}" for level in reversed(range(25))
    ]


def test_deeply_nested_emphasis_and_links_drop_no_text():
    source = "innermost"
    for level in range(30):
        mark = ("*", "_")[level % 2]
        source = f"{mark}a{level} {source} b{level}{mark}"
    assert "innermost" in Page(f"[{source}](https://example.org)").text
    assert WORD.findall(Page(source).text) == WORD.findall(source)


@settings(deadline=None)
@given(st.lists(BLOCKS, min_size=1, max_size=3))
def test_what_is_rendered_is_well_formed_and_the_same_again(blocks):
    page = Page("\n\n".join(blocks))
    ElementTree.fromstring(f"<div>{page.html}</div>")
    assert page.render() == page.html
    assert not RESERVED.search(page.html)


# -- headings


def anchors(source: str) -> list[str]:
    stamped, _ = stamp(source)
    return [anchor for _, anchor, _ in headings(parse(stamped, str))]


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["A", "A 2", "a-2", "A 2 2", "A-3", "*a*", "{{ x }}", "?!"]), max_size=8
    )
)
def test_headings_that_are_alike_get_different_anchors(texts):
    found = anchors("".join(f"## {text}\n\n" for text in texts))
    assert len(found) == len(set(found)) == len(texts)


@settings(deadline=None)
@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_a_live_number_leaves_the_anchor_alone(first, second):
    short, long = "{{ x }}", "{{ heavy.ttft_p99 | digits(3) }}"
    source = f"# How {short} pages fill\n"
    assert anchors(source) == anchors(source.replace(short, long)) == ["how-pages-fill"]
    ids = {dict(Page(source, str(value)).attributes)["id"] for value in (first, second)}
    assert ids == {"how-pages-fill"}


def test_a_heading_of_live_numbers_alone_has_an_anchor_too():
    assert anchors("# {{ x }}\n\n## {{ y }}") == ["section", "section-2"]


def test_an_anchor_is_no_figures_name():
    assert anchors("# How it fills\n\n![a](how-it-fills)\n\n## How it fills") == [
        "how-it-fills-2",
        "how-it-fills-3",
    ]


def test_headings_say_their_level_their_anchor_and_their_text():
    tokens = parse("# The *first* `part`\n\n### Über alles, naïve!\n", str)
    assert headings(tokens) == [
        ("h1", "the-first-part", "The first part"),
        ("h3", "über-alles-naïve", "Über alles, naïve!"),
    ]


def test_the_page_has_the_anchors_that_the_contents_link_to():
    source = "# A\n\n## A\n\nText\n\n## A {{ x }}\n\nUnder\n===\n"
    assert [value for key, value in Page(source).attributes if key == "id"] == anchors(source)


# -- values are data


VALUES = st.text(st.sampled_from("|_*<>~[]()`#!\\&\"'.-+=:{} 1a\u00a0"), min_size=1, max_size=8)
PLACES = [
    "{{ x }}", "word {{ x }} word", "# {{ x }}", "- {{ x }}", "> {{ x }}", "{{ x }}. Then",
    "line\n{{ x }}. then", "*{{ x }}*", "**{{ x }}**", "[{{ x }}](https://example.org)",
    "| a |\n| --- |\n| {{ x }} |", "| {{ x }} | b |\n| --- | --- |", '"{{ x }}"', "Head {{ x }}\n===",
    "::: answer\n{{ x }}\n\nb\n:::",
]  # fmt: skip


@settings(deadline=None)
@given(st.sampled_from(PLACES), VALUES)
def test_a_value_comes_out_as_text_wherever_it_stands(source, value):
    page = Page(source, value)
    assert page.text.count(value) >= 1
    assert page.tags == Page(source, "LIVE").tags
    assert page.text == Page(source, "LIVE").text.replace("LIVE", value)


@settings(deadline=None)
@given(VALUES)
def test_a_value_in_an_attribute_is_text_too(value):
    page = Page('[a](https://example.org "so {{ x }} it is")', value)
    assert ("title", f"so {value} it is") in page.attributes
    assert page.tags == ["p", "a"]


@settings(deadline=None)
@given(VALUES)
def test_a_value_in_an_alternative_text_is_handed_on_as_text(value):
    page = Page("![rises to {{ x }} at *once*](fills)\nUp to **{{ x }}**.", value)
    caption = f"Up to <strong>{escape(value)}</strong>."
    assert page.figures == [("fills", f"rises to {value} at once", caption)]


@pytest.mark.parametrize(
    "source", ["{{ x }}. Then", "{{ x }}) Then", "line\n{{ x }}. Then", "- a\n{{ x }}. b"]
)
def test_a_number_that_starts_a_line_starts_no_list(source):
    assert "ol" not in Page(source, "7").tags


@pytest.mark.parametrize(
    "value", ["- a", "# a", "> a", "| a | b |", "```", "    a", "::: answer", "---"]
)
def test_a_value_that_starts_a_line_starts_no_block(value):
    assert Page("{{ x }}", value).html == f"<p>{escape(value)}</p>\n"


def test_typed_html_is_shown_and_not_obeyed():
    page = Page("<b>bold</b> <script>alert(1)</script> &amp; <!-- note -->\n\n<div>\n\nx\n\n</div>")
    assert set(page.tags) == {"p"}
    assert "<b>bold</b> <script>alert(1)</script> & <!-- note -->" in page.text


# -- forms of our own


def test_a_figure_is_drawn_with_its_name_its_text_and_its_caption():
    page = Page("![A *line* & more](cache-fills)\nThe *caption*.\n\nText.\n\n![B](other)\n")
    assert page.figures == [
        ("cache-fills", "A line & more", "The <em>caption</em>."),
        ("other", "B", ""),
    ]
    assert page.tags.count("p") == 1


def test_figures_are_listed_in_the_order_of_the_page():
    tokens = parse("![B](b)\n\n- ![A](a)\n\ntext ![C](c)\n", str)
    assert figure_names(tokens) == ["b", "a", "c"]


def test_a_block_stands_in_no_paragraph():
    page = Page("Before.\n\n{{ code() }}\n\n- {{ code() }}\n\nAfter.", block="<pre>x = 1</pre>")
    assert page.tags == ["p", "pre", "ul", "li", "pre", "p"]


def test_items_have_paragraphs_only_if_there_is_space_between_them():
    assert Page("- a\n- b {{ x }}\n").tags == ["ul", "li", "li"]
    assert Page("- a\n\n- b {{ x }}\n").tags == ["ul", "li", "p", "li", "p"]


def test_a_live_number_alone_in_a_paragraph_is_a_paragraph():
    assert Page("{{ x }}").html == "<p>LIVE</p>\n"


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("{{ x }}", "block"),
        ("![a](b)\nc", "figure"),
        ("a {{ x }}", ""),
        ("a", ""),
        ("{{ x }} {{ y }}", ""),
    ],
)
def test_paragraphs_that_are_one_thing_say_which(source, kind):
    stamped, _ = stamp(source)
    (inline,) = [token for token in parse(stamped, str) if token.type == "inline"]
    assert stands_alone(inline, lambda index: True) == kind
    assert stands_alone(inline, lambda index: False) == ("figure" if kind == "figure" else "")


def test_an_answer_is_folded_behind_its_first_paragraph():
    page = Page("::: answer\nWhy?\n\nBecause.\n\n- So.\n:::\n\nAfter.\n")
    tree = ElementTree.fromstring(f"<div>{page.html}</div>")
    (details,) = tree.findall("details")
    assert [child.tag for child in details] == ["summary", "p", "ul"]
    assert details.findtext("summary") == "Why?"
    assert tree.findtext("p") == "After."


def test_a_table_scrolls_in_a_box_that_can_be_reached_by_keyboard():
    tree = ElementTree.fromstring(Page("| a | b |\n| --- | --- |\n| 1 | 2 |").html)
    assert tree.get("tabindex") == "0"
    assert tree.get("role") == "group"
    assert tree.get("aria-label")
    assert [cell.text for cell in tree.iter("td")] == ["1", "2"]


def test_columns_are_aligned_by_a_class_and_headed_by_their_head():
    source = "| a | b | c | d |\n| :--- | :---: | ---: | --- |\n| 1 | 2 | 3 | 4 |"
    tree = ElementTree.fromstring(Page(source).html)
    for tag, scope in (("th", "col"), ("td", None)):
        cells = list(tree.iter(tag))
        assert [cell.get("class") for cell in cells] == ["left", "center", "right", None]
        assert {cell.get("scope") for cell in cells} == {scope}
    assert not [element for element in tree.iter() if element.get("style")]


def test_straight_quotes_become_curly_outside_code():
    assert Page('"a" \'b\' it\'s `"c"`').text.strip() == '“a” ‘b’ it’s "c"'
