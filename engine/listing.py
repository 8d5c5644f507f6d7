"""Every fact with its value, its text, where it was measured and where it is quoted."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase

from engine.draft import Draft
from engine.findings import position


@dataclass(frozen=True)
class Listed:
    """A fact as authors look it up."""

    name: str
    text: str  # as it is printed by default; nothing for what is true or false
    value: int | float | str | bool
    unit: str
    measured_at: str
    quoted_at: list[str]  # path:line:col of each expression that names it, and who draws it


def listed(drafts: list[Draft], pattern: str = "*") -> list[Listed]:
    """The facts whose names match, in the order in which they are measured."""
    found: dict[str, Listed] = {}
    for draft in drafts:
        for name, fact in draft.prose.facts.items():
            if fnmatchcase(name, pattern):
                text = "" if isinstance(fact.value, bool) else fact.text
                places = [*found[name].quoted_at] if name in found else []
                places += _places(draft, name)
                about = (name, text, fact.value, fact.unit, fact.origin)
                found[name] = Listed(*about, places)
    return list(found.values())


def as_text(facts: list[Listed]) -> Iterator[str]:
    """A table for people; the last line counts what nothing quotes."""
    rows = [("fact", "text", "value", "measured at", "quoted")]
    for fact in facts:
        count = len(fact.quoted_at)
        quoted = f"{count} time{'s' * (count != 1)}" if count else "nowhere"
        rows.append((fact.name, fact.text, str(fact.value), fact.measured_at, quoted))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        yield "  ".join([*map(str.ljust, row, widths), row[4]])
    unused = sum(not fact.quoted_at for fact in facts)
    yield f"{len(facts)} fact{'s' * (len(facts) != 1)}, {unused} quoted nowhere"


def as_json(facts: list[Listed]) -> str:
    """The same for programs."""
    return json.dumps([asdict(fact) for fact in facts], indent=1, ensure_ascii=False)


def _places(draft: Draft, name: str) -> Iterator[str]:
    for part in draft.parts:
        for index in sorted(part.prose.names_of):
            if name in part.prose.names_of[index]:
                place = position(part.lesson.text, part.lesson.expressions[index].offset)
                yield ":".join(map(str, (part.lesson.path, *place)))
    folder = draft.lesson.folder
    yield from [str(folder / "figures.py")] if name in draft.facts_in_figures else []
    yield from [str(folder / "widget.py")] if name in draft.facts_in_widget else []
