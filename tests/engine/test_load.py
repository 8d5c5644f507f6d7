"""content/ read into a Course. What is wrong in the files is in tests/drift/cases/course.toml."""

import shutil
from pathlib import Path

import pytest

from engine.course import read_text
from engine.findings import Refused
from engine.load import load

PROJECT = Path(__file__).resolve().parents[2]


def test_the_small_course():
    course = load(PROJECT / "tests/course/content")
    assert course.title == "A small course"
    assert list(course.entries) == ["earlier", "count-to-ten"]
    assert course.entries["earlier"].url == "https://example.org/earlier/"
    assert course.entries["count-to-ten"].url == ""
    (lesson,) = course.lessons
    assert list(lesson.programs) == ["counting.py"]
    assert lesson.text[lesson.body_offset :].startswith("\n## A lesson in")
    assert len(lesson.text) == len(lesson.stamped)
    assert course.cited["cite.euclid.unit"].text == "1"
    assert course.cited["cite.euclid.unit"].origin == "sources.toml:7"
    assert course.citations["euclid"].line == 1


def test_a_download_follows_the_folders_that_programs_name(tmp_path):
    shutil.copytree(PROJECT / "tests/course/content", tmp_path / "content")
    for slug, text in {"third": 'x = "fourth"\n', "fourth": "", "fifth": ""}.items():
        (tmp_path / "content" / slug / "code").mkdir(parents=True)
        (tmp_path / "content" / slug / "code" / f"{slug}.py").write_text(text)
    steps = tmp_path / "content/earlier/code/steps.py"
    steps.write_text(steps.read_text() + '\nOTHER = "third"\n')
    course = load(tmp_path / "content")
    slugs = {program.slug for program in course.code_with(course.lessons[0])}
    assert slugs == {"count-to-ten", "earlier", "third", "fourth"}


def test_bytes_that_are_no_text_are_a_finding(tmp_path):
    path = tmp_path / "lesson.md"
    path.write_bytes(b"+++\n\xff\xfe\x00")
    with pytest.raises(Refused) as refused:
        read_text(path)
    (finding,) = refused.value.findings
    assert (finding.rule, finding.path) == ("not-text", str(path))


def test_line_ends_and_marks_are_as_editors_show_them(tmp_path):
    path = tmp_path / "lesson.md"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\x0cthree\r\n")
    assert read_text(path) == "one\ntwo\x0cthree\n"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("an A100 here", ["A100"]),
        ("A1000 and xA100", []),
        ("on 2026-10-20.", ["date"]),
        ("12026-10-20", []),
    ],
)
def test_vocabulary_knows_whole_names_only(tmp_path, text, names):
    shutil.copytree(PROJECT / "tests/course/content", tmp_path / "content")
    vocabulary = tmp_path / "content/vocabulary.toml"
    vocabulary.write_text(vocabulary.read_text().replace('"p50"', '"A100"'))
    known = load(tmp_path / "content").vocabulary
    assert [known.entry_for(match) for match in known.regex.finditer(text)] == names
