"""tests/content: each program against something that computes the same another way."""

import ast
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy  # noqa: F401  (the forks that run the tests find these loaded)
import pytest
from hypothesis import strategies  # noqa: F401

from tests.mutants.apart import apart
from tests.mutants.bench import PROJECT

ORACLES = PROJECT / "tests/content"
FILES = ("test_programs.py", "test_show_numbers.py")
# One case that fails is enough: to look for the smallest takes seconds.
FIRST_CASE = """
from hypothesis import Phase

settings.register_profile("first", settings.get_profile("ours"), phases=[Phase.explicit, Phase.generate])
settings.load_profile("first")
"""


class First:
    """A plugin that notes the first test that fails."""

    failed = ""

    def pytest_runtest_logreport(self, report) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid.split("::")[-1][:80]

    def pytest_collectreport(self, report) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid


def first_failure(content: Path, tests: list[str], load: Callable[[], None], seconds: float) -> str:
    """The first of the tests that fails with the programs of `content`, which `load` loads."""
    folder = content.parent / "tests"
    shutil.copytree(ORACLES, folder / "content", dirs_exist_ok=True)
    settings = (ORACLES.parent / "conftest.py").read_text(encoding="utf-8")  # the same cases
    (folder / "conftest.py").write_text(settings + FIRST_CASE, encoding="utf-8")

    def run() -> str:
        load()
        os.environ |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        first = First()
        chosen = [str(folder / "content" / test) for test in tests]
        options = ["-q", "-x", "-c", os.devnull, f"--rootdir={folder}", f"--confcutdir={folder}",
                   "-p", "no:cacheprovider", "-W", "ignore"]  # fmt: skip
        code = pytest.main([*options, *chosen], plugins=[first])
        return first.failed or (f"pytest ended with {int(code)}" if code else "")

    failed = apart(run, seconds)
    return "no end" if failed is None else failed


def tests_of(program: str) -> Iterator[str]:
    """Tests ("file.py::test") that say a name of this program's, or that all others build on."""
    for file in FILES:
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


def quick_tests(file: str) -> list[str]:
    """The tests of a file that are not marked as slow."""
    tree = ast.parse((ORACLES / file).read_text(encoding="utf-8"))
    return [
        f"{file}::{node.name}"
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        if not any("mark.slow" in ast.unparse(mark) for mark in node.decorator_list)
    ]
