"""Numbers as a reader sees them: where they stand in a text, and how a value must be printed.

Nothing here is shared with the code that makes the pages: what both get right, two got right.
"""

import re
from collections.abc import Iterable, Iterator
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from typing import NamedTuple

LETTERS = {
    0: "zero", 1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven",
    8: "eight", 9: "nine", 10: "ten", 11: "eleven", 12: "twelve", 13: "thirteen", 14: "fourteen",
    15: "fifteen", 16: "sixteen", 17: "seventeen", 18: "eighteen", 19: "nineteen", 20: "twenty",
}  # fmt: skip
JOINTS = ".,:/"  # between two digits they are part of the number
MOST_OFF = Decimal("0.05")  # what "about" may hide
FILTER = re.compile(r"(\w+)\s*(?:\(\s*(\d*)\s*\))?")


class Fact(NamedTuple):
    """A number that was measured again, or read again in sources.toml."""

    name: str
    value: int | float | str | bool
    unit: str
    digits: int
    origin: str  # "path:line"


class Unsaid(ValueError):
    """An expression that does not say a number in this way; the message says why."""


def numbers(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each number: "3.49", "1,024", "½", "2026-10-20" is three of them."""
    index = 0
    while index < len(text):
        start = index
        while index < len(text) and (
            text[index].isnumeric()
            or (index > start and text[index] in JOINTS and text[index + 1 : index + 2].isnumeric())
        ):
            index += 1
        if index > start:
            yield start, index
        index += 1


def in_order(text: str) -> list[str]:
    """The numbers of a text."""
    return [text[start:end] for start, end in numbers(text)]


def without_names(text: str, names: Iterable[str], patterns: Iterable[str]) -> str:
    """The text with known names blanked out, each where it stands alone."""
    found = [(at.start(), at.end()) for name in names for at in re.finditer(re.escape(name), text)]
    found += [at.span() for pattern in patterns for at in re.finditer(pattern, text)]
    for start, end in found:
        before, after = text[:start][-1:], text[end : end + 1]
        if not (before.isalnum() or before in ("_", ".") or after.isalnum() or after == "_"):
            text = text[:start] + " " * (end - start) + text[end:]
    return text


def decimal_text(value: int | float, digits: int) -> str:
    """Thousands commas, so many decimals; a tie of the exact binary value goes to the even digit."""
    with localcontext(Context(prec=1000)):
        exact = Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_EVEN)
    return f"{abs(exact) if exact == 0 else exact:,f}"


def said(fact: Fact, filters: str = "") -> str:
    """What a page must show for a fact: `filters` as lesson.md writes them, "digits(3) | bare"."""
    value, unit, digits, wording = fact.value, fact.unit, fact.digits, ""
    for name, argument in FILTER.findall(filters):
        if name == "capital":
            wording = wording or _plain(value, unit, digits)
            wording = wording[:1].upper() + wording[1:]
        elif isinstance(value, (str, bool)) or wording:
            raise Unsaid(f"{fact.name} is no number any more where {name} comes")
        elif name == "digits":
            digits = int(argument)
        elif name == "bare":
            unit = ""
        elif name == "words":
            if value not in LETTERS:
                raise Unsaid(f"{fact.name} is {value}, which has no word")
            wording = LETTERS[value]
        elif name == "about":
            wording = "about " + _about(fact, value, unit, int(argument or 1))
        else:
            raise Unsaid(f"{name} is no filter")
    return wording or _plain(value, unit, digits)


def _plain(value: int | float | str | bool, unit: str, digits: int) -> str:
    if isinstance(value, bool):
        raise Unsaid("true and false are not shown")
    if isinstance(value, str):
        return value
    space = "" if unit in ("", "%") else "\N{NO-BREAK SPACE}"
    return decimal_text(value, digits) + space + unit


def _about(fact: Fact, value: int | float, unit: str, significant: int) -> str:
    exact = Decimal(value)
    rounded = Context(prec=significant, rounding=ROUND_HALF_EVEN).plus(exact)
    if abs(rounded - exact) > MOST_OFF * abs(exact):
        raise Unsaid(f"{fact.name} is {value}, which is not about {rounded:f}")
    digits = max(0, significant - 1 - rounded.adjusted()) if rounded else 0
    return _plain(rounded, unit, digits)
