"""The project's own Markdown files: their numbers must be ones that the lessons print, or names."""

from collections.abc import Iterator
from functools import lru_cache

from engine.course import Course, read_text
from engine.draft import Draft
from engine.findings import Finding, position
from engine.markup import parse
from engine.number_words import number_words
from engine.numerals import REFERENCE, numerals
from engine.pieces import Piece, pieces


def documents(course: Course, drafts: list[Draft]) -> Iterator[Finding]:
    """A number, a number word or a file:line in README and its like that no lesson bears out."""
    parts = [part for draft in drafts for part in draft.parts]
    texts = {shown.text for part in parts for shown in part.shown.values()}
    texts |= {
        fact.text
        for draft in drafts
        for fact in draft.facts.values()
        if not isinstance(fact.value, bool)
    }
    known = {number for text in texts for number, _, _ in numerals(text, course.vocabulary)}
    for path in sorted(course.root.absolute().parent.glob("*.md")):
        text = read_text(path)
        for piece in _read(text):
            for what, offset, fix in _unknown(piece, course, texts, known):
                place = position(text, piece.at(offset))
                yield Finding(path.name, *place, "document-number", what, fix)


def _unknown(
    piece: Piece, course: Course, texts: set[str], known: set[str]
) -> Iterator[tuple[str, int, str]]:
    if piece.place in ("text", "code", "alt", "title"):
        for match in REFERENCE.finditer(piece.text):
            if match[0] not in texts:
                yield f'"{match[0]}" is no reference that a lesson shows', match.start(), "mend it"
    if piece.place in ("text", "alt", "title"):
        blank = REFERENCE.sub(lambda match: " " * len(match[0]), piece.text)
        for number, offset, name in numerals(blank, course.vocabulary):
            if not name and number not in known:
                fix = "use a number that a lesson prints, or a name of vocabulary.toml"
                yield f'"{number}" is no number that a lesson prints', offset, fix
        for word, offset in number_words(blank):
            yield f'"{word}" counts something', offset, "say it without counting"


def names_in_documents(course: Course) -> Iterator[str]:
    """The vocabulary's entries that these files use."""
    for path in sorted(course.root.absolute().parent.glob("*.md")):
        text = read_text(path)
        for piece in _read(text):
            yield from (name for _, _, name in numerals(piece.text, course.vocabulary) if name)


@lru_cache(100)
def _read(text: str) -> tuple[Piece, ...]:
    return tuple(pieces(parse(text, str), text))
