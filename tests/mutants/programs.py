"""A lesson's programs, loaded in a fork after an edit of one of them.

What differs first is the answer: a thing that trace.py prints, a fact, a test that fails.
"""

import ast
import contextlib
import gc
import importlib
import io
import json
import runpy
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from engine.parity import called, first_difference
from tests.mutants.apart import apart
from tests.mutants.remembered import SLOW, Remembered

Sign = tuple[str, str, str]  # ending, by, said
TESTS = "test_tiny_server"
SAME: Sign = ("same", "", "")


class Differs(Exception):
    """The first sign: ending, by, said."""


class Programs:
    """The programs of a lesson in `folder`, what they did, and who imports whom."""

    def __init__(
        self,
        folder: Path,
        facts: dict[str, list],
        transcript: str,
        calls: list[tuple[str, list, Any]],
        walk: bool,
    ):
        """`calls`: what functions of widget.py returned, a few of those that the port is held to.

        `walk` the grid of settings now: it takes seconds, and saves them for each mutant.
        """
        self._facts, self._transcript, self._calls = facts, transcript, calls
        self.files = {file.stem: file for file in sorted(folder.parent.glob("*/code/*.py"))}
        for root in ("facts", "figures", "widget"):
            self.files[root] = folder / f"{root}.py"
        self._imports = {name: self._imported(file) for name, file in self.files.items()}
        self._tested = programs_of_tests(_read(self.files[TESTS]), set(self.files))
        self._remembered = Remembered()
        if walk:
            before = sys.path.copy()
            self._load_anew(folder, self._remembered)
            self._measure(folder)
            gc.freeze()  # a fork need not look through all this for garbage
            sys.path[:] = before  # so that a program that is loaded anew has to find its own way

    def using(self, name: str) -> set[str]:
        """A program and all that import it, at once or through others."""
        found, waiting = set(), {name}
        while waiting:
            found |= waiting
            waiting = {user for user, used in self._imports.items() if used & waiting} - found
        return found

    def first_sign(self, folder: Path, edited: str, parts: Iterable[str], seconds: float) -> Sign:
        """Run parts of a lesson after an edit: trace, parity, tests, long tests, facts, a test by its
        name, or the start of the program itself."""

        def work() -> Any:
            try:
                self.load(folder, edited)
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

    def load(self, folder: Path, edited: str) -> None:
        """Load the programs of an edited folder; what the edit cannot reach is remembered."""
        self._load_anew(folder, self._remembered.but_for(self.using(edited)))

    def _load_anew(self, folder: Path, remembered: Remembered) -> None:
        """Forget all programs: what an unchanged one names by its place is in the edited folder."""
        sys.dont_write_bytecode = True
        for name in self.files:
            sys.modules.pop(name, None)  # there is a trace in Python's library too
        sys.path.insert(0, str(folder / "code"))
        importlib.invalidate_caches()
        importlib.import_module("tiny_server")  # which finds the others
        for name in SLOW:
            remembered.install(name, importlib.import_module(name))

    def _run(self, folder: Path, part: str, edited: str) -> None:
        if part == "trace":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                runpy.run_path(str(folder / "code/trace.py"), run_name="__main__")
            if out.getvalue().strip("\n") != self._transcript:
                raise Differs("shown", "transcript", "trace.py prints something else")
        elif part == "facts":
            self._measure(folder)
        elif part == "parity":
            self._compare(folder)
        elif part == "start":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                runpy.run_path(str(folder / f"code/{edited}.py"), run_name="__main__")
            if not out.getvalue().strip():
                raise Differs("tested", "tests/engine/test_build.py", "it prints nothing")
        else:
            module = runpy.run_path(str(folder / f"code/{TESTS}.py"))
            tests = {name: self._tested.get(name, set()) for name in module if name[:5] == "test_"}
            for name in sorted(tests, key=lambda name: edited not in tests[name]):
                group = "long tests" if "all_runs" in module[name].__code__.co_names else "tests"
                if part == name or (part == group and tests[name] & self.using(edited)):
                    self._test(module[name])

    def _compare(self, folder: Path) -> None:
        """Stop at the first value that the port, which is as it was, does not give any more."""
        widget = runpy.run_path(str(folder / "widget.py"), run_name="widget")
        for name, arguments, before in self._calls:
            if arguments in widget["PARITY"].get(name, ()):
                now = json.loads(json.dumps(widget[name](*arguments)))
                if found := first_difference(now, before):
                    raise Differs("killed", "parity", f"{called(name, arguments)}{found}")

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
        for node in ast.walk(ast.parse(_read(file))):
            if isinstance(node, ast.Import):
                names |= {name.name for name in node.names}
            elif isinstance(node, ast.ImportFrom):
                names.add(node.module)
        return names & self.files.keys()


def programs_of_tests(source: str, programs: set[str]) -> dict[str, set[str]]:
    """Test -> the programs whose names it says, itself or through what it uses."""
    told: dict[str, set[str]] = {}  # a global name of the file -> programs
    for node in ast.parse(source).body:
        found = set()
        for part in ast.walk(node):
            if isinstance(part, ast.ImportFrom) and part.module in programs:
                found.add(part.module)
                told |= {name.name: {part.module} for name in part.names}
            elif isinstance(part, ast.Name):
                found |= told.get(part.id, set())
        names = [part.id for part in getattr(node, "targets", []) if isinstance(part, ast.Name)]
        told |= {name: found for name in [*names, getattr(node, "name", "")] if name}
    return {name: found for name, found in told.items() if name.startswith("test_")}


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def as_known(value: Any, unit: str, digits: int) -> list:
    """A fact as it can be compared: numbers to the last bit."""
    return [value if isinstance(value, (bool, str)) else repr(value), unit, digits]
