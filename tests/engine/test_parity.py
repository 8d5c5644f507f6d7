"""Two values are the same to the last bit, or it is told where they part."""

import copy
import json
import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.parity import compare, findings, first_difference

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    LEAVES,
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text("abc"), inside),
    max_leaves=15,
)
SCRIPT = """\
// function total, and the rest
const mean = (last) => total(last) / last;
function total(last) {
}
function* totals() {}
function total_of() {}
"""


def leaves(value, path=()):
    """The way to each single value: keys and indexes."""
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in inside:
        if isinstance(part, (dict, list)):
            yield from leaves(part, (*path, key))
        else:
            yield (*path, key)


def written(path):
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)


@pytest.mark.parametrize(
    ("python", "port", "difference"),
    [
        (1, 1.0, ""),
        (0.0, -0.0, ""),
        (10**16, 1e16, ""),
        ([1, {"a": "b"}], [1, {"a": "b"}], ""),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, ""),
        (0.1 + 0.2, 0.3, " is 0.30000000000000004 in Python, 0.3 in the port"),
        (2**53 + 1, 2**53, " is 9007199254740993 in Python, 9007199254740992 in the port"),
        (True, 1, " is True in Python, 1 in the port"),
        (0, False, " is 0 in Python, False in the port"),
        (None, 0, " is None in Python, 0 in the port"),
        ("1", 1, " is '1' in Python, 1 in the port"),
        ([1, 2], [1], " is a list of 2 in Python, a list of 1 in the port"),
        ([], {}, " is a list of 0 in Python, {} in the port"),
        ({"b": 1, "a": 2}, {"a": 2}, " is {a, b} in Python, {a} in the port"),
        ({"a": [1]}, {"a": 1}, ".a is a list of 1 in Python, 1 in the port"),
        ([[0, 1], [2, 3]], [[0, 1], [2, 4]], "[1][1] is 3 in Python, 4 in the port"),
        ({"b": 1, "a": 2}, {"b": 3, "a": 4}, ".b is 1 in Python, 3 in the port"),
        ({"steps": [{"s": 1}, {"s": True}]}, {"steps": [{"s": 1}, {"s": 1}]},
         ".steps[1].s is True in Python, 1 in the port"),
    ],
)  # fmt: skip
def test_the_first_difference_is_told_with_its_place(python, port, difference):
    assert first_difference(python, port) == difference


@given(VALUES)
def test_a_value_does_not_differ_from_its_copy(value):
    assert first_difference(value, json.loads(json.dumps(value))) == ""


@given(VALUES.filter(lambda value: isinstance(value, (dict, list))), LEAVES, st.data())
def test_one_changed_leaf_is_found_with_its_way(value, other, data):
    paths = list(leaves(value))
    assume(paths)
    path = data.draw(st.sampled_from(paths))
    changed = inside = copy.deepcopy(value)
    for key in path[:-1]:
        inside = inside[key]
    before = inside[path[-1]]
    assume(other != before or isinstance(other, bool) != isinstance(before, bool))
    inside[path[-1]] = other
    said = f"{written(path)} is {before!r} in Python, {other!r} in the port"
    assert first_difference(value, changed) == said


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_one_bit_of_a_float_is_a_difference(value):
    for other in (math.nextafter(value, math.inf), math.nextafter(value, -math.inf)):
        said = f" is {value!r} in Python, {other!r} in the port"
        assert first_difference(value, other) == said
        assert first_difference({"a": [value]}, {"a": [other]}) == f".a[0]{said}"


def compared(port, closer="; see there"):
    calls = [("f", [1]), ("f", [2]), ("f", [3]), ("g", []), ("h", ["a", True])]
    expected = [[1, {"a": 1}], 2, 3, {}, []]
    asked = []

    def look_closer(name, arguments):
        asked.append((name, arguments))
        return closer

    values = dict(zip(map(str, calls), port))
    parity = compare(calls, expected, lambda *call: values[str(call)], look_closer)
    return parity, asked


def test_calls_and_values_are_counted():
    parity, asked = compared([[1, {"a": 1}], 2, 3, {}, []])
    assert (parity.calls, parity.values) == ({"f": 3, "g": 1, "h": 1}, 4)
    assert parity.differences == {} and asked == []
    assert str(parity) == ("parity: 4 values compared in 3 of f, 1 of g, 1 of h; 0 differences")


def test_only_the_first_call_of_a_function_is_looked_at_closer():
    parity, asked = compared([[1, {"a": 1}], 4, 4, {}, [0]])
    assert asked == [("f", [2]), ("h", ["a", True])]
    assert parity.differences == {
        "f": [
            "f(2) is 2 in Python, 4 in the port; see there",
            "f(3) is 3 in Python, 4 in the port",
        ],
        "h": ['h("a", true) is a list of 0 in Python, a list of 1 in the port; see there'],
    }
    assert str(parity).endswith("; 3 differences")


@pytest.mark.parametrize(
    ("name", "line", "texts", "what"),
    [
        ("total", 3, ["a"], "a"),
        ("total", 3, ["a", "b"], "a, and so does another"),
        ("total", 3, ["a", "b", "c"], "a, and so do 2 other calls"),
        ("totals", 5, ["a"], "a"),
        ("total_of", 6, ["a"], "a"),
        ("mean", 2, ["a"], "a"),
        ("nowhere", 1, ["a"], "a"),
    ],
)
def test_a_function_that_differs_is_one_finding_at_its_line(name, line, texts, what):
    parity, _ = compared([[1, {"a": 1}], 2, 3, {}, []])
    parity.differences[name] = texts
    (finding,) = findings(parity, "widget/port.js", SCRIPT)
    assert (finding.path, finding.line, finding.col) == ("widget/port.js", line, 1)
    assert (finding.rule, finding.what) == ("parity", what)
