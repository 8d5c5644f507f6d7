"""What the page takes from the text of programs: found anew without running anything."""

import re
from collections.abc import Iterator

from engine.course import Course, Lesson
from engine.findings import Refused
from engine.prose import Prose
from engine.words import Words

FROM_TEXT = re.compile(r"(?:code|line|src)\(")
NUMBERED = re.compile(r'data-line="(\d+)"|<data value="(\d+)"')


def excerpts(course: Course, lesson: Lesson) -> dict[str, str]:
    """Expression -> its HTML, or the findings, for each excerpt and each line."""
    found = {}
    for code, prose in _evaluators(course, lesson):
        try:
            found[code.code] = prose.show(code).html
        except Refused as refused:
            found[code.code] = str(refused)
    return found


def quoted_lines(course: Course, lesson: Lesson) -> dict[str, set[int]]:
    """Program, by its path below content/ -> the lines (from 1) that the page shows or names."""
    found: dict[str, set[int]] = {}
    for code, prose in _evaluators(course, lesson):
        html = prose.show(code).html
        [name] = prose.words.used_programs
        numbers = {int(one or two) for one, two in NUMBERED.findall(html)}
        found.setdefault(name.removeprefix(f"{course.root}/"), set()).update(numbers)
    return found


def _evaluators(course: Course, lesson: Lesson) -> Iterator:
    """Each expression of this kind, and prose that knows no fact and runs no program."""
    for expression in lesson.expressions:
        if FROM_TEXT.match(expression.code):
            yield expression, Prose(lesson, {}, Words(course, lesson, [], None))
