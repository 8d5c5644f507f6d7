"""A copy of content/ on which mutants are tried, with the programs' results kept in memory.

What a mutant meets is the build itself, from reading the files to counting the numbers of the
finished pages. Only the programs are not run again for an edit that cannot change what they do.
"""

import shutil
from collections.abc import Callable, Mapping
from copy import copy
from functools import cache
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import patch

import engine.build
import engine.prose
from engine.build import Findings, Site, build, write
from engine.checks import CHECKS
from engine.course import Course, Lesson
from engine.draft import Draft
from engine.facts import Fact
from engine.findings import Finding, Refused
from engine.load import load
from engine.runner import Runner

PROJECT = Path(__file__).resolve().parents[2]
SECONDS = 60  # a program may run
# What a finding elsewhere says when an edit takes something away; nobody is told of the edit.
SIDE_EFFECTS = {
    "document-number", "unused-fact", "unused-name", "unused-program", "unused-source",
}  # fmt: skip


class Warm(Runner):
    """Runs lesson code once for each thing that is asked of it."""

    known: ClassVar[dict[tuple, Any]] = {}
    moved: ClassVar[Mapping[str, Fact]] = {}  # facts that measure something else for the while
    redraw = False  # figures.py, or what it reads, is not the one that is known

    def facts(self, lesson: Lesson) -> dict[str, Fact]:
        key = ("facts", lesson.entry.slug)
        facts = _once(self.known, key, lambda: Runner.facts(self, lesson))
        return {name: self.moved.get(name, fact) for name, fact in facts.items()}

    def figures(self, lesson: Lesson, facts: Mapping[str, Fact]):
        if self.redraw:
            return Runner.figures(self, lesson, facts)
        key = ("figures", lesson.entry.slug, tuple(lesson.meta["steps"]))
        drawn = _once(self.known, key, lambda: Runner.figures(self, lesson, facts))
        asked = {name for drawing in drawn.values() for name in drawing.facts}
        if asked.isdisjoint(self.moved):
            return drawn
        return Runner.figures(self, lesson, facts)

    def transcript(self, lesson: Lesson, program: str, edit: Mapping[str, str]) -> str:
        key = ("transcript", lesson.entry.slug, program, tuple(edit.items()))
        return _once(self.known, key, lambda: Runner.transcript(self, lesson, program, edit))


def _copy(content: Path, to: Path) -> None:
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(content, to, ignore=shutil.ignore_patterns("__pycache__"))
    for document in content.absolute().parent.glob("*.md"):  # the gate reads these as well
        shutil.copy(document, to.parent)


def _once(known: dict, key: tuple, make: Callable[[], Any]) -> Any:
    if key not in known:
        known[key] = make()
    return known[key]


class Compiling(engine.prose.Environment):
    """Compiles an expression of the prose once, and not for each of a thousand mutants."""

    @cache  # noqa: B019  (one environment serves all)
    def _compiled(self, code: str):
        return super().compile_expression(code, undefined_to_none=False)

    def compile_expression(self, source: str, undefined_to_none: bool = True):
        return self._compiled(source)

    @cache  # noqa: B019
    def parse(self, *arguments):
        return super().parse(*arguments)


ENVIRONMENT = Compiling(undefined=engine.prose.StrictUndefined)


def _compiled_once():
    return patch.object(engine.prose, "Environment", lambda **_: ENVIRONMENT)


class Bench:
    """The copy, and the site that the lesson makes as it is."""

    def __init__(self, content: Path, cache: Path, folder: Path):
        """Copy `content` into `folder`. Its programs run where they are, or `cache` knows them."""
        self.runner, self.content, self.cache = Warm, content, cache
        self.accepted = self.build()
        self.content = folder / "content"
        _copy(content, self.content)

    def elsewhere(self, folder: Path) -> "Bench":
        """The same, with a copy of its own in `folder`."""
        other = copy(self)
        other.content = folder / "content"
        _copy(self.content, other.content)
        return other

    def text(self, path: str) -> str:
        """A file of the copy, as the engine reads it."""
        return (self.content / path).read_text(encoding="utf-8")

    def build(self) -> Site:
        """The site of the copy as it is now, or Refused."""
        with patch.object(engine.build, "Runner", self.runner), _compiled_once():
            return build(self.content, PROJECT / "templates", self.cache, SECONDS)

    def draft(self) -> tuple[Draft, list[Finding]]:
        """The first lesson on its way to a page, and what the gate says of it."""
        course: Course = load(self.content)
        for name in course.cited.keys() & self.runner.moved.keys():
            course.cited[name] = self.runner.moved[name]
        findings = Findings()
        runner = self.runner(course, self.cache, SECONDS)
        with _compiled_once():
            draft = write(course, course.lessons[0], runner, findings)
        return draft, findings.all + [found for check in CHECKS for found in check(draft)]

    def try_text(self, path: str, text: str) -> tuple[Site | None, list[Finding]]:
        """What the build makes of another text of a file: a site, or findings."""
        file = self.content / path
        before = file.read_bytes()
        file.write_text(text, encoding="utf-8")
        try:
            return self.build(), []
        except Refused as refused:
            return None, refused.findings
        finally:
            file.write_bytes(before)

    def pages(self, site: Site) -> dict[str, bytes]:
        """What a reader sees of it: the downloads hold the programs, so they always differ."""
        return {path: data for path, data in site.files.items() if path.endswith(".html")}
