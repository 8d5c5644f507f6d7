"""A copy of content/ on which mutants are tried, with the programs' results kept in memory.

What a mutant meets is the build itself, from reading the files to counting the numbers of the
finished pages. Only the programs are not run again for an edit that cannot change what they do.
"""

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import patch

from matplotlib import pyplot  # noqa: F401  (the forks that draw find it loaded)

import engine.build
import engine.child
from engine.build import Findings, Site, build, write
from engine.checks import check
from engine.course import Course, Lesson
from engine.draft import Draft
from engine.facts import Fact
from engine.findings import PROGRAM_FAILED, Finding, Refused
from engine.load import load
from engine.runner import Runner
from tests.mutants.apart import apart

PROJECT = Path(__file__).resolve().parents[2]
FIGURES = '{"job": "figures"'
SECONDS = 60  # a program may run
NO_END = Finding("a script", 1, 1, "program-failed", "does not come to an end", "mend it")
# What a finding elsewhere says when an edit takes something away; nobody is told of the edit.
SIDE_EFFECTS = {
    "document-number", "unused-fact", "unused-name", "unused-program", "unused-source",
}  # fmt: skip


class Warm(Runner):
    """Runs lesson code once for each thing that is asked of it."""

    known: ClassVar[dict[tuple, Any]] = {}
    home: ClassVar[Path]  # the content that all this is known of
    moved: ClassVar[Mapping[str, Fact]] = {}  # facts that measure something else for the while
    scripts_as_known = False  # whatever the scripts are, they compute and draw what they did
    anew: ClassVar[tuple[str, ...]] = ()  # jobs whose programs are not those that are known

    def facts(self, lesson: Lesson) -> dict[str, Fact]:
        facts = self._once(("facts", lesson.entry.slug), lambda: Runner.facts(self, lesson))
        return {name: self.moved.get(name, fact) for name, fact in facts.items()}

    def figures(self, lesson: Lesson, facts: Mapping[str, Fact]):
        def draw():
            return Runner.figures(self, lesson, facts)

        if "figures" in self.anew:
            return draw()
        drawn = self._once(("figures", lesson.entry.slug, *lesson.meta["steps"]), draw)
        asked = {name for drawing in drawn.values() for name in drawing.facts}
        return drawn if asked.isdisjoint(self.moved) else draw()

    def widget(self, lesson: Lesson, facts: Mapping[str, Fact]) -> dict[str, Any]:
        def give():
            return Runner.widget(self, lesson, facts)

        given = self._once(("widget", lesson.entry.slug), give)
        if "widget" in self.anew or not self.moved.keys().isdisjoint(given["facts"]):
            now = give()
            return given if now == given else now
        return given

    def calls(self, lesson: Lesson, calls: list[tuple[str, list]]) -> list[Any]:
        key = "calls", lesson.entry.slug, json.dumps(calls)
        return self._once(key, lambda: Runner.calls(self, lesson, calls))

    def kept(self, asked: Any, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        def make_apart() -> dict[str, Any]:
            self._met[""] = ""  # nobody knows what a fork reads: then nothing stays on the disk
            return _apart(make)

        ours = {id(value) for value in self.known.values()}  # long, and never another
        key = json.dumps([id(part) if id(part) in ours else part for part in asked])
        key = asked[0], key.replace(str(self._shown), "")
        if self.scripts_as_known and key not in self.known:
            return next(value for known, value in self.known.items() if known[0] == asked[0])
        if key in self.known or self._shown == self.home:
            return self._once(key, lambda: Runner.kept(self, asked, make_apart))
        return Runner.kept(self, asked, make_apart)  # of a mutant, and never asked for again

    def transcript(self, lesson: Lesson, program: str, edit: Mapping[str, str]) -> str:
        key = ("transcript", lesson.entry.slug, program, tuple(edit.items()))
        return self._once(key, lambda: Runner.transcript(self, lesson, program, edit))

    def _wait(self, scratch: Path, folder: Path) -> str | None:
        """A figure of the copy is drawn in a fork, which has matplotlib loaded already."""
        if self._shown == self.home or not (scratch / "request").read_text().startswith(FIGURES):
            return Runner._wait(self, scratch, folder)
        (scratch / "stdout").touch()
        return apart(lambda: _draw(scratch, folder), SECONDS)

    def _once(self, key: tuple, make: Callable[[], Any]) -> Any:
        if key not in self.known:
            self.known[key] = make()
        return self.known[key]


def _copy(content: Path, to: Path) -> None:
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(content, to, ignore=shutil.ignore_patterns("__pycache__"))
    for document in content.absolute().parent.glob("*.md"):  # the gate reads these as well
        shutil.copy(document, to.parent)


def _draw(scratch: Path, folder: Path) -> None:
    """What the child process does, with none of the lesson's programs loaded."""
    for name in [path.stem for path in folder.parents[1].glob("*/code/*.py")]:
        sys.modules.pop(name, None)
    os.chdir(folder)
    sys.argv = [engine.child.__file__, str(scratch / "request"), str(scratch / "result")]
    engine.child.main()


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
        with patch.object(engine.build, "Runner", self.runner):
            return build(self.content, PROJECT / "templates", self.cache, SECONDS)

    def draft(self) -> tuple[Draft, list[Finding]]:
        """The first lesson on its way to a page, and what the gate says of it."""
        course: Course = load(self.content)
        for name in course.cited.keys() & self.runner.moved.keys():
            course.cited[name] = self.runner.moved[name]
        findings = Findings()
        runner = self.runner(course, self.cache, SECONDS)
        draft = write(course, course.lessons[0], runner, findings)
        return draft, [*findings.all, *check(draft)]

    def calls(self) -> list[tuple[str, list, Any]]:
        """What the widget's port is held to: each call of PARITY, with what it returns."""
        course = load(self.runner.home)
        [lesson] = course.lessons
        runner = self.runner(course, self.cache, SECONDS)
        parity = runner.widget(lesson, runner.facts(lesson))["parity"]
        calls = [(name, arguments) for name, cases in parity.items() for arguments in cases]
        return [(*call, value) for call, value in zip(calls, runner.calls(lesson, calls))]

    @contextmanager
    def edited(self, path: str, text: str) -> Iterator[None]:
        """Another text of a file, for the while."""
        file = self.content / path
        before = file.read_bytes()
        file.write_text(text, encoding="utf-8")
        try:
            yield
        finally:
            file.write_bytes(before)

    def try_text(self, path: str, text: str) -> tuple[Site | None, list[Finding]]:
        """What the build makes of another text of a file: a site, or findings."""
        with self.edited(path, text):
            try:
                return self.build(), []
            except Refused as refused:
                return None, refused.findings

    def pages(self, site: Site) -> dict[str, bytes]:
        """What a reader sees of it: the downloads hold the programs, so they always differ."""
        return {path: data for path, data in site.files.items() if path.endswith(".html")}
