"""What becomes of an edit of a program: the cheapest way to notice it is tried first."""

import ast
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from engine.findings import Refused
from engine.load import load
from tests.mutants.bench import Bench
from tests.mutants.excerpts import excerpts
from tests.mutants.mutant import Mutant, Verdict
from tests.mutants.oracles import first_failure, tests_of
from tests.mutants.programs import SAME, Programs, Sign
from tests.mutants.remembered import SLOW

# Of computing. As they are, trace.py and a few calls take 0.2 s, the tests one, all the facts six.
TRACE_SECONDS, TEST_SECONDS, ALL_SECONDS = 1, 6, 30


class CodeTrial:
    """Tries edits of programs on a bench; `programs` are those of the lesson as it is."""

    def __init__(self, bench: Bench, programs: Programs):
        self.bench, self._programs = bench, programs
        course = load(bench.content)
        [lesson] = course.lessons
        self._lesson = bench.content / lesson.entry.slug
        self._excerpts = excerpts(course, lesson)
        self._oracles_of = {program: list(tests_of(program)) for program in programs.files}

    def verdict(self, mutant: Mutant) -> Verdict:
        """The first that notices: the text on the page, a run, a figure, the programs' tests."""
        with self.bench.edited(mutant.path, mutant.applied(self.bench.text(mutant.path))):
            for stage in self._stages(mutant):
                ending, by, said = stage(mutant)
                if ending != "same":
                    return Verdict(mutant, ending, by, said)
        return Verdict(mutant, "survived")

    def _stages(self, mutant: Mutant) -> list[Callable[[Mutant], Sign]]:
        """If the grid of settings has to be walked anew, the programs' tests are cheaper."""
        quick = [self._excerpt, self._trace, self._parity, self._tests]
        slow = [self._facts, self._figures, self._start]
        if self._programs.using(self._name(mutant)) & SLOW.keys():
            return [*quick, self._oracles, *slow]
        return [*quick, *slow, self._oracles]

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

    def _parity(self, mutant: Mutant) -> Sign:
        return self._run(mutant, ["parity"], TRACE_SECONDS)

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
        roots = {"trace": "trace", "parity": "widget", "facts": "facts"}
        parts = [part for part in parts if roots.get(part, "test_tiny_server") in users]
        if not parts:
            return SAME
        return self._programs.first_sign(self._lesson, name, parts, seconds)

    def _figures(self, mutant: Mutant) -> Sign:
        if "figures" not in self._programs.using(self._name(mutant)):
            return SAME
        self.bench.runner.anew = ("figures", "widget")
        try:
            site = self.bench.build()
        except Refused as refused:
            return "killed", refused.findings[0].rule, refused.findings[0].what
        finally:
            self.bench.runner.anew = ()
        if self.bench.pages(site) != self.bench.pages(self.bench.accepted):
            return "shown", "figure", "a figure is drawn otherwise"
        return SAME

    def _start(self, mutant: Mutant) -> Sign:
        if self._name(mutant) != "show_numbers":
            return SAME  # trace.py and the tests have been started by now; the others only define
        return self._programs.first_sign(self._lesson, "show_numbers", ["start"], ALL_SECONDS)

    def _oracles(self, mutant: Mutant) -> Sign:
        """tests/content: each program against something that computes the same another way."""
        name, content = self._name(mutant), self.bench.content

        def load() -> None:
            with suppress(BaseException):  # a test that needs it will say so
                self._programs.load(self._lesson, name)

        tests = self._oracles_of[name]
        if tests and (failed := first_failure(content, tests, load, ALL_SECONDS)):
            return "tested", "tests/content", failed
        return SAME

    def _name(self, mutant: Mutant) -> str:
        return Path(mutant.path).stem

    def _changed_test(self, mutant: Mutant) -> str:
        """The test that an edit stands in, the only one that it can change."""
        for node in ast.parse(self.bench.text(mutant.path)).body:
            if node.lineno <= mutant.line <= node.end_lineno:
                return getattr(node, "name", "")
        return ""
