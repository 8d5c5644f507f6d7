"""The gate for what belongs to no single lesson: the course's titles, its names and its sources."""

from collections.abc import Iterator

from engine.check_numbers import READ
from engine.checks import where
from engine.course import Course
from engine.documents import names_in_documents
from engine.draft import Draft
from engine.findings import Finding
from engine.numerals import numerals
from engine.script_text import script_pieces


def course_texts(course: Course) -> Iterator[Finding]:
    """A number typed into the course's titles or its list of sources."""
    for path, line, text in _texts(course):
        for number, _, name in numerals(text, course.vocabulary):
            if not name:
                fix = "list the name it belongs to in vocabulary.toml"
                what = f'"{number}" in "{text}" has no source'
                yield Finding(path, line, 1, "bare-number", what, fix)


def unused_in_course(course: Course, drafts: list[Draft]) -> Iterator[Finding]:
    """Names, sources and cited numbers that no lesson uses."""
    parts = [part for draft in drafts for part in draft.parts]
    texts = [piece.text for part in parts for piece in part.pieces if piece.place in READ]
    texts += [text for _, _, text in _texts(course)]
    scripts = [script for part in parts if part.behind for script in part.behind.scripts.values()]
    texts += [piece.text for script in scripts for piece in script_pieces(script)]
    used_names = {name for text in texts for _, _, name in numerals(text, course.vocabulary)}
    used_names |= set(names_in_documents(course))
    for name in course.vocabulary.lines.keys() - used_names:
        line = course.vocabulary.lines[name]
        what = f'"{name}" is used nowhere'
        yield Finding(course.vocabulary.path, line, 1, "unused-name", what, "remove it")
    used_facts = {name for part in parts for name in part.prose.used_facts}
    used_works = {key for part in parts for key in part.prose.words.used_citations}
    for name, fact in course.cited.items():
        if name not in used_facts:
            what, fix = f"{name} is quoted nowhere", f"quote {{{{ {name} }}}} or remove it"
            yield Finding(*where(course, fact), 1, "unused-source", what, fix)
    for key, work in course.citations.items():
        if key not in used_works:
            what, fix = f'"{key}" is cited nowhere', f'cite {{{{ source("{key}") }}}} or remove it'
            yield Finding(
                str(course.root / "sources.toml"), work.line, 1, "unused-source", what, fix
            )


def _texts(course: Course) -> Iterator[tuple[str, int, str]]:
    """(path, line, text) of what a page may show of the course's TOML files."""
    yield from (
        (str(course.root / "course.toml"), 1, text) for text in (course.title, course.description)
    )
    for entry in course.entries.values():
        yield str(course.root / "course.toml"), entry.line, entry.title
    for work in course.citations.values():
        for text in (work.title, work.short, work.read):
            yield str(course.root / "sources.toml"), work.line, text
