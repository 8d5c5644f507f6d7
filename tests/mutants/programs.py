"""The lessons' programs, loaded once; an edited one is loaded anew in a fork, and all that use it.

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
LOADED = ("chats", "batching", "tiny_server", "grid", "block_manager", "card", "show_numbers")


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
        sys.path[:0] = [str(file.parent) for file in self.files.values()]
        for name in LOADED:
            importlib.import_module(name)
        sys.path[:] = before  # so that a program that is loaded anew has to find its own way
        self._runs = list(sys.modules["grid"].all_runs()) if walk else []

    def using(self, name: str) -> set[str]:
        """A program and all that import it, at once or through others."""
        found, waiting = set(), {name}
        while waiting:
            found |= waiting
            waiting = {user for user, used in self._imports.items() if used & waiting} - found
        return found

    def first_sign(self, folder: Path, edited: str, parts: Iterable[str], seconds: float) -> Sign:
        """Run `parts` (trace, facts, tests, or one test's name) of a lesson after an edit."""

        def work() -> Any:
            try:
                self._load_anew(folder, edited)
                for part in parts:
                    self._run(folder, part)
            except Differs as difference:
                return difference.args
            except BaseException as error:
                said = f"{type(error).__name__}: {' '.join(str(error).split())[:80]}"
                return "killed", "program-failed", said
            return SAME

        sign = apart(work, seconds)
        return tuple(sign) if sign else ("killed", "program-failed", "it does not come to an end")

    def _load_anew(self, folder: Path, edited: str) -> None:
        """Forget what the edit can change, and let each program find the edited folder."""
        sys.dont_write_bytecode = True
        anew = self.using(edited)
        for name in anew | {"trace"}:  # there is a trace in Python's library too
            sys.modules.pop(name, None)
        sys.path.insert(0, str(folder / "code"))
        importlib.invalidate_caches()
        if "grid" in anew:
            walk: Callable = importlib.import_module("grid").all_runs
            runs: list = []
        else:
            walk, runs = sys.modules["grid"].all_runs, self._runs

        def all_runs():  # facts and tests walk the same grid; it takes seconds
            if not runs:
                runs.extend(walk())
            return iter(runs)

        sys.modules["grid"].all_runs = all_runs
        for module in list(sys.modules.values()):
            if getattr(module, "all_runs", None) is walk:
                module.all_runs = all_runs

    def _run(self, folder: Path, part: str) -> None:
        if part == "trace":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                runpy.run_path(str(folder / "code/trace.py"), run_name="__main__")
            if out.getvalue().strip("\n") != self._transcript:
                raise Differs("shown", "transcript", "trace.py prints something else")
        elif part == "facts":
            self._measure(folder)
        else:
            module = runpy.run_path(str(folder / "code/test_tiny_server.py"))
            tests = {name: test for name, test in module.items() if name.startswith("test_")}
            chosen = tests.values() if part == "tests" else [tests[part]]
            for test in sorted(chosen, key=lambda test: "all_runs" in test.__code__.co_names):
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
