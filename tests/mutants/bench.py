"""A copy of content/ on which mutants are tried, with the programs' results kept in memory.

What a mutant meets is the build itself, from reading the files to counting the numbers of the
finished pages. Only the programs are not run again for an edit that cannot change what they do.
"""

import json
import shutil
from collections.abc import Callable, Mapping
from copy import copy
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import patch

import engine.build
from engine.build import Findings, Site, build, write
from engine.checks import check
from engine.course import Course, Lesson
from engine.draft import Draft
from engine.facts import Fact
from engine.findings import PROGRAM_FAILED, Finding, Refused
from engine.load import load
from engine.runner import Runner
from tests.mutants.apart import apart
from tests.mutants.once import once, once_for_all

PROJECT = Path(__file__).resolve().parents[2]
SECONDS = 60  # a program may run
NO_END = Finding("a script", 1, 1, "program-failed", "does not come to an end", "mend it")
# What a finding elsewhere says when an edit takes something away; nobody is told of the edit.
SIDE_EFFECTS = {
    "document-number", "unused-fact", "unused-name", "unused-program", "unused-source",
}  # fmt: skip


class Warm(Runner):
    """Runs lesson code once for each thing that is asked of it."""

    known: ClassVar[dict[tuple, Any]] = {}
    moved: ClassVar[Mapping[str, Fact]] = {}  # facts that measure something else for the while
    home: ClassVar[Path]  # the content that is known
    redraw = False  # figures.py, widget.py, or what they read, is not the one that is known

    def facts(self, lesson: Lesson) -> dict[str, Fact]:
        key = ("facts", lesson.entry.slug)
        facts = once(self.known, key, lambda: Runner.facts(self, lesson))
        return {name: self.moved.get(name, fact) for name, fact in facts.items()}

    def figures(self, lesson: Lesson, facts: Mapping[str, Fact]):
        if self.redraw:
            return Runner.figures(self, lesson, facts)
        key = ("figures", lesson.entry.slug, tuple(lesson.meta["steps"]))
        drawn = once(self.known, key, lambda: Runner.figures(self, lesson, facts))
        asked = {name for drawing in drawn.values() for name in drawing.facts}
        if asked.isdisjoint(self.moved):
            return drawn
        return Runner.figures(self, lesson, facts)

    def widget(self, lesson: Lesson, facts: Mapping[str, Fact]) -> dict[str, Any]:
        if self.redraw:
            return Runner.widget(self, lesson, facts)
        key = ("widget", lesson.entry.slug)
        given = once(self.known, key, lambda: Runner.widget(self, lesson, facts))
        if self.moved.keys().isdisjoint(given["facts"]):
            return given
        return Runner.widget(self, lesson, facts)

    def calls(self, lesson: Lesson, calls: list[tuple[str, list]]) -> list[Any]:
        if self.redraw:
            return Runner.calls(self, lesson, calls)
        key = ("calls", lesson.entry.slug, json.dumps(calls))
        return once(self.known, key, lambda: Runner.calls(self, lesson, calls))

    def kept(self, asked: Any, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        ours = {id(value) for value in self.known.values()}  # long, and never another
        key = json.dumps([id(part) if id(part) in ours else part for part in asked])
        key = "kept", key.replace(str(self._shown), "")
        if key in self.known or self._shown == self.home:
            return once(self.known, key, lambda: Runner.kept(self, asked, lambda: _apart(make)))
        return _apart(make)  # of a mutant, and never asked for again

    def transcript(self, lesson: Lesson, program: str, edit: Mapping[str, str]) -> str:
        key = ("transcript", lesson.entry.slug, program, tuple(edit.items()))
        return once(self.known, key, lambda: Runner.transcript(self, lesson, program, edit))


def _copy(content: Path, to: Path) -> None:
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(content, to, ignore=shutil.ignore_patterns("__pycache__"))
    for document in content.absolute().parent.glob("*.md"):  # the gate reads these as well
        shutil.copy(document, to.parent)


def _apart(make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What `make` returns or refuses, made in a fork: V8 may end with its process, or hang."""

    def work() -> list:
        try:
            return [make(), [], 0]
        except Refused as refused:
            return [{}, [vars(finding) for finding in refused.findings], refused.code]

    made, findings, code = apart(work, SECONDS) or [{}, [vars(NO_END)], PROGRAM_FAILED]
    if findings:
        raise Refused([Finding(**finding) for finding in findings], code)
    return made


class Bench:
    """The copy, and the site that the lesson makes as it is."""

    def __init__(self, content: Path, cache: Path, folder: Path):
        """Copy `content` into `folder`. Its programs run where they are, or `cache` knows them."""
        self.runner, self.content, self.cache = Warm, content, cache
        self.runner.home = content
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
        with patch.object(engine.build, "Runner", self.runner), once_for_all():
            return build(self.content, PROJECT / "templates", self.cache, SECONDS)

    def draft(self) -> tuple[Draft, list[Finding]]:
        """The first lesson on its way to a page, and what the gate says of it."""
        course: Course = load(self.content)
        for name in course.cited.keys() & self.runner.moved.keys():
            course.cited[name] = self.runner.moved[name]
        findings = Findings()
        runner = self.runner(course, self.cache, SECONDS)
        with once_for_all():
            draft = write(course, course.lessons[0], runner, findings)
        return draft, [*findings.all, *check(draft)]

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
