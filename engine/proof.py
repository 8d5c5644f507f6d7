"""proof.json: what each number of the site was made from, for readers who want to check."""

import hashlib
import json
import platform
from collections import Counter
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from engine.course import Course
from engine.draft import Draft
from engine.findings import position

LIBRARIES = ("jinja2", "markdown-it-py", "matplotlib", "numpy")


def proof(course: Course, drafts: list[Draft], coverage: Mapping[str, Counter]) -> bytes:
    """The file's bytes: JSON, keys sorted, one number a line."""
    table = {
        "about": "Every number of this site: where it stands, and the code that it came from.",
        "versions": {
            "python": ".".join(platform.python_version_tuple()[:2]),
            **{name: version(name) for name in LIBRARIES},
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
    return {
        "page": f"{draft.lesson.entry.slug}/index.html",
        "facts": {name: _fact(fact) for name, fact in sorted(draft.facts.items())},
        "numbers": [_number(draft, index) for index in sorted(draft.shown)],
        "claims": [
            {"text": claim.text, "expression": claim.code, "margin": claim.margin}
            for claim in draft.prose.claims
        ],
        "figures": {
            name: {
                "sha256": hashlib.sha256(drawing.svg.encode()).hexdigest(),
                "facts": drawing.facts,
            }
            for name, drawing in sorted(draft.drawings.items())
        },
    }


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
        own = ("lesson.md", "facts.py", "figures.py")
        files |= {
            draft.lesson.folder / name for name in own if (draft.lesson.folder / name).exists()
        }
    return sorted(files)
