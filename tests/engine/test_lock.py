"""The lock: accepting, differing, merging. What a check says of it is in tests/drift."""

import json
import subprocess
from pathlib import Path

import pytest

from engine.cli import main
from engine.findings import Refused
from engine.lock import Quote, differences, parse

PROJECT = Path(__file__).resolve().parents[2]
LOCK = Path("content/count-to-ten/numbers.lock")
LESSON = Path("content/count-to-ten/lesson.md")
CODE = Path("content/count-to-ten/code/counting.py")
PORT = Path("content/count-to-ten/widget/counting.js")
VIEWS, PAGE = PORT.with_name("views.js"), PORT.with_name("page.html")


def edit(path, find, replace):
    text = path.read_text(encoding="utf-8")
    assert text.count(find) == 1
    path.write_text(text.replace(find, replace), encoding="utf-8")


def count_to_eleven():
    for path in (CODE, PORT):
        edit(path, "LAST = 10", "LAST = 11")


def test_a_moved_number_fails_until_it_is_accepted(project, capsys):
    assert main(["build"]) == 0
    count_to_eleven()
    assert main(["build"]) == 1
    assert '"Counting to 10 and adding gives 55;' in capsys.readouterr().err
    assert main(["accept"]) == 0
    said = capsys.readouterr().out
    assert 'sum.ten: "55" -> "66"' in said
    assert "  + Counting to 11 and adding gives 66; the mean is 6.0 and the p50 is near it." in said
    assert main(["build"]) == 0


def test_only_what_matches_is_accepted(project):
    count_to_eleven()
    assert main(["accept", "sum.*"]) == 0
    rows = [json.loads(line) for line in LOCK.read_text(encoding="utf-8").splitlines()]
    texts = {expression: text for expression, text, _ in rows}
    assert (texts["sum.ten"], texts["last"]) == ("66", "10")
    assert main(["build"]) == 1


@pytest.mark.parametrize(
    ("find", "replace"),
    [
        ("{{ mean }}", "5.5 {{ mean }}"),
        ("growth > 50", "growth > 500"),
        ("{{ mean }}", "{{ maen }} {{ mean }}"),
        ("the p50 is near it", "the p50 is twice it"),
    ],
)
def test_nothing_that_is_wrong_can_be_accepted_away(project, find, replace):
    before = LOCK.read_bytes()
    edit(LESSON, find, replace)
    assert main(["accept"]) == 1
    assert LOCK.read_bytes() == before


def test_accepting_twice_is_accepting_once(project, capsys):
    assert main(["accept"]) == 0
    first = LOCK.read_bytes()
    assert first == (PROJECT / "tests/course" / LOCK).read_bytes()
    assert main(["accept"]) == 0
    assert LOCK.read_bytes() == first
    assert "->" not in capsys.readouterr().out


def test_a_lock_is_sorted_and_has_one_quote_a_line(project):
    lines = LOCK.read_text(encoding="utf-8").splitlines()
    assert lines == sorted(lines)
    assert all(len(json.loads(line)) == 3 for line in lines)


def test_two_branches_that_move_different_numbers_merge_without_a_conflict(project):
    def git(*arguments):
        identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)

    facts = Path("content/count-to-ten/facts.py")
    git("init", "-q", "-b", "main")
    git("add", "content")
    git("commit", "-qm", "one")
    git("checkout", "-qb", "other")
    edit(facts, 'fact("parts", 2)', 'fact("parts", 3)')
    assert main(["accept"]) == 0
    git("commit", "-qam", "two")
    git("checkout", "-q", "main")
    edit(facts, '"sum.hundred", total(10 * LAST)', '"sum.hundred", total(9 * LAST)')
    assert main(["accept"]) == 0
    git("commit", "-qam", "three")
    git("merge", "-q", "other")
    assert main(["build"]) == 0


def test_diff_shows_what_moved_since_a_commit(project, capsys):
    def git(*arguments):
        identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)

    git("init", "-q")
    git("add", "content")
    git("commit", "-qm", "one")
    assert main(["diff", "HEAD"]) == 0
    assert capsys.readouterr().out == "count-to-ten: 0 changed\n"
    count_to_eleven()
    assert main(["accept", "sum.ten"]) == 0
    capsys.readouterr()
    assert main(["diff", "HEAD"]) == 0
    assert capsys.readouterr().out == (
        'count-to-ten: 1 changed\nsum.ten: "55" -> "66"\n'
        "  - A line that bends upwards to 55\n  + A line that bends upwards to 66\n"
    )
    assert main(["diff", "HEAD", "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["expression"], row["before"], row["after"]) == ("sum.ten", "55", "66")
    assert main(["diff", "HEAD", "--format", "markdown"]) == 0
    table = capsys.readouterr().out
    assert (
        "| `sum.ten` | A line that bends upwards to 55 | A line that bends upwards to 66 |" in table
    )
    assert main(["diff", "no-such-commit"]) == 2


def test_differences_tell_new_and_gone_from_moved():
    old = [Quote("a", "1", "one."), Quote("b", "2", "two.")]
    new = [Quote("a", "3", "three."), Quote("c", "4", "four.")]
    found = [(d.expression, d.before, d.after) for d in differences(old, new)]
    assert found == [("a", "1", "3"), ("b", "2", ""), ("c", "", "4")]
    assert list(differences(old, [Quote("b", "2", "reworded"), Quote("a", "1", "x")])) == []


@pytest.mark.parametrize("text", ["{", "[1, 2]", '["a", "b"]', "7", "<<<<<<<"])
def test_a_line_that_is_none_is_a_finding_with_its_place(text):
    with pytest.raises(Refused) as refused:
        parse(f'["a", "1", "one."]\n{text}\n', "numbers.lock")
    (finding,) = refused.value.findings
    assert (finding.line, finding.rule) == (2, "lock")


def test_a_view_that_says_something_else_is_new_in_the_lock(project, capsys):
    edit(VIEWS, "Adding up to", "The sum up to")
    assert main(["build"]) == 1
    said = '"Adding up to 10 gives 55." and is "The sum up to 10 gives 55."'
    assert f'page.html:9:1: lock: live("sum") was {said}' in capsys.readouterr().err
    assert main(["accept", "live*"]) == 0
    assert main(["build"]) == 0


def test_claims_of_the_widget_s_page_are_listed_with_it(project, capsys):
    edit(PAGE, " again.", ' {{ claim("again", last == 10) }}.')
    assert main(["claims"]) == 0
    assert 'exact  content/count-to-ten/widget/page.html: claim("again"' in capsys.readouterr().out


def test_claims_are_listed_nearest_to_failing_first(project, capsys):
    edit(
        LESSON,
        "the p50 is near it",
        'the {{ claim("middle", mean == 5.5) }} p50 {{ claim("is", 50 < sum.ten) }} near it',
    )
    assert main(["claims"]) == 0
    first, *rows = capsys.readouterr().out.splitlines()
    assert first.startswith("3 claims hold")
    assert [row.split()[0] for row in rows] == ["9.1%", "45.5%", "exact"]
