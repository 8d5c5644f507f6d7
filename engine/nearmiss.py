"""A typed number that is no fact: which fact was probably meant, and what went wrong."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal

from engine.facts import Fact, format_number
from engine.numerals import facts_that_print

PLAIN = re.compile(r"(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?", re.ASCII)
UNIT = re.compile(r"\s*(%|[A-Za-z\u00b5\u03bc]+(?!\w))")
MOST = 2  # suggestions; a third is noise
FAR = 0.02  # one digit that moves the number by more makes it another number
# Unit -> what it measures, and its size. Only units in here can be mistaken for one another.
UNITS = {
    "h": ("time", "3600"), "min": ("time", "60"), "s": ("time", "1"), "ms": ("time", "1e-3"),
    "\u00b5s": ("time", "1e-6"), "ns": ("time", "1e-9"),
    "B": ("memory", "1"), "kB": ("memory", "1e3"), "MB": ("memory", "1e6"),
    "GB": ("memory", "1e9"), "TB": ("memory", "1e12"), "KiB": ("memory", 2**10),
    "MiB": ("memory", 2**20), "GiB": ("memory", 2**30), "TiB": ("memory", 2**40),
    "%": ("share", "0.01"),
}  # fmt: skip
SPELT = {
    "hours": "h", "minutes": "min", "second": "s", "seconds": "s", "milliseconds": "ms",
    "us": "\u00b5s", "\u03bcs": "\u00b5s", "bytes": "B", "KB": "kB", "percent": "%",
}  # fmt: skip


def equal(number: str, after: str, facts: Mapping[str, Fact]) -> list[str]:
    """How to quote each fact that is this number: not one that rounds to it or has another unit."""
    return facts_that_print(
        number,
        after,
        {
            name: fact
            for name, fact in _numbers(facts)
            if not _rounded(number, fact) and _fits(unit_at(after), fact)
        },
    )


def near(number: str, after: str, facts: Mapping[str, Fact]) -> str:
    """The facts that `number` misses by a slip, each with the slip and its quote; or "".

    `after` is the text behind it. A whole number below ten is near too many facts to say which.
    """
    typed = number.replace(",", "")
    if not PLAIN.fullmatch(number) or (typed.isdigit() and len(typed.lstrip("0")) < 2):
        return ""
    if equal(number, after, facts):
        return ""
    misses = []
    for name, fact in _numbers(facts):
        for likelihood, clause in _misses(number, after, name, fact):
            misses.append((likelihood, abs(float(typed) - fact.value), len(misses), clause))
            break
    return ", or ".join(clause for *_, clause in sorted(misses)[:MOST])


def _misses(number: str, after: str, name: str, fact: Fact) -> Iterator[tuple[int, str]]:
    """What may have gone wrong on the way from the fact to `number`, the likeliest first."""
    typed, unit = number.replace(",", ""), unit_at(after)
    shown = format_number(fact.value, fact.digits)
    printed = shown.replace(",", "")
    if _other_unit(typed, unit, fact):
        with_unit = fact.text.replace("\u00a0", " ")
        yield 0, f"{name} is {with_unit}: another unit? write {{{{ {name} }}}}"
    if not _fits(unit, fact):
        return
    if _rounded(number, fact):
        for quote in facts_that_print(number, after, {name: fact}):
            exact = format_number(fact.value, fact.digits + 2).rstrip("0").rstrip(".")
            yield 1, f"{number} is {name} only after rounding: {exact}; write {quote}"
    sure = 2 if unit and unit == fact.unit else 3  # significant digits, below which it is chance
    if min(len(_significant(typed)), len(_significant(printed))) >= sure:
        for likelihood, slip in enumerate((_swapped, _factor_ten, _one_off), 2):
            if slip(typed, printed):
                (quote,) = facts_that_print(shown, after, {name: fact})
                yield likelihood, f"{name} is {shown}: {SLIPS[slip]}? write {quote}"


def _numbers(facts: Mapping[str, Fact]) -> Iterator[tuple[str, Fact]]:
    for name, fact in facts.items():
        if not isinstance(fact.value, (bool, str)):
            yield name, fact


def unit_at(after: str) -> str:
    """The unit that the text begins with, or ""."""
    match = UNIT.match(after)
    unit = match[1] if match else ""
    unit = SPELT.get(unit, unit)
    return unit if unit in UNITS else ""


def _fits(unit: str, fact: Fact) -> bool:
    """Whether the number may be the fact although this unit follows it."""
    return not unit or not fact.unit or unit == fact.unit


def _other_unit(typed: str, unit: str, fact: Fact) -> bool:
    """The same quantity in another unit, or the same digits with a unit that is not theirs."""
    share = unit == "%" and not fact.unit and isinstance(fact.value, float)
    of, size = ("share", "1") if share else UNITS.get(fact.unit, ("", "1"))
    if not unit or unit == fact.unit or UNITS[unit][0] != of:
        return False
    times = Decimal(UNITS[unit][1]) / Decimal(size)
    printed = format_number(fact.value, fact.digits).replace(",", "")
    there = format_number(float(Decimal(fact.value) / times), _decimals(typed)).replace(",", "")
    return Decimal(typed) * times == Decimal(printed) or typed in (there, printed)


def _rounded(number: str, fact: Fact) -> bool:
    """Whether it has fewer decimals than the fact is printed with, and is not exactly the fact."""
    if not PLAIN.fullmatch(number) or _decimals(number) >= fact.digits:
        return False
    return Decimal(number.replace(",", "")) != Decimal(str(fact.value))


def _swapped(typed: str, printed: str) -> bool:
    """Two digits that stand side by side have changed places."""
    places = _differences(typed, printed)
    if len(places) != 2 or typed[places[0] + 1 : places[1]] not in ("", "."):
        return False
    first, second = places
    return (typed[first], typed[second]) == (printed[second], printed[first])


def _factor_ten(typed: str, printed: str) -> bool:
    """The point is one place off, or a nought too many or too few."""
    return Decimal(typed) in (Decimal(printed) * 10, Decimal(printed) / 10)


def _one_off(typed: str, printed: str) -> bool:
    """One digit is another, and the number still about the same."""
    near_by = abs(Decimal(typed) - Decimal(printed)) <= Decimal(FAR) * abs(Decimal(printed))
    return near_by and len(_differences(typed, printed)) == 1


SLIPS = {_swapped: "digits swapped", _factor_ten: "ten times off", _one_off: "one digit off"}


def _differences(typed: str, printed: str) -> list[int]:
    """Where two numbers of the same shape differ; nowhere if the shape is not the same."""
    if [char == "." for char in typed] != [char == "." for char in printed]:
        return []
    return [place for place, pair in enumerate(zip(typed, printed)) if pair[0] != pair[1]]


def _significant(number: str) -> str:
    return number.replace(".", "").lstrip("0")


def _decimals(number: str) -> int:
    return len(number.partition(".")[2])
