"""Findings as text, JSON, workflow commands and SARIF: the same findings, each read back."""

import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft4Validator

from engine.cli import main
from engine.findings import RULES, Finding
from engine.formats import FORMATS, as_json, github, sarif, text

PROJECT = Path(__file__).resolve().parents[2]
# The schema of the SARIF committee, as the npm package @microsoft/jest-sarif ships it (MIT).
SCHEMA = Draft4Validator(
    json.loads((Path(__file__).parent / "cases/formats/sarif-2.1.0-rtm.5.json").read_bytes())
)
WORDS = st.text(
    st.sampled_from("%:,;{}[]()\r\n\u2028é🙂=A0D253C ") | st.characters(exclude_categories=["Cs"]),
    min_size=1,
)
RULE = st.sampled_from(sorted(RULES))
FINDINGS = st.lists(
    st.builds(Finding, WORDS, st.integers(1), st.integers(1), RULE, WORDS, WORDS), max_size=5
)
ONE = Finding("content/a/lesson.md", 4, 17, "bare-number", '"3.49" has no source', "write {{ x }}")
TWO = Finding("content/a/facts.py", 9, 1, "unused-fact", "y is quoted nowhere", "remove it")


def unescaped(words):
    """The reverse of GitHub's escapes, by one pass from left to right."""
    codes = {"25": "%", "0D": "\r", "0A": "\n", "3A": ":", "2C": ","}
    return re.sub("%(25|0D|0A|3A|2C)", lambda match: codes[match[1]], words)


def annotation(line):
    """A workflow command taken apart as the runner does: at the first `::` behind the properties."""
    command, _, message = line.removeprefix("::error ").partition("::")
    pairs = (part.split("=", 1) for part in command.split(","))
    return {name: unescaped(value) for name, value in pairs}, unescaped(message)


def test_text_is_a_line_each_file_by_file():
    assert text([ONE, TWO]) == f"{TWO}\n{ONE}\n"
    assert text([]) == ""


@given(FINDINGS)
def test_json_holds_every_finding_whole(findings):
    read = json.loads(as_json(findings))
    assert [Finding(**row) for row in read["findings"]] == sorted(findings)
    assert read["summary"]["findings"] == len(findings) == sum(read["summary"]["rules"].values())
    assert read["summary"]["files"] == len({finding.path for finding in findings})


def test_json_is_of_the_documented_shape():
    assert json.loads(as_json([ONE])) == {
        "findings": [
            {
                "path": "content/a/lesson.md",
                "line": 4,
                "col": 17,
                "rule": "bare-number",
                "what": '"3.49" has no source',
                "fix": "write {{ x }}",
            }
        ],
        "summary": {"findings": 1, "files": 1, "rules": {"bare-number": 1}},
    }


def test_an_annotation_reads_as_github_documents_it():
    odd = Finding("a, b:c.md", 2, 3, "expression", "50% off\nand more", "mend it: now, here")
    assert github([odd]) == (
        "::error file=a%2C b%3Ac.md,line=2,col=3,title=expression::"
        "50%25 off%0Aand more; mend it: now, here\n"
    )


@given(FINDINGS)
def test_an_annotation_is_one_line_that_reads_back(findings):
    lines = github(findings).split("\n")
    assert lines.pop() == ""
    assert not any("\r" in line for line in lines)
    assert [annotation(line) for line in lines] == [
        (
            {
                "file": finding.path,
                "line": str(finding.line),
                "col": str(finding.col),
                "title": finding.rule,
            },
            f"{finding.what}; {finding.fix}",
        )
        for finding in sorted(findings)
    ]


@given(FINDINGS)
def test_sarif_keeps_to_its_schema_and_names_known_rules(findings):
    log = json.loads(sarif(findings))
    assert list(SCHEMA.iter_errors(log)) == []
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert {rule["id"]: rule["shortDescription"]["text"] for rule in rules} == RULES
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == [
        finding.rule for finding in sorted(findings)
    ]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda log: log.pop("version"),
        lambda log: log.update(version="2.0.0"),
        lambda log: log["runs"][0]["tool"]["driver"].pop("name"),
        lambda log: log["runs"][0]["results"][0]["message"].pop("text"),
        lambda log: log["runs"][0]["results"][0].update(level="fatal"),
        lambda log: region(log).update(startLine=0),
        lambda log: region(log).update(column=1),
    ],
)
def test_a_log_that_is_not_sarif_is_noticed(spoil):
    log = json.loads(sarif([ONE]))
    assert SCHEMA.is_valid(log)
    spoil(log)
    assert not SCHEMA.is_valid(log)


def region(log):
    return log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]


def result(finding):
    (found,) = json.loads(sarif([finding]))["runs"][0]["results"]
    return found, found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]


def test_sarif_escapes_what_would_be_a_placeholder_or_a_link():
    found, _ = result(Finding("a.md", 1, 1, "no-alt-text", "no [text]", "say ![...](sums) {{ x }}"))
    assert found["message"]["text"] == r"no [text]; say !\[...\](sums) {{{{ x }}}}"


def test_a_uri_is_relative_to_the_project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    inside = tmp_path / "content/ä 1.md"
    for path in ("content/ä 1.md", str(inside)):
        _, uri = result(Finding(path, 1, 1, "not-text", "w", "f"))
        assert uri == "content/%C3%A4%201.md" and unquote(uri) == "content/ä 1.md"
    _, uri = result(Finding("a:b.md", 1, 1, "not-text", "w", "f"))
    assert uri == "a%3Ab.md"


# -- the command


def count(form, out):
    if form == "json":
        return len(json.loads(out)["findings"])
    return len(json.loads(out)["runs"][0]["results"])


@pytest.mark.parametrize("command", ["build", "check"])
@pytest.mark.parametrize("form", ["json", "sarif"])
def test_data_stands_alone_on_the_output(project, capsys, command, form):
    arguments = [command, "--cache", "cache", "--format", form]
    assert main(arguments) == 0
    clean = capsys.readouterr()
    assert count(form, clean.out) == 0 and "0 unknown" in clean.err
    path = project / "content/count-to-ten/lesson.md"
    path.write_text(path.read_text(encoding="utf-8") + "\nIt is 7312.\n", encoding="utf-8")
    assert main(arguments) == 1
    printed = capsys.readouterr()
    assert count(form, printed.out) == 1
    assert printed.err == "1 finding; nothing was published\n"


def test_github_gets_annotations_and_all_findings_as_text(project, capsys):
    path = project / "content/count-to-ten/lesson.md"
    added = "\n" + "".join(f"It is {number}.\n" for number in range(7301, 7313))
    path.write_text(path.read_text(encoding="utf-8") + added, encoding="utf-8")
    assert main(["build", "--format", "github"]) == 1
    printed = capsys.readouterr()
    assert [annotation(line)[0]["line"] for line in printed.out.splitlines()] == [
        str(line) for line in range(39, 51)
    ]
    assert printed.err.count("bare-number: ") == 12
    assert printed.err.endswith("12 findings; nothing was published\n")


def test_every_format_is_offered(capsys):
    with pytest.raises(SystemExit):
        main(["build", "--help"])
    assert f"{{{','.join(FORMATS)}}}" in capsys.readouterr().out
