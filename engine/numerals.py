"""Numbers in running text: where they are, and which of them are only names."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from engine.course import Vocabulary
from engine.facts import Fact, format_number

# What writers put inside one number is part of it: "88,935", "0.39", "1e-7". A unit is not.
NUMERAL = re.compile(r"\d(?:[\d.,:/]*\d)?(?:e[-+]?\d+)?", re.IGNORECASE)
DIGIT = re.compile("[0-9]")
MOST_KEPT = 20_000  # texts, in one process
REFERENCE = re.compile(
    r"[\w./-]*\w\.(?:py|md|toml|js|css|html|svg|json|csv|txt):\d+(?:[-\u2013]\d+)?"
    r"|#L\d+(?:-L?\d+)?|\blines? \d+(?:\s*(?:to|-|\u2013|and)\s*\d+)?",
    re.IGNORECASE,
)


def numerals(text: str, vocabulary: Vocabulary) -> tuple[tuple[str, int, str], ...]:
    """(text, offset, name) of each number in `text`; `name` is the vocabulary's entry, or ""."""
    if text.isascii() and not DIGIT.search(text):
        return ()  # most texts, so it is worth while
    return _kept(text, vocabulary)


@lru_cache(MOST_KEPT)
def _kept(text: str, vocabulary: Vocabulary) -> tuple[tuple[str, int, str], ...]:
    """Of a text that was read before, most of a page after an edit."""
    return tuple(_numerals(text, vocabulary))


@lru_cache(MOST_KEPT)
def without_names(text: str, vocabulary: Vocabulary) -> str:
    """The text with blanks in place of each name."""
    return vocabulary.regex.sub(lambda match: " " * len(match[0]), text)


def _numerals(text: str, vocabulary: Vocabulary) -> Iterator[tuple[str, int, str]]:
    for match in vocabulary.regex.finditer(text):
        yield match[0], match.start(), vocabulary.entry_for(match)
    rest = without_names(text, vocabulary)
    for match in NUMERAL.finditer(rest):
        yield match[0], match.start(), ""
    for offset, char in enumerate("" if rest.isascii() else rest):
        if char.isnumeric() and not char.isdecimal():  # "\u00bd", "\u00b2", "\u2167"
            yield char, offset, ""


def unit_behind(fact: Fact, after: str) -> str:
    """The fact's unit where the text begins with it, the space before it included; or ""."""
    match = re.match(rf"\s*{re.escape(fact.unit)}(?!\w)", after) if fact.unit else None
    return match[0] if match else ""


def facts_that_print(numeral: str, after: str, facts: Mapping[str, Fact]) -> list[str]:
    """How to quote each fact that reads like `numeral` at the precision it was typed with.

    `after` is the text behind it: a unit there is part of the quote, and one that is missing is not.
    """
    digits = len(numeral.partition(".")[2])
    found = []
    for name, fact in facts.items():
        if isinstance(fact.value, (bool, str)):
            continue
        if format_number(fact.value, digits).replace(",", "") == numeral.replace(",", ""):
            precision = "" if digits == fact.digits else f" | digits({digits})"
            unit = "" if not fact.unit or unit_behind(fact, after) else " | bare"
            found.append(f"{{{{ {name}{precision}{unit} }}}}")
    return found
