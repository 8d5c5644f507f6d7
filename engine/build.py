"""The whole job: content/ -> facts, figures, prose -> checks -> pages."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from engine import lock, pages, proof
from engine.checks import check
from engine.course import Course, Lesson
from engine.course_checks import course_texts, unused_in_course
from engine.coverage import account, leaks, styled, summary
from engine.documents import documents
from engine.draft import Draft
from engine.findings import FINDINGS, Finding, Refused, position
from engine.load import load
from engine.markup import figure_names, parse
from engine.progress import Tell, silent
from engine.prose import Prose
from engine.runner import SECONDS, Runner
from engine.stamps import stamps_in
from engine.widget import widget
from engine.words import Words


@dataclass(frozen=True)
class Site:
    """All that is to be published, and what was checked."""

    files: dict[str, bytes]
    report: list[str]


class Findings:
    """Collects what is wrong, so that a run tells it all at once."""

    def __init__(self) -> None:
        self.all: list[Finding] = []
        self.code = 0

    def note(self, refused: Refused) -> None:
        """Take over the findings of a step that could not be done."""
        self.all += refused.findings
        self.code = max(self.code, refused.code)

    def stop_if_any(self) -> None:
        """Raise Refused if anything is wrong."""
        if self.all:
            raise Refused(self.all, max(self.code, FINDINGS))


def build(
    content: Path, templates: Path, cache: Path, seconds: float = SECONDS, tell: Tell = silent
) -> Site:
    """Make the site; each program may run for `seconds`. Raises Refused with every finding."""
    course, drafts, findings = drafts_of(content, cache, seconds, tell=tell)
    findings.all += [finding for draft in drafts for finding in lock.check(draft)]
    findings.stop_if_any()
    return assemble(course, drafts, pages.Frames(templates))


def drafts_of(
    content: Path,
    cache: Path,
    seconds: float = SECONDS,
    unsaved: Mapping[Path, str] = {},
    tell: Tell = silent,
) -> tuple[Course, list[Draft], Findings]:
    """Everything but pages: the course, its lessons written, and all that the gate says of them.

    Raises Refused only if the course cannot be read.
    """
    course, findings = load(content, unsaved), Findings()
    return course, write_all(course, Runner(course, cache, seconds, tell), findings), findings


def write_all(course: Course, runner: Runner, findings: Findings) -> list[Draft]:
    """Every lesson as a draft, checked; those whose code failed are left out."""
    drafts = []
    for lesson in course.lessons:
        try:
            drafts.append(write(course, lesson, runner, findings))
        except Refused as refused:
            findings.note(refused)
    findings.all += [finding for draft in drafts for finding in check(draft)]
    findings.all += course_texts(course)
    if len(drafts) == len(course.lessons):
        findings.all += [*unused_in_course(course, drafts), *documents(course, drafts)]
    return drafts


def write(course: Course, lesson: Lesson, runner: Runner, findings: Findings) -> Draft:
    """Measure, draw and write one lesson; what fails in its expressions goes to `findings`."""
    facts = runner.facts(lesson)
    drawings = runner.figures(lesson, facts)
    behind = widget(lesson, facts, runner) if lesson.widget else None
    settings = behind.data["first"] if behind else ()
    body = lesson.stamped[lesson.body_offset :]
    tokens = parse(body, typed=lambda index: lesson.expressions[index].typed)
    words = Words(course, lesson, figure_names(tokens), runner, settings=settings)
    prose = Prose(lesson, {**facts, **course.cited}, words)
    draft = Draft(course, lesson, tokens, {}, prose, facts, drawings)
    if behind:
        words = Words(course, lesson.widget, [], runner, behind.views, settings)
        prose = Prose(lesson.widget, {**facts, **course.cited}, words)
        page = Draft(course, lesson.widget, [], {}, prose, facts, {}, behind=behind)
        draft = replace(draft, widget=page)
    for part in draft.parts:
        _evaluate(part, findings)
    return draft


def _evaluate(draft: Draft, findings: Findings) -> None:
    """Fill `draft.shown` with what each expression that the text shows puts on the page."""
    met = {index for piece in draft.pieces for index in stamps_in(piece.text)}
    for expression in draft.lesson.expressions:
        if expression.index in met:
            try:
                draft.shown[expression.index] = draft.prose.show(expression)
            except Refused as refused:
                findings.note(refused)


def assemble(course: Course, drafts: list[Draft], frames: pages.Frames) -> Site:
    """Pages, downloads and assets; every number of every page accounted for."""
    html = {"index.html": pages.index_page(course, drafts, frames)}
    files = dict(frames.assets)
    for draft in drafts:
        slug = draft.lesson.entry.slug
        html[f"{slug}/index.html"] = pages.lesson_page(draft, frames)
        files[f"{slug}/{pages.zip_name(draft.lesson)}"] = pages.code_zip(course, draft.lesson)
        if draft.widget:
            html[f"{slug}/widget/index.html"] = pages.widget_page(draft.widget, frames)
            files |= pages.widget_assets(draft.widget.behind)
    parts = [part for draft in drafts for part in draft.parts]
    quoted = {shown.text for part in parts for shown in part.shown.values()}
    findings, report, total, by_page = [], [], Counter(), {}
    for path, page in html.items():
        counts, unknown = account(path, page, course.vocabulary, quoted)
        findings += [*unknown, *leaks(path, page)]
        total += counts
        by_page[path] = counts
        report.append(f"{path}: {summary(counts)}")
        files[path] = page.encode()
    for path, data in files.items():
        findings += styled(path, data.decode()) if path.endswith(".css") else []
    if findings:
        raise Refused(findings)
    for part in parts:
        report += _exceptions(part)
        report += [f"{part.lesson.path}: {part.behind.parity}"] if part.behind else []
    figures = sum(len(draft.drawings) for draft in drafts)
    claims = sum(len(part.prose.claims) for part in parts)
    counted = f"{_some(len(html), 'page')}, {_some(figures, 'figure')}, {_some(claims, 'claim')}"
    report.append(f"{counted} hold{'s' * (claims == 1)}; {summary(total)}")
    files["proof.json"] = proof.proof(course, drafts, by_page)
    return Site(dict(sorted(files.items())), report)


def _exceptions(draft: Draft) -> Iterator[str]:
    """Number words that count nothing, and numbers that need no source, each with its place."""
    for index, shown in draft.shown.items():
        if shown.kind in ("plain", "waived"):
            expression = draft.lesson.expressions[index]
            line, col = position(draft.lesson.text, expression.offset)
            yield f"{shown.kind}: {expression.code} at {draft.lesson.path}:{line}:{col}"


def _some(count: int, thing: str) -> str:
    return f"{count} {thing}{'s' * (count != 1)}"
