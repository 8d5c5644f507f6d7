"""The workflow's step and the pre-commit hook: what they promise, tried as plain shell."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
ACTION = PROJECT / ".github/actions/check"
GIT = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]


@pytest.fixture
def repository(tmp_path):
    """The small course under version control, with the environment that the action sets up."""
    shutil.copytree(PROJECT / "tests/course/content", tmp_path / "content")
    shutil.copytree(PROJECT / "templates", tmp_path / "templates")
    (tmp_path / ".venv/bin").mkdir(parents=True)
    python = tmp_path / ".venv/bin/python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    for command in (["init", "-q"], ["add", "content"], ["commit", "-qm", "Begin"]):
        subprocess.run([*GIT, *command], cwd=tmp_path, check=True)
    return tmp_path


def step(repository, base=""):
    """Run the action's step. Returns exit code, its output, the summary, what it sets."""
    files = {name: repository / name for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    for path in files.values():
        path.write_text("", encoding="utf-8")
    environment = {**os.environ, **{name: str(path) for name, path in files.items()}}
    environment |= {"CONTENT": "content", "BASE": base, "PYTHONPATH": str(PROJECT)}
    done = subprocess.run(
        ["bash", str(ACTION / "check.sh")], cwd=repository, env=environment,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    summary, output = (path.read_text(encoding="utf-8") for path in files.values())
    return done.returncode, done.stdout, summary, output


def test_a_clean_course_passes_and_is_summed_up(repository):
    code, _, summary, output = step(repository)
    assert code == 0 and output == ""
    assert summary.startswith(
        "### The lessons hold\n\n| checked | |\n| --- | --- |\n| index.html |"
    )


def test_a_typed_number_is_annotated_and_in_the_table(repository):
    lesson = repository / "content/count-to-ten/lesson.md"
    text = lesson.read_text(encoding="utf-8")
    lesson.write_text(text.replace("gives **{{ sum.ten }}**", "gives **55**"), encoding="utf-8")
    code, said, summary, _ = step(repository)
    assert code == 1
    assert "::error file=content/count-to-ten/lesson.md,line=14,col=" in said
    assert re.match(r"### \d findings?\n", summary)
    assert "| `content/count-to-ten/lesson.md:14:" in summary and "bare-number" in summary


def test_what_moved_is_a_file_for_a_review_comment(repository):
    lock = repository / "content/count-to-ten/numbers.lock"
    text = lock.read_text(encoding="utf-8")
    lock.write_text(text.replace('["mean", "5.5"', '["mean", "6.5"'), encoding="utf-8")
    subprocess.run([*GIT, "commit", "-qam", "Another mean"], cwd=repository, check=True)
    lock.write_text(text, encoding="utf-8")
    code, _, summary, output = step(repository, base="HEAD")
    assert code == 0
    assert output == "changes=build/check/changes.md\n"
    changes = (repository / "build/check/changes.md").read_text(encoding="utf-8")
    assert "### count-to-ten: 1 changed" in changes and "| `mean` |" in changes
    assert changes in summary


def test_a_program_that_fails_is_exit_code_3(repository):
    facts = repository / "content/count-to-ten/facts.py"
    facts.write_text(facts.read_text(encoding="utf-8") + "    1 / 0\n", encoding="utf-8")
    code, said, summary, _ = step(repository)
    assert code == 3 and "program-failed" in said and "program-failed" in summary


def test_the_action_runs_that_script_and_hands_on_its_inputs():
    text = (ACTION / "action.yml").read_text(encoding="utf-8")
    assert 'bash "$GITHUB_ACTION_PATH/check.sh"' in text and "make .venv/site.ok" in text
    assert "CONTENT: ${{ inputs.content }}" in text and "BASE: ${{ inputs.base }}" in text


def test_the_hook_calls_a_command_that_there_is():
    hook = (PROJECT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    script = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
    assert "entry: lesson check" in hook and 'lesson = "engine.cli:main"' in script
