"""Sources: content finds a line, and only the one that was meant."""

import importlib.machinery
import importlib.util
import inspect
import warnings
from operator import attrgetter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.sources import NotFound, Source

SHAPES = Path(__file__).parent / "cases" / "sources" / "shapes.py.txt"
WORDS = st.text("abcxyz_()=. ", min_size=1, max_size=12).map(str.strip).filter(bool)
ODD_SPACES = "\f\v\x1c\x1d\x1e\x85\u2028\u2029"


def source(text: str) -> Source:
    return Source("program.py", "content/lesson/code/program.py", text)


@pytest.fixture(scope="module")
def shapes() -> Source:
    return source(SHAPES.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def shapes_module():
    loader = importlib.machinery.SourceFileLoader("shapes", str(SHAPES))
    loader.set_data = lambda *_: None  # leave no compiled copy beside it
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("shapes", loader))
    loader.exec_module(module)
    return module


# -- symbols


@pytest.mark.parametrize(
    "name", ["doubled", "Page.__init__", "Page.__lt__", "Page.Inside.wait", "served"]
)
def test_functions_stand_where_python_itself_says(shapes, shapes_module, name):
    lines, first = inspect.getsourcelines(inspect.unwrap(attrgetter(name)(shapes_module)))
    assert shapes.symbol(name) == (first, first + len(lines) - 1)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("LIMIT", (5, 5)),
        ("WIDTH", (6, 6)),
        ("LEFT", (7, 7)),
        ("RIGHT", (7, 7)),
        ("REST", (7, 7)),
        ("Page", (20, 40)),
        ("Page.SIZE", (24, 24)),
        ("doubled", (10, 17)),
        ("Page.__lt__", (32, 36)),
        ("Page.Inside", (38, 40)),
        ("served", (51, 55)),
    ],
)
def test_symbols_stand_where_an_editor_shows_them(shapes, name, lines):
    assert shapes.symbol(name) == lines


@pytest.mark.parametrize(
    "name", ["inner", "doubled.inner", "SIZE", "__init__", "functools", "Page.", ""]
)
def test_what_is_inside_something_else_is_no_symbol_of_its_own(shapes, name):
    with pytest.raises(NotFound, match="is not defined in program.py"):
        shapes.symbol(name)


def test_a_symbol_that_is_defined_twice_is_refused_with_both_places(shapes):
    with pytest.raises(NotFound, match="defined more than once .*; lines 43, 47"):
        shapes.symbol("overridden")


def test_a_misspelt_symbol_gets_the_one_that_was_meant(shapes):
    with pytest.raises(NotFound, match=r"did you mean Page\.__init__\?"):
        shapes.symbol("Page.__int__")


def test_putting_something_into_a_constant_does_not_define_it_again():
    program = source('KEY = "a"\nTABLE = {}\nTABLE[KEY] = 1\nTABLE.size = 2\n')
    assert program.symbol("KEY") == (1, 1)
    assert program.symbol("TABLE") == (2, 2)


def test_a_program_that_is_not_python_says_where():
    with pytest.raises(SyntaxError) as error:
        source("x = 1\n\ndef f(:\n").symbol("f")
    assert (error.value.filename, error.value.lineno) == ("content/lesson/code/program.py", 3)


# -- lines


@settings(deadline=None)
@given(st.lists(WORDS, min_size=1, unique=True), st.data())
def test_a_line_is_found_by_its_content_whatever_its_indentation(lines, data):
    indents = data.draw(st.lists(st.integers(0, 9), min_size=len(lines), max_size=len(lines)))
    text = "".join(" " * indent + line + "\n" for indent, line in zip(indents, lines, strict=True))
    for number, line in enumerate(lines, 1):
        assert source(text).line(line) == number
        assert source(text).line(f"  {line} ") == number


@settings(deadline=None)
@given(WORDS, st.lists(WORDS, min_size=1))
def test_a_part_of_a_line_never_finds_it(part, lines):
    program = source("".join(f"<{line}>\n" for line in [part, *lines]))
    with pytest.raises(NotFound):
        program.line(part)


@pytest.mark.parametrize("content", ["", "   ", "\n"])
def test_an_empty_line_is_never_meant(content):
    with pytest.raises(NotFound):
        source("x = 1\n\ny = 2\n").line(content)


def test_a_line_that_stands_twice_is_refused_with_both_places():
    with pytest.raises(NotFound, match="more than one line .*; lines 2, 4"):
        source("if a:\n    go()\nelse:\n        go()\n").line("go()")


@pytest.mark.parametrize(
    ("line", "content"),
    [
        ("total += 1  # one more", "total += 1"),
        ("total += 1 # one more", "total += 1"),
        ("total += 1# one more", "total += 1"),
        ("total += 1  # one more", "total += 1  # one more"),
        ("# only a comment", "# only a comment"),
        ('print("a  # b")  # c', 'print("a  # b")'),
        ('print("é # b")  # c', 'print("é # b")'),
    ],
)
def test_a_line_may_be_quoted_with_or_without_the_comment_that_closes_it(line, content):
    assert source(f"first = 1\n{line}\nlast = 2\n").line(content) == 2


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ('print("a  # b")\n', 'print("a'),
        ("total += 1  # one more\n", "total += 1  # one"),
        ("total += 1  # one more\n", "# one more"),
        ('"""Says\nwhat  # it does\n"""\n', "what"),
    ],
)
def test_half_a_text_or_half_a_comment_is_no_quotation(text, content):
    with pytest.raises(NotFound):
        source(text).line(content)


def test_the_same_line_with_two_comments_stands_twice():
    with pytest.raises(NotFound, match="lines 1, 2"):
        source("go()  # once\ngo()  # twice\n").line("go()")


def test_lines_of_what_is_not_python_are_found_all_the_same():
    assert source("x = (\n\n'''never closed\n  y = 2\n").line("y = 2") == 4


def test_a_line_that_nobody_wrote_gets_the_nearest():
    with pytest.raises(NotFound, match=r"no line of program.py is `total \+= 2`; .*total \+= 1\?"):
        source("total = 0\ntotal += 1\n").line("total += 2")


@pytest.mark.parametrize("space", ODD_SPACES, ids=lambda char: f"U+{ord(char):04X}")
def test_only_newlines_end_lines(space):
    program = source(f'a = 1\ntext = "x{space}y"\nb = 2\n')
    assert program.line("b = 2") == 3
    assert len(program.lines) == 3
    assert program.symbol("b") == (3, 3)


def test_a_form_feed_between_functions_ends_no_line():
    program = source("def f():\n    pass\n\f\n\ndef g():\n    return 1\n")
    assert program.symbol("g") == (5, 6)
    assert program.line("return 1") == 6


def test_the_last_line_may_lack_its_end():
    assert source("a = 1\nb = 2").lines == source("a = 1\nb = 2\n").lines == ["a = 1", "b = 2"]


def test_a_line_as_a_statement_has_no_indentation_and_no_comment():
    program = source('if a:\n    print("a  # b")  # c\n')
    assert program.statement(2) == 'print("a  # b")'
    assert program.statement(1) == "if a:"


# -- from line to line


def test_an_excerpt_goes_from_one_content_to_another():
    program = source("def f():\n    a()\n    b()  # then\n    c()\n")
    assert program.between("a()", "c()") == (2, 4)
    assert program.between("b()", "b()") == (3, 3)


def test_an_excerpt_cannot_run_backwards():
    with pytest.raises(NotFound, match="`a` stands before `b`"):
        source("a\nb\n").between("b", "a")


def test_both_ends_of_an_excerpt_must_stand_once():
    program = source("a\nb\na\n")
    for first, last in (("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")):
        with pytest.raises(NotFound):
            program.between(first, last)


# -- constants


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("LIMIT = 5\n", "LIMIT"),
        ("x = 1\nLIMIT = 10 * 2  # twenty\n", "LIMIT"),
        ("LIMIT=5\n", "LIMIT"),
        ("größe = 5\n", "größe"),
        ('NAME = "größe"  # in a comment\n', "NAME"),
        ('A = "é"; B = 5\n', "B"),
        ("LIMIT = (5)\n", "LIMIT"),
        ("LIMIT = [1, 2]\ndef f():\n    LIMIT = 4\n", "LIMIT"),
    ],
)
def test_a_constant_is_where_another_value_can_be_put(text, name):
    program = source(text)
    line, start, end = program.constant(name)
    lines = program.lines.copy()
    lines[line - 1] = lines[line - 1][:start] + "'another'" + lines[line - 1][end:]
    before, after = {}, {}
    exec(text, before)
    exec("\n".join(lines), after)
    assert after[name] == "another"
    assert after.keys() == before.keys()
    others = before.keys() - {name, "f", "__builtins__"}
    assert {key: after[key] for key in others} == {key: before[key] for key in others}


@pytest.mark.parametrize(
    "text",
    [
        "LIMIT = 5\nLIMIT = 6\n",  # set twice
        "LIMIT: int = 5\n",
        "LIMIT, OTHER = 5, 6\n",
        "LIMIT = OTHER = 5\n",
        "LIMIT = [\n    5,\n]\n",  # more than one line
        "def LIMIT():\n    pass\n",
        "class A:\n    LIMIT = 5\n",
        "OTHER = 5\n",
        "LIMITS = 5\n",
        "",
    ],
)
def test_what_is_not_one_plain_assignment_is_no_constant(text):
    with pytest.raises(NotFound, match="LIMIT"):
        source(text).constant("LIMIT")


def test_reading_a_program_warns_nobody():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert source("x = 1 if True else 2\n").symbol("x") == (1, 1)
