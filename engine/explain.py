"""Where a number stands in the lessons, how it is made, and what would change it."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from engine.course import Lesson
from engine.draft import Draft
from engine.facts import Fact
from engine.findings import nearest, position
from engine.lock import SVG_TEXT, quotes
from engine.nearmiss import near
from engine.stamps import STRING

NUMBER = re.compile(r"(\d[\d.,]*)(.*)", re.DOTALL)
COMMA = re.compile(r"(?<=\d),(?=\d{3})")


@dataclass(frozen=True)
class Place:
    """Where a lesson shows a number: the expression that puts it there, and its sentence."""

    where: str  # path:line:col
    expression: str
    sentence: str
    facts: tuple[str, ...]  # those that the expression names


def explain(
    asked: str, drafts: Sequence[Draft], inputs: Callable[[Lesson], list[str]]
) -> list[str]:
    """All there is to say, as lines: about a fact by its name, or a number by its text.

    `inputs` names the files that the run which measures a lesson's facts has read.
    """
    lines: list[str] = []
    for draft in drafts:
        places = [place for part in draft.parts for place in _places(asked, part)]
        names = {name: None for place in places for name in place.facts}  # in reading order
        known = draft.prose.facts.get(asked)
        if known is not None and (places or known.kind != "cited"):  # each lesson may cite it
            names = {asked: None}
        for name in names:
            fact = draft.prose.facts[name]
            lines += _made(fact, draft)
            lines += _shown([place for place in places if name in place.facts])
            lines += ["  drawn by figures.py"] if name in draft.facts_in_figures else []
            lines += ["  given to the widget"] if name in draft.facts_in_widget else []
            lines += _changed(fact, draft, inputs)
        others = [place for place in places if not place.facts]
        lines += ["not by a fact", *_shown(others)] if others else []
    return lines


def instead(asked: str, drafts: Sequence[Draft]) -> str:
    """What is near a number or a name that no lesson shows."""
    facts = {name: fact for draft in drafts for name, fact in draft.prose.facts.items()}
    number = NUMBER.fullmatch(asked)
    if not number:
        return nearest(asked, facts)
    return near(number[1], number[2], facts) or "no fact is near it"


def _places(asked: str, draft: Draft) -> Iterator[Place]:
    """Where the lesson says it: a fact by name, or a text in what an expression shows."""
    told = {quote.offset: quote.sentence for quote in quotes(draft)}
    by_name = asked in draft.prose.facts
    for index, shown in draft.shown.items():
        expression = draft.lesson.expressions[index]
        names = _names(expression.code, draft)
        line = "" if by_name else _line_that_says(asked, shown.text)
        if line or (by_name and asked in names):
            line_, col = position(draft.lesson.text, expression.offset)
            yield Place(
                f"{draft.lesson.path}:{line_}:{col}",
                expression.typed,
                line if shown.block else told.get(expression.offset, ""),
                () if shown.block and not by_name else names,
            )
    for name, drawing in draft.drawings.items():
        for text in SVG_TEXT.findall(drawing.svg):
            if not by_name and _line_that_says(asked, text):
                where = f"{draft.lesson.folder / 'figures.py'}:{drawing.line}:1"
                yield Place(where, f"figure {name}", text, ())


def _names(code: str, draft: Draft) -> tuple[str, ...]:
    """The facts that an expression names."""
    said = re.findall(r"[A-Za-z_][\w.]*", re.sub(STRING, "", code))
    return tuple(dict.fromkeys(name for name in said if name in draft.prose.facts))


def _line_that_says(asked: str, text: str) -> str:
    """The first line with `asked` as a number of its own, thousands commas aside; or ""."""
    wanted = re.escape(COMMA.sub("", " ".join(asked.split())))
    number = re.compile(rf"(?<![\w.]){wanted}(?!\w|\.\d)")
    for line in text.split("\n"):
        plain = COMMA.sub("", line.replace("\u00a0", " "))
        if asked.strip() and number.search(plain):
            return " ".join(line.split())
    return ""


def _made(fact: Fact, draft: Draft) -> Iterator[str]:
    if isinstance(fact.value, (bool, str)):
        yield f"{fact.name} is {fact.value}"
    else:
        text, unit = fact.text.replace("\u00a0", " "), fact.unit or "none"
        yield f"{fact.name} is {text}: {fact.value} unrounded, digits {fact.digits}, unit {unit}"
    verb = "cited" if fact.kind == "cited" else "measured"
    yield f"  {verb} at {draft.course.root / fact.origin}"


def _shown(places: Sequence[Place]) -> Iterator[str]:
    for place in places:
        yield f"  shown at {place.where} by {place.expression}"
        if " " in place.sentence:  # a table's cell says no more than the number
            yield f"    {place.sentence}"


def _changed(fact: Fact, draft: Draft, inputs: Callable[[Lesson], list[str]]) -> Iterator[str]:
    """The files whose edit can make it another number."""
    files = inputs(draft.lesson)
    if fact.kind == "cited":
        files = [str(draft.course.root / fact.origin).rpartition(":")[0]]
    yield f"  changes with {', '.join(files)}"
