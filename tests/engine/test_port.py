"""Scripts in an engine without a page: what they give, and where and why they fail."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import port as port_module
from engine.findings import PROGRAM_FAILED, Refused
from engine.parity import first_difference
from engine.port import Port

ONE, TWO = "content/a lesson/widget/one.js", "content/a lesson/widget/two.js"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(), inside, max_size=4),
    max_leaves=10,
)  # fmt: skip


@pytest.fixture(scope="module")
def same():
    with Port({}, {ONE: "const same = (value) => value;"}) as port:
        yield port


def failure(one, two="", call="f", seconds=60):
    """Where and why two scripts fail as they are loaded, in a call of f, or drawing views."""
    with pytest.raises(Refused) as refused, Port({}, {ONE: one, TWO: two}, seconds) as port:
        port.value(call, []) if call else port.views()
    (finding,) = refused.value.findings
    assert (refused.value.code, finding.rule) == (PROGRAM_FAILED, "program-failed")
    return finding.path, finding.line, finding.what


@given(JSON)
def test_a_value_goes_in_and_out_to_the_last_bit(same, value):
    assert first_difference(value, same.value("same", [value])) == ""


@pytest.mark.parametrize(
    ("made", "value"),
    [
        ("undefined", None),
        ("null", None),
        ("NaN", None),
        ("1 / 0", None),
        ("-0", 0),
        ("[, 1]", [None, 1]),
    ],
)
def test_what_json_lacks_is_null(made, value):
    with Port({}, {ONE: f"function f() {{ return {made}; }}"}) as port:
        assert port.value("f", []) == value


def test_scripts_are_loaded_in_their_order_with_the_data():
    scripts = {ONE: "const sum = DATA.a + DATA['</script>'];", TWO: "const f = (x) => sum + x"}
    with Port({"a": 1, "</script>": 2}, scripts) as port:
        assert port.value("f", [4]) == 7


def test_views_are_drawn_at_the_first_settings_in_their_order():
    views = 'const VIEWS = { b: (n) => `<p title="${n}">`, a: (n) => n + 1, c() {} };'
    with Port({"n": 3}, {ONE: views, TWO: "function first_shown() { return DATA.n; }"}) as port:
        drawn = port.views()
    assert [*drawn.items()] == [("b", '<p title="3">'), ("a", "4"), ("c", "undefined")]


def test_scripts_may_have_no_views():
    with Port({}, {ONE: ""}) as port:
        assert port.views() == {}


GOOD = "function f() { return 1; }\n"
FAILURES = {
    "thrown": ("function f() {\n  throw new RangeError('no: 7');\n}", "", (ONE, 2, "RangeError: no: 7")),
    "two lines": ("function f() {\n throw Error('a\\nb') }", "", (ONE, 2, "Error: a")),
    "a text": ("\n\nfunction f() { throw 'words'; }", "", (ONE, 3, "words")),
    "in the other": ("const f = () => g();", "\nconst g = () => x;", (TWO, 2, "ReferenceError: x is not defined")),
    "as it is loaded": (GOOD, "\n\nnull.x;", (TWO, 3, "TypeError: Cannot read properties of null (reading 'x')")),
    "no such function": ("const g = 1;", "", (ONE, 1, "ReferenceError: f is not defined")),
    "no function": ("const f = 1;", "", (ONE, 1, "TypeError: f is not a function")),
    "no JSON": ("const f = () => 1n;", "", (ONE, 1, "TypeError: Do not know how to serialize a BigInt")),
    "syntax": ("\nlet a = ;", GOOD, (ONE, 2, "SyntaxError: Unexpected token ';'")),
    "syntax of the other": (GOOD, "\n\nlet a b", (TWO, 3, "SyntaxError: Unexpected identifier 'b'")),
    "cut short": (GOOD, "function g() {\n  if (f()) {\n", (TWO, 2, "SyntaxError: Unexpected end of input")),
    "an open text": ("const a = `b\nc", GOOD, (ONE, 2, "SyntaxError: Unexpected end of input")),
    "there already": (GOOD, "let f;", (TWO, 1, "SyntaxError: Identifier 'f' has already been declared")),
    "endless depth": ("\nfunction f() { return f() + 1; }", "", (ONE, 2, "RangeError: Maximum call stack size exceeded")),
}  # fmt: skip


@pytest.mark.parametrize(("one", "two", "told"), FAILURES.values(), ids=FAILURES)
def test_a_script_that_fails_is_told_with_its_line(one, two, told):
    assert failure(one, two) == told


def test_a_view_that_fails_is_told_with_its_line():
    views = "\nconst VIEWS = {\n  a: () => b() };"
    assert failure(views, GOOD + "const first_shown = f;", call="") == (
        ONE, 3, "ReferenceError: b is not defined",
    )  # fmt: skip
    assert failure("const VIEWS = { a: f };", GOOD, call="")[2].startswith("ReferenceError: f")


@pytest.mark.parametrize(
    ("one", "two", "path"),
    [
        ("function f() { for (;;); }", "", ONE),
        (GOOD, "while (true) f();", TWO),
        ("const f = () => /^(a+)+$/.test('a'.repeat(40) + 'b')", "", ONE),
    ],
)
def test_a_script_that_does_not_end_is_ended(one, two, path):
    assert failure(one, two, seconds=0.2) == (path, 1, "ran for more than 0.2 s")


def test_the_engine_is_of_use_after_a_call_that_did_not_end():
    with Port({}, {ONE: f"{GOOD}function g() {{ for (;;); }}"}, 0.2) as port:
        with pytest.raises(Refused):
            port.value("g", [])
        assert port.value("f", []) == 1


def test_a_script_that_fills_the_memory_is_ended(monkeypatch):
    monkeypatch.setattr(port_module, "MEMORY_BYTES", 64 << 20)
    greedy = "function f() { const all = []; for (;;) all.push([...all.slice(0, 99)]); }"
    assert failure(greedy) == (ONE, 1, "JavaScript memory limit reached")


def test_no_page_no_clock_and_no_file_is_there():
    script = (
        'const f = () => ["document", "window", "require", "fetch"].filter((n) => n in globalThis)'
    )
    with Port({}, {ONE: script}) as port:
        assert port.value("f", []) == []


def test_it_works_where_an_event_loop_runs():
    async def inside():
        with Port({}, {ONE: GOOD}) as port:
            return port.value("f", [])

    assert asyncio.run(inside()) == 1
