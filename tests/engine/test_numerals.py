"""Numbers in running text: none is overlooked, and a name is no number."""

from decimal import ROUND_HALF_EVEN, Context, Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.course import Vocabulary
from engine.facts import Fact
from engine.numerals import REFERENCE, facts_that_print, numerals

CASES = Path(__file__).parent / "cases" / "numerals"
NAMES = ["A100", "A100-80GB", "p99", "p50", "UTF-8", "SOSP 2023"]
VOCABULARY = Vocabulary("vocabulary.toml", {}, NAMES, {"date": r"\d{4}-\d\d-\d\d"})
NOTHING = Vocabulary("vocabulary.toml", {}, [], {})
EXACT = Context(prec=400, rounding=ROUND_HALF_EVEN)
TANGLES = st.lists(
    st.sampled_from([*NAMES, *"0123456789.,:/-–e+ ½²Ⅷ٣x_", "2026-10-20", " and "])
    | st.characters(),
    max_size=12,
).map("".join)


def rows(name: str) -> list[tuple[str, list[str]]]:
    found = []
    for line in (CASES / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            text, _, expected = line.partition("=>")
            items = [item.strip() for item in expected.split(" ; ") if item.strip()]
            found.append((text.strip(), items))
    return found


def fact(value, digits=0, unit="", name="heavy.p99") -> Fact:
    return Fact(name, value, unit, digits, "lesson/facts.py:3")


@pytest.mark.parametrize(("text", "expected"), rows("numbers.txt"))
def test_the_numbers_of_a_sentence_are_those_listed_beside_it(text, expected):
    found = sorted(numerals(text, VOCABULARY), key=lambda item: item[1])
    for number, offset, _ in found:
        assert text.startswith(number, offset)
    names = {"[date]": r"2026-10-20"} | {f"[{name}]": name for name in NAMES}
    assert [number for number, _, _ in found] == [names.get(item, item) for item in expected]
    assert [f"[{name}]" if name else number for number, _, name in found] == expected


@settings(deadline=None)
@given(TANGLES, st.sampled_from([VOCABULARY, NOTHING]))
def test_every_digit_belongs_to_exactly_one_number(text, vocabulary):
    found = list(numerals(text, vocabulary))
    told = [range(offset, offset + len(number)) for number, offset, _ in found]
    for number, offset, _ in found:
        assert number
        assert text.startswith(number, offset)
    for offset, char in enumerate(text):
        if char.isnumeric():
            assert sum(offset in span for span in told) == 1


def test_without_a_vocabulary_nothing_is_a_name():
    assert list(numerals("A100", NOTHING)) == [("100", 1, "")]


@pytest.mark.parametrize(("text", "expected"), rows("references.txt"))
def test_typed_places_in_files_are_seen(text, expected):
    assert [match[0] for match in REFERENCE.finditer(text)] == expected


# -- which fact a typed number could have been


@pytest.mark.parametrize(
    ("numeral", "after", "this", "quote"),
    [
        ("3.49", " of", fact(3.4861, 2), "{{ heavy.p99 }}"),
        ("3.5", " of", fact(3.4861, 2), "{{ heavy.p99 | digits(1) }}"),
        ("3", " of", fact(3.4861, 2), "{{ heavy.p99 | digits(0) }}"),
        ("3.49", "\u00a0s.", fact(3.4861, 2, "s"), "{{ heavy.p99 }}"),
        ("3.49", " s", fact(3.4861, 2, "s"), "{{ heavy.p99 }}"),
        ("3.49", " of", fact(3.4861, 2, "s"), "{{ heavy.p99 | bare }}"),
        ("3.49", " servers", fact(3.4861, 2, "s"), "{{ heavy.p99 | bare }}"),
        ("3", "", fact(3.4861, 2, "s"), "{{ heavy.p99 | digits(0) | bare }}"),
        ("12", "%", fact(12, 0, "%"), "{{ heavy.p99 }}"),
        ("88,935", "", fact(88935), "{{ heavy.p99 }}"),
        ("88935", " x", fact(88935), "{{ heavy.p99 }}"),
        ("7.00", "", fact(7), "{{ heavy.p99 | digits(2) }}"),
    ],
)
def test_a_typed_number_is_told_how_to_be_quoted(numeral, after, this, quote):
    assert facts_that_print(numeral, after, {"heavy.p99": this}) == [quote]


@pytest.mark.parametrize(
    ("numeral", "this"),
    [
        ("3.48", fact(3.4861, 2)),
        ("4", fact(3.4861, 2)),
        ("3.49", fact("3.49")),
        ("1", fact(True)),
        ("3:49", fact(3.49, 2)),
        ("1.2.3", fact(1.2, 1)),
        ("½", fact(0.5, 1)),
    ],
)
def test_a_fact_that_reads_otherwise_is_not_suggested(numeral, this):
    assert facts_that_print(numeral, "", {"heavy.p99": this}) == []


def test_all_facts_that_fit_are_suggested():
    facts = {"a": fact(2), "b": fact(2.04, 1), "c": fact(3)}
    assert facts_that_print("2", "", facts) == ["{{ a }}", "{{ b | digits(0) }}"]


@settings(deadline=None)
@given(st.floats(-1e9, 1e9), st.integers(0, 6))
def test_a_number_typed_from_a_fact_finds_it(value, digits):
    exact = Decimal(value).quantize(Decimal(1).scaleb(-digits), context=EXACT)
    typed = f"{exact:f}" if exact else f"{abs(exact):f}"
    assert facts_that_print(typed, "", {"x": fact(value, digits)}) == ["{{ x }}"]
