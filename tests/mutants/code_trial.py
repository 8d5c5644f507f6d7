"""What becomes of an edit of a program: the cheapest way to notice it is tried first."""

import ast
import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from engine.findings import Refused
from engine.load import load
from tests.mutants.bench import PROJECT, Bench
from tests.mutants.excerpts import excerpts
from tests.mutants.mutant import Mutant, Verdict

HERE = Path(__file__).resolve().parent
TRACE_SECONDS, ALL_SECONDS = 10, 120
ROOTS = {"trace": "code/trace.py", "facts": "facts.py", "tests": "code/test_tiny_server.py",
         "figures": "figures.py"}  # fmt: skip


class CodeTrial:
    """Tries edits of programs on a bench."""

    def __init__(self, bench: Bench):
        self.bench = bench
        course = load(bench.content)
        [lesson] = course.lessons
        runner = bench.runner(course, bench.cache)
        self._slug = lesson.entry.slug
        self._excerpts = excerpts(course, lesson)
        self._known = bench.content.parent / "known.json"
        facts = {
            name: [fact.value if isinstance(fact.value, (bool, str)) else repr(fact.value),
                   fact.unit, fact.digits]
            for name, fact in runner.facts(lesson).items()
        }  # fmt: skip
        known = {
            "facts": facts,
            "transcript": runner.transcript(lesson, "trace.py", {}).strip("\n"),
        }
        self._known.write_text(json.dumps(known), encoding="utf-8")
        self._reads = {
            part: self._imported(f"{self._slug}/{root}", set()) for part, root in ROOTS.items()
        }

    def verdict(self, mutant: Mutant) -> Verdict:
        """The first that notices: the text on the page, a run, a figure, the programs' tests."""
        file = self.bench.content / mutant.path
        before = file.read_bytes()
        file.write_text(mutant.applied(before.decode()), encoding="utf-8")
        try:
            for stage in (self._excerpt, self._trace, self._facts_and_tests, self._figures,
                          self._oracles):  # fmt: skip
                ending, by, said = stage(mutant)
                if ending != "same":
                    return Verdict(mutant, ending, by, said)
        finally:
            file.write_bytes(before)
        return Verdict(mutant, "survived")

    def _excerpt(self, mutant: Mutant):
        course = load(self.bench.content)
        for expression, html in excerpts(course, course.lessons[0]).items():
            if html != self._excerpts[expression]:
                if ": not-in-code: " in html:
                    return "killed", "not-in-code", expression
                return "shown", "excerpt" if "data-line" in html else "line number", expression
        return "same", "", ""

    def _trace(self, mutant: Mutant):
        if mutant.path not in self._reads["trace"]:
            return "same", "", ""
        return self._probe(TRACE_SECONDS, "trace")

    def _facts_and_tests(self, mutant: Mutant):
        parts = [part for part in ("facts", "tests") if mutant.path in self._reads[part]]
        if mutant.path == f"{self._slug}/{ROOTS['tests']}":
            parts = [self._changed_test(mutant) or "tests"]
        return self._probe(ALL_SECONDS, *parts) if parts else ("same", "", "")

    def _figures(self, mutant: Mutant):
        if mutant.path not in self._reads["figures"]:
            return "same", "", ""
        self.bench.runner.redraw = True
        try:
            site = self.bench.build()
        except Refused as refused:
            return "killed", refused.findings[0].rule, refused.findings[0].what
        finally:
            self.bench.runner.redraw = False
        if self.bench.pages(site) != self.bench.pages(self.bench.accepted):
            return "shown", "figure", "a figure is drawn otherwise"
        return "same", "", ""

    def _oracles(self, mutant: Mutant):
        """tests/content: each program against something that computes the same another way."""
        folder = self.bench.content.parent / "tests" / "content"
        shutil.copytree(PROJECT / "tests/content", folder, dirs_exist_ok=True)
        command = ["-m", "pytest", "-q", "-x", "-n0", "-c", os.devnull, f"--rootdir={folder}",
                   "-p", "no:cacheprovider", str(folder / "test_programs.py")]  # fmt: skip
        code, out = _run(ALL_SECONDS, *command)
        if code == 0:
            return "same", "", ""
        failed = [line for line in out.splitlines() if line.startswith("FAILED ")]
        return "tested", "tests/content", failed[0].split("::")[-1][:80] if failed else "no end"

    def _probe(self, seconds: float, *parts: str):
        lesson = self.bench.content / self._slug
        code, out = _run(seconds, str(HERE / "probe.py"), str(lesson), str(self._known), *parts)
        if code is None:
            return "killed", "program-failed", "it runs without end"
        return json.loads(out.splitlines()[-1])

    def _changed_test(self, mutant: Mutant) -> str:
        """The test that an edit stands in, the only one that it can change."""
        for node in ast.parse(self.bench.text(mutant.path)).body:
            if node.lineno <= mutant.line <= node.end_lineno:
                return getattr(node, "name", "")
        return ""

    def _imported(self, path: str, found: set[str]) -> set[str]:
        """A program and all programs that it imports, by their paths below content/."""
        found.add(path)
        named = {file.stem: file for file in self.bench.content.glob("*/code/*.py")}
        for node in ast.walk(ast.parse(self.bench.text(path))):
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                if name in named:
                    other = str(named[name].relative_to(self.bench.content))
                    if other not in found:
                        self._imported(other, found)
        return found


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
