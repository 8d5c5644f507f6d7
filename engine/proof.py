"""proof.json: what each number of the site was made from, for readers who want to check."""

import hashlib
import json
import platform
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from engine.cache import version_of
from engine.course import Course
from engine.draft import Draft
from engine.findings import position

LIBRARIES = ("jinja2", "markdown-it-py", "matplotlib", "mini-racer", "numpy")


def proof(course: Course, drafts: list[Draft], coverage: Mapping[str, Counter]) -> bytes:
    """The file's bytes: JSON, keys sorted, one number a line."""
    table = {
        "about": "Every number of this site: where it stands, and the code that it came from.",
        "versions": {
            "python": ".".join(platform.python_version_tuple()[:2]),
            **{name: version_of(name) for name in LIBRARIES},
        },
        "coverage": {page: dict(sorted(counts.items())) for page, counts in coverage.items()},
        "digests": {
            str(path.relative_to(course.root)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in _files(course, drafts)
        },
        "cited": {name: _fact(fact) for name, fact in sorted(course.cited.items())},
        "lessons": {draft.lesson.entry.slug: _lesson(draft) for draft in drafts},
    }
    return (json.dumps(table, indent=1, ensure_ascii=False) + "\n").encode()


def _lesson(draft: Draft) -> dict:
    found = {
        **_text(draft, "index.html"),
        "facts": {name: _fact(fact) for name, fact in sorted(draft.facts.items())},
        "figures": {
            name: {"sha256": _digest(drawing.svg), "facts": drawing.facts}
            for name, drawing in sorted(draft.drawings.items())
        },
    }
    if draft.widget:
        behind = draft.widget.behind
        found["widget"] = {
            **_text(draft.widget, "widget/index.html"),
            "facts": behind.facts,
            "scripts": {name: _digest(text) for name, text in behind.scripts.items()},
            "parity": asdict(behind.parity),
        }
    return found


def _text(draft: Draft, page: str) -> dict:
    """What a page quotes, and what it claims."""
    return {
        "page": f"{draft.lesson.entry.slug}/{page}",
        "numbers": [_number(draft, index) for index in sorted(draft.shown)],
        "claims": [
            {"text": claim.text, "expression": claim.code, "margin": claim.margin}
            for claim in draft.prose.claims
        ],
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _number(draft: Draft, index: int) -> dict:
    """One place where the page shows something from code."""
    shown, expression = draft.shown[index], draft.lesson.expressions[index]
    line, col = position(draft.lesson.text, expression.offset)
    return {
        "line": line,
        "col": col,
        "kind": shown.kind,
        "text": shown.locked or shown.text,
        "expression": expression.code,
        "facts": sorted(draft.prose.names_of[index]),
    }


def _fact(fact) -> dict:
    return {
        "value": fact.value,
        "unit": fact.unit,
        "digits": fact.digits,
        "measured_at": fact.origin,
    }


def _files(course: Course, drafts: list[Draft]) -> list[Path]:
    """All that was read to make the site, page frames aside."""
    files = {Path(program.source.path) for program in course.code}
    files |= {course.root / name for name in ("course.toml", "sources.toml", "vocabulary.toml")}
    for draft in drafts:
        folder = draft.lesson.folder
        own = (folder / name for name in ("lesson.md", "facts.py", "figures.py", "widget.py"))
        files |= {path for path in own if path.exists()}
        if draft.widget:
            names = ("page.html", *draft.widget.behind.scripts, *draft.widget.behind.styles)
            files |= {folder / "widget" / name for name in names}
    return sorted(files)
