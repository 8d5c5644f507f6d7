"""The finished page read once more: every number on it, by the kind of its source.

This sees what the reader sees, the page's frame and the figures included, and so also what a
check of the Markdown cannot see.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from engine.course import Vocabulary
from engine.findings import Finding
from engine.html_events import events
from engine.numerals import numerals
from engine.stamps import RESERVED

KINDS = ("computed", "cited", "structural", "excerpt", "transcript", "figure", "name", "waived")
IN_DATA = ("computed", "cited", "structural")  # these have an element that holds their source
HEARD = ("title", "alt", "aria-label", "content", "placeholder")  # attributes that are read
GENERATED = re.compile(r"""\bcontent\s*:\s*("[^"\n]*"|'[^'\n]*')""")
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
SILENT = {"script", "style"}


def account(
    path: str, page: str, vocabulary: Vocabulary, quoted: Iterable[str] = ()
) -> tuple[Counter, list[Finding]]:
    """How many numbers of each kind `page` shows, and a finding for each that has none.

    An attribute has no room for a source: its numbers must be in a text that is `quoted`.
    """
    return _read(path, page, vocabulary, frozenset(quoted))


@lru_cache(100)
def _read(path: str, page: str, vocabulary: Vocabulary, quoted: frozenset[str]):
    """Pages that are as they were need not be read again."""
    known = {number for text in quoted for number, _, _ in numerals(text, vocabulary)}
    reader = _Reader(path, vocabulary, known)
    reader.read(page)
    return reader.counts, reader.findings


def summary(counts: Counter) -> str:
    """ "562 numbers: 431 computed, 96 structural, ..., 0 unknown"."""
    shown = [kind for kind in KINDS if counts[kind]]
    kinds = ", ".join(f"{counts[kind]:,} {kind}" for kind in [*shown, "unknown"])
    return f"{counts.total():,} numbers: {kinds}"


class _Reader:
    def __init__(self, path: str, vocabulary: Vocabulary, known: set[str]):
        self._known = known
        self.counts: Counter = Counter()
        self.findings: list[Finding] = []
        self._path, self._vocabulary = path, vocabulary
        self._open: list[tuple[str, str]] = []  # (tag, kind) of each element we are in
        self._place = (1, 0)

    def read(self, page: str) -> None:
        for event, what, *place in events(page):
            self._place = place
            if event == "start":
                self._start(*what)
            elif event == "end":
                self._end(*what)
            elif event == "data":
                self._data(*what)

    def _start(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        outer = self._open[-1][1] if self._open else ""
        kind = dict(attrs).get("data-kind") or outer
        heard = [] if ("name", "viewport") in attrs else [(n, v) for n, v in attrs if n in HEARD]
        for name, value in heard:
            for number, _, named in numerals(value or "", self._vocabulary):
                if not named and number not in self._known:
                    fix = "quote a fact, or take it out of the template"
                    what = f'"{number}" in the attribute {name} has no source'
                    self._found("", 0, "no-source", what, fix)
        if tag == "data":  # one number, whether in digits or in letters
            self.counts[kind] += 1
        if tag not in VOID:
            self._open.append((tag, kind))

    def _end(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def _data(self, data: str) -> None:
        tag, kind = self._open[-1] if self._open else ("", "")
        if tag == "data" or tag in SILENT:
            return
        kind = "" if kind in IN_DATA else kind
        for number, offset, name in numerals(data, self._vocabulary):
            known = kind or ("name" if name else "unknown")
            self.counts[known] += 1
            if known == "unknown":
                fix = "write it as a fact in lesson.md, or take it out of the template"
                self._found(
                    data, offset, "no-source", f'"{number}" is on the page without a source', fix
                )
        for match in RESERVED.finditer(data):
            fix = "take the expression out of this place"
            self._found(data, match.start(), "leak", "an expression came through unevaluated", fix)

    def _found(self, data: str, offset: int, rule: str, what: str, fix: str) -> None:
        line, column = self._place
        before = data[:offset]
        column = len(before) - before.rfind("\n") if "\n" in before else column + offset + 1
        self.findings.append(
            Finding(self._path, line + before.count("\n"), column, rule, what, fix)
        )


def leaks(path: str, page: str) -> Iterator[Finding]:
    """Stamps anywhere in a file, attributes included."""
    for match in RESERVED.finditer(page):
        line = page.count("\n", 0, match.start()) + 1
        what, fix = "an expression came through unevaluated", "take it out of this place"
        yield Finding(path, line, 1, "leak", what, fix)


def styled(path: str, css: str) -> Iterator[Finding]:
    """A number that a style sheet puts on the page: a reader meets it, and nothing holds it."""
    for match in GENERATED.finditer(css):
        if any(char.isnumeric() for char in match[1]):
            line = css.count("\n", 0, match.start()) + 1
            what, fix = (
                f"content: {match[1]} puts a number on the page",
                "write it as a fact in the text",
            )
            yield Finding(path, line, 1, "no-source", what, fix)
