"""All mutants of the lesson, in the order of the files."""

from engine.load import load
from tests.mutants import (
    added,
    claims,
    code_edits,
    facts_moved,
    figure_edits,
    harmless,
    port_edits,
    typed,
    widget_edits,
)
from tests.mutants.bench import Bench
from tests.mutants.excerpts import quoted_lines
from tests.mutants.mutant import Mutant


def corpus(bench: Bench) -> list[Mutant]:
    """Every edit that the harness knows, each once."""
    draft, findings = bench.draft()
    if findings:
        raise SystemExit(f"the lesson is not clean as it is: {findings[0]}")
    slug, text = draft.lesson.entry.slug, draft.lesson.text
    path, figures, drawing = f"{slug}/lesson.md", f"{slug}/figures.py", f"{slug}/kitchen.svg"
    found = [
        *typed.typed(draft, path), *typed.names(draft, path), *typed.words(draft, path),
        *claims.claims(draft, path), *added.sentences(path, text), *added.elsewhere(path, text),
        *facts_moved.moved(draft), *facts_moved.failing(draft),
        *figure_edits.labels(draft, figures, bench.text(figures)),
        *figure_edits.drawings(drawing, bench.text(drawing)),
        *harmless.wording(draft, path), *harmless.layout(draft, path),
    ]  # fmt: skip
    page = f"{slug}/widget/page.html"
    scripts = {f"{slug}/widget/{name}": text for name, text in draft.widget.behind.scripts.items()}
    found += widget_edits.page(draft.widget, page)
    found += widget_edits.harmless(draft.widget, page, scripts)
    for script, text in scripts.items():
        found += widget_edits.texts(script, text)
    found += port_edits.edits(*next(iter(scripts.items())))
    quoted = quoted_lines(load(bench.content), draft.lesson)
    for file in sorted(bench.content.glob("*/code/*.py")):
        program = str(file.relative_to(bench.content))
        lines = quoted.get(program, set())
        found += code_edits.edits(program, bench.text(program), lines)
        found += harmless.comments(program, bench.text(program), lines)
        found += harmless.locals_renamed(program, bench.text(program), lines)
    return sorted({(m.name, m.start, m.new): m for m in found}.values(), key=_order)


def _order(mutant: Mutant):
    return mutant.surface, mutant.path, mutant.line, mutant.rule, mutant.edit, mutant.new
