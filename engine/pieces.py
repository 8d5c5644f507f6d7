"""Runs of text that a reader meets, each with its place in the author's file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from markdown_it.token import Token

STRAIGHT = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")  # the parser curls quotes
WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class Piece:
    """A run of text within one line."""

    text: str
    place: str  # "text", "code", "block" (typed code), "alt", "figure" (its name),
    # or of a link "title" and "target"; "machine" where nobody reads it
    starts: tuple[tuple[int, int], ...]  # (index in text, offset in the source), ascending

    def at(self, index: int) -> int:
        """Where a character of `text` stands in the source."""
        start, offset = max(pair for pair in self.starts if pair[0] <= index)
        return offset + index - start


class _Finder:
    """Goes through the source as the reader goes through the page, block by block."""

    def __init__(self, source: str):
        self._source = source.translate(STRAIGHT)
        self._lines = [0, *(match.end() for match in re.finditer("\n", source)), len(source)]
        self._cursor, self._end = 0, len(source)

    def enter(self, token: Token) -> None:
        """Go on at the token's block, and look no further than its end."""
        if token.map:
            self._cursor = max(self._cursor, self._lines[token.map[0]])
            self._end = self._lines[min(token.map[1], len(self._lines) - 1)]

    def here(self) -> int:
        return self._cursor

    def pieces(self, text: str, place: str) -> Iterator[Piece]:
        """`text` line by line. What an entity or a backslash changed is found word by word."""
        for part in text.split("\n"):
            at = self._find(part)
            if at >= 0:
                starts = [(0, at)]
            else:
                starts = [(0, self._cursor)]
                for word in WORD.finditer(part):
                    at = self._find(word[0])
                    if at >= 0:
                        starts.append((word.start(), at))
            if part:
                yield Piece(part, place, tuple(dict(starts).items()))

    def _find(self, text: str) -> int:
        at = self._source.find(text.translate(STRAIGHT), self._cursor, self._end)
        if at >= 0:
            self._cursor = at + len(text)
        return at


def pieces(tokens: list[Token], source: str) -> Iterator[Piece]:
    """Every run of text in `tokens`, in reading order, with its place in `source`."""
    finder = _Finder(source)
    for token in tokens:
        finder.enter(token)
        if token.type == "inline":
            yield from _inline(token.children or [], finder)
        elif token.type in ("fence", "code_block"):
            yield Piece(token.content, "block", ((0, finder.here()),))


def _inline(children: list[Token], finder: _Finder) -> Iterator[Piece]:
    links: list[Token] = []
    for child in children:
        if child.type == "text":
            yield from finder.pieces(child.content, "text")
        elif child.type == "code_inline":
            yield from finder.pieces(child.content, "code")
        elif child.type == "image":
            for piece in _inline(child.children or [], finder):
                yield replace(piece, place="alt")
            yield from finder.pieces(str(child.attrs["src"]), "figure")
        elif child.type == "link_open":
            links.append(child)
        elif child.type == "link_close":
            link = links.pop()
            yield from finder.pieces(str(link.attrs["href"]), "target")
            yield from finder.pieces(str(link.attrs.get("title", "")), "title")
