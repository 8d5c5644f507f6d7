"""What becomes of an edit of a program: the cheapest way to notice it is tried first."""

import ast
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from engine.findings import Refused
from engine.load import load
from tests.mutants.bench import PROJECT, Bench
from tests.mutants.excerpts import excerpts
from tests.mutants.mutant import Mutant, Verdict
from tests.mutants.programs import SAME, Programs, Sign

ORACLES = PROJECT / "tests/content"
ORACLE_FILES = ("test_programs.py", "test_show_numbers.py")
# Of computing. As they are, trace.py takes a tenth of a second, and the slowest of these takes ten.
TRACE_SECONDS, TEST_SECONDS, ALL_SECONDS = 2, 10, 50


class CodeTrial:
    """Tries edits of programs on a bench; `programs` are those of the lesson as it is."""

    def __init__(self, bench: Bench, programs: Programs):
        self.bench, self._programs = bench, programs
        course = load(bench.content)
        [lesson] = course.lessons
        self._lesson = bench.content / lesson.entry.slug
        self._excerpts = excerpts(course, lesson)
        self._oracles_of = {program: list(_tests_of(program)) for program in programs.files}

    def verdict(self, mutant: Mutant) -> Verdict:
        """The first that notices: the text on the page, a run, a figure, the programs' tests."""
        file = self.bench.content / mutant.path
        before = file.read_bytes()
        file.write_text(mutant.applied(before.decode()), encoding="utf-8")
        try:
            for stage in (self._excerpt, self._trace, self._tests, self._facts, self._figures,
                          self._start, self._oracles):  # fmt: skip
                ending, by, said = stage(mutant)
                if ending != "same":
                    return Verdict(mutant, ending, by, said)
        finally:
            file.write_bytes(before)
        return Verdict(mutant, "survived")

    def _excerpt(self, mutant: Mutant) -> Sign:
        course = load(self.bench.content)
        for expression, html in excerpts(course, course.lessons[0]).items():
            if html != self._excerpts[expression]:
                if ": not-in-code: " in html:
                    return "killed", "not-in-code", expression
                return "shown", "excerpt" if "data-line" in html else "line number", expression
        return SAME

    def _trace(self, mutant: Mutant) -> Sign:
        return self._run(mutant, ["trace"], TRACE_SECONDS)

    def _tests(self, mutant: Mutant) -> Sign:
        changed = self._name(mutant) == "test_tiny_server" and self._changed_test(mutant)
        if changed:
            return self._run(mutant, [changed], TEST_SECONDS)
        return self._run(mutant, ["tests"], TEST_SECONDS)

    def _facts(self, mutant: Mutant) -> Sign:
        if self._name(mutant) == "test_tiny_server":
            return SAME  # no other program reads it
        return self._run(mutant, ["long tests", "facts"], ALL_SECONDS)

    def _run(self, mutant: Mutant, parts: list[str], seconds: float) -> Sign:
        """Those of the parts that an edit can reach."""
        name = self._name(mutant)
        users = self._programs.using(name)
        roots = {"trace": "trace", "facts": "facts"}
        parts = [part for part in parts if roots.get(part, "test_tiny_server") in users]
        if not parts:
            return SAME
        return self._programs.first_sign(self._lesson, name, parts, seconds)

    def _figures(self, mutant: Mutant) -> Sign:
        if "figures" not in self._programs.using(self._name(mutant)):
            return SAME
        self.bench.runner.redraw = True
        try:
            site = self.bench.build()
        except Refused as refused:
            return "killed", refused.findings[0].rule, refused.findings[0].what
        finally:
            self.bench.runner.redraw = False
        if self.bench.pages(site) != self.bench.pages(self.bench.accepted):
            return "shown", "figure", "a figure is drawn otherwise"
        return SAME

    def _start(self, mutant: Mutant) -> Sign:
        if self._name(mutant) != "show_numbers":
            return SAME  # trace.py and the tests have been started by now; the others only define
        return self._programs.first_sign(self._lesson, "show_numbers", ["start"], ALL_SECONDS)

    def _oracles(self, mutant: Mutant) -> Sign:
        """tests/content: each program against something that computes the same another way."""
        folder = self.bench.content.parent / "tests" / "content"
        chosen = [str(folder / test) for test in self._oracles_of[self._name(mutant)]]
        if not chosen:
            return SAME
        shutil.copytree(ORACLES, folder, dirs_exist_ok=True)
        shutil.copy(ORACLES.parent / "conftest.py", folder.parent)  # the same cases each time
        command = ["-m", "pytest", "-q", "-x", "-n0", "-c", os.devnull,
                   f"--rootdir={folder.parent}", f"--confcutdir={folder.parent}",
                   "-p", "no:cacheprovider", "-W", "ignore", *chosen]  # fmt: skip
        code, out = _run(ALL_SECONDS, *command)
        if code == 0:
            return SAME
        failed = [line for line in out.splitlines() if line.startswith("FAILED ")]
        return "tested", "tests/content", failed[0].split("::")[-1][:80] if failed else "no end"

    def _name(self, mutant: Mutant) -> str:
        return Path(mutant.path).stem

    def _changed_test(self, mutant: Mutant) -> str:
        """The test that an edit stands in, the only one that it can change."""
        for node in ast.parse(self.bench.text(mutant.path)).body:
            if node.lineno <= mutant.line <= node.end_lineno:
                return getattr(node, "name", "")
        return ""


def _tests_of(program: str) -> Iterator[str]:
    """Tests ("file.py::test") that say a name of this program's, or that all others build on."""
    for file in ORACLE_FILES:
        tree = ast.parse((ORACLES / file).read_text(encoding="utf-8"))
        names = set()
        for node in tree.body:
            if isinstance(node, ast.Import) and program in {name.name for name in node.names}:
                names.add(program)
            elif isinstance(node, ast.ImportFrom) and node.module == program:
                names |= {name.name for name in node.names}
        for node in tree.body:
            said = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            if isinstance(node, ast.FunctionDef) and said & names:
                if node.name.startswith("test_"):
                    yield f"{file}::{node.name}"
                names.add(node.name)  # a function that a later test calls


def _run(seconds: float, *arguments: str) -> tuple[int | None, str]:
    """Exit code (None if time ran out) and output of Python with these arguments."""
    child = subprocess.Popen(
        [sys.executable, "-B", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True,
        env={**os.environ, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip
    try:
        out, _ = child.communicate(timeout=seconds)
        return child.returncode, out
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        return None, ""
