"""The gate: small functions from a draft to findings. CHECKS is the list of them."""

from collections.abc import Iterator

from engine.check_numbers import bare_number, figure_number, number_word
from engine.check_shape import (
    answers,
    figures,
    heading_order,
    links,
    lists,
    lost_text,
    misplaced,
    raw_markup,
    typed_code,
)  # fmt: skip
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
    used = draft.prose.used_facts | draft.facts_in_figures
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
    for source in draft.lesson.programs.values():
        if source.path not in draft.prose.words.used_programs:
            fix = "quote it with code(...), line(...) or run(...), or remove it"
            yield Finding(
                source.path, 1, 1, "unused-program", f"{source.name} is quoted nowhere", fix
            )


CHECKS = (
    bare_number, number_word, figure_number, typed_code, raw_markup, lost_text, misplaced,
    answers, links, lists, figures, heading_order, unused,
)  # fmt: skip
