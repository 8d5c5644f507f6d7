"""Near misses: what a wrong number was probably meant to be, and silence where nobody can say."""

import random
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.facts import Fact
from engine.nearmiss import equal, near

VALUES = [
    ("heavy.ttft_p99", 3.491890955068488, "s", 2),
    ("more.ttft_p99", 0.9282351590436981, "s", 2),
    ("heavy.cache_steps", 1291, "", 0),
    ("cache_mib", 480.0, "MiB", 0),
    ("growth", 91.81818, "%", 1),
    ("share", 0.25, "", 2),
    ("few", 4, "", 0),
    ("mode", "float16", "", 0),
    ("holds", True, "", 0),
]
FACTS = {name: Fact(name, value, unit, digits, "f.py:1") for name, value, unit, digits in VALUES}


@pytest.mark.parametrize(
    ("number", "after", "said"),
    [
        ("3.94", " s", "heavy.ttft_p99 is 3.49: digits swapped? write {{ heavy.ttft_p99 }}"),
        ("4.39", " s", "heavy.ttft_p99 is 3.49: digits swapped? write {{ heavy.ttft_p99 }}"),
        ("3.94", "", "heavy.ttft_p99 is 3.49: digits swapped? write {{ heavy.ttft_p99 | bare }}"),
        ("1,219", "", "heavy.cache_steps is 1,291: digits swapped? write {{ heavy.cache_steps }}"),
        ("1290", "", "heavy.cache_steps is 1,291: one digit off? write {{ heavy.cache_steps }}"),
        ("3.48", " s", "heavy.ttft_p99 is 3.49: one digit off? write {{ heavy.ttft_p99 }}"),
        ("12,910", "", "heavy.cache_steps is 1,291: ten times off? write {{ heavy.cache_steps }}"),
        ("34.9", " s", "heavy.ttft_p99 is 3.49: ten times off? write {{ heavy.ttft_p99 }}"),
        ("930", " ms", "more.ttft_p99 is 0.93 s: another unit? write {{ more.ttft_p99 }}"),
        ("928", " ms", "more.ttft_p99 is 0.93 s: another unit? write {{ more.ttft_p99 }}"),
        ("3.49", " ms", "heavy.ttft_p99 is 3.49 s: another unit? write {{ heavy.ttft_p99 }}"),
        ("480", " MB", "cache_mib is 480 MiB: another unit? write {{ cache_mib }}"),
        ("25", "%", "share is 0.25: another unit? write {{ share }}"),
        (
            "3.5", " s",
            "3.5 is heavy.ttft_p99 only after rounding: 3.4919; "
            "write {{ heavy.ttft_p99 | digits(1) }}",
        ),
        ("92", "%", "92 is growth only after rounding: 91.818; write {{ growth | digits(0) }}"),
    ],
)  # fmt: skip
def test_a_slip_is_told_with_its_fact(number, after, said):
    assert near(number, after, FACTS) == said


@pytest.mark.parametrize(
    ("number", "after"),
    [
        ("7312", ""), ("3.49", " s"), ("3.492", " s"), ("1,291", ""),  # far, or equal
        ("3", " s"), ("5", ""), ("9", "%"), ("0", ""),  # small
        ("3.94", " MiB"), ("480", " ms"),  # of another kind
        ("41", ""), ("14", ""),  # two digits prove nothing
        ("½", ""), ("²", ""), ("٣٤٩", ""), ("1/2", ""), ("3:49", ""), ("1e-7", ""), ("12,91", ""),
        ("2026-10", ""), ("1.2.3", ""), ("9" * 5000, ""), ("007", ""),
    ],
)  # fmt: skip
def test_nothing_is_said_where_nothing_is_near(number, after):
    assert near(number, after, FACTS) == ""


def test_equal_is_what_prints_so_and_has_no_other_unit():
    assert equal("3.49", " s", FACTS) == ["{{ heavy.ttft_p99 }}"]
    assert equal("3.49", " seconds", FACTS) == ["{{ heavy.ttft_p99 | bare }}"]
    assert equal("3.492", " s", FACTS) == ["{{ heavy.ttft_p99 | digits(3) }}"]
    assert equal("3.5", " s", FACTS) == []
    assert equal("3.49", " ms", FACTS) == []
    assert equal("4", "", FACTS) == ["{{ few }}"]
    assert equal("3", " s", FACTS) == []


def test_at_most_two_are_named_the_nearest_first():
    facts = {name: Fact(name, value, "", 0, "f.py:1") for name, value in
             [("far", 5059), ("near", 5051), ("nearer", 5049), ("swapped", 5005)]}  # fmt: skip
    said = near("5050", "", facts)
    assert [part.split(" is ")[0] for part in said.split(", or ")] == ["swapped", "near"]


@given(st.integers(100, 999_999), st.integers(0, 4), st.data())
def test_any_two_neighbours_swapped_are_recognised(whole, digits, data):
    printed = f"{Decimal(whole).scaleb(-digits):f}"
    places = [place for place, char in enumerate(printed) if char != "."]
    at = data.draw(st.integers(0, len(places) - 2))
    one, two = places[at], places[at + 1]
    typed = list(printed)
    typed[one], typed[two] = typed[two], typed[one]
    assume(typed[0] != "0" and "".join(typed) != printed and printed[0] != "0")
    facts = {"x": Fact("x", float(printed) if digits else whole, "", digits, "f.py:1")}
    said = near("".join(typed), "", facts)
    assert said == f"x is {float(printed):,.{digits}f}: digits swapped? write {{{{ x }}}}" or (
        "another" not in said and "rounding" in said
    )


def test_false_suggestions_are_rare():
    """Of numbers that have nothing to do with the facts, few are near one."""
    chance = random.Random(7)
    facts = {
        f"f{index}": Fact(f"f{index}", chance.randint(1000, 99_999), "", 0, "f.py:1")
        for index in range(60)
    }
    suggested = sum(bool(near(str(chance.randint(1000, 99_999)), "", facts)) for _ in range(1000))
    assert suggested < 50


@given(st.text(max_size=8), st.text(max_size=6))
def test_any_text_is_survived(number, after):
    assert isinstance(near(number, after, FACTS), str)
