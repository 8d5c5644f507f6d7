"""The shape of the code base: imports one way, small files, only our own words in it."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine.findings import RULES

PROJECT = Path(__file__).resolve().parents[1]
ENGINE = PROJECT / "engine"
LAYERS = (
    ("cache", "findings", "html_events", "number_words", "rawtext", "progress", "stamps", "watch"),
    ("facts", "figures", "formats", "overlay", "publish", "sources", "spots"),
    ("course", "child"),
    ("elements", "load", "markup", "numerals", "parity", "pieces", "port", "runner"),
    ("fragment", "nearmiss", "new", "widget", "words"),
    ("prose", "script_text"),
    ("draft",),
    ("check_numbers", "check_shape", "check_widget", "coverage", "documents", "origins"),
    ("checks", "fixes", "lock", "pages", "proof"),
    ("assist", "course_checks", "history", "mending"),
    ("build", "offers"),
    ("builder", "desk", "explain", "listing"),
    ("preview", "session"),
    ("lsp", "serve"),
    ("author", "commands"),
    ("cli",),
    ("__main__",),
)
LEVEL = {module: level for level, modules in enumerate(LAYERS) for module in modules}
PROGRAMS = sorted((PROJECT / "content").glob("*/code/*.py"))


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def test_every_module_has_its_layer():
    modules = {path.stem for path in ENGINE.glob("*.py")} - {"__init__"}
    # engine/verify shares nothing with the others; tests/engine/test_verify.py holds that
    assert modules == set(LEVEL)


@pytest.mark.parametrize("module", sorted(LEVEL))
def test_imports_go_down(module):
    for name in imports(ENGINE / f"{module}.py"):
        package, _, rest = name.partition(".")
        other = rest.partition(".")[0]
        if package == "engine" and other in LEVEL:
            assert LEVEL[other] < LEVEL[module], f"{module} imports {other}"


def test_only_figures_import_matplotlib():
    users = {
        p.stem for p in ENGINE.glob("*.py") if any(n.startswith("matplotlib") for n in imports(p))
    }
    assert users == {"figures"}


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name)
def test_programs_stand_alone(path):
    assert not [name for name in imports(path) if name.split(".")[0] == "engine"]


def test_the_server_is_short_and_needs_only_the_standard_library():
    server = PROJECT / "content/build-a-tiny-model-server/code/tiny_server.py"
    assert server.read_text(encoding="utf-8").count("\n") < 150
    ours = {path.stem for path in PROGRAMS}
    outside = {name.split(".")[0] for name in imports(server)} - ours - sys.stdlib_module_names
    assert outside == set()


@pytest.mark.parametrize("path", sorted(ENGINE.rglob("*.py")), ids=lambda path: path.stem)
def test_modules_are_small(path):
    assert path.read_text(encoding="utf-8").count("\n") <= 250


def tracked():
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    names = listed.stdout.splitlines()
    if listed.returncode:  # a copy without history: everything but what is built or set up
        built = (".venv/", "build/", ".git")
        names = [str(path.relative_to(PROJECT)) for path in PROJECT.rglob("*")]
        names = [name for name in names if not name.startswith(built) and "__pycache__" not in name]
    return [PROJECT / name for name in names if (PROJECT / name).is_file()]


def test_no_path_of_a_machine_and_no_left_overs():
    words = re.compile(r"/(?:home|root|Users|work)/\w|TO" + r"DO|FIX" + r"ME|X" + r"XX")
    found = [
        f"{path.relative_to(PROJECT)}: {match[0]}"
        for path in tracked() if path.suffix not in (".lock", ".svg")
        for match in words.finditer(path.read_text(encoding="utf-8", errors="replace"))
    ]  # fmt: skip
    assert found == []


def test_every_document_points_at_files_that_exist():
    for document in PROJECT.glob("*.md"):
        text = document.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([\w./-]+\.md|LICENSE)\)", text):
            assert (PROJECT / target).exists(), f"{document.name}: {target}"
        for name in re.findall(r"`((?:engine|content|templates|tests)/[\w./-]*)`", text):
            assert (PROJECT / name).exists(), f"{document.name}: {name}"


def test_contributing_lists_the_rules_of_the_gate():
    text = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([a-z-]+) \| ([^|]+) \|$", text, re.MULTILINE))
    assert {name: rows.get(name) for name in RULES} == RULES


def test_the_readme_names_the_targets_that_there_are():
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):.*## ", makefile, re.MULTILINE))
    for document in PROJECT.glob("*.md"):
        text = document.read_text(encoding="utf-8")
        named = re.findall(r"`make ([a-z]+)`|^make ([a-z]+)", text, re.MULTILINE)
        assert {one or other for one, other in named} <= targets, document.name
