"""Facts that measure something else: what quotes them must change, and claims must fail."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from engine.draft import Draft
from engine.facts import Fact
from engine.findings import Refused
from engine.prose import Prose
from engine.stamps import Expression
from engine.words import Words
from tests.mutants.bench import Bench
from tests.mutants.mutant import Mutant, Verdict

DIGITS = re.compile(r"\|\s*digits\((\d+)\)")
ABOUT = re.compile(r"\|\s*about(?:\((\d+)\))?")
STRING = re.compile(r""""[^"\n]*"|'[^'\n]*'""")
CLAIM = re.compile(r"(?:claim|among)\(")


def moved(draft: Draft) -> Iterator[Mutant]:
    """Each fact one unit further, in the last place of each way in which it is printed."""
    texts = {fact.value for fact in draft.facts.values() if type(fact.value) is str}
    for name, fact in sorted({**draft.facts, **draft.course.cited}.items()):
        units = {_unit(fact, code) for code in _quotes(draft, name)}
        if not units or name in draft.facts_in_figures | draft.facts_in_widget:
            units.add(_unit(fact, ""))
        for unit in sorted(units, key=str):
            value = _further(fact.value, unit, texts)
            yield _mutant(fact, "fact one unit further", f"{name}: {fact.value} -> {value}", value)


def failing(draft: Draft) -> Iterator[Mutant]:
    """Each claim, with each fact it is about: some value of the fact must make it false."""
    texts = {fact.value for fact in draft.facts.values() if type(fact.value) is str}
    for part, expression in _expressions(draft):
        if not CLAIM.match(expression.code):
            continue
        for name in sorted({**draft.facts, **draft.course.cited}):
            if _says(expression.code, name):
                fact = draft.prose.facts[name]
                about = f"`{expression.code}` by {name}"
                values = tuple(_far(fact.value, 10.0**-fact.digits, texts))
                edit = _mutant(fact, "claim that cannot fail", about, *values)
                path = f"{draft.lesson.entry.slug}/{part.lesson.file}"
                line = _line(part, expression)
                yield replace(edit, path=path, line=line, start=expression.index)


def verdict(bench: Bench, draft: Draft, mutant: Mutant) -> Verdict:
    """What the page and the gate make of a fact that moved; `draft` is the lesson as it is."""
    if mutant.rule == "claim that cannot fail":
        return _claim_verdict(bench, draft, mutant)
    fact = replace(draft.prose.facts[mutant.fact], value=mutant.values[0])
    bench.runner.moved = {mutant.fact: fact}
    try:
        after, findings = bench.draft()
    except Refused as refused:
        return Verdict(mutant, "killed", refused.findings[0].rule, refused.findings[0].what)
    finally:
        bench.runner.moved = {}
    unit = mutant.values[0] - mutant.values[1] if len(mutant.values) > 1 else None
    shown_after = {id(part): other.shown for part, other in zip(draft.parts, after.parts)}
    for part, expression in _expressions(draft):
        code, index, shown = expression.code, expression.index, shown_after[id(part)]
        if not _says(code, mutant.fact) or CLAIM.match(code):
            continue
        if unit is not None and _unit(draft.prose.facts[mutant.fact], code) > abs(unit) * 1.01:
            continue  # this one rounds to more than the unit
        if index in shown and shown[index].text == part.shown[index].text:
            said = f"line {_line(part, expression)} still says {part.shown[index].text}"
            return Verdict(mutant, "survived", said=said)
    if mutant.fact in draft.facts_in_widget and (
        after.widget.behind.data == draft.widget.behind.data
    ):
        return Verdict(mutant, "survived", said="the widget that uses it stays as it is")
    if mutant.fact in draft.facts_in_figures and all(
        after.drawings[name].svg == drawing.svg for name, drawing in draft.drawings.items()
    ):
        return Verdict(mutant, "survived", said="the figures that use it stay as they are")
    rules = sorted({finding.rule for finding in findings} - {"lock"})
    if rules:
        return Verdict(mutant, "killed", rules[0])
    return Verdict(mutant, "shown", "a quote of it, or a figure")


def _claim_verdict(bench: Bench, draft: Draft, mutant: Mutant) -> Verdict:
    [lesson] = [part.lesson for part in draft.parts if mutant.path.endswith(part.lesson.file)]
    expression = lesson.expressions[mutant.start]
    fact = draft.prose.facts[mutant.fact]
    runner = bench.runner(draft.course, bench.cache)
    words = Words(draft.course, lesson, list(draft.drawings), runner)
    for value in mutant.values:
        facts = {**draft.prose.facts, mutant.fact: replace(fact, value=value)}
        try:
            Prose(lesson, facts, words).show(expression)
        except Refused as refused:
            if refused.findings[0].rule == "false-claim":
                return Verdict(mutant, "killed", "false-claim", f"{mutant.fact} = {value}")
    return Verdict(mutant, "survived", said="it holds whatever the fact is")


def _mutant(fact: Fact, rule: str, edit: str, *values: Any) -> Mutant:
    path, _, line = fact.origin.rpartition(":")
    if rule == "fact one unit further" and type(fact.value) in (int, float):
        values = (*values, fact.value)
    return Mutant("facts", rule, path, int(line), edit, fact=fact.name, values=values)


def _quotes(draft: Draft, name: str) -> list[str]:
    return [
        expression.code
        for _, expression in _expressions(draft)
        if _says(expression.code, name) and not CLAIM.match(expression.code)
    ]


def _expressions(draft: Draft) -> Iterator[tuple[Draft, Expression]]:
    """Each expression of the lesson and of its widget's page, with the part it stands in."""
    for part in draft.parts:
        for expression in part.lesson.expressions:
            yield part, expression


def _line(part: Draft, expression: Expression) -> int:
    return part.lesson.text.count("\n", 0, expression.offset) + 1


def _says(code: str, name: str) -> bool:
    names = STRING.sub("", code)
    return bool(re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", names))


def _unit(fact: Fact, code: str) -> float:
    """One in the last place that `code` prints; 0 for what is no number."""
    if type(fact.value) not in (int, float):
        return 0
    if match := ABOUT.search(code):
        leading = len(str(int(abs(fact.value))))
        return 10.0 ** (leading - int(match[1] or 1))
    digits = DIGITS.search(code)
    return 10.0 ** -(int(digits[1]) if digits else fact.digits)


def _further(value: Any, unit: float, texts: set[str]) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return sorted(texts - {value}, key=lambda text: (not text.isalpha(), text))[0]
    return value + (int(unit) if isinstance(value, int) and unit >= 1 else unit)


def _far(value: Any, unit: float, texts: set[str]) -> Iterator[Any]:
    """Other values, near ones first."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, str):
        yield from sorted(texts - {value})
    else:
        kind = int if isinstance(value, int) else float
        yield from (value + kind(max(unit, 1)), value - kind(max(unit, 1)), value + unit)
        yield from (kind(value * 0.5), value * 2, value * 100, -value, kind(0))
