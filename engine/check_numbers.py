"""The gate for what is typed by hand: numbers, number words, file:line, labels of figures."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from html import unescape

from engine.course import Course
from engine.draft import Draft
from engine.facts import Fact
from engine.findings import Finding
from engine.nearmiss import equal, near
from engine.number_words import number_words
from engine.numerals import MOST_KEPT, REFERENCE, numerals, without_names
from engine.sources import NotFound
from engine.stamps import STAMP, START

READ = ("text", "code", "alt", "title")  # places whose words a reader meets as they are
SVG_TEXT = re.compile(r"<(?:text|tspan)[^>]*>([^<]+)<")
NAME = re.compile(r"[A-Za-z_]\w*")
SOME_LINE = '{{ line("the file", "the whole line it means") }}'


@dataclass(frozen=True)
class Typed:
    """A number or a file:line that was typed by hand."""

    rule: str
    text: str
    after: str  # what follows it on its line, as far as an expression
    offset: int  # in the lesson's text
    place: str  # as in Piece


def bare_number(draft: Draft) -> Iterator[Finding]:
    """A number typed by hand, wherever a reader meets it; a file:line is `typed-reference`."""
    for typed in typed_by_hand(draft):
        if typed.rule == "typed-reference":
            what, fix = f'"{typed.text}" will go stale', f"write {line_for(typed.text, draft)}"
        else:
            what, fix = _source_for(typed.text, typed.after, draft.prose.facts)
        yield draft.finding(typed.offset, typed.rule, what, fix)


def typed_by_hand(draft: Draft) -> Iterator[Typed]:
    """All numbers and references that are typed, with their places."""
    known_names = {name for program in draft.course.code for name in _names_in(program.source.text)}
    for piece in draft.pieces:
        if piece.place not in READ:
            continue
        text = STAMP.sub(lambda match: " " * len(match[0]), piece.text)
        if piece.place == "code":
            text = NAME.sub(
                lambda match: " " * len(match[0]) if match[0] in known_names else match[0], text
            )
        references = _references(text)
        for start, end in references:
            place = piece.at(start), piece.place
            yield Typed("typed-reference", text[start:end], text[end:], *place)
        for number, offset, name in numerals(text, draft.course.vocabulary):
            if not name and not any(start <= offset < end for start, end in references):
                end = offset + len(number)
                after = text[end : max(piece.text.find(START, end), 0) or None]
                yield Typed("bare-number", number, after, piece.at(offset), piece.place)


@lru_cache(MOST_KEPT)
def _references(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in REFERENCE.finditer(text))


@lru_cache(1000)
def _names_in(program: str) -> frozenset[str]:
    return frozenset(NAME.findall(program))


def line_for(reference: str, draft: Draft) -> str:
    """The word that says what a typed file:line means; only a pattern if no one line is meant."""
    file, _, number = reference.partition(":")
    source = draft.lesson.programs.get(file)
    with suppress(NotFound, ValueError, IndexError):
        if source and source.line(content := source.statement(int(number))) == int(number):
            return f'{{{{ line("{file}", {json.dumps(content, ensure_ascii=False)}) }}}}'
    return SOME_LINE


def _source_for(number: str, after: str, facts: Mapping[str, Fact]) -> tuple[str, str]:
    quotes = equal(number, after, facts)
    if quotes:
        equals = "it equals a fact" if len(quotes) == 1 else f"it equals {len(quotes)} facts"
        return f'"{number}" has no source; {equals}', f"write {' or '.join(quotes[:3])}"
    fix = "measure it in facts.py, cite it in sources.toml, or list the name in vocabulary.toml"
    return f'"{number}" has no source', near(number, after, facts) or fix


def number_word(draft: Draft) -> Iterator[Finding]:
    """A word that counts, typed by hand."""
    for piece in draft.pieces:
        if piece.place in READ and piece.place != "code":
            text = STAMP.sub(lambda match: " " * len(match[0]), piece.text)
            for word, offset in number_words(without_names(text, draft.course.vocabulary)):
                fix = (
                    f'quote a fact as {{{{ ... | words }}}}, bind it with {{{{ claim("{word}", ...) }}}}, '
                    f'or, if it counts nothing, write {{{{ plain("{word}") }}}}'
                )
                what = f'"{word}" counts something and has no source'
                yield draft.finding(piece.at(offset), "number-word", what, fix)


def figure_number(draft: Draft) -> Iterator[Finding]:
    """A number typed into a figure: not on an axis, in no fact that it uses, no step's."""
    steps = {str(number) for number, _ in enumerate(draft.lesson.meta["steps"], 1)}
    for name, drawing in draft.drawings.items():
        used = [draft.prose.facts[fact] for fact in drawing.facts]
        texts = {fact.text for fact in used if not isinstance(fact.value, bool)}
        known = {number for text in texts for number in _numbers(text, draft.course)}
        labels = [drawing.title, *map(unescape, SVG_TEXT.findall(drawing.svg))]
        for label in labels:
            if label in drawing.ticks or label in steps:
                continue
            numbers = _numbers(label, draft.course) - known
            words = {word for word, _ in number_words(label)} - texts
            for typed in sorted(numbers | words):
                place = str(draft.lesson.folder / "figures.py"), drawing.line, 1
                what = f'figure "{name}" says "{label}", and "{typed}" has no source'
                fix = "take it from a fact: facts.name.text"
                yield Finding(*place, "figure-number", what, fix)


def _numbers(text: str, course: Course) -> set[str]:
    return {number for number, _, name in numerals(text, course.vocabulary) if not name}
