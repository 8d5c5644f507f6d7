"""The project's own Markdown files are inside the gate."""

import shutil
from pathlib import Path

import pytest

from engine.build import build
from engine.findings import Refused

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def says(tmp_path, monkeypatch):
    """What a build says of a README with this text."""
    shutil.copytree(PROJECT / "tests/course/content", tmp_path / "content")
    monkeypatch.chdir(tmp_path)

    def says(text):
        Path("README.md").write_text(text, encoding="utf-8")
        try:
            build(Path("content"), PROJECT / "templates", PROJECT / "build/cache")
        except Refused as refused:
            return [str(finding).split("; ")[0] for finding in refused.findings]
        return []

    return says


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        (
            "# A\n\nIt is 56.\n",
            'README.md:3:7: document-number: "56" is no number that a lesson prints',
        ),
        ("It counts *three* parts.\n", 'README.md:1:12: document-number: "three" counts something'),
        (
            "| a |\n| - |\n| 7.5 |\n",
            'README.md:3:3: document-number: "7.5" is no number that a lesson prints',
        ),
        (
            "See `counting.py:18`.\n",
            'README.md:1:6: document-number: "counting.py:18" is no reference that a lesson shows',
        ),
    ],
)
def test_a_number_that_no_lesson_bears_out_is_found(says, text, finding):
    assert says(text) == [finding]


def test_numbers_that_lessons_print_names_code_and_commands_may_stand(says):
    text = (
        "The sum is 55, the mean 5.5, the p50 near it; see `counting.py:17` and `x = 99`.\n\n"
        "```\nmake 7 things\n```\n\n[here](https://example.org/123)\n"
    )
    assert says(text) == []
