"""Texts of scripts: each is found where it stands, in strings and templates however nested."""

import re
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.findings import position
from engine.script_text import VALUE, script_pieces

CASES = sorted((Path(__file__).parent / "cases/script_text").glob("*.js"))
MARK = re.compile(r"mark \d+ is here")
PARTS = st.sampled_from([
    "`", "${", "}", "{", '"', "'", "\\", "\\`", "/", "//", "/*", "*/", "\n", "(", ")", "=", ",",
    "return ", "<p>", "<p title=", "</", ">", " ", "three words", "7", "h2", "$", "x", "\ufffc",
])  # fmt: skip
TANGLES = st.lists(PARTS | st.text(st.characters(exclude_categories=["Cs"])), max_size=25)
# What a script may be made of: M is a text, E another expression.
EXPRESSIONS = st.recursive(
    st.sampled_from(['"M"', "'M'", "`M`", "`<p>M</p>`", "4", "/[\"'`]/g", "x // it's \"\n"]),
    lambda inside: st.tuples(
        st.sampled_from([
            "`M ${E} M`", "`<b>${E}</b> M`", '`<b title="M ${E}">M</b>`', "`M ${{ a: E }.a}`",
            "f((a) => { return E; })", "[E, E]", "{ a: E, b: { c: E } }", "`${E}${E} M`",
            "(E) + 'M'", "/* `M */ E", "`\\`M \\${ ${E}`",
        ]),
        inside, inside,
    ).map(lambda made: made[0].replace("E", made[1], 1).replace("E", made[2])),
    max_leaves=12,
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_the_texts_of_a_script_are_those_listed_beside_it(case):
    script = case.read_text(encoding="utf-8")
    found = [
        "{}:{} {!r}".format(*position(script, piece.at(0)), piece.text)
        for piece in script_pieces(script)
    ]
    assert found == case.with_suffix(".txt").read_text(encoding="utf-8").splitlines()


@given(EXPRESSIONS)
def test_each_text_of_nested_expressions_is_found_once_in_its_place(expression):
    numbers = count(10)
    script = re.sub("M", lambda _: f"mark {next(numbers)} is here", f"const a = {expression};\n")
    commented = {span for note in re.finditer(r"/\* `.*? \*/", script) for span in [note.span()]}
    expected = {
        match.start(): match[0]
        for match in MARK.finditer(script)
        if not any(start <= match.start() < end for start, end in commented)
    }
    found = [
        (piece.at(match.start()), match[0])
        for piece in script_pieces(script)
        for match in MARK.finditer(piece.text)
    ]
    assert sorted(found) == sorted(expected.items())


@given(TANGLES.map("".join))
def test_whatever_is_written_nothing_breaks_and_each_character_stands_where_it_says(script):
    for piece in script_pieces(script):
        for index, char in enumerate(piece.text if "\\" not in script else ""):
            there = script[piece.at(index) :]
            assert there[0] == char or (char == VALUE and there.startswith("${")) or char == " "


@given(st.characters(min_codepoint=0x80, exclude_categories=["Cs"]))
def test_an_escape_is_the_character_it_stands_for(char):
    forms = [rf"\u{{{ord(char):x}}}"]
    forms += [rf"\u{ord(char):04x}"] if ord(char) < 1 << 16 else []
    forms += [rf"\x{ord(char):02X}"] if ord(char) < 1 << 8 else []
    for form in forms if ord(char) < 1 << 20 else ():
        (piece,) = script_pieces(f'"so {form} it is"')
        assert piece.text == f"so {char}{' ' * (len(form) - 1)} it is"
        assert piece.at(piece.text.index("it")) == 1 + len(f"so {form} ")
