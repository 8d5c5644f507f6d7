"""Each rule of the gate against edits that it must catch, to the letter, and edits it must not.

cases/*.toml hold the edits. Each is made to a copy of tests/course/content, which is built whole;
`findings` is all that the build says. `python tests/drift/test_drift.py` prints what it says now.
"""

import os
import shutil
import tomllib
from pathlib import Path

import pytest

from engine.build import build
from engine.findings import RULES, Refused

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
CASES = [
    (file.stem, kind, case)
    for file in sorted((HERE / "cases").glob("*.toml"))
    for kind, cases in tomllib.loads(file.read_text(encoding="utf-8")).items()
    for case in cases
]
NAMES = [f"{stem}: {case['name']}" for stem, _, case in CASES]


def apply(edit: dict, folder: Path) -> None:
    """Make one edit: `find` once and `replace`, or write, append, or delete a `file`."""
    path = folder / edit["file"]
    if "find" in edit:
        text = path.read_text(encoding="utf-8")
        assert text.count(edit["find"]) == 1, (
            f"{edit['find']!r} is there {text.count(edit['find'])} times"
        )
        path.write_text(text.replace(edit["find"], edit["replace"]), encoding="utf-8")
    elif edit.get("delete"):
        path.unlink()
    elif "append" in edit:
        with path.open("a", encoding="utf-8") as file:
            file.write(edit["append"])
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(edit["write"].encode(edit.get("encoding", "utf-8")))


def outcome(case: dict, folder: Path, cache: Path) -> tuple[list[str], int]:
    """What a build of the edited course says, and its exit code."""
    shutil.copytree(PROJECT / "tests/course/content", folder / "content")
    shutil.copytree(PROJECT / "templates", folder / "templates")
    for edit in case.get("edits", [case]):
        apply(edit, folder)
    before = Path.cwd()
    os.chdir(folder)
    try:
        build(Path("content"), Path("templates"), cache, case.get("seconds", 60))
    except Refused as refused:
        return [str(finding) for finding in refused.findings], refused.code
    finally:
        os.chdir(before)
    return [], 0


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.mark.parametrize(("stem", "kind", "case"), CASES, ids=NAMES)
def test_edit(stem, kind, case, tmp_path, cache):
    findings, code = outcome(case, tmp_path, cache)
    if stem != "lock":  # most edits move what was accepted; that is not what they are about
        findings = [finding for finding in findings if ": lock: " not in finding]
        code = code if findings else 0
    assert findings == (case["findings"] if kind == "catch" else [])
    assert code == case.get("exit", 1 if findings else 0)


def test_names_tell_the_cases_apart():
    assert len(set(NAMES)) == len(NAMES)


def test_every_rule_is_caught_somewhere():
    caught = {
        finding.split(": ")[1]
        for _, kind, case in CASES if kind == "catch"
        for finding in case["findings"]
    }  # fmt: skip
    in_unit_tests = {"document-number", "leak", "not-text", "output", "usage"}
    assert set(RULES) - in_unit_tests == caught


if __name__ == "__main__":
    import tempfile

    shared = Path(tempfile.mkdtemp())
    for stem, kind, case in CASES:
        findings, code = outcome(case, Path(tempfile.mkdtemp()), shared)
        findings = [line for line in findings if stem == "lock" or ": lock: " not in line]
        if findings != (case["findings"] if kind == "catch" else []):
            print(f"--- {stem}: {case['name']} (exit {code})", *findings, sep="\n")
