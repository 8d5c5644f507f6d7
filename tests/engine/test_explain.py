"""`lesson explain`: every place of a number, how it is made, what would change it."""

import re
from pathlib import Path

import pytest

from engine.build import Findings, write_all
from engine.cli import main
from engine.explain import explain, instead
from engine.load import load
from engine.runner import Runner

PROJECT = Path(__file__).resolve().parents[2]
LESSON = "content/count-to-ten/lesson.md"
WIDGET = "content/count-to-ten/widget/page.html"


@pytest.fixture
def runner(project):
    return Runner(load(Path("content")), project / "cache")


@pytest.fixture
def drafts(runner):
    return write_all(load(Path("content")), runner, Findings())


@pytest.fixture
def told(runner, drafts):
    """What is said about a text, as lines without their indentation."""
    return lambda asked: [line.strip() for line in explain(asked, drafts, runner.inputs)]


def typed_at(expression):
    """Where the lesson or its widget's page says it, found by its text alone."""
    return [
        f"{path}:{number}:{match.start() + 1}"
        for path in (LESSON, WIDGET)
        for number, line in enumerate(Path(path).read_text(encoding="utf-8").split("\n"), 1)
        for match in re.finditer(re.escape(expression), line)
    ]


def places(lines):
    return [line.split()[2] for line in lines if line.startswith("shown at ")]


def test_a_fact_is_told_with_every_place_its_making_and_its_files(told):
    lines = told("mean")
    assert lines == [
        "mean is 5.5: 5.5 unrounded, digits 1, unit none",
        "measured at content/count-to-ten/facts.py:10",
        f"shown at {typed_at('{{ mean }}')[0]} by {{{{ mean }}}}",
        "Counting to 10 and adding gives 55; the mean is 5.5 and the p50 is near it.",
        "changes with content/count-to-ten/code/counting.py, content/count-to-ten/facts.py, "
        "content/earlier/code/steps.py",
    ]


def test_every_place_of_a_fact_is_there(told):
    assert places(told("sum.ten")) == typed_at("{{ sum.ten }}")
    last = [*typed_at("{{ last"), *typed_at("{{ preset(")]
    assert sorted(places(told("last"))) == sorted(last)


def test_a_number_finds_its_fact_and_a_claim_is_found_by_name(told):
    assert told("5,050")[0] == told("5050")[0] == told("sum.hundred")[0]
    assert places(told("growth")) == [
        *typed_at('{{ claim("grows fast"'),
        *typed_at("{{ growth | about(2) }}"),
    ]
    assert places(told("92")) == typed_at("{{ growth | about(2) }}")


def test_what_the_widget_is_given_and_draws_is_told(told):
    assert "given to the widget" in told("last") and "given to the widget" in told("sum.hundred")
    assert "given to the widget" not in told("mean")
    lines = told("55")
    at = lines.index(f'shown at {typed_at("{{ live(")[0]} by {{{{ live("sum") }}}}')
    assert lines[at + 1] == "Adding up to 10 gives 55."


def test_a_number_of_a_transcript_or_a_reference_is_told_with_its_line(told):
    lines = told("55")
    at = lines.index("not by a fact")
    assert places(lines[:at]) == typed_at("{{ sum.ten }}")
    assert f'shown at {typed_at("{{ run(")[0]} by {{{{ run("counting.py") }}}}' in lines[at:]
    assert "1 to 10 is 55" in lines[at:]
    assert places(told("17"))[0] == typed_at("{{ line(")[0]


def test_a_part_of_a_number_is_not_the_number(told):
    assert told("5050.5") == told("505") == told("50") == told(".5") == told("") == told("  ") == []


def test_a_cited_number_changes_with_its_source(told):
    lines = told("cite.euclid.unit")
    assert "cited at content/sources.toml:7" in lines
    assert lines[-1] == "changes with content/sources.toml"
    assert places(lines) == typed_at("{{ cite.euclid.unit }}")


def test_what_is_near_is_said_of_what_is_not_there(drafts):
    assert instead("5,051", drafts).startswith("sum.hundred is 5,050: one digit off?")
    assert instead("98.1%", drafts).startswith("growth is 91.8: digits swapped?")
    assert instead("sum.tn", drafts) == "did you mean sum.ten?"
    assert instead("7312", drafts) == "no fact is near it"


@pytest.mark.parametrize("file", ["count-to-ten/code/counting.py", "earlier/code/steps.py"])
def test_what_a_run_read_is_known_from_the_cache_too(project, file):
    for _ in range(2):  # the second time nothing runs
        course = load(Path("content"))
        assert f"content/{file}" in Runner(course, project / "cache").inputs(course.lessons[0])


def test_the_command_says_it_and_its_exit_code(project, capsys):
    assert main(["explain", "mean", "--out", "report"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("mean is 5.5: ") and Path("report/explain.txt").read_text() == out
    assert main(["explain", "98.1%"]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith('no lesson shows "98.1%"; growth is 91.8: digits swapped?')


def test_findings_elsewhere_are_no_reason_to_keep_silent(project, capsys):
    path = Path(LESSON)
    path.write_text(path.read_text(encoding="utf-8") + "\nIt is 7312.\n", encoding="utf-8")
    assert main(["explain", "mean"]) == 0
    facts = project / "content/count-to-ten/facts.py"
    facts.write_text("def measure(fact):\n    raise OSError('gone')\n", encoding="utf-8")
    assert main(["explain", "mean"]) == 3
    assert "program-failed" in capsys.readouterr().err
