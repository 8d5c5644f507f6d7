"""Places of a text as its file holds it, as the engine reads it and as editors count."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.course import read_text
from engine.rawtext import RawText

ENCODINGS = ("utf-8", "utf-16", "utf-32")
PARTS = ("\ufeff", "a", "é", "\U0001f600", "\r\n", "\n", "\r", "\u2028", "\x0c", "{{ x }}")
texts = st.lists(st.sampled_from(PARTS), max_size=12).map("".join)


@pytest.mark.parametrize(
    ("encoding", "column"), [("utf-8", 9), ("utf-16", 5), ("utf-32", 4)]
)  # fmt: skip
def test_columns_are_in_units_of_the_encoding(encoding, column):
    raw = RawText("one\r\né \U0001f600 3.49")
    at = raw.plain.index("3")
    assert raw.place(at, encoding) == (1, column - (encoding == "utf-8"))
    assert raw.offset(1, column - (encoding == "utf-8"), encoding) == at


def test_editors_end_lines_where_the_engine_does_not_and_the_other_way_round():
    raw = RawText("a\rb\u2028c\x0cd\n3")
    assert raw.place(raw.plain.index("3"), "utf-16") == (2, 0)
    assert raw.place(raw.plain.index("d"), "utf-16") == (1, 4)


def test_a_place_that_is_none_is_the_nearest():
    raw = RawText("ab\r\n\U0001f600c")
    assert raw.offset(0, 99, "utf-16") == 2  # before the line's end
    assert raw.offset(99, 0, "utf-16") == len(raw.plain)
    assert raw.offset(1, 1, "utf-16") == 3  # in the middle of the emoji
    assert raw.offset(1, 2, "utf-16") == 4


def test_half_a_character_is_none():
    assert RawText("a\ud83d b").plain == "a\ufffd b"


@given(texts)
def test_the_plain_text_is_what_the_engine_reads(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "text"
    path.write_bytes(text.encode())
    assert RawText(text).plain == read_text(path)


@given(texts, st.sampled_from(ENCODINGS))
def test_every_offset_has_a_place_and_back(text, encoding):
    raw = RawText(text)
    places = [raw.place(at, encoding) for at in range(len(raw.plain) + 1)]
    assert places == sorted(places)
    assert [raw.offset(*place, encoding) for place in places] == list(range(len(places)))


@given(texts, st.data())
def test_an_edit_leaves_every_other_character(text, data):
    raw = RawText(text)
    start = data.draw(st.integers(0, len(raw.plain)))
    end = data.draw(st.integers(start, len(raw.plain)))
    after = raw.with_edits([(start, end, "X")])
    assert RawText(after).plain == raw.plain[:start] + "X" + raw.plain[end:]
    assert after.startswith(text[: raw.raw(start)]) and after.endswith(text[raw.raw(end) :])
    assert raw.with_edits([]) == text
