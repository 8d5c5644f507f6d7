"""The gate for what stands behind an interactive page: its port, and what its scripts say."""

import re
from collections.abc import Iterator

from engine.draft import Draft
from engine.findings import Finding, position
from engine.number_words import number_words
from engine.numerals import numerals, without_names
from engine.script_text import script_pieces

INLINE = re.compile(r"<(?:script|style)\b|\s(?:style|on[a-z]+)\s*=", re.IGNORECASE)


def port(draft: Draft) -> Iterator[Finding]:
    """A script that does not do what the program does that it ports."""
    yield from draft.behind.wrong


def inline(draft: Draft) -> Iterator[Finding]:
    """A script or a style in the text: nothing reads it, and a strict policy would blank it."""
    text = draft.lesson.text
    for match in INLINE.finditer(text, draft.lesson.body_offset):
        what, fix = f'"{match[0].strip()}" stands in the text', "write it in a file of widget/"
        yield draft.finding(match.start(), "raw-html", what, fix)


def script_number(draft: Draft) -> Iterator[Finding]:
    """A number, or a word that counts, typed into a text of a script."""
    for name, script in draft.behind.scripts.items():
        path = str(draft.lesson.folder / "widget" / name)
        for piece in script_pieces(script):
            typed = [
                (number, offset, "bare-number")
                for number, offset, name in numerals(piece.text, draft.course.vocabulary)
                if not name
            ]
            text = without_names(piece.text, draft.course.vocabulary)
            typed += [(word, offset, "number-word") for word, offset in number_words(text)]
            for text, offset, rule in typed:
                fix = "take it from DATA, which widget.py makes, or say it without counting"
                place = position(script, piece.at(offset))
                what = f'"{text}" in a text of a script has no source'
                yield Finding(path, *place, rule, what, fix)
