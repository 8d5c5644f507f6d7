"""What an editor can say about a place in a lesson: what is there, where it comes from, what fits.

Plain functions over a text as the editor has it now and a Draft, which may be of a moment ago: facts
and programs are the draft's, expressions are read from the text itself.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import nodes

from engine.draft import Draft
from engine.facts import NBSP, Fact
from engine.findings import Finding, offset_of, position
from engine.numerals import NUMERAL, REFERENCE
from engine.prose import FILTERS, JINJA
from engine.sources import NotFound, Source
from engine.spots import expression_at, expressions_of, figure_at, name_at
from engine.stamps import Expression

LONGEST_HINT = 60  # characters
MOST_LINES = 20  # of a block that is shown while the mouse rests on it
TYPED = ("bare-number", "document-number", "number-word", "typed-reference")
THING = re.compile(rf"{REFERENCE.pattern}|{NUMERAL.pattern}|\w+|\S|\s", re.IGNORECASE)


@dataclass(frozen=True)
class Hover:
    """What to say of a range of the text, as Markdown."""

    start: int
    end: int
    text: str


def hover(text: str, offset: int, draft: Draft, drafts: Sequence[Draft]) -> Hover | None:
    """What an expression shows, and where that comes from."""
    expression = expression_at(text, offset)
    if not expression:
        return None
    name, start, end = name_at(expression, offset) or ("", 0, 0)
    if name in draft.prose.facts:
        return Hover(start, end, about_fact(draft.prose.facts[name], drafts))
    words = {**FILTERS, **draft.prose.words.table()}
    if name in words:
        said = " ".join((words[name].__doc__ or "").split())
        return Hover(start, end, f"**{name}**: {said}")
    shown = shown_now(draft).get(expression.code)
    if not shown:
        return None
    lines = shown.split("\n")
    more = ["..."] if len(lines) > MOST_LINES else []
    block = "\n".join(["```text", *lines[:MOST_LINES], *more, "```"])
    return Hover(expression.offset, expression.offset + len(expression.typed), block)


def about_fact(fact: Fact, drafts: Sequence[Draft]) -> str:
    """A fact's text, its value and its making, and each place that quotes it."""
    lines = [f"**{fact.name}** is {text_of(fact)}"]
    if isinstance(fact.value, (int, float)) and not isinstance(fact.value, bool):
        lines.append(f"{fact.value} unrounded, unit {fact.unit or 'none'}, digits {fact.digits}")
    verb = "cited" if fact.kind == "cited" else "measured"
    lines.append(f"{verb} at `{fact.origin}`")
    places = list(quoted(fact.name, drafts))
    lines.append(f"quoted at {', '.join(places)}" if places else "quoted nowhere")
    return "  \n".join(lines)


def text_of(fact: Fact) -> str:
    """What a fact says, in a line of plain text."""
    return str(fact.value).lower() if isinstance(fact.value, bool) else fact.text.replace(NBSP, " ")


def quoted(name: str, drafts: Sequence[Draft]) -> Iterator[str]:
    """Each place of the lessons that says a fact, as the last build of the drafts has it."""
    for part in (part for draft in drafts for part in draft.parts):
        for index, names in part.prose.names_of.items():
            if name in names:
                at = position(part.lesson.text, part.lesson.expressions[index].offset)
                yield f"`{Path(part.lesson.path).relative_to(part.course.root)}:{at[0]}:{at[1]}`"


def hints(text: str, draft: Draft) -> Iterator[tuple[int, str]]:
    """(offset behind it, what it shows) for each expression."""
    shown = shown_now(draft)
    for expression in expressions_of(text):
        said = " ".join(shown.get(expression.code, "").split())
        if said:
            cut = f"{said[:LONGEST_HINT]}..." if len(said) > LONGEST_HINT else said
            yield expression.offset + len(expression.typed), cut


def shown_now(draft: Draft) -> dict[str, str]:
    """Code of an expression -> what it puts on the page."""
    return {
        draft.lesson.expressions[index].code: shown.text for index, shown in draft.shown.items()
    }


def definition(text: str, offset: int, draft: Draft) -> tuple[Path, int] | None:
    """File and line of what makes the thing at `offset`."""
    figure = _whole_figure(text, offset)
    if figure is not None:
        return _figure(figure, draft)
    expression = expression_at(text, offset)
    if not expression:
        return None
    name, *_ = name_at(expression, offset) or ("",)
    root = draft.course.root
    if name in draft.prose.facts:
        path, _, line = draft.prose.facts[name].origin.rpartition(":")
        return root / path, int(line)
    with suppress(NotFound, SyntaxError):
        for word, arguments in _calls(expression):
            return _made_by(word, arguments, draft)
    return None


def _made_by(word: str, given: dict[int | str, Any], draft: Draft) -> tuple[Path, int] | None:
    first, course = given.get(0), draft.course
    if word in ("line", "src", "code", "run") and first in programs(draft):
        source = programs(draft)[first]
        return Path(source.path), _line_in(source, word, given)
    if word == "source" and first in course.citations:
        return course.root / "sources.toml", course.citations[first].line
    if word == "lesson" and first in course.entries:
        return course.root / "course.toml", course.entries[first].line
    if word == "ref":
        return _figure(first, draft)
    if word == "step":
        at = draft.lesson.text.find("\nsteps")
        return Path(draft.lesson.path), position(draft.lesson.text, at + 1)[0]
    return None


def _line_in(source: Source, word: str, given: dict[int | str, str]) -> int:
    """The line of a program that a word with these arguments is about."""
    if word == "run":
        return 1
    if word == "code" and "first" not in given:
        return source.symbol(given.get(1, given.get("symbol", "")))[0]
    return source.line(given.get("first", given.get(1, given.get("content", ""))))


def _figure(name: Any, draft: Draft) -> tuple[Path, int] | None:
    drawing = draft.drawings.get(name)
    return (draft.lesson.folder / "figures.py", drawing.line) if drawing else None


def _whole_figure(text: str, offset: int) -> str | None:
    """The name of the figure that is shown at an offset."""
    start = figure_at(text, offset)
    if start is None:
        return None
    behind = text[offset:].split("\n", 1)[0]
    return start + behind.partition(")")[0].strip()


def _calls(expression: Expression) -> Iterator[tuple[str, dict[int | str, Any]]]:
    """Each word that an expression calls, with those of its arguments that are plain texts."""
    try:
        tree = JINJA.parse("{{" + expression.code + "}}")
    except Exception:  # of what is half typed; the gate has a finding for it
        return
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name):
            given = [*enumerate(call.args), *((pair.key, pair.value) for pair in call.kwargs)]
            texts = {key: node.value for key, node in given if isinstance(node, nodes.Const)}
            yield call.node.name, {k: text for k, text in texts.items() if isinstance(text, str)}


def programs(draft: Draft) -> dict[str, Source]:
    """The programs by the names that the words know: another lesson's as "slug/name.py"."""
    others = {f"{other.slug}/{other.source.name}": other.source for other in draft.course.code}
    return {**draft.lesson.programs, **others}


def extent(text: str, finding: Finding) -> tuple[int, int]:
    """Start and end of what a finding is about, in its file's text: an expression, a word, a line."""
    start = min(offset_of(text, finding.line, finding.col), len(text))
    expression = expression_at(text, start)
    if expression and expression.offset == start:
        return start, start + len(expression.typed)
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    thing = THING.match(text, start, line_end)
    whole = finding.col == 1 and finding.rule not in TYPED
    return start, line_end if whole or not thing else thing.end()
