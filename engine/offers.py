"""What fits at a writer's cursor: facts, words and their arguments, filters, figures."""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from engine.assist import programs, text_of
from engine.draft import Draft
from engine.markup import figure_names
from engine.prose import FILTERS
from engine.sources import NotFound, Source
from engine.spots import Spot, figure_at, spot

LINE = '("${1:program.py}", "${2:the whole line}")'
SNIPPETS = {
    "line": LINE, "src": LINE, "code": '("${1:program.py}", "${2:symbol}")',
    "run": '("${1:program.py}")', "ref": '("${1:figure}")', "step": '("${1:step}")',
    "lesson": '("${1:slug}")', "source": '("${1:work}")', "live": '("${1:view}")',
    "preset": '("${1:{\\\\} words}", ${2:setting}=${3:fact})', "plain": '("${1:word}")',
    "claim": '("${1:words}", ${2:condition})', "waived": '("${1:number}", "${2:the reason}")',
    "digits": "(${1:2})",
}  # fmt: skip
ARGUMENTS = {
    "line": ("program", "content"), "src": ("program", "content"),
    "code": ("program", "symbol", "first", "last"), "run": ("program", "edit", "part"),
    "ref": ("figure",), "step": ("name",), "lesson": ("slug",), "source": ("key",),
    "live": ("view",),
}  # fmt: skip


@dataclass(frozen=True)
class Offer:
    """Something that fits at the cursor."""

    label: str
    kind: str  # fact, word, filter, program, line, symbol, figure, step, lesson, source, ...
    start: int  # of what is typed already, and gives way to it
    insert: str
    snippet: str = ""  # the same with places to fill in, for editors that know such
    detail: str = ""


def offers(text: str, offset: int, draft: Draft | None) -> list[Offer]:
    """What fits at `offset`; without a draft, only what every lesson has."""
    figure, here = figure_at(text, offset), spot(text, offset)
    if figure is not None and draft:
        start = offset - len(figure)
        return [
            Offer(name, "figure", start, name, detail=drawing.title)
            for name, drawing in draft.drawings.items()
        ]
    if here is None:
        return []
    start = offset - len(here.typed)
    if here.filter:
        return [
            Offer(name, "filter", start, name, _snippet(name), _about(function))
            for name, function in FILTERS.items()
        ]
    if draft is None:
        return (
            [] if here.quote else [Offer(w, "word", start, f"{w}(", _snippet(w)) for w in ARGUMENTS]
        )
    if here.quote:
        with suppress(SyntaxError):  # of a program that is being written, too
            return [
                Offer(label, kind, start, _quoted(label, here.quote), detail=detail)
                for label, kind, detail in _texts(here, draft)
            ]
        return []
    return [*_settings(here, draft, start), *_names(draft, start)]


def _names(draft: Draft, start: int) -> Iterator[Offer]:
    for name, fact in draft.prose.facts.items():
        yield Offer(name, "fact", start, name, detail=text_of(fact))
    for name, word in draft.prose.words.table().items():
        if name != "live" or draft.behind:
            yield Offer(name, "word", start, f"{name}(", _snippet(name), _about(word))


def _settings(here: Spot, draft: Draft, start: int) -> Iterator[Offer]:
    """What a preset can set."""
    if here.call and here.call.word == "preset" and not here.call.keyword:
        for name, value in settings(draft).items():
            yield Offer(name, "setting", start, f"{name}=", detail=f"{value} at first")


def settings(draft: Draft) -> dict:
    """The settings of a lesson's interactive page, with their first values."""
    behind = draft.behind or (draft.widget.behind if draft.widget else None)
    return behind.data["first"] if behind else {}


def _texts(here: Spot, draft: Draft) -> Iterable[tuple[str, str, str]]:
    """(label, kind, detail) of what can stand between the quotes."""
    word, course = here.call.word if here.call else "", draft.course
    argument = _argument(word, here.call.keyword or here.call.argument) if here.call else ""
    if argument == "program":
        known = draft.lesson.programs if word == "run" else programs(draft)
        return [(name, "program", source.path) for name, source in known.items()]
    if argument in ("symbol", "content", "first", "last", "edit"):
        given = here.call.given
        source = programs(draft).get(given.get(0, given.get("program", "")))
        return _of_program(source, argument) if source else []
    lists = {
        "figure": lambda: [
            (name, "figure", draft.drawings[name].title if name in draft.drawings else "")
            for name in figure_names(draft.tokens)
        ],
        "name": lambda: [(step, "step", "") for step in draft.lesson.meta.get("steps", [])],
        "slug": lambda: [(slug, "lesson", entry.title) for slug, entry in course.entries.items()],
        "key": lambda: [(key, "source", work.short) for key, work in course.citations.items()],
        "view": lambda: [(name, "view", "") for name in (draft.behind.views if draft.behind else ())],
    }  # fmt: skip
    return lists[argument]() if argument in lists else []


def _argument(word: str, place: int | str) -> str:
    """The name of an argument that is given by its place, or by name."""
    names = ARGUMENTS.get(word, ())
    if isinstance(place, int):
        return names[place] if place < len(names) else ""
    return place if place in names else ""


def _of_program(source: Source, argument: str) -> Iterator[tuple[str, str, str]]:
    """Its symbols, its constants, or its lines that stand once."""
    if argument in ("symbol", "edit"):
        for name, places in source.symbols.items():
            with suppress(NotFound):
                if argument == "edit":
                    source.constant(name)
                if len(places) == 1:
                    yield name, "symbol", f"{source.name}:{places[0][0]}"
        return
    said = [source.statement(number) for number, _ in enumerate(source.lines, 1)]
    for number, line in enumerate(said, 1):
        if line and said.count(line) == 1:
            yield line, "line", f"{source.name}:{number}"


def _quoted(text: str, quote: str) -> str:
    """A text as it is typed between these quotes."""
    if quote == '"':
        return json.dumps(text, ensure_ascii=False)[1:-1]
    return text.replace("\\", "\\\\").replace("'", "\\'")


def _snippet(name: str) -> str:
    return name + SNIPPETS[name] if name in SNIPPETS else ""


def _about(function: object) -> str:
    return " ".join((function.__doc__ or "").split())
