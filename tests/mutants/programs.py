"""A lesson's programs, loaded in a fork after an edit of one of them.

What differs first is the answer: a thing that trace.py prints, a fact, a test that fails.
"""

import ast
import contextlib
import importlib
import io
import runpy
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tests.mutants.apart import apart

Sign = tuple[str, str, str]  # ending, by, said
SAME: Sign = ("same", "", "")


class Differs(Exception):
    """The first sign: ending, by, said."""


class Programs:
    """The programs of a lesson in `folder`, what they did, and who imports whom."""

    def __init__(self, folder: Path, facts: dict[str, list], transcript: str, walk: bool):
        """`walk` the grid of settings now: it takes seconds, and saves them for each mutant."""
        self._facts, self._transcript = facts, transcript
        self.files = {file.stem: file for file in sorted(folder.parent.glob("*/code/*.py"))}
        for root in ("facts", "figures"):
            self.files[root] = folder / f"{root}.py"
        self._imports = {name: self._imported(file) for name, file in self.files.items()}
        before = sys.path.copy()
        sys.path.insert(0, str(folder / "code"))
        self._runs = list(importlib.import_module("grid").all_runs()) if walk else []
        sys.path[:] = before  # so that a program that is loaded anew has to find its own way

    def using(self, name: str) -> set[str]:
        """A program and all that import it, at once or through others."""
        found, waiting = set(), {name}
        while waiting:
            found |= waiting
            waiting = {user for user, used in self._imports.items() if used & waiting} - found
        return found

    def first_sign(self, folder: Path, edited: str, parts: Iterable[str], seconds: float) -> Sign:
        """Run parts of a lesson after an edit: trace, tests, long tests, facts, a test by its name,
        or the start of the program itself."""

        def work() -> Any:
            try:
                self._load_anew(folder, edited)
                for part in parts:
                    self._run(folder, part, edited)
            except Differs as difference:
                return difference.args
            except BaseException as error:
                said = f"{type(error).__name__}: {' '.join(str(error).split())[:80]}"
                return "killed", "program-failed", said
            return SAME

        sign = apart(work, seconds)
        return tuple(sign) if sign else ("killed", "program-failed", "it does not come to an end")

    def _load_anew(self, folder: Path, edited: str) -> None:
        """Forget all programs: what an unchanged one names by its place is in the edited folder."""
        sys.dont_write_bytecode = True
        for name in self.files:
            sys.modules.pop(name, None)  # there is a trace in Python's library too
        sys.path.insert(0, str(folder / "code"))
        importlib.invalidate_caches()
        grid = importlib.import_module("grid")
        walk: Callable = grid.all_runs
        runs = [] if "grid" in self.using(edited) else self._runs

        def all_runs():  # facts and tests walk the same grid; it takes seconds
            if not runs:
                runs.extend(walk())
            return iter(runs)

        grid.all_runs = all_runs

    def _run(self, folder: Path, part: str, edited: str) -> None:
        if part == "trace":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                runpy.run_path(str(folder / "code/trace.py"), run_name="__main__")
            if out.getvalue().strip("\n") != self._transcript:
                raise Differs("shown", "transcript", "trace.py prints something else")
        elif part == "facts":
            self._measure(folder)
        elif part == "start":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                runpy.run_path(str(folder / f"code/{edited}.py"), run_name="__main__")
            if not out.getvalue().strip():
                raise Differs("tested", "tests/engine/test_build.py", "it prints nothing")
        else:
            module = runpy.run_path(str(folder / "code/test_tiny_server.py"))
            for name, test in module.items():
                walks = "all_runs" in getattr(getattr(test, "__code__", None), "co_names", ())
                group = "long tests" if walks else "tests"
                if name.startswith("test_") and part in (name, group):
                    self._test(test)

    def _test(self, test: Callable[[], None]) -> None:
        try:
            test()
        except BaseException as error:
            said = f"{test.__name__}: {type(error).__name__}"
            raise Differs("killed", "program-failed", said) from None

    def _measure(self, folder: Path) -> None:
        """Stop at the first fact that is not what it was."""
        seen = set()

        def fact(name, value, unit="", digits=None):
            seen.add(name)
            value = value.item() if hasattr(value, "item") else value
            now, before = as_known(value, unit, digits or 0), self._facts.get(name, ["nothing"])
            if now != before:
                raise Differs("shown", "fact", f"{name} is {now[0]} and was {before[0]}")

        runpy.run_path(str(folder / "facts.py"))["measure"](fact)
        if seen != set(self._facts):
            raise Differs("killed", "unknown-fact", "a fact is measured no more")

    def _imported(self, file: Path) -> set[str]:
        names = set()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {name.name for name in node.names}
            elif isinstance(node, ast.ImportFrom):
                names.add(node.module)
        return names & self.files.keys()


def as_known(value: Any, unit: str, digits: int) -> list:
    """A fact as it can be compared: numbers to the last bit."""
    return [value if isinstance(value, (bool, str)) else repr(value), unit, digits]
