"""HTML with expressions: all that a reader meets is a piece with its place, and is filled in."""

import re
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.findings import position
from engine.fragment import READ_ALOUD, SET, fill_html, html_pieces
from engine.stamps import RESERVED, fill_in, stamp, stamps_in

CASES = sorted((Path(__file__).parent / "cases/fragment").glob("*.html"))
CHARACTERS = st.characters(exclude_categories=["Cs", "Co"], exclude_characters="\r")
WORDS = st.text(CHARACTERS, min_size=1)
PARTS = st.sampled_from([
    "<p>", "</p>", "<br/>", '<p title="', "<p title='", "<p title=", ">", '"', "'", "<", "</", "&",
    "&#", "&#4", "&#x", "&amp", ";", "<!--", "-->", "--", "<!", "<![", "<![CDATA[", "]]>", "<?",
    "<script>", "</script>", "<style>", "{{ a }}", "{{ b", "}}", "\n", " ", "word", "7",
])  # fmt: skip
TANGLES = st.lists(PARTS | WORDS, max_size=25).map("".join)


def pieces(html):
    """(place, offset, text) of each piece, with expressions as they were typed."""
    stamped, expressions = stamp(html)
    return [
        (piece.place, piece.at(0), fill_in(piece.text, lambda index: expressions[index].typed))
        for piece in html_pieces(stamped)
    ]


def filled(html, value="LIVE"):
    stamped, _ = stamp(html)
    return fill_html(stamped, lambda index: f"<b>{escape(value)}</b>", lambda index: value)


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_the_pieces_of_a_text_are_those_listed_beside_it(case):
    html = case.read_text(encoding="utf-8")
    found = [
        "{} {}:{} {!r}".format(place, *position(html, offset), text)
        for place, offset, text in pieces(html)
    ]
    assert found == case.with_suffix(".txt").read_text(encoding="utf-8").splitlines()


@given(WORDS, WORDS.filter(lambda text: not re.search("[<&]", text)))
def test_text_between_tags_is_found_line_by_line_with_its_place(title, text):
    html = f'<p class="{escape(title)}">{text}</p>'
    lines = [(line.start(), line[0]) for line in re.finditer(r"[^\n]+", text) if line[0].strip()]
    start = html.rindex("</p>") - len(text)
    if not stamp(html)[1]:
        assert pieces(html) == [("text", start + offset, line) for offset, line in lines]


@given(st.sampled_from([*READ_ALOUD, *SET]), st.sampled_from("\"'"), st.data())
def test_an_attribute_that_is_heard_or_sets_something_is_found_with_its_place(name, quote, data):
    value = data.draw(WORDS.filter(lambda text: quote not in text and not stamp(text)[1]))
    html = f"<p>\n<b {name} = {quote}{value}{quote}></b></p>"
    place = "text" if name in SET else "title"
    assert pieces(html) == [(place, html.index(quote) + 1, value)]


@given(TANGLES)
def test_whatever_is_written_nothing_breaks_and_each_text_stands_where_it_says(html):
    stamped, _ = stamp(html)
    for piece in html_pieces(stamped):
        here = stamped[piece.at(0) :]
        assert here.startswith(piece.text) or here.startswith("&")
    fill_html(stamped, str, str)


@given(TANGLES)
def test_every_expression_is_in_a_piece_or_in_a_comment(html):
    stamped, expressions = stamp(html)
    met = {index for piece in html_pieces(stamped) for index in stamps_in(piece.text)}
    commented = {
        index for note in re.findall("<!--.*?-->", stamped, re.S) for index in stamps_in(note)
    }
    assert met | commented == set(range(len(expressions)))


@given(WORDS)
def test_what_is_filled_in_is_escaped_in_attributes_and_not_in_text(value):
    page = filled("<p title='a > b' alt=\"{{ a }}\">\n{{ b }} < {{ c }}</p>", value)
    assert page == (
        f"<p title='a > b' alt=\"{escape(value)}\">\n<b>{escape(value)}</b> < "
        f"<b>{escape(value)}</b></p>"
    )
    (alt,) = _Attributes(page).found
    assert alt == value


class _Attributes(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found += [value for name, value in attrs if name == "alt"]


def test_an_author_s_notes_stay_with_the_author():
    assert filled("<p>{{ a }}</p><!-- {{ b }}\n <p title='{{ c }}'> --><b>d</b>") == (
        "<p><b>LIVE</b></p><b>d</b>"
    )


def test_all_else_reaches_the_page_as_it_is():
    html = "".join(case.read_text(encoding="utf-8") for case in CASES)
    stamped, expressions = stamp(html)
    typed = [expression.typed for expression in expressions]
    page = fill_html(stamped, typed.__getitem__, typed.__getitem__)
    assert page == re.sub("<!--.*?-->", "", html, flags=re.S) and not RESERVED.search(page)
