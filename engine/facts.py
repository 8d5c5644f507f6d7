"""Facts: a number, its unit, its format and where it was measured; the names prose calls them by."""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
).split()
NO_SPACE_BEFORE = ("%", "")
NBSP = "\u00a0"
MOST_DIGITS = 17  # a float has no more to say
MOST_ROUNDING = 0.05  # "about 80" may stand for 76 to 84, and for no more


class NotAFact(ValueError):
    """A value that cannot be printed as a fact; the message says why."""


@dataclass(frozen=True, eq=False)
class Fact:
    """A measured (or cited) value. Compares with facts and numbers; does no arithmetic."""

    name: str  # as prose says it: "heavy.ttft_p99"
    value: int | float | str | bool
    unit: str  # printed after the number: "s", "ms", "MiB", "%", or nothing
    digits: int  # after the point
    origin: str  # "path:line" below content/ that measures it, or that cites it
    kind: str = "computed"  # or "cited"
    wording: str = ""  # text that stands for the number: "about 80", "three"

    @property
    def text(self) -> str:
        """What the reader reads."""
        if isinstance(self.value, bool):
            raise NotAFact("it is true or false: use it in a claim")
        if isinstance(self.value, str) or self.wording:
            return self.wording or self.value
        space = "" if self.unit in NO_SPACE_BEFORE else NBSP
        return format_number(self.value, self.digits) + space + self.unit

    def __lt__(self, other: Any) -> bool:
        return self.value < self._against(other)

    def __le__(self, other: Any) -> bool:
        return self.value <= self._against(other)

    def __gt__(self, other: Any) -> bool:
        return self.value > self._against(other)

    def __ge__(self, other: Any) -> bool:
        return self.value >= self._against(other)

    def __eq__(self, other: Any) -> bool:
        return self.value == _value(other)

    def _against(self, other: Any) -> Any:
        """The value that this one is compared with; the distance between them is noted."""
        this, that, heard = self.value, _value(other), _margins.get()
        if heard is not None and not isinstance(this, str) and not isinstance(that, str):
            largest = max(abs(this), abs(that))
            heard.append(abs(this - that) / largest if largest else 0.0)
        return that

    def __bool__(self) -> bool:
        return bool(self.value)

    __hash__ = None


_margins: ContextVar[list[float] | None] = ContextVar("margins", default=None)


@contextmanager
def margins() -> Iterator[list[float]]:
    """Collects how far apart, as a share of the larger, the facts are that are put in order."""
    heard: list[float] = []
    token = _margins.set(heard)
    try:
        yield heard
    finally:
        _margins.reset(token)


def _value(thing: Any) -> Any:
    return thing.value if isinstance(thing, Fact) else thing


def format_number(value: int | float, digits: int) -> str:
    """The one formatter: thousands commas, `digits` decimals, ties to even on the binary value."""
    exact = isinstance(value, int)  # which a float would round from 2**53 on
    text = f"{value:,d}.{'0' * digits}".rstrip(".") if exact else f"{value:,.{digits}f}"
    return text.lstrip("-") if not any(char in "123456789" for char in text) else text


def plain_value(value: Any) -> int | float | str | bool:
    """A Python number or text for what a program measured (numpy's numbers included), or NotAFact."""
    with suppress(TypeError, ValueError):  # of an array, which the message below names
        value = value.item() if hasattr(value, "item") else value
    if isinstance(value, str):
        if not value.strip() or not value.isprintable():
            raise NotAFact("a text that is empty or cannot be printed")
        return value
    if not isinstance(value, (bool, int, float)):
        raise NotAFact(f"{value!r} is a {type(value).__name__}, not a number or a text")
    if isinstance(value, float) and not math.isfinite(value):
        raise NotAFact(f"{value} is not a finite number")
    return value


def with_digits(fact: Fact, digits: int) -> Fact:
    """The same number to another precision."""
    _must_be_number(fact, "digits")
    must_be_digits(digits)
    return replace(fact, digits=digits)


def bare(fact: Fact) -> Fact:
    """The same number without its unit."""
    _must_be_number(fact, "bare")
    return replace(fact, unit="")


def about(fact: Fact, significant: int = 1) -> Fact:
    """The number rounded to so many significant figures, in words that say so: "about 80"."""
    _must_be_number(fact, "about")
    must_be_digits(significant, least=1)
    rounded = float(f"{fact.value:.{significant - 1}e}")
    if abs(rounded - fact.value) > MOST_ROUNDING * abs(fact.value):
        exact = format_number(fact.value, max(fact.digits, 2))
        raise NotAFact(
            f"{exact} is too far from {rounded:,g} to be about it: write about({significant + 1})"
        )
    decimals = max(0, significant - 1 - math.floor(math.log10(abs(rounded)))) if rounded else 0
    return replace(fact, wording="about " + replace(fact, value=rounded, digits=decimals).text)


def words(fact: Fact) -> Fact:
    """A small count in letters, without its unit: "three"."""
    _must_be_number(fact, "words")
    if fact.value not in range(len(WORDS)):
        raise NotAFact(f"{fact.value} has no word: whole numbers from 0 to {len(WORDS) - 1} have")
    return replace(fact, wording=WORDS[int(fact.value)])


def capital(fact: Fact) -> Fact:
    """The same text at the start of a sentence: "Three"."""
    if not isinstance(fact, Fact):
        raise NotAFact("capital works on a fact")
    return replace(fact, wording=fact.text[:1].upper() + fact.text[1:])


def must_be_digits(digits: Any, least: int = 0) -> None:
    """Raise NotAFact unless `digits` is a number of digits that a fact can be printed with."""
    if type(digits) is not int or not least <= digits <= MOST_DIGITS:
        raise NotAFact(f"{digits!r} is not a number of digits from {least} to {MOST_DIGITS}")


def _must_be_number(fact: Any, filter_name: str) -> None:
    if isinstance(fact, Fact) and fact.wording:
        raise NotAFact(f"{filter_name} comes too late: the number is in words by then")
    if not isinstance(fact, Fact) or isinstance(fact.value, (str, bool)):
        raise NotAFact(f"{filter_name} works on a fact that is a number")


class Namespace:
    """Facts by dotted name, as prose writes them: `space.heavy.ttft_p99`."""

    def __init__(
        self,
        facts: Mapping[str, Fact],
        prefix: str = "",
        on_use: Callable[[str], None] = lambda name: None,
    ):
        self._facts, self._prefix, self._on_use = facts, prefix, on_use

    def __getattr__(self, name: str) -> Any:
        full = self._prefix + name
        if full in self._facts:
            self._on_use(full)
            return self._facts[full]
        if any(other.startswith(full + ".") for other in self._facts):
            return Namespace(self._facts, full + ".", self._on_use)
        raise AttributeError(f"no fact is called {full}")
