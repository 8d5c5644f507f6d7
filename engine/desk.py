"""The course while somebody writes it: one look after another, each beside what held before."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from engine import lock
from engine.build import drafts_of
from engine.draft import Draft
from engine.findings import Finding, Refused
from engine.progress import Tell, silent


@dataclass(frozen=True)
class Look:
    """What one look at the course has found."""

    findings: list[Finding]
    moved: list[Finding]  # what is not as it was accepted, which is no fault while one writes
    drafts: list[Draft]  # of each lesson the last one that its code could make

    @cached_property
    def parts(self) -> dict[str, Draft]:
        """The drafts' texts by their paths."""
        return {part.lesson.path: part for draft in self.drafts for part in draft.parts}


NOTHING = Look([], [], [])


def look(
    content: Path, cache: Path, seconds: float, unsaved: Mapping[Path, str],
    before: Look = NOTHING, tell: Tell = silent,
) -> Look:  # fmt: skip
    """Check the course with texts that are not saved yet.

    Where a lesson's code fails, or the course cannot be read, the drafts of `before` stay.
    """
    try:
        course, drafts, found = drafts_of(content, cache, seconds, unsaved, tell)
    except Refused as refused:
        return Look(refused.findings, [], before.drafts)
    findings, moved = [*found.all], []
    for draft in drafts:
        try:
            moved += lock.check(draft)
        except Refused as refused:
            findings += refused.findings
    last = {draft.lesson.entry.slug: draft for draft in [*before.drafts, *drafts]}
    slugs = [lesson.entry.slug for lesson in course.lessons]
    return Look(
        sorted(set(findings)), sorted(moved), [last[slug] for slug in slugs if slug in last]
    )
