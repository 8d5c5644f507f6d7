"""`lesson new`: what it writes builds, passes its test, and never overwrites anything."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.cli import main


def test_a_new_lesson_builds_and_is_listed(project, capsys):
    assert main(["new", "paper-folding", "--title", "Paper, folded"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "wrote    content/paper-folding/lesson.md"
    assert said[-1] == "next     edit content/paper-folding/lesson.md, then make site"
    assert main(["build"]) == 0
    page = Path("build/site/paper-folding/index.html").read_text(encoding="utf-8")
    assert "<h1>Paper, folded</h1>" in page and "12.8\u00a0mm" in page
    assert "paper-folding/index.html" in Path("build/site/index.html").read_text(encoding="utf-8")
    assert main(["verify", "build/site"]) == 0


def test_its_test_passes_and_can_fail(project):
    assert main(["new", "paper-folding"]) == 0
    test, program = "tests/content/test_paper_folding.py", Path("content/paper-folding/code")
    command = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir=.", test]
    environment = {
        **os.environ,
        "PYTHONPATH": str(program.resolve()),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    assert subprocess.run(command, env=environment, check=False).returncode == 0
    text = (program / "folding.py").read_text(encoding="utf-8")
    (program / "folding.py").write_text(text.replace("LAYERS = 2", "LAYERS = 3"), encoding="utf-8")
    assert subprocess.run(command, env=environment, check=False).returncode == 1


@pytest.mark.parametrize("slug", ["Paper", "paper folding", "../paper", "", "paper_folding"])
def test_a_slug_that_is_none_is_refused(project, capsys, slug):
    assert main(["new", slug]) == 2
    assert f'"{slug}" is no slug' in capsys.readouterr().err
    assert {path.name for path in Path("content").iterdir() if path.is_dir()} == {
        "count-to-ten", "earlier",
    }  # fmt: skip


@pytest.mark.parametrize("slug", ["count-to-ten", "earlier"])
def test_what_is_there_stays(project, capsys, slug):
    before = {path: path.read_bytes() for path in Path("content").rglob("*") if path.is_file()}
    assert main(["new", slug]) == 2
    assert "is there already; choose another slug" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in before} == before
