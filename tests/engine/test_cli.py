"""The command: what it prints, what it writes, its exit codes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.cli import main

PROJECT = Path(__file__).resolve().parents[2]


def lesson(project):
    return project / "content/count-to-ten/lesson.md"


def everything(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_build_publishes_and_says_what_it_did(project, capsys):
    assert main(["build"]) == 0
    out = capsys.readouterr().out
    assert "built    build/site" in out and "open     build/site/index.html" in out
    assert "1 claim holds" in out and "0 unknown" in out
    assert (project / "build/site/count-to-ten/index.html").is_file()


def test_findings_leave_the_last_good_site_as_it_was(project, capsys):
    assert main(["build"]) == 0
    before = everything(project / "build/site")
    good = lesson(project).read_text(encoding="utf-8")
    lesson(project).write_text(good + "\nIt is 55, or 56.\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["build"]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines() == [
        'content/count-to-ten/lesson.md:39:7: bare-number: "55" has no source; it equals a fact; '
        "write {{ sum.ten }}",
        'content/count-to-ten/lesson.md:39:14: bare-number: "56" has no source; measure it in '
        "facts.py, cite it in sources.toml, or list the name in vocabulary.toml",
        "2 findings; nothing was published",
    ]
    assert everything(project / "build/site") == before
    lesson(project).write_text(good, encoding="utf-8")
    assert main(["build"]) == 0


def test_a_program_that_fails_is_exit_code_3(project, capsys):
    path = project / "content/count-to-ten/facts.py"
    path.write_text(path.read_text(encoding="utf-8") + "    fact('x', 1 // 0)\n", encoding="utf-8")
    assert main(["build"]) == 3
    assert "facts.py:13:1: program-failed: ZeroDivisionError" in capsys.readouterr().err


def test_check_from_scratch_writes_nothing_but_its_report(project, capsys):
    before = everything(project)
    assert main(["check"]) == 0
    assert everything(project) == before
    assert capsys.readouterr().out.endswith("clean\n")
    assert main(["check", "--out", "report"]) == 0
    assert set(everything(project)) - set(before) == {"report/check.txt"}
    assert (project / "report/check.txt").read_text() == capsys.readouterr().out


def test_check_does_not_believe_the_cache(project):
    assert main(["build"]) == 0
    for entry in (project / "build/cache").glob("*.json"):
        entry.write_text(entry.read_text().replace("55", "66"))
    assert main(["check"]) == 0


def test_facts_lists_each_fact(project, capsys):
    assert main(["facts"]) == 0
    *lines, count = capsys.readouterr().out.splitlines()
    assert count == "7 facts, 0 quoted nowhere"
    assert [line.split()[0] for line in lines] == [
        "fact", "last", "sum.ten", "sum.hundred", "mean", "growth", "parts", "cite.euclid.unit",
    ]  # fmt: skip
    assert lines[2].split() == ["sum.ten", "55", "55", "count-to-ten/facts.py:8", "4", "times"]


@pytest.mark.parametrize("command", ["build", "check", "facts"])
def test_folders_that_are_not_there_are_usage(project, capsys, command):
    assert main([command, "--content", "nowhere"]) == 2
    assert main([command, "--templates", "nowhere"]) == 2
    assert "nowhere:1:1: usage: --templates is not a folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [[], ["bild"], ["build", "--contents", "x"], ["build", "--seconds", "x"]]
)
def test_wrong_words_are_usage(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: lesson" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["build", "check", "facts"])
def test_help_names_every_option(command, capsys):
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert all(
        option in out for option in ("--content", "--templates", "--out", "--cache", "--seconds")
    )


@pytest.mark.parametrize("out", [".", "content", "templates", "notes.txt", "/"])
def test_a_folder_that_is_not_ours_is_refused_and_left_alone(project, capsys, out):
    (project / "notes.txt").write_text("mine")
    before = everything(project)
    assert main(["build", "--out", out]) == 2
    assert "output" in capsys.readouterr().err
    assert everything(project) == before


def test_the_module_and_the_installed_command_are_one(project):
    for command in (
        [sys.executable, "-m", "engine"],
        [str(Path(sys.executable).parent / "lesson")],
    ):
        environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
        ended = subprocess.run(
            [*command, "facts"], env=environment, capture_output=True, text=True, check=False
        )
        assert ended.returncode == 0 and "sum.hundred" in ended.stdout
