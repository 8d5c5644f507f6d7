"""The gate: small functions from a draft to findings. CHECKS is the list of them."""

from collections.abc import Iterator

from engine.check_numbers import bare_number, figure_number, number_word
from engine.check_shape import (
    answers,
    figures,
    heading_order,
    links,
    lists,
    loose_braces,
    lost_text,
    misplaced,
    raw_markup,
    typed_code,
)  # fmt: skip
from engine.check_widget import inline, port, script_number
from engine.course import Course
from engine.draft import Draft
from engine.facts import Fact
from engine.findings import Finding
from engine.markup import figure_names


def where(course: Course, fact: Fact) -> tuple[str, int]:
    """Path and line of a fact's origin, as findings name them."""
    path, _, line = fact.origin.rpartition(":")
    return str(course.root / path), int(line)


def unused(draft: Draft) -> Iterator[Finding]:
    """A fact, figure, program or source of this lesson that nothing on the page uses."""
    folder = draft.lesson.folder
    used = draft.facts_in_figures | draft.facts_in_widget
    used |= {name for part in draft.parts for name in part.prose.used_facts}
    for name, fact in draft.facts.items():
        if name not in used:
            fix = f"quote {{{{ {name} }}}} or remove it"
            place = where(draft.course, fact)
            yield Finding(*place, 1, "unused-fact", f"{name} is quoted nowhere", fix)
    for name in draft.drawings.keys() - set(figure_names(draft.tokens)):
        line, fix = draft.drawings[name].line, f"show it with ![what it shows]({name}) or remove it"
        yield Finding(
            str(folder / "figures.py"), line, 1, "unused-figure", f'"{name}" is shown nowhere', fix
        )
    for part in draft.parts:
        for name in part.behind.views.keys() - part.prose.words.used_views if part.behind else ():
            fix = f'show it with {{{{ live("{name}") }}}} or remove it'
            what = f'the view "{name}" is shown nowhere'
            yield Finding(part.lesson.path, 1, 1, "unused-figure", what, fix)
    for source in draft.lesson.programs.values():
        if all(source.path not in part.prose.words.used_programs for part in draft.parts):
            fix = "quote it with code(...), line(...) or run(...), or remove it"
            yield Finding(
                source.path, 1, 1, "unused-program", f"{source.name} is quoted nowhere", fix
            )


CHECKS = (
    bare_number, number_word, figure_number, typed_code, raw_markup, loose_braces, lost_text,
    misplaced, answers, links, lists, figures, heading_order, unused,
)  # fmt: skip
WIDGET_CHECKS = (bare_number, number_word, loose_braces, misplaced, port, inline, script_number)


def check(draft: Draft) -> Iterator[Finding]:
    """All that is wrong with a lesson, its widget's page included."""
    for part in draft.parts:
        for rule in WIDGET_CHECKS if part.behind else CHECKS:
            yield from rule(part)
