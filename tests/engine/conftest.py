"""A copy of the small course to work in."""

import shutil
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder with the small course and the page frames; the working directory is in it."""
    shutil.copytree(PROJECT / "tests/course/content", tmp_path / "content")
    shutil.copytree(PROJECT / "templates", tmp_path / "templates")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def small_course(tmp_path_factory):
    """The same for all tests of a file, which leave it as it was."""
    folder = tmp_path_factory.mktemp("course") / "project"
    shutil.copytree(PROJECT / "tests/course/content", folder / "content")
    shutil.copytree(PROJECT / "templates", folder / "templates")
    return folder
