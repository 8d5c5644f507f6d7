"""Stamps: as long as what they stand for, and gone without a trace."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.stamps import RESERVED, STAMP, Expression, fill_in, stamp, stamps_in

CASES = sorted((Path(__file__).parent / "cases" / "stamps").glob("*.md"))
ANYTHING = st.text(st.characters(exclude_categories=["Cs", "Co"]))
PARTS = st.sampled_from([
    "{{ a }}", "{{}}", '{{ f("}}") }}', "{{ x | digits(2) }}", "{{ it's }}", "{{", "}}", "{", "}",
    "`", "``", "```", "~~~", "\n", "\n\n", "\n```\n", "\n~~~\n", "\\", "\\`", '"', "'", "|", "é",
    "\u2028", "\f", "word", " ",
])  # fmt: skip
TANGLES = st.lists(PARTS | ANYTHING, max_size=25).map("".join)


def restored(stamped: str, expressions: list[Expression]) -> str:
    return fill_in(stamped, lambda index: expressions[index].typed)


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_the_expressions_of_a_text_are_those_listed_beside_it(case):
    _, expressions = stamp(case.read_text(encoding="utf-8"))
    expected = case.with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    assert [expression.code for expression in expressions] == expected


@settings(deadline=None)
@given(TANGLES)
def test_everything_else_keeps_its_line_and_column(text):
    stamped, expressions = stamp(text)
    inside = {
        offset
        for expression in expressions
        for offset in range(expression.offset, expression.offset + len(expression.typed))
    }
    assert len(stamped) == len(text)
    for offset, (before, after) in enumerate(zip(text, stamped, strict=True)):
        if offset in inside:
            assert before != "\n"
            assert RESERVED.match(after)
        else:
            assert before == after


@settings(deadline=None)
@given(TANGLES)
def test_filling_in_what_was_typed_gives_back_the_text(text):
    assert restored(*stamp(text)) == text


@settings(deadline=None)
@given(TANGLES)
def test_each_expression_knows_where_it_stands_and_what_it_says(text):
    stamped, expressions = stamp(text)
    assert stamps_in(stamped) == list(range(len(expressions)))
    for index, expression in enumerate(expressions):
        assert expression.index == index
        assert text.startswith(expression.typed, expression.offset)
        assert expression.typed == "{{" + expression.typed[2:-2] + "}}"
        assert expression.code == expression.typed[2:-2].strip()


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from([
            ("see {{ a.b }} there", ["a.b"]),
            ('{{ line("f.py", "x = {}") }}. New', ['line("f.py", "x = {}")']),
            ("{{ a }}{{ b }}", ["a", "b"]),
            ('`f"{{x}}"` and {{ c }}', ["c"]),
            ("``{{ x }} ` {{ y }}`` then {{ d | about }}", ["d | about"]),
            ("`two\nlines {{ x }}` {{ e }}", ["e"]),
            ("an `odd backtick, {{ g }}", ["g"]),
            ("```\n{{ x }}\n\n{{ y }}\n```", []),
            ("~~~ text\n{{ x }}\n```\n{{ y }}\n~~~", []),
            ("no braces at all", []),
        ])
    )
)  # fmt: skip
def test_braces_in_code_spans_and_fences_are_text_among_any_other_blocks(blocks):
    _, expressions = stamp("\n\n".join(text for text, _ in blocks))
    assert [found.code for found in expressions] == [code for _, codes in blocks for code in codes]


def test_a_text_may_hold_more_expressions_than_one_character_can_number():
    text = "\n".join(f"{{{{ n{number} }}}}" for number in range(3000))
    stamped, expressions = stamp(text)
    assert stamps_in(stamped) == list(range(3000))
    assert fill_in(stamped, lambda index: str(index)) == "\n".join(map(str, range(3000)))
    assert expressions[2999].code == "n2999"


def test_the_shortest_expression_has_room_for_a_stamp():
    stamped, expressions = stamp("{{}}")
    assert STAMP.fullmatch(stamped)
    assert expressions == [Expression(0, "{{}}", "", 0)]


def test_what_is_between_the_stamps_is_changed_and_the_values_are_not():
    stamped, _ = stamp("a < b {{ x }} c & d{{ y }}")
    shown = fill_in(stamped, ["<i>", "<b>"].__getitem__, str.upper)
    assert shown == "A < B <i> C & D<b>"


def test_a_text_without_stamps_is_changed_as_a_whole():
    assert fill_in("abc", lambda index: "never", str.upper) == "ABC"
    assert stamps_in("abc") == []


def test_a_stamp_is_found_in_a_part_of_the_text():
    stamped, expressions = stamp("{{ a }} and {{ b }} and {{ c }}")
    assert stamps_in(stamped[expressions[1].offset :]) == [1, 2]
