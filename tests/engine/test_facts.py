"""Facts: one formatter, filters that keep their word, names with points."""

import math
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.facts import (
    Fact,
    Namespace,
    NotAFact,
    about,
    bare,
    capital,
    format_number,
    plain_value,
    with_digits,
    words,
)

EXACT = Context(prec=1200, rounding=ROUND_HALF_EVEN)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
EVERYDAY = st.floats(min_value=1e-9, max_value=1e12) | st.floats(min_value=-1e12, max_value=-1e-9)


def fact(value, unit="", digits=0, **more) -> Fact:
    return Fact("group.name", value, unit, digits, "lesson/facts.py:3", **more)


def written(number: Decimal) -> str:
    """A decimal as people write it: commas between thousands, no sign on nothing."""
    digits = f"{number.copy_abs():f}"
    whole, point, rest = digits.partition(".")
    groups = []
    while whole:
        whole, group = whole[:-3], whole[-3:]
        groups.insert(0, group)
    return ("-" if number < 0 else "") + ",".join(groups) + point + rest


# -- the formatter


@settings(deadline=None)
@given(FINITE | st.integers(), st.integers(min_value=0, max_value=12))
def test_numbers_are_rounded_from_their_exact_value_ties_to_even(value, digits):
    exact = Decimal(value).quantize(Decimal(1).scaleb(-digits), context=EXACT)
    assert format_number(value, digits) == written(exact)


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (19961, 0, "19,961"),
        (1234567.891, 2, "1,234,567.89"),
        (999.9996, 3, "1,000.000"),
        (0.125, 2, "0.12"),  # a tie in binary: to even
        (0.375, 2, "0.38"),
        (9.995, 2, "9.99"),  # the nearest float is below 9.995
        (2.5, 0, "2"),
        (3.5, 0, "4"),
        (-0.0001, 2, "0.00"),
        (-0.0, 0, "0"),
        (-0.0, 1, "0.0"),
        (-0.006, 2, "-0.01"),
        (-1234.5, 1, "-1,234.5"),
        (1e-7, 7, "0.0000001"),
        (2**53 + 1, 0, "9,007,199,254,740,993"),
        (7, 2, "7.00"),
    ],
)
def test_numbers_worked_by_hand(value, digits, text):
    assert format_number(value, digits) == text


@settings(deadline=None)
@given(st.floats(min_value=-1, max_value=0), st.integers(min_value=0, max_value=6))
def test_nothing_is_never_negative(value, digits):
    text = format_number(value, digits)
    assert text.startswith("-") == (float(text) < 0)


def test_a_whole_number_may_be_larger_than_any_float():
    assert format_number(10**400, 0).replace(",", "") == "1" + "0" * 400


# -- the text of a fact


@pytest.mark.parametrize(
    ("this", "text"),
    [
        (fact(3.49, "s", 1), "3.5\u00a0s"),
        (fact(512, "MiB"), "512\u00a0MiB"),
        (fact(12.34, "%", 1), "12.3%"),
        (fact(88935), "88,935"),
        (fact("float16"), "float16"),
        (fact(1234.5, "s", 1, wording="about 1,000 s"), "about 1,000 s"),
    ],
)
def test_a_fact_reads_as_a_number_with_its_unit(this, text):
    assert this.text == text


@pytest.mark.parametrize("value", [True, False])
def test_true_and_false_are_for_claims_and_not_for_reading(value):
    with pytest.raises(NotAFact, match="claim"):
        _ = fact(value).text


def test_a_fact_compares_with_facts_and_numbers():
    small, large = fact(1.5, "s", 1), fact(3, "ms")
    assert small < large
    assert small <= 1.5 <= large
    assert large > small > 1
    assert large >= 3
    assert large == 3
    assert fact(3) == large
    assert large != 4
    assert not small > large


def test_a_fact_does_no_arithmetic():
    for operation in (
        lambda a, b: a + b,
        lambda a, b: a - b,
        lambda a, b: a / b,
        lambda a, b: a * b,
    ):
        with pytest.raises(TypeError):
            operation(fact(6), fact(3))
        with pytest.raises(TypeError):
            operation(fact(6), 3)


def test_a_fact_that_is_a_condition_is_true_or_false_as_its_value_is():
    assert fact(True)
    assert not fact(False)
    assert not fact(0)


# -- what may be a fact


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (np.float64(0.5), float),
        (np.float32(0.5), float),
        (np.int64(7), int),
        (np.uint8(7), int),
        (np.bool_(True), bool),
        (np.array(0.5), float),
        (np.str_("text"), str),
        (7, int),
        (True, bool),
        ("text", str),
    ],
)
def test_numbers_of_numpy_become_numbers_of_python(value, kind):
    plain = plain_value(value)
    assert type(plain) is kind
    assert plain == value


@pytest.mark.parametrize(
    "value",
    [
        math.nan, math.inf, -math.inf, np.float64("nan"), np.float32("inf"), None, "", "  \n", [], (1,),
        {}, 1j, np.complex128(1j), np.array([1, 2]), np.array([]), np.datetime64("2026-01-01"),
        Decimal(1), Fraction(1, 2), b"text", fact(1), print,
    ],
    ids=repr,
)  # fmt: skip
def test_what_cannot_be_printed_is_not_a_fact(value):
    with pytest.raises(NotAFact):
        plain_value(value)


# -- filters


def test_digits_changes_how_a_number_reads_and_nothing_else():
    before = fact(3.14159, "s", 1)
    after = with_digits(before, 3)
    assert after.text == "3.142\u00a0s"
    assert (after.name, after.value, after.origin) == (before.name, before.value, before.origin)
    assert before.text == "3.1\u00a0s"


@pytest.mark.parametrize("digits", [-1, 1.0, "2", None, True, 10**9])
def test_digits_must_be_a_number_of_digits(digits):
    with pytest.raises(NotAFact):
        with_digits(fact(3.14159), digits)


def test_bare_takes_the_unit_away():
    assert bare(fact(12.34, "%", 1)).text == "12.3"


@settings(deadline=None)
@given(EVERYDAY, st.integers(min_value=1, max_value=5))
def test_about_is_the_number_to_so_many_figures_and_never_more_than_a_twentieth_away(
    value, figures
):
    rounded = Context(prec=figures, rounding=ROUND_HALF_EVEN).create_decimal(Decimal(value))
    rounded = rounded.quantize(Decimal(1).scaleb(rounded.adjusted() - figures + 1))
    moved = abs(Fraction(rounded) - Fraction(value)) / abs(Fraction(value))
    assume(abs(moved - Fraction(1, 20)) > Fraction(1, 10**12))
    if moved > Fraction(1, 20):
        with pytest.raises(NotAFact):
            about(fact(value, digits=3), figures)
    else:
        assert about(fact(value, digits=3), figures).text == f"about {written(rounded)}"


@pytest.mark.parametrize(
    ("value", "unit", "figures", "text"),
    [
        (81.7, "", 1, "about 80"),
        (76.5, "%", 1, "about 80%"),
        (95.3, "", 1, "about 100"),  # 4.93 % away
        (0.0123, "s", 2, "about 0.012\u00a0s"),
        (999.9, "ms", 2, "about 1,000\u00a0ms"),
        (0.996, "", 2, "about 1.0"),
        (-81.7, "", 1, "about -80"),
        (19961, "", 2, "about 20,000"),
        (0, "", 1, "about 0"),
    ],
)
def test_about_worked_by_hand(value, unit, figures, text):
    assert about(fact(value, unit), figures).text == text


@pytest.mark.parametrize("value", [75.9, 84.3, 95.2, 1.44, 0.0066])  # 95.2 is 5.04 % from 100
def test_about_refuses_to_stretch_and_says_what_would_do(value):
    with pytest.raises(NotAFact, match=r"about\(2\)"):
        about(fact(value, digits=1))


@pytest.mark.parametrize("figures", [0, -1, 1.5, "2", 10**9])
def test_about_needs_a_number_of_figures(figures):
    with pytest.raises(NotAFact):
        about(fact(81.7), figures)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "zero"), (3, "three"), (12, "twelve"), (13, "thirteen"), (20, "twenty"), (4.0, "four")],
)
def test_small_counts_have_words(value, text):
    assert words(fact(value, "pages")).text == text


@pytest.mark.parametrize("value", [21, -1, 2.5, 10**20])
def test_other_numbers_have_none(value):
    with pytest.raises(NotAFact):
        words(fact(value))


def test_capital_begins_a_sentence_and_keeps_the_rest():
    assert capital(words(fact(3))).text == "Three"
    assert capital(about(fact(81.7))).text == "About 80"
    assert capital(fact("float16 and MiB")).text == "Float16 and MiB"


@pytest.mark.parametrize("apply", [lambda x: with_digits(x, 2), bare, about, words])
@pytest.mark.parametrize("thing", [fact("text"), fact(True), 3.5, "three", None], ids=repr)
def test_filters_of_numbers_refuse_what_is_not_a_fact_that_is_one(apply, thing):
    with pytest.raises(NotAFact):
        apply(thing)


@pytest.mark.parametrize("thing", ["three", 3, None, fact(True)], ids=repr)
def test_capital_refuses_what_has_no_text(thing):
    with pytest.raises(NotAFact):
        capital(thing)


def test_filters_keep_where_a_number_comes_from():
    cited = fact(3, kind="cited")
    for after in (with_digits(cited, 1), bare(cited), about(cited), words(cited), capital(cited)):
        assert (after.kind, after.origin, after.name) == ("cited", cited.origin, cited.name)


# -- names


def test_facts_are_called_by_dotted_names():
    heavy, light = fact(3), fact(4)
    space = Namespace({"heavy.ttft.p99": heavy, "light": light})
    assert space.heavy.ttft.p99 is heavy
    assert space.light is light


@pytest.mark.parametrize("name", ["nothing", "hea", "heavy_", "heavy.ttft.p9", "heavy.ttft.p99.x"])
def test_a_name_nobody_gave_is_an_error_that_says_it(name):
    space = Namespace({"heavy.ttft.p99": fact("text")})
    with pytest.raises(AttributeError):
        for part in name.split("."):
            space = getattr(space, part)


def test_the_error_says_the_whole_name():
    with pytest.raises(AttributeError, match="no fact is called heavy.p98"):
        _ = Namespace({"heavy.p99": fact(1)}).heavy.p98


def test_each_use_of_a_fact_is_told_and_a_group_is_no_use():
    used = []
    space = Namespace({"heavy.p99": fact(1), "heavy.p50": fact(2)}, on_use=used.append)
    _ = space.heavy
    assert used == []
    _ = space.heavy.p99
    assert used == ["heavy.p99"]
