"""Findings for those who read them: people, programs, a workflow on GitHub, a code scanner."""

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from engine.findings import RULES, Finding

SARIF = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LINK = re.compile(r"\[([^\[\]]*)\](?=\()")


def text(findings: Sequence[Finding]) -> str:
    """A line each, as editors jump to them; sorted, and so grouped by file."""
    return "".join(f"{finding}\n" for finding in sorted(findings))


def as_json(findings: Sequence[Finding]) -> str:
    """All that a finding says, as plain data, and how many there are of what."""
    rows = [
        {
            "path": finding.path,
            "line": finding.line,
            "col": finding.col,
            "rule": finding.rule,
            "what": finding.what,
            "fix": finding.fix,
        }
        for finding in sorted(findings)
    ]
    summary = {
        "findings": len(rows),
        "files": len({finding.path for finding in findings}),
        "rules": dict(sorted(Counter(finding.rule for finding in findings).items())),
    }
    return _dump({"findings": rows, "summary": summary})


def github(findings: Sequence[Finding]) -> str:
    """A workflow command each, which GitHub shows beside the line; it shows ten of a step."""
    return "".join(
        f"::error file={_property(finding.path)},line={finding.line},col={finding.col},"
        f"title={_property(finding.rule)}::{_message(f'{finding.what}; {finding.fix}')}\n"
        for finding in sorted(findings)
    )


def sarif(findings: Sequence[Finding]) -> str:
    """The format of code scanners, version 2.1.0."""
    indexes = {rule: index for index, rule in enumerate(RULES)}
    rules = [{"id": rule, "shortDescription": {"text": about}} for rule, about in RULES.items()]
    results = [
        {
            "ruleId": finding.rule,
            "ruleIndex": indexes[finding.rule],
            "level": "error",
            "message": {"text": _sarif_text(f"{finding.what}; {finding.fix}")},
            "locations": [{"physicalLocation": _place(finding)}],
        }
        for finding in sorted(findings)
    ]
    run = {
        "tool": {"driver": {"name": "lesson", "rules": rules}},
        "columnKind": "unicodeCodePoints",  # a column is a character, not two for an emoji
        "results": results,
    }
    return _dump({"$schema": SARIF, "version": "2.1.0", "runs": [run]})


def summary(findings: Sequence[Finding], report: Sequence[str]) -> str:
    """Markdown for the summary of a workflow: what is wrong as a table, or what was checked."""
    if not findings:
        parts = [line.partition(": ") for line in report]
        rows = [f"| {_cell(what)} | {_cell(said)} |\n" for what, _, said in parts]
        return f"### The lessons hold\n\n| checked | |\n| --- | --- |\n{''.join(rows)}"
    rows = [
        f"| `{finding.path}:{finding.line}:{finding.col}` | {finding.rule} "
        f"| {_cell(finding.what)} | {_cell(finding.fix)} |\n"
        for finding in sorted(findings)
    ]
    count = f"{len(rows)} finding{'s' * (len(rows) != 1)}"
    head = "| place | rule | what | the mend |\n| --- | --- | --- | --- |\n"
    return f"### {count}\n\n{head}{''.join(rows)}"


FORMATS: dict[str, Callable[[Sequence[Finding]], str]] = {
    "text": text, "json": as_json, "github": github, "sarif": sarif,
}  # fmt: skip
DATA = ("json", "sarif")  # for programs: nothing else may stand on the standard output


def _cell(words: str) -> str:
    """In a table's cell `|` would end it, and what looks like Markdown would be it."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", " ".join(words.split()))


def _message(words: str) -> str:
    """A workflow command is one line, and % begins an escape."""
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(words: str) -> str:
    """In a property, `:` and `,` would end it."""
    return _message(words).replace(":", "%3A").replace(",", "%2C")


def _sarif_text(words: str) -> str:
    """Braces would be placeholders, and `[...](...)` a link."""
    return LINK.sub(r"\\[\1\\]", words.replace("{", "{{").replace("}", "}}"))


def _place(finding: Finding) -> dict[str, Any]:
    region = {"startLine": finding.line, "startColumn": finding.col}
    return {"artifactLocation": {"uri": _uri(finding.path)}, "region": region}


def _uri(path: str) -> str:
    """Relative to the working folder, which is the project's, as far as the path lies in it."""
    where = Path(path)
    if where.is_absolute() and where.is_relative_to(Path.cwd()):
        where = where.relative_to(Path.cwd())
    return where.as_uri() if where.is_absolute() else quote(os.fsencode(where))


def _dump(value: Any) -> str:
    return json.dumps(value, indent=2) + "\n"
