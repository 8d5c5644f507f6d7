"""Sentences with a number added wherever a writer can add one."""

import re
from collections.abc import Iterator

from engine.course import FRONT_MATTER
from tests.mutants.mutant import Mutant, edit_of

SENTENCES = {
    "digits": "It took 7 tries.", "decimals": "The mean is 3.49 here.",
    "thousands": "We sent 1,200 chats.", "unit": "It takes 25 ms.", "glued unit": "It takes 25ms.",
    "percent": "That is 12 % of them.", "range": "It takes 3\u20135.",
    "fraction": "That is 3/4 of them.", "fraction sign": "That is \u00bd of them.",
    "power": "There are 10\u2076 of them.", "exponent": "There are 1e6 of them.",
    "times sign": "It is 3x as long.", "negative": "It fell by \u22125.", "price": "It costs $5.",
    "year": "It has been so since 2019.", "version": "It works with v2.", "percentile": "See p95.",
    "ordinal digits": "The 4th chat waits.", "hash": "See #3.", "code span": "It prints `42`.",
    "bold": "It took **9** tries.", "split": "It took 1**2** tries.",
    "entity": "It took &#55; tries.", "escaped": "It took 1\\.5 tries.",
    "other digits": "It took \u0663 tries.", "wide digits": "It took \uff17 tries.",
    "roman sign": "It took \u2167 tries.", "hexadecimal": "It is 0x1F.",
    "file:line": "See trace.py:12.", "line number": "See line 12.", "figure name": "See Figure 3.",
    "step number": "Go to step 3.", "lesson number": "See lesson 8.",
    "link text": "See [7 more](https://example.org).", "clock": "It stops at 12:30.",
    "number word": "It took seven tries.", "capital word": "Seven tries are enough.",
    "hyphenated word": "It took twenty-five tries.", "range in words": "It takes three to five.",
    "unit in words": "It takes nine milliseconds.", "fraction in words": "It is two thirds of it.",
    "a third": "That is a third of them.", "a quarter": "That is a quarter of them.",
    "half": "Half of them wait.", "twice": "It is twice as long.", "thrice": "It is thrice that.",
    "times in words": "It is three times as long.", "fold": "It is a tenfold rise.",
    "double": "The wait doubles.", "dozen": "A dozen chats wait.", "hundreds": "Hundreds wait.",
    "bold word": "It took **seven** tries.", "pair": "A pair of chats waits.",
    "out of": "Nine out of ten wait.", "both": "Both chats wait.",
    "zero": "It leaves zero pages.", "large word": "A thousand chats wait.",
    "link to a word": "See [seven more](https://example.org).",
}  # fmt: skip
ENDS = ("7", "25 ms", "3.49", "3/4", "\u00bd", "seven", "twice")
HEADING = re.compile(r"^#{2,4} .+$", re.MULTILINE)
PARAGRAPH = re.compile(r"^[A-Z][^|\n]*[.:]$", re.MULTILINE)
LIST_ITEM = re.compile(r"^(?:- |\d\. ).*[.;:]$", re.MULTILINE)
ROW = re.compile(r"^\|(?! ?-).*\|$", re.MULTILINE)
ALT = re.compile(r"^!\[[^\n]*\]\([\w-]+\)$", re.MULTILINE)
CAPTION = re.compile(r"^!\[[^\n]*\]\([\w-]+\)\n(?P<caption>.+)$", re.MULTILINE)
SUMMARY = re.compile(r"^::: answer\n(?P<line>.+)$", re.MULTILINE)
STRING = re.compile(r'"(?=[\],\n])')


def sentences(path: str, text: str) -> Iterator[Mutant]:
    """Each sentence in every third section, as a paragraph or at the end of one."""
    marks = [match.end() for match in HEADING.finditer(text)]
    for section, (start, end) in enumerate(zip(marks, [*marks[1:], len(text)])):
        paragraph = PARAGRAPH.search(text, start, end)
        for number, (kind, sentence) in enumerate(SENTENCES.items()):
            if (section + number) % 3:
                continue
            at, new = start, f"\n\n{sentence}"
            if paragraph and (section + number) % 2:
                at, new = paragraph.end(), f" {sentence}"
            yield edit_of("prose", f"added: {kind}", path, text, (at, at), new)


def elsewhere(path: str, text: str) -> Iterator[Mutant]:
    """A number at the end of each heading, cell, caption, item, and text of the front matter."""
    places = [("heading", match.end()) for match in HEADING.finditer(text)]
    places += [("table", match.end() - 2) for match in ROW.finditer(text)]
    places += [
        ("alternative text", text.index("](", match.start())) for match in ALT.finditer(text)
    ]
    places += [("caption", match.end("caption")) for match in CAPTION.finditer(text)]
    places += [("line to click", match.end("line")) for match in SUMMARY.finditer(text)]
    places += [("list", match.end()) for match in LIST_ITEM.finditer(text)]
    head = FRONT_MATTER.match(text).end()
    places += [("front matter", match.start()) for match in STRING.finditer(text, 0, head)]
    for index, (place, at) in enumerate(places):
        few = place in ("table", "list")  # there are so many of them
        for number, end in enumerate(ENDS):
            if not few or (index + number) % 3 == 0:
                yield edit_of("prose", f"added in a {place}", path, text, (at, at), f" {end}")
    for match in PARAGRAPH.finditer(text, head):
        end = ENDS[text.count("\n", 0, match.start()) % len(ENDS)]
        link = f' [See more](https://example.org "for {end} of them").'
        span = match.end(), match.end()
        yield edit_of("prose", "added in a link's title", path, text, span, link)
