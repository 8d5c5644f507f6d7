"""The edit that mends a finding, where one is certain.

Certain is what nobody has to think about: a number that is exactly one fact, a file:line whose line
stands once, a name that is one slip away from one fact. All else is left, with the reason.
"""

import re
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher

from engine.check_numbers import SOME_LINE, Typed, line_for, typed_by_hand
from engine.draft import Draft
from engine.facts import Fact
from engine.findings import Finding, offset_of
from engine.nearmiss import equal, unit_at
from engine.numerals import unit_behind
from engine.stamps import STRING, Expression

CLOSE = 0.85  # difflib's ratio, from which on a name is a slip of another
APART = 0.05  # a second name that is no farther off than this could be meant as well
# Before a number, what makes it belong to something longer.
PART = re.compile(r"[\w.,:/\\#$€£@^~±+\u2212-]\Z")


@dataclass(frozen=True, order=True)
class Edit:
    """A range of a lesson's text, and what is to stand there."""

    path: str
    start: int
    end: int
    replacement: str


class Unsure(Exception):
    """There is no certain edit; the message says why."""


def edits(finding: Finding, draft: Draft) -> Edit | None:
    """The certain edit for a finding of this draft's text, or None."""
    try:
        return _certain(finding, draft)
    except Unsure:
        return None


def why_not(finding: Finding, draft: Draft | None) -> str:
    """Why a finding has no certain edit; "" if it has one."""
    try:
        if draft is None:
            raise Unsure("it is in no lesson's text")
        _certain(finding, draft)
    except Unsure as unsure:
        return str(unsure)
    return ""


def choices(finding: Finding, draft: Draft) -> list[Edit]:
    """Every edit that could be meant, the certain one alone if there is one: a person picks."""
    certain = edits(finding, draft)
    if certain:
        return [certain]
    if finding.rule == "bare-number":
        typed = _typed(finding, draft)
        with suppress(Unsure):
            if typed and typed.place != "code":
                return [edit for _, edit in _quotes(typed, draft)]
    return []


def _certain(finding: Finding, draft: Draft) -> Edit:
    if finding.rule in ("bare-number", "typed-reference"):
        typed = _typed(finding, draft)
        if typed is None:
            raise Unsure("it is not in the text as it reads")
        return _number(typed, draft) if typed.rule == "bare-number" else _reference(typed, draft)
    if finding.rule == "unknown-fact":
        return _misspelt(finding, draft)
    if finding.rule == "number-word":
        raise Unsure("a word may count something else, or nothing")
    raise Unsure("only a person can tell what it should say")


def _typed(finding: Finding, draft: Draft) -> Typed | None:
    """What was typed at a finding's place, if the file says it in the same letters."""
    at = offset_of(draft.lesson.text, finding.line, finding.col)
    for typed in typed_by_hand(draft):
        if typed.offset == at and typed.rule == finding.rule:
            return typed if draft.lesson.text.startswith(typed.text, at) else None
    return None


def _number(typed: Typed, draft: Draft) -> Edit:
    if typed.place == "code":
        raise Unsure("braces in a code span are just braces")
    found = _quotes(typed, draft)
    if not found:
        raise Unsure("no fact is equal to it")
    if len(found) > 1:
        raise Unsure(f"it equals {len(found)} facts")
    [(fact, edit)] = found
    decimals = len(typed.text.partition(".")[2])
    if decimals != fact.digits:
        raise Unsure(f"{fact.name} is printed with other digits")
    unit = unit_behind(fact, typed.after)
    if not unit and not decimals and len(typed.text.lstrip("0")) < 2:
        raise Unsure("a number as small as this may count anything")
    if unit_at(typed.after) and not fact.unit:
        raise Unsure(f"{fact.name} has no unit")
    text = draft.lesson.text
    before, behind = text[: edit.start], text[edit.end : edit.end + 1]
    if PART.search(before) or re.match(r"[\w%‰°]", behind):
        raise Unsure("it is part of something longer")
    return edit


def _quotes(typed: Typed, draft: Draft) -> list[tuple[Fact, Edit]]:
    """Each fact that the number is equal to, and the edit that quotes it; its unit goes along."""
    found, start = [], typed.offset
    for name, fact in draft.prose.facts.items():
        for quote in equal(typed.text, typed.after, {name: fact}):
            whole = typed.text + unit_behind(fact, typed.after)
            if not draft.lesson.text.startswith(whole, start):  # `&nbsp;` before the unit
                raise Unsure("its unit is not in the text as it reads")
            found.append((fact, Edit(draft.lesson.path, start, start + len(whole), quote)))
    return found


def _reference(typed: Typed, draft: Draft) -> Edit:
    word = line_for(typed.text, draft)
    if word == SOME_LINE:
        raise Unsure("no line that stands once is meant by it")
    text, start, end = draft.lesson.text, typed.offset, typed.offset + len(typed.text)
    if typed.place == "code":  # the word puts it in a code span itself
        start, end = start - 1, end + 1
        whole = text[start:end] == f"`{typed.text}`"
        if not whole or "`" in (text[start - 1 : start], text[end : end + 1]):
            raise Unsure("braces in a code span are just braces")
    return Edit(draft.lesson.path, start, end, word)


def _misspelt(finding: Finding, draft: Draft) -> Edit:
    at = offset_of(draft.lesson.text, finding.line, finding.col)
    expression = next((e for e in draft.lesson.expressions if e.offset == at), None)
    wrong = draft.prose.unknown(expression.code) if expression else []
    if not wrong:
        raise Unsure("it is not in the text as it reads")
    right = _meant(wrong[0], draft)
    typed = _renamed(expression, wrong[0], right)
    if typed == expression.typed:
        raise Unsure("its name is not written in one piece")
    return Edit(draft.lesson.path, at, at + len(expression.typed), typed)


def _meant(wrong: str, draft: Draft) -> str:
    """The only fact that a name can be a slip of."""
    names = [*draft.prose.facts, *draft.prose.words.table()]
    scored = [(SequenceMatcher(None, wrong, name).ratio(), name) for name in names]
    (best, right), *others = sorted(scored, reverse=True)
    if best < CLOSE or right not in draft.prose.facts:
        raise Unsure("no fact's name is close enough")
    near = [name for ratio, name in others if ratio > best - APART]
    if near:
        raise Unsure(f"{right} is near it, and so is {near[0]}")
    if re.sub(r"\D", "", wrong) != re.sub(r"\D", "", right):
        raise Unsure(f"{right} is near it, but has other digits")
    return right


def _renamed(expression: Expression, wrong: str, right: str) -> str:
    """The expression with one name for another, texts in quotes aside."""
    name = re.compile(rf"({STRING})|(?<![\w.]){re.escape(wrong)}(?![\w.])")
    return name.sub(lambda match: match[1] or right, expression.typed)
