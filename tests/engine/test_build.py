"""The whole job: the same bytes everywhere, all findings at once, a download that runs."""

import io
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from engine.build import build
from engine.findings import Refused

PROJECT = Path(__file__).resolve().parents[2]
TOOL = "build-a-tiny-model-server"


@pytest.fixture
def real(real_site):
    """The files of the real site."""
    return real_site.files


def build_elsewhere(folder, **environment):
    """Build a copy of the small course by a process of its own, in a world of its own."""
    folder.mkdir()
    shutil.copytree(PROJECT / "tests/course/content", folder / "content")
    shutil.copytree(PROJECT / "templates", folder / "templates")
    subprocess.run(
        [sys.executable, "-m", "engine", "build", "--cache", str(folder / "cache")],
        cwd=folder, check=True, capture_output=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT), **environment},
    )  # fmt: skip
    site = folder / "build/site"
    return {
        str(path.relative_to(site)): path.read_bytes() for path in site.rglob("*") if path.is_file()
    }


def test_the_same_bytes_in_any_folder_time_zone_locale_and_hash_order(tmp_path):
    one = build_elsewhere(tmp_path / "one", PYTHONHASHSEED="1", TZ="Asia/Tokyo", LC_ALL="C")
    other = build_elsewhere(tmp_path / "an other", PYTHONHASHSEED="2", TZ="UTC", LC_ALL="C.UTF-8")
    assert one == other
    assert len(one) == 11


def test_nothing_of_the_machine_is_in_the_site(real):
    for name, content in real.items():
        for word in (str(PROJECT), str(Path.home()), sys.prefix, "/tmp/"):
            assert word.encode() not in content, f"{name}: {word}"


@pytest.mark.slow
def test_the_download_runs_by_itself(real, tmp_path):
    zipfile.ZipFile(io.BytesIO(real[f"{TOOL}/{TOOL}-code.zip"])).extractall(tmp_path)
    code = tmp_path / TOOL / "code"
    for program in ("trace.py", "test_tiny_server.py", "show_numbers.py"):
        ended = subprocess.run(
            [sys.executable, "-B", program], cwd=code, capture_output=True, text=True, check=True,
            env={"PATH": os.environ["PATH"]},
        )  # fmt: skip
        assert ended.stdout.strip()


def test_the_download_holds_what_is_needed_and_no_more(real):
    names = zipfile.ZipFile(io.BytesIO(real[f"{TOOL}/{TOOL}-code.zip"])).namelist()
    needed = (
        TOOL, "how-an-ai-server-answers-many-people-at-once", "paged-kv-cache",
        "what-model-server-settings-change", "why-average-speed-is-misleading",
    )  # fmt: skip
    expected = [
        path
        for slug in sorted(needed)
        for path in sorted((PROJECT / "content" / slug).glob("code/*.py"))
    ]
    assert names == [str(path.relative_to(PROJECT / "content")) for path in expected]


def test_every_finding_of_a_wrong_course_comes_at_once(project):
    wrong = PROJECT / "tests/course/wrong"  # the small course, but for these files
    shutil.copytree(wrong / "content", project / "content", dirs_exist_ok=True)
    with pytest.raises(Refused) as refused:
        build(Path("content"), Path("templates"), PROJECT / "build/cache")
    assert str(refused.value) + "\n" == (wrong / "findings.txt").read_text(encoding="utf-8")
    assert refused.value.code == 1


def test_a_lesson_that_fails_does_not_hide_the_findings_of_another(tmp_path, monkeypatch):
    shutil.copytree(PROJECT / "tests/course/content", tmp_path / "content")
    shutil.copytree(tmp_path / "content/count-to-ten", tmp_path / "content/again")
    monkeypatch.chdir(tmp_path)
    course = Path("content/course.toml")
    more = '\n[[lessons]]\nnumber = 3\nslug = "again"\ntitle = "Again"\n'
    course.write_text(course.read_text() + more)
    Path("content/again/facts.py").write_text("def measure(fact):\n    raise OSError('gone')\n")
    lesson = Path("content/count-to-ten/lesson.md")
    lesson.write_text(lesson.read_text() + "\nAnd 77.\n")
    with pytest.raises(Refused) as refused:
        build(Path("content"), PROJECT / "templates", tmp_path / "cache")
    assert [finding.rule for finding in refused.value.findings] == ["program-failed", "bare-number"]
    assert refused.value.code == 3
