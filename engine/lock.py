"""numbers.lock: what a lesson quotes, as somebody last accepted it, each in its sentence.

One JSON list a line, sorted: [expression, text, sentence]. It records values only: a typed number
or a false claim cannot be accepted, since it is a finding before the lock is looked at. New
wording round the same numbers is no difference.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from fnmatch import fnmatchcase
from itertools import zip_longest
from pathlib import Path

from markdown_it.token import Token

from engine.check_numbers import SVG_TEXT
from engine.course import read_text
from engine.draft import Draft
from engine.findings import Finding, Refused
from engine.stamps import fill_in, stamps_in

NAME = "numbers.lock"
LONG = 100  # characters of a text that are shown in a finding
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^a-z])|\n\n")


@dataclass(frozen=True, order=True)
class Quote:
    """One number, claim, reference or transcript where the lesson shows it."""

    expression: str  # "heavy.ttft_p99", or "figure two-waits" for the texts of a figure
    text: str
    sentence: str
    offset: int = 0  # in the text; not in the lock

    @property
    def line(self) -> str:
        """As the lock holds it."""
        return json.dumps([self.expression, self.text, self.sentence], ensure_ascii=False)


@dataclass(frozen=True)
class Difference:
    """A quote that moved; empty texts where it was not, or is no more."""

    expression: str
    before: str
    after: str
    sentence_before: str
    sentence_after: str

    @property
    def brief(self) -> tuple[str, str]:
        """Before and after in quotes; of long texts, where they part."""
        return _where_they_part(self.before, self.after)

    def __str__(self) -> str:
        before, after = self.brief
        return (
            f"{self.expression}: {before} -> {after}\n"
            f"  - {self.sentence_before}\n  + {self.sentence_after}"
        )


def quotes(draft: Draft) -> list[Quote]:
    """All that a text shows from its lesson's code."""
    sentences = dict(_sentences(draft))
    found = [
        Quote(
            expression.code, shown.locked or shown.text, sentences.get(index, ""), expression.offset
        )
        for index, shown in draft.shown.items()
        for expression in [draft.lesson.expressions[index]]
    ]
    places = {piece.text: piece.at(0) for piece in draft.pieces if piece.place == "figure"}
    for name, drawing in draft.drawings.items():
        texts = " | ".join(SVG_TEXT.findall(drawing.svg))
        found.append(Quote(f"figure {name}", texts, "", places.get(name, 0)))
    return found


def check(draft: Draft) -> Iterator[Finding]:
    """A difference between the lesson and its lock."""
    path = draft.lesson.folder / NAME
    if not path.exists():
        what, fix = "no numbers have been accepted yet", "read the page, then run make accept"
        yield Finding(str(path), 1, 1, "lock", what, fix)
        return
    accepted: dict[str, list[Quote]] = {}
    for quote in read(path):
        accepted.setdefault(quote.expression, []).append(quote)
    now = [(part, quote) for part in draft.parts for quote in quotes(part)]
    for part, quote in now:
        fix = "reread the sentence, then run make accept"
        if quote.expression not in accepted:
            what = f"{quote.expression} is new: {_brief(quote.text)}"
            yield part.finding(quote.offset, "lock", what, fix)
        elif quote.text != accepted[quote.expression][0].text:
            before = _likest(quote, accepted[quote.expression])
            was, now_is = _where_they_part(before.text, quote.text)
            what = f"{quote.expression} was {was} and is {now_is}"
            if quote.sentence:
                what += f': "{before.sentence}" -> "{quote.sentence}"'
            yield part.finding(quote.offset, "lock", what, fix)
    written = {
        each.code for part in draft.parts for each in part.lesson.expressions
    }  # false or not
    for expression in accepted.keys() - {quote.expression for _, quote in now} - written:
        what = f"{expression} is quoted no more: {_brief(accepted[expression][0].text)}"
        line = _line_of(path, expression)
        yield Finding(str(path), line, 1, "lock", what, "reread the text, then run make accept")


def accept(draft: Draft, pattern: str = "*") -> list[Difference]:
    """Write the lock anew for the expressions that match. Returns what changed."""
    path = draft.lesson.folder / NAME
    old = read(path)
    kept = [quote for quote in old if not fnmatchcase(quote.expression, pattern)]
    now = [quote for part in draft.parts for quote in quotes(part)]
    new = [quote for quote in now if fnmatchcase(quote.expression, pattern)]
    lines = sorted({quote.line for quote in kept + new})
    changes = list(differences(old, [*kept, *new]))
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return changes


def changes(draft: Draft) -> list[Difference]:
    """What `accept` would change, for somebody to read first."""
    now = [quote for part in draft.parts for quote in quotes(part)]
    return list(differences(read(draft.lesson.folder / NAME), now))


def differences(old: Iterable[Quote], new: Iterable[Quote]) -> Iterator[Difference]:
    """What moved from one lock to another."""
    nothing = Quote("", "", "")
    before = {quote.expression: quote for quote in sorted(old, reverse=True)}
    after = {quote.expression: quote for quote in sorted(new, reverse=True)}
    for expression in sorted(before.keys() | after.keys()):
        one, two = before.get(expression, nothing), after.get(expression, nothing)
        if one.text != two.text:
            yield Difference(expression, one.text, two.text, one.sentence, two.sentence)


def read(path: Path) -> list[Quote]:
    """A lock's lines; none if there is no lock yet."""
    return parse(read_text(path), str(path)) if path.exists() else []


def parse(text: str, path: str) -> list[Quote]:
    """The quotes of a lock's text. Raises Refused for a line that is none."""
    found, findings = [], []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            found += [Quote(*json.loads(line))] if line.strip() else []
        except (ValueError, TypeError):
            what, fix = "is no line of a lock", "settle the merge, then run make accept"
            findings.append(Finding(path, number, 1, "lock", what, fix))
    if findings:
        raise Refused(findings)
    return found


def _sentences(draft: Draft) -> Iterator[tuple[int, str]]:
    """(expression index, the sentence it stands in, filled in)."""
    head = draft.lesson.stamped[: draft.lesson.body_offset].split("\n")
    blocks = [piece.text for piece in draft.pieces] if draft.behind else []
    blocks += [*head, *(_plain(token.children or []) for token in draft.tokens)]
    for block in blocks:
        for sentence in SENTENCE_END.split(block):
            filled = fill_in(sentence, lambda index: _inline(draft, index))
            for index in stamps_in(sentence):
                yield index, " ".join(filled.split())


def _plain(children: list[Token]) -> str:
    """A block without its markup; a figure's alternative text is a paragraph of its own."""
    parts = {"softbreak": " ", "hardbreak": " "}
    return "".join(
        f"{child.content}\n\n" if child.type == "image" else parts.get(child.type, child.content)
        for child in children
    )


def _inline(draft: Draft, index: int) -> str:
    shown = draft.shown.get(index)
    return shown.text if shown and not shown.block else ""


def _likest(quote: Quote, others: list[Quote]) -> Quote:
    """The accepted quote whose sentence is most like this one's."""
    return max(others, key=lambda old: SequenceMatcher(None, old.sentence, quote.sentence).ratio())


def _where_they_part(before: str, after: str) -> tuple[str, str]:
    """Two texts in quotes; of longer ones, the first lines that differ, from near where they do."""
    lines = zip_longest(before.split("\n"), after.split("\n"), fillvalue="")
    one, two = next((one, two) for one, two in lines if one != two)
    same = next((at for at, pair in enumerate(zip(one, two)) if pair[0] != pair[1]), 0)
    start = one.rfind(" ", 0, max(same - 20, 0)) + 1 if max(len(one), len(two)) > LONG else 0
    return tuple(_brief("..." * (start > 0) + text[start:]) for text in (one, two))


def _brief(text: str) -> str:
    """A text in quotes, cut where it gets long or goes on over lines."""
    first, *more = text.split("\n")
    return f'"{first[:LONG]}{"..." if more or len(first) > LONG else ""}"'


def _line_of(path: Path, expression: str) -> int:
    lines = read_text(path).split("\n")
    start = json.dumps([expression], ensure_ascii=False)[:-1] + ","
    return next((number for number, line in enumerate(lines, 1) if line.startswith(start)), 1)
