"""What moved between two accepted states: the locks of a commit against those of the folder."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

from engine.findings import USAGE, Finding, Refused
from engine.lock import NAME, Quote, differences, parse, read


def diff(content: Path, revision: str, form: str) -> Iterator[str]:
    """The changed numbers and their sentences, as lines of `form`: text, json or markdown."""
    changes = {
        path.parent.name: list(differences(_then(path, revision), read(path)))
        for path in sorted(content.glob(f"*/{NAME}"))
    }
    if form == "json":
        rows = [
            vars(change) | {"lesson": slug} for slug, rows in changes.items() for change in rows
        ]
        yield json.dumps(rows, indent=2, ensure_ascii=False)
        return
    for slug, rows in changes.items():
        if form == "markdown":
            yield f"### {slug}: {len(rows)} changed\n"
            if rows:
                yield "| what | before | after |\n| --- | --- | --- |"
            for change in rows:
                sentences = (change.sentence_before, change.sentence_after)
                said = (sentence or text for sentence, text in zip(sentences, change.brief))
                cells = (f"`{change.expression}`", *said)
                yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
        else:
            yield f"{slug}: {len(rows)} changed"
            yield from map(str, rows)


def _then(path: Path, revision: str) -> list[Quote]:
    """A lock as it was in a commit; empty if it was not there."""
    folder, name = path.parent, f"./{path.name}"
    if _git(folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").returncode:
        finding = Finding(revision, 1, 1, "usage", "is no commit of this checkout", "name another")
        raise Refused([finding], USAGE)
    shown = _git(folder, "show", f"{revision}:{name}")
    text = shown.stdout.decode("utf-8") if shown.returncode == 0 else ""
    return parse(text, f"{revision}:{path}")


def _git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=False)
