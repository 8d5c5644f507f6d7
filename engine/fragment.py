"""HTML with expressions in it: its text as pieces for the gate, and filled in for the page.

A widget's page is written in HTML, because its form is its own. What a reader meets in it is held
to the same rules as Markdown: text, and the attributes that are read aloud or set a control.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from html import escape, unescape
from html.parser import HTMLParser

from engine.pieces import Piece
from engine.stamps import STAMP, fill_in, stamps_in

READ_ALOUD = (
    "alt", "title", "aria-label", "aria-description", "aria-valuetext", "placeholder", "label",
)  # fmt: skip
SET = ("value", "min", "max", "step", "start")  # a control's numbers are numbers too
SILENT = ("script", "style")
TAG = re.compile(r"""<[a-zA-Z/](?:"[^"]*"|'[^']*'|[^"'>])*>""")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")


@lru_cache(100)
def html_pieces(stamped: str) -> tuple[Piece, ...]:
    """Every run of text a reader meets, with its place in `stamped`; then what nobody meets."""
    return tuple(_pieces(stamped))


def _pieces(stamped: str) -> Iterator[Piece]:
    reader = _Reader(stamped)
    reader.feed(stamped)
    reader.close()
    yield from reader.pieces
    met = {index for piece in reader.pieces for index in stamps_in(piece.text)}
    for match in STAMP.finditer(COMMENT.sub(lambda note: " " * len(note[0]), stamped)):
        if met.isdisjoint(stamps_in(match[0])):
            yield Piece(match[0], "machine", ((0, match.start()),))


def fill_html(stamped: str, html: Callable[[int], str], text: Callable[[int], str]) -> str:
    """The HTML with `html(index)` for each stamp in its text, `text(index)` for one in a tag.

    Comments are the author's own, and stay with the author.
    """
    stamped = COMMENT.sub("", stamped)
    in_tags = {index for tag in TAG.finditer(stamped) for index in stamps_in(tag[0])}
    return fill_in(stamped, lambda index: escape(text(index)) if index in in_tags else html(index))


class _Reader(HTMLParser):
    def __init__(self, source: str):
        super().__init__(convert_charrefs=False)
        self.pieces: list[Piece] = []
        self._lines = [0, *(match.end() for match in re.finditer("\n", source))]
        self._silent = False

    def _here(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent = tag in SILENT
        start = self._here()
        for match in ATTRIBUTE.finditer(self.get_starttag_text() or ""):
            name, group = match[1].lower(), match.lastindex or 0
            place = "title" if name in READ_ALOUD else "text" if name in SET else ""
            if place and match[group]:
                self._add(match[group], place, start + match.start(group))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self._silent = False

    def handle_endtag(self, tag: str) -> None:
        self._silent = False

    def handle_data(self, data: str) -> None:
        start = self._here()
        for line in data.split("\n"):
            if line.strip() and not self._silent:
                self._add(line, "text", start)
            start += len(line) + 1

    def handle_charref(self, name: str) -> None:
        self._add(unescape(f"&#{name};"), "text", self._here())

    def handle_entityref(self, name: str) -> None:
        self._add(unescape(f"&{name};").removesuffix(";"), "text", self._here())

    def parse_marked_section(self, i: int, report: int = 1) -> int:
        """`<![` begins nothing in HTML, and the library would raise."""
        return self.parse_bogus_comment(i, report)

    def _add(self, text: str, place: str, offset: int) -> None:
        self.pieces.append(Piece(text, place, ((0, offset),)))
