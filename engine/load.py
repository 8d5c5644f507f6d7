"""content/ read into a Course, or all that is wrong in its TOML files."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from engine.course import (
    FRONT_MATTER,
    LESSON,
    WIDGET,
    Citation,
    Course,
    Entry,
    Lesson,
    Vocabulary,
    first_like,
    read_text,
)
from engine.facts import Fact, NotAFact, must_be_digits, plain_value
from engine.findings import Finding, Refused, position
from engine.stamps import RESERVED, stamp

SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
QUANTITY = re.compile(r"[\d.,\s]+(?:s|ms|%|[KMG]i?B|times|x|×|chats|pages|tokens)?")
PLAIN_NUMBERS = (
    "0",
    "7",
    "42",
    "240",
    "1291",
    "0.39",
    "3.492",
    "88,935",
    "1e-7",
    "10/20",
    "7 s",
    "80 times",
    "99%",
)
KINDS = {str: "a text", int: "a whole number", list: "a list", dict: "a table"}
LESSON_KEYS = {
    "title": str, "search_title": str, "description": str, "date": str, "topic": str,
    "prerequisites": list, "steps": list, "deep": str,
}  # fmt: skip
WIDGET_KEYS = {"title": str, "description": str}


def load(root: Path, unsaved: Mapping[Path, str] = {}) -> Course:
    """Read the course. Raises Refused with all that is wrong in its TOML files.

    unsaved: texts of lessons and widgets' pages as an editor has them, by their path.
    """
    course = _toml(root / "course.toml")
    findings: list[Finding] = []
    entries = _entries(root, course, findings)
    lessons = []
    for entry in entries.values():
        if not entry.url:
            try:
                lessons.append(_lesson(root / entry.slug, entry, unsaved))
            except Refused as refused:
                findings += refused.findings
    citations, cited = _sources(root / "sources.toml", findings)
    vocabulary = _vocabulary(root / "vocabulary.toml", findings)
    if findings:
        raise Refused(findings)
    return Course(
        root, course["title"], course["description"], entries, lessons, citations, cited, vocabulary
    )


def _toml(path: Path) -> dict[str, Any]:
    return _parse_toml(read_text(path), str(path), 0)


def _parse_toml(text: str, path: str, lines_before: int) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"line (\d+), column (\d+)", str(error))
        line, col = (int(place[1]), int(place[2])) if place else (text.count("\n") + 1, 1)
        what = f"is not TOML: {str(error).split(' (at')[0].lower()}"
        fix = "mend the line; strings stand in double quotes"
        raise Refused([Finding(path, line + lines_before, col, "toml", what, fix)]) from None
    except (ValueError, RecursionError):  # which the library lets through
        what, fix = "has a value that is too long or too deep", "write a shorter one"
        raise Refused([Finding(path, lines_before + 1, 1, "toml", what, fix)]) from None


def _entries(root: Path, course: dict, findings: list[Finding]) -> dict[str, Entry]:
    path = root / "course.toml"
    keys = {"title": str, "description": str, "published": str, "lessons": list}
    _expect(course, keys, str(path), 1, findings)
    text = read_text(path)
    entries: dict[str, Entry] = {}
    for item in course.get("lessons", []) if not findings else []:
        slug = item.get("slug", "") if isinstance(item, dict) else ""
        line = _line_of(text, f'slug = "{slug}"')
        keys = {"number": int, "slug": str, "title": str}
        if not _expect(item, keys, str(path), line, findings):
            continue
        if not SLUG.fullmatch(slug) or slug in entries:
            what, fix = f'slug "{slug}" is no folder name, or is there already', "choose another"
            findings.append(Finding(str(path), line, 1, "toml", what, fix))
        if item["number"] in [entry.number for entry in entries.values()]:
            what = f"number {item['number']} is another lesson's too"
            findings.append(Finding(str(path), line, 1, "toml", what, "choose another"))
        here = any((root / slug / name).exists() for name in ("lesson.md", "facts.py"))
        url = "" if here else course["published"].replace("{slug}", slug)
        entries[slug] = Entry(item["number"], slug, item["title"], url, line)
    for lesson in sorted(root.glob("*/lesson.md")):
        if not findings and lesson.parent.name not in entries:
            what, fix = "the course does not list this lesson", f"add it to {path}"
            findings.append(Finding(str(lesson), 1, 1, "unlisted-lesson", what, fix))
    return entries


def _lesson(folder: Path, entry: Entry, unsaved: Mapping[Path, str]) -> Lesson:
    """The lesson's text, and that of its widget's page if it has one."""
    findings: list[Finding] = []
    lesson = _text(folder, LESSON, LESSON_KEYS, entry, findings, unsaved)
    widget = None
    if (folder / WIDGET).exists() or (folder / "widget.py").exists():
        widget = _text(folder, WIDGET, WIDGET_KEYS, entry, findings, unsaved)
    if findings:
        raise Refused(findings)
    try:
        date.fromisoformat(lesson.meta["date"])
    except ValueError:
        what, fix = f'"{lesson.meta["date"]}" is no date', "write it as year-month-day"
        place = lesson.path, _line_of(lesson.text, "date ="), 1
        raise Refused([Finding(*place, "front-matter", what, fix)]) from None
    return replace(lesson, widget=widget)


def _text(
    folder: Path, file: str, keys: dict[str, type], entry: Entry, findings: list[Finding],
    unsaved: Mapping[Path, str],
) -> Lesson:  # fmt: skip
    """A file of text with its expressions stamped and its front matter read."""
    path = str(folder / file)
    text = unsaved[folder / file] if folder / file in unsaved else read_text(folder / file)
    reserved = [
        Finding(
            path, *position(text, match.start()), "reserved-character",
            "a private-use character is kept for the engine", "delete it",
        )
        for match in RESERVED.finditer(text)
    ]  # fmt: skip
    if reserved:
        raise Refused(reserved)
    stamped, expressions = stamp(text)
    match = FRONT_MATTER.match(stamped)
    if not match:
        what, fix = "has no front matter", "begin the file with a block of TOML between +++ lines"
        raise Refused([Finding(path, 1, 1, "front-matter", what, fix)])
    meta = _parse_toml(match[1], path, 1)
    _expect(meta, keys, path, 2, findings)
    return Lesson(entry, folder, text, stamped, expressions, meta, file)


def _sources(path: Path, findings: list[Finding]) -> tuple[dict[str, Citation], dict[str, Fact]]:
    citations, cited = {}, {}
    table, text = _toml(path), read_text(path)
    for key, work in table.items():
        line = _line_of(text, f"[{key}]")
        if not isinstance(work, dict):
            what, fix = f'"{key}" belongs to no work', f"begin the work with [{key}]"
            findings.append(Finding(str(path), _line_of(text, f"{key} ="), 1, "toml", what, fix))
            continue
        about = {name: value for name, value in work.items() if not isinstance(value, dict)}
        wanted = dict.fromkeys(("title", "short", "url", "read"), str)
        if not _expect(about, wanted, str(path), line, findings):
            continue
        citations[key] = Citation(key, **about, line=line)
        for name, number in work.items():
            if isinstance(number, dict):
                line = _line_of(text, f"[{key}.{name}]")
                keys = {"value": object, "unit": str, "digits": int, "place": str}
                if _expect(number, keys, str(path), line, findings):
                    full, origin = f"cite.{key}.{name}", f"{path.name}:{line}"
                    try:
                        value = plain_value(number["value"])
                        must_be_digits(number["digits"])
                    except NotAFact as error:
                        fix = "give value a number, and digits how many decimals it has"
                        findings.append(Finding(str(path), line, 1, "toml", str(error), fix))
                        continue
                    unit, digits = number["unit"], number["digits"]
                    cited[full] = Fact(full, value, unit, digits, origin, "cited")
    return citations, cited


def _vocabulary(path: Path, findings: list[Finding]) -> Vocabulary:
    table, text = _toml(path), read_text(path)
    if not _expect(table, {"names": list, "patterns": dict}, str(path), 1, findings):
        return Vocabulary(str(path), {}, [], {})
    names = [str(name) for name in table["names"]]
    lines = {name: _line_of(text, f'"{name}"') for name in names}
    wrong = {
        name: "is a quantity: it would let a number through"
        for name in lines
        if QUANTITY.fullmatch(name)
    }
    for name, pattern in table["patterns"].items():
        lines[name] = _line_of(text, f"{name} =")
        try:
            known = re.compile(f"(?P<{name}>{pattern})")
            if any(known.fullmatch(number) for number in PLAIN_NUMBERS):
                wrong[name] = "knows plain numbers: it would let them through"
        except re.error as error:
            wrong[name] = f"is not a pattern: {error}"
    for name, what in wrong.items():
        finding = Finding(
            str(path), lines[name], 1, "toml", f'"{name}" {what}', "change or remove it"
        )
        findings.append(finding)
    return first_like(Vocabulary(str(path), lines, names, table["patterns"]))


def _expect(table: dict, keys: dict[str, type], path: str, line: int, findings: list) -> bool:
    """Note each key that is missing, unknown or of another type; True if there is none."""
    before = len(findings)
    if not isinstance(table, dict):
        fix = f"write {', '.join(keys)}"
        findings.append(Finding(path, line, 1, "toml", f"{table!r} is no table", fix))
        return False
    for key, kind in keys.items():
        if key not in table:
            findings.append(
                Finding(path, line, 1, "toml", f'"{key}" is missing', f"add {key} = ...")
            )
        elif not isinstance(table[key], kind):
            what = f'"{key}" must be {KINDS[kind]}'
            findings.append(Finding(path, line, 1, "toml", what, "change its value"))
    for key in table.keys() - keys.keys():
        fix = f"remove it; the keys are {', '.join(keys)}"
        findings.append(Finding(path, line, 1, "toml", f'"{key}" means nothing here', fix))
    return len(findings) == before


def _line_of(text: str, wanted: str) -> int:
    return position(text, max(text.find(wanted), 0))[0]
