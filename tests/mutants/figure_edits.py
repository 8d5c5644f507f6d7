"""Numbers typed into figures: into the labels of figures.py and the texts of drawings by hand."""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from engine.draft import Draft
from tests.mutants.amounts import one_more
from tests.mutants.code_edits import Program
from tests.mutants.mutant import Mutant, edit_of

EQUAL = " 3.49"  # heavy.ttft_p99 as it is printed
ENDS = (" 7", " 25 ms", EQUAL, " seven", " twice")
DRAWN = {"set_title", "text", "set_xlabel", "set_ylabel", "annotate", "axhline", "axvline"}
FACT_TEXT = re.compile(r"facts(?P<name>(?:\.\w+)+)\.text")
RUN_TEXT = re.compile(r"\{run\.(\w+)\.text\}")
SVG_TEXT = re.compile(r"(?<=>)(?P<text>[^<>{}\n]*[a-z][^<>{}\n]*)(?=</text>)")
SVG_STRING = re.compile(r'(?:\(|, )"(?P<text>[a-z][a-z ,:?]*)"')  # handed to a macro or a loop
SVG_VALUE = re.compile(r"\{\{ steps\.index\(step\) \+ 1 \}\}")


def labels(draft: Draft, path: str, text: str) -> Iterator[Mutant]:
    """Each label of figures.py with a number at its end, and each fact in one typed."""
    program = Program(path, text)
    for index, span in enumerate(_strings(program)):
        inside = program.text[slice(*span)]
        at = span[0] + len(inside.rstrip("\"'"))
        for end in _some(index):
            about = f"`{end.strip()}` at the end of {inside}"
            edit = edit_of("figures", "number in a label", path, text, (at, at), end, about)
            # What equals a fact of that figure is true until the fact moves.
            yield _of_fact(draft, edit, "heavy.ttft_p99") if end == EQUAL else edit
    for match in FACT_TEXT.finditer(text):
        said = draft.facts[match["name"].lstrip(".")].text.replace("\u00a0", " ")
        for new, how in ((said, "typed"), (one_more(said), "typed, one more")):
            in_f_string = text[match.start() - 1] == "{" and text[match.end()] == "}"
            span = (match.start() - 1, match.end() + 1) if in_f_string else match.span()
            shown = new if in_f_string else f'"{new}"'
            edit = edit_of("figures", f"fact in a figure {how}", path, text, span, shown)
            yield _of_fact(draft, edit, match["name"].lstrip("."))
    for match in RUN_TEXT.finditer(text):
        said = draft.facts[f"heavy.{match[1]}"].text
        edit = edit_of("figures", "fact in a figure typed", path, text, match.span(), said)
        yield _of_fact(draft, edit, f"heavy.{match[1]}")


def drawings(path: str, text: str) -> Iterator[Mutant]:
    """Each text of a drawing made by hand with a number at its end; each live number typed."""
    for pattern in (SVG_TEXT, SVG_STRING):
        for index, match in enumerate(pattern.finditer(text)):
            at = match.end("text")
            for end in _some(index):
                about = f"`{end.strip()}` at the end of `{match['text']}`"
                yield edit_of("figures", "number in a drawing", path, text, (at, at), end, about)
    for match in SVG_VALUE.finditer(text):
        for new in ("{{ steps.index(step) + 2 }}", "3"):
            yield edit_of("figures", "number of a step", path, text, match.span(), new)


def _of_fact(draft: Draft, edit: Mutant, name: str) -> Mutant:
    """The edit that types a fact, with a value that makes it stale."""
    value = draft.facts[name].value
    return replace(edit, fact=name, values=(value + 1 if not isinstance(value, str) else "none",))


def _some(index: int) -> tuple[str, ...]:
    """Two of the endings, others for each label: to draw takes a second."""
    return tuple(ENDS[(2 * index + step) % len(ENDS)] for step in (0, 1))


def _strings(program: Program) -> Iterator[tuple[int, int]]:
    """The titles (docstrings) of figures, and what is handed to matplotlib to write."""
    for node in program.nodes():
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            start, end = program.span(node.body[0].value)
            yield start, end
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in DRAWN:
            for argument in node.args:
                for part in ast.walk(argument):
                    is_text = isinstance(part, ast.Constant) and isinstance(part.value, str)
                    in_f_string = isinstance(argument, ast.JoinedStr) and part is argument
                    if (is_text and not isinstance(argument, ast.JoinedStr)) or in_f_string:
                        yield program.span(part)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
            for part in node.value.elts:
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield program.span(part)
