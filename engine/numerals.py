"""Numbers in running text: where they are, and which of them are only names."""

import re
from collections.abc import Iterator, Mapping

from engine.course import Vocabulary
from engine.facts import Fact, format_number

# What writers put inside one number is part of it: "88,935", "0.39", "1e-7". A unit is not.
NUMERAL = re.compile(r"\d(?:[\d.,:/]*\d)?(?:e[-+]?\d+)?", re.IGNORECASE)
REFERENCE = re.compile(
    r"[\w./-]*\w\.(?:py|md|toml|js|css|html|svg|json|csv|txt):\d+(?:[-\u2013]\d+)?"
    r"|#L\d+(?:-L?\d+)?|\blines? \d+(?:\s*(?:to|-|\u2013|and)\s*\d+)?",
    re.IGNORECASE,
)


def numerals(text: str, vocabulary: Vocabulary) -> Iterator[tuple[str, int, str]]:
    """(text, offset, name) of each number in `text`; `name` is the vocabulary's entry, or ""."""
    covered: set[int] = set()
    for match in vocabulary.regex.finditer(text):
        covered.update(range(*match.span()))
        yield match[0], match.start(), vocabulary.entry_for(match[0])
    for match in NUMERAL.finditer(text):
        if match.start() not in covered:
            yield match[0], match.start(), ""
    for offset, char in enumerate(text):  # "\u00bd", "\u00b2", "\u2167": numbers that are not digits
        if char.isnumeric() and not char.isdecimal() and offset not in covered:
            yield char, offset, ""


def facts_that_print(numeral: str, facts: Mapping[str, Fact]) -> list[str]:
    """How to quote each fact that reads like `numeral` at the precision it was typed with."""
    digits = len(numeral.partition(".")[2])
    found = []
    for name, fact in facts.items():
        if isinstance(fact.value, (bool, str)):
            continue
        if format_number(fact.value, digits).replace(",", "") == numeral.replace(",", ""):
            found.append(name if digits == fact.digits else f"{name} | digits({digits})")
    return found
