"""proof.json against the pages, the files it names, and a new measurement."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.verify.content import Content, preset_facts
from engine.verify.parsed import Page
from engine.verify.reading import FACT, Finding, Reading
from engine.verify.runs import Runs

OWN = ("lesson.md", "facts.py", "figures.py", "widget.py")
BUILD = "build the site again"
WORDS = ("step", "lesson", "ref", "line", "preset")  # of which the expression says the text


def check_proof(
    site: Path, content: Content, pages: Mapping[str, Page], runs: Runs
) -> list[Finding]:
    """Every finding about the site's proof.json, if it has one."""
    path = site / "proof.json"
    if not path.is_file():
        return []
    text = path.read_text(encoding="utf-8")
    try:
        proof = json.loads(text)
        faults = [
            *_digests(proof["digests"], content),
            *_counts(proof["coverage"], pages),
            *_facts(proof["cited"], content.cited),
            *_lessons(proof["lessons"], content, pages, runs, text),
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        faults = [("", f"cannot be read: {type(error).__name__}: {error}")]
    found = []
    for place, what in faults:
        at = place if isinstance(place, int) else max(text.find(place), 0)
        line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
        found.append(Finding(str(path), line, column, what, BUILD))
    return found


def _digests(digests: Mapping[str, str], content: Content) -> Iterator[tuple[str, str]]:
    wanted = {f"{slug}/code/{name}" for slug, name in content.programs}
    wanted |= {"course.toml", "sources.toml", "vocabulary.toml"}
    wanted |= {
        f"{slug}/{name}" for slug in content.lessons
        for name in OWN if (content.root / slug / name).exists()
    }  # fmt: skip
    wanted |= {
        path.relative_to(content.root).as_posix() for slug in content.widgets
        for path in (content.root / slug / "widget").iterdir() if path.suffix in (".html", ".js", ".css")
    }  # fmt: skip
    for name in sorted(wanted - digests.keys()):
        yield '"digests"', f"{name} has no digest"
    for name, digest in digests.items():
        file = content.root / name
        if not file.is_file():
            yield f'"{name}"', f"{name} is not there"
        elif hashlib.sha256(file.read_bytes()).hexdigest() != digest:
            yield f'"{name}"', f"{name} is another file than the one that made the site"


def _counts(coverage: Mapping, pages: Mapping[str, Page]) -> Iterator[tuple[str, str]]:
    for name in sorted(coverage.keys() | pages.keys()):
        nodes = pages[name].root.find("data") if name in pages else []
        shown = Counter(node.attrs.get("data-kind", "") for node in nodes)
        for kind in ("computed", "cited", "structural"):
            listed = coverage.get(name, {}).get(kind, 0)
            if listed != shown[kind]:
                what = f"{name} shows {shown[kind]} numbers that are {kind}, not {listed}"
                yield f'"{name}"', what


def _facts(rows: Mapping, measured: Mapping) -> Iterator[tuple[str, str]]:
    for name in sorted(rows.keys() | measured.keys()):
        row, fact = rows.get(name), measured.get(name)
        if not row or not fact:
            yield f'"{name}"', f"{name} is {'a fact' if fact else 'no fact'}"
            continue
        now = (fact.value, fact.unit, fact.digits, fact.origin)
        then = tuple(row[key] for key in ("value", "unit", "digits", "measured_at"))
        if then != now:
            yield f'"{name}"', f"{name} is {now}, not {then}"


def _lessons(
    lessons: Mapping, content: Content, pages: Mapping[str, Page], runs: Runs, text: str
) -> Iterator[tuple[str | int, str]]:
    if lessons.keys() != content.lessons.keys():
        yield '"lessons"', f"the lessons are {', '.join(content.lessons)}"
    places = iter([match.start() for match in re.finditer('"line": ', text)])
    for slug in (slug for slug in lessons if slug in content.lessons):
        table, lesson = lessons[slug], content.lessons[slug]
        yield from _facts(table["facts"], runs.facts(slug))
        yield from _widget(table.get("widget"), slug, content, runs)
        drawn = {n: hashlib.sha256(s.encode()).hexdigest() for n, s in runs.figures(slug).items()}
        for name in sorted(drawn.keys() | table["figures"].keys()):
            if table["figures"].get(name, {}).get("sha256") != drawn.get(name):
                yield f'"{name}"', f"figure {name} is drawn differently"
        texts = [(table, lesson)]
        if "widget" in table and slug in content.widgets:
            texts.append((table["widget"], content.widgets[slug]))
        for listed, written in texts:
            rows = [(next(places, 0), row) for row in listed["numbers"]]
            if sorted(row["expression"] for _, row in rows) != sorted(written.expressions):
                yield '"numbers"', f"lists other expressions than {slug}/{written.file} has"
            page = pages.get(listed["page"])
            if page:
                reading = Reading(page, written, content, runs)
                yield from _numbers(rows, reading, content.lines(f"{slug}/{written.file}"))


def _widget(
    table: Mapping | None, slug: str, content: Content, runs: Runs
) -> Iterator[tuple[str, str]]:
    """The scripts that were compared, how many calls of each function, and no difference."""
    if slug not in content.widgets:
        return
    calls = runs.widget(slug)["calls"]
    counts = Counter(call.partition("(")[0] for call, _, _ in calls)
    parity = table["parity"]
    values = sum(_count(value) for _, value, _ in calls)
    if (parity["calls"], parity["values"]) != (counts, values) or parity["differences"]:
        yield '"parity"', f"the parity of {slug} is not what it was when this was written"
    scripts = runs.widget(slug)["scripts"]
    if table["scripts"].keys() != set(scripts):
        yield '"scripts"', f"the scripts of {slug} are {', '.join(scripts)}"
    for name in sorted(table["scripts"].keys() & set(scripts)):
        text = content.text(f"{slug}/widget/{name}")
        if hashlib.sha256(text.encode()).hexdigest() != table["scripts"][name]:
            yield f'"{name}"', f"{name} is another script than the one that was compared"


def _count(value: Any) -> int:
    """How many single values there are in a value."""
    inside = list(value.values()) if isinstance(value, dict) else value
    return sum(map(_count, inside)) if isinstance(inside, list) else 1


def _numbers(rows: list, reading: Reading, lines: list[str]) -> Iterator[tuple[int, str]]:
    """Each number of the list is written, is right and is shown; each one shown is in the list."""
    page = _whole(reading.page)
    listed = set()
    for at, row in rows:
        expression, text = row["expression"], row["text"]
        there = lines[row["line"] - 1][row["col"] - 1 :] if row["line"] <= len(lines) else ""
        if not re.match(r"\{\{\s*" + re.escape(expression), there):
            place = f"{row['line']}:{row['col']} of {reading.lesson.file}"
            yield at, f"{place} is not {{{{ {expression} }}}}"
        fact = FACT.fullmatch(expression)
        if fact:
            listed.add((fact[1], text))
        for name in preset_facts(expression):
            listed.add((name, reading.quoted(f"{{{{ {name} }}}}")))
        if fact or expression.partition("(")[0] in WORDS:
            said = reading.quoted(f"{{{{ {expression} }}}}")
            if said.rpartition("/")[2] != text:
                yield at, f'"{text}" is listed where {{{{ {expression} }}}} says "{said}"'
            elif _even(text) not in page:
                yield at, f'"{text}" is listed and not on the page'
    for node in reading.page.root.find("data"):
        name = node.attrs.get("data-from", "").partition(", ")[0]
        measured = node.attrs.get("data-kind") in ("computed", "cited")
        if measured and not name.startswith("words /") and (name, node.text) not in listed:
            line, column = reading.page.place(node.offset)
            yield 0, f'does not list "{node.text}" of {reading.page.name}:{line}:{column}'


def _whole(page: Page) -> str:
    """All text of a page, attributes included."""
    said = [value for node in page.nodes for value in node.attrs.values()]
    return _even("\n".join([page.root.text, *said]))


def _even(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")
