"""Numbers in running text: where they are, and which of them are only names."""

import re
from collections.abc import Iterator, Mapping

from engine.course import Vocabulary
from engine.facts import Fact, format_number

# What writers put inside one number is part of it: "88,935", "0.39", "1e-7". A unit is not.
NUMERAL = re.compile(r"\d(?:[\d.,:/]*\d)?(?:e[-+]?\d+)?", re.IGNORECASE)
DIGIT = re.compile("[0-9]")
REFERENCE = re.compile(
    r"[\w./-]*\w\.(?:py|md|toml|js|css|html|svg|json|csv|txt):\d+(?:[-\u2013]\d+)?"
    r"|#L\d+(?:-L?\d+)?|\blines? \d+(?:\s*(?:to|-|\u2013|and)\s*\d+)?",
    re.IGNORECASE,
)


def numerals(text: str, vocabulary: Vocabulary) -> Iterator[tuple[str, int, str]]:
    """(text, offset, name) of each number in `text`; `name` is the vocabulary's entry, or ""."""
    if text.isascii() and not DIGIT.search(text):
        return  # most texts, so it is worth while
    for match in vocabulary.regex.finditer(text):
        yield match[0], match.start(), vocabulary.entry_for(match)
    rest = vocabulary.regex.sub(lambda match: " " * len(match[0]), text)
    for match in NUMERAL.finditer(rest):
        yield match[0], match.start(), ""
    for offset, char in enumerate("" if rest.isascii() else rest):
        if char.isnumeric() and not char.isdecimal():  # "\u00bd", "\u00b2", "\u2167"
            yield char, offset, ""


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
            there = not fact.unit or re.match(rf"\s*{re.escape(fact.unit)}(?!\w)", after)
            unit = "" if there else " | bare"
            found.append(f"{{{{ {name}{precision}{unit} }}}}")
    return found
