"""The README's first look at findings is what the gate says of these edits of the real lesson."""

import re
import shutil
from pathlib import Path

import pytest

from engine.build import build
from engine.findings import Refused
from tests.conftest import CACHE, PROJECT

EDITS = {
    "that wait becomes {{ heavy.ttft_p99 }}": "that wait becomes 3.49 s",
    "the wait falls to {{ more.ttft_p99 }}. Give": "the wait falls to {{ more.ttft_p9 }}. Give",
    'It says {{ src("trace.py", "MORE_PAGES = 480") }}.': (
        'It says {{ src("trace.py", "MORE_PAGES = 480") }} (trace.py:7).'
    ),
}


def test_the_readme_shows_true_findings(real_site, tmp_path, monkeypatch):
    shutil.copytree(PROJECT / "content", tmp_path / "content")
    for document in PROJECT.glob("*.md"):
        shutil.copy(document, tmp_path)
    monkeypatch.chdir(tmp_path)
    lesson = Path("content/build-a-tiny-model-server/lesson.md")
    text = lesson.read_text(encoding="utf-8")
    for find, replace in EDITS.items():
        assert text.count(find) == 1, find
        text = text.replace(find, replace)
    lesson.write_text(text, encoding="utf-8")
    with pytest.raises(Refused) as refused:
        build(Path("content"), PROJECT / "templates", CACHE)
    said = [str(finding) for finding in refused.value.findings]
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"```\n(content/.*?)\n```", readme, re.DOTALL)[1].splitlines()
    assert shown == [*said, f"{len(said)} findings; nothing was published"]
