"""A finding as the preview's overlay shows it: with its line of source, and a link to an editor."""

import re
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from urllib.parse import quote

from engine.findings import Finding

EDITORS = {
    "vscode": "vscode://file{path}:{line}:{col}",
    "cursor": "cursor://file{path}:{line}:{col}",
    "idea": "idea://open?file={path}&line={line}&column={col}",
    "none": "",
}
CUSTOM = re.compile(r"(?!javascript:|data:)[a-z][a-z0-9+.-]*:.*\{path\}.*")
BEFORE, AFTER = 60, 100  # characters of a source line that are shown on each side of the column


def problem(finding: Finding, project: Path, editor: str) -> dict:
    """A finding as the overlay shows it: with its line, split at the column, and a link to it."""
    path = next((p for p in (Path(finding.path), project / finding.path) if p.is_file()), None)
    line = link = ""
    if path:
        with suppress(OSError, IndexError):
            lines = path.read_bytes().decode("utf-8-sig", "replace").replace("\r\n", "\n")
            line = lines.split("\n")[finding.line - 1]
        link = link_to(path, finding.line, finding.col, editor)
    at = finding.col - 1
    start = max(at - BEFORE, 0)
    shown = {
        "before": "…" * (start > 0) + line[start:at],
        "at": line[at : at + 1],
        "after": line[at + 1 : at + AFTER] + "…" * (len(line) > at + AFTER),
    }
    return {**asdict(finding), **shown, "link": link}


def link_to(path: Path, line: int | str, col: int, editor: str) -> str:
    """An address that opens an editor there. `line` may be a mark that the page replaces."""
    place = {"{path}": quote(str(path.absolute()), safe="/{}"), "{line}": line, "{col}": col}
    return re.sub("{(path|line|col)}", lambda name: str(place[name[0]]), editor)
