"""HTML as what a parser meets, part by part: after an edit only the parts that changed are parsed.

A part ends where a line begins with the tag of a block. Whether that was inside of something (a
comment, a script, an attribute) shows by what the parser still waits for; then all the rest is one.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from html.parser import HTMLParser

BLOCK = "article|div|figure|footer|h[1-6]|header|li|main|nav|ol|p|pre|script|section|svg|table|ul"
CUT = re.compile(rf"(?<=\n)(?=<(?:{BLOCK})[\s>])")
Event = tuple[str, tuple, int, int]  # "start", "empty", "end" or "data"; what; line, column


def events(page: str) -> Iterator[Event]:
    """What the parser meets, in order, with lines from 1 and columns from 0."""
    line, parts = 0, CUT.split(page)
    while parts:
        part, *rest = parts
        found = _whole(part) if rest else None
        if found is None:
            part, rest = "".join(parts), []
            found = _events(part)[0]
        for kind, what, below, column in found:
            yield kind, what, line + below, column
        line, parts = line + part.count("\n"), rest


@lru_cache(10_000)
def _whole(part: str) -> list[Event] | None:
    """A part's events, if it is whole by itself."""
    found, waits = _events(part, whole=False)
    return None if waits else found


def _events(part: str, whole: bool = True) -> tuple[list[Event], bool]:
    """The events, and whether the parser waits for more."""
    parser = _Parser()
    parser.feed(part)
    waits = bool(parser.rawdata or parser.cdata_elem)
    if whole:
        parser.close()
    return parser.found, waits


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[Event] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(("start", (tag, attrs), *self.getpos()))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(("empty", (tag, attrs), *self.getpos()))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(("end", (tag,), *self.getpos()))

    def handle_data(self, data: str) -> None:
        self.found.append(("data", (data,), *self.getpos()))
