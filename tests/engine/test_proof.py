"""proof.json: every number of the page with the code it came from."""

import hashlib
import json
from pathlib import Path

import pytest

from engine.build import build

PROJECT = Path(__file__).resolve().parents[2]
CONTENT = PROJECT / "tests/course/content"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return build(CONTENT, PROJECT / "templates", tmp_path_factory.mktemp("cache"))


def test_it_holds_each_number_with_its_source_chain(site):
    proof = json.loads(site.files["proof.json"])
    lesson = proof["lessons"]["count-to-ten"]
    text = (CONTENT / "count-to-ten/lesson.md").read_text(encoding="utf-8").split("\n")
    for number in lesson["numbers"]:
        typed = text[number["line"] - 1][number["col"] - 1 :]
        assert typed.startswith("{{ " + number["expression"] + " }}")
    (mean,) = [number for number in lesson["numbers"] if number["expression"] == "mean"]
    assert (mean["kind"], mean["text"], mean["facts"]) == ("computed", "5.5", ["mean"])
    fact = lesson["facts"]["mean"]
    assert fact == {
        "value": 5.5,
        "unit": "",
        "digits": 1,
        "measured_at": "count-to-ten/facts.py:10",
    }
    assert proof["cited"]["cite.euclid.unit"]["measured_at"] == "sources.toml:7"
    (claim,) = lesson["claims"]
    assert claim["margin"] == pytest.approx((91.818 - 50) / 91.818, rel=1e-3)


def test_its_digests_are_those_of_the_files(site):
    digests = json.loads(site.files["proof.json"])["digests"]
    assert {
        "count-to-ten/code/counting.py",
        "earlier/code/steps.py",
        "count-to-ten/facts.py",
    } <= set(digests)
    for name, digest in digests.items():
        assert digest == hashlib.sha256((CONTENT / name).read_bytes()).hexdigest()


def test_its_coverage_adds_up_to_what_the_report_says(site):
    coverage = json.loads(site.files["proof.json"])["coverage"]
    total = sum(sum(counts.values()) for counts in coverage.values())
    assert f"; {total} numbers: " in site.report[-1]
    assert not any("unknown" in counts for counts in coverage.values())


def test_it_holds_what_the_widget_shows_and_how_it_was_compared(site):
    widget = json.loads(site.files["proof.json"])["lessons"]["count-to-ten"]["widget"]
    text = (CONTENT / "count-to-ten/widget/page.html").read_text(encoding="utf-8").split("\n")
    for number in widget["numbers"]:
        typed = text[number["line"] - 1][number["col"] - 1 :]
        assert typed.startswith("{{ " + number["expression"] + " }}")
    assert [number["text"] for number in widget["numbers"]][-1] == "Adding up to 10 gives 55."
    assert widget["facts"] == ["last", "sum.hundred"]
    assert widget["parity"] == {
        "calls": {"constants": 1, "total": 29},
        "values": 30,
        "differences": {},
    }
    for name, digest in widget["scripts"].items():
        script = (CONTENT / "count-to-ten/widget" / name).read_bytes()
        assert digest == hashlib.sha256(script).hexdigest()
