"""Numbers that lose their source: each live number of the prose typed, right and off by one."""

import re
from collections.abc import Iterator

from engine.draft import Draft
from engine.pieces import Piece
from engine.stamps import STAMP, Expression
from engine.words import Shown
from tests.mutants.amounts import COUNTS, next_number, next_word, number_words, one_more
from tests.mutants.mutant import Mutant, edit_of

LIVE = ("computed", "cited", "structural")
LAST_DIGITS = re.compile(r"\d+(?!.*\d)")
PLAIN = re.compile(r"""plain\(\s*["']([^"']*)["']""")


def typed(draft: Draft, path: str) -> Iterator[Mutant]:
    """Each expression that shows a number, replaced by what it shows and by one more than that."""
    for expression in draft.lesson.expressions:
        shown = draft.shown.get(expression.index)
        if shown is None or shown.block:
            continue
        wording = shown.kind == "structural" and not any(char.isdigit() for char in shown.text)
        if shown.kind in LIVE and not wording and (more := one_more(shown.text)):
            for text, how in ((shown.text, "typed"), (more, "typed, one more")):
                yield _instead(draft, path, expression, f"{shown.kind} number {how}", shown, text)
            if (count := shown.text.split("\u00a0")[0]) in map(str, range(2, len(COUNTS) - 1)):
                for number, how in ((int(count), ""), (int(count) + 1, ", one more")):
                    rule = f"{shown.kind} number in letters{how}"
                    text = shown.text.replace(count, COUNTS[number])
                    yield _instead(draft, path, expression, rule, shown, text)
        elif shown.kind == "excerpt" and any(char.isdigit() for char in shown.text):
            for text, how in ((shown.text, "typed"), (one_more(shown.text), "typed, one more")):
                yield _instead(draft, path, expression, f"line of code {how}", shown, f"`{text}`")


def names(draft: Draft, path: str) -> Iterator[Mutant]:
    """Each name of the vocabulary with its last number one more."""
    for piece, text in _read(draft):
        for match in draft.course.vocabulary.regex.finditer(text):
            digits = LAST_DIGITS.search(match[0])
            new = next_number(digits[0]).zfill(len(digits[0]))
            entry = draft.course.vocabulary.entry_for(match)
            rule = "date one more" if entry == "date" else "name one more"
            at = piece.at(match.start() + digits.start())
            yield edit_of("prose", rule, path, draft.lesson.text, (at, at + len(digits[0])), new,
                          f"`{match[0]}` -> `{match[0][: digits.start()]}{new}`")  # fmt: skip


def words(draft: Draft, path: str) -> Iterator[Mutant]:
    """Each number word one more: those that stand in the text, and those that are marked plain."""
    text = draft.lesson.text
    for piece, read in _read(draft):
        for match in number_words(read) if piece.place != "code" else ():
            span = piece.at(match.start()), piece.at(match.start()) + len(match[0])
            yield edit_of("prose", "number word one more", path, text, span, next_word(match[0]))
    for expression in draft.lesson.expressions:
        for marked in PLAIN.finditer(expression.typed):
            for match in number_words(marked[1]):
                start = expression.offset + marked.start(1) + match.start()
                new = next_word(match[0])
                span = start, start + len(match[0])
                yield edit_of("prose", "plain word one more", path, text, span, new)


def _instead(
    draft: Draft, path: str, expression: Expression, rule: str, shown: Shown, new: str
) -> Mutant:
    span = expression.offset, expression.offset + len(expression.typed)
    if shown.kind == "structural" and ".py:" in new:
        new = f"`{new}`"
    new = new.replace("\u00a0", " ")
    return edit_of("prose", rule, path, draft.lesson.text, span, new)


def _read(draft: Draft) -> Iterator[tuple[Piece, str]]:
    """What a reader meets, with blanks for what is not typed."""
    for piece in draft.pieces:
        if piece.place in ("text", "code", "alt", "title"):
            yield piece, STAMP.sub(lambda match: " " * len(match[0]), piece.text)
