"""A text as its file or its editor holds it, beside the same text as the engine reads it.

The engine's texts have no byte-order mark, and their lines end in "\\n". Files keep every byte.
Editors end a line at "\\r" too, and count columns in units of an encoding: an emoji is two of
UTF-16. So there are three ways to name a place: an offset in the engine's text ("plain"), an
offset in the text as it is ("raw"), and an editor's line and column, both from 0.
"""

import re
from bisect import bisect_left, bisect_right
from functools import cached_property

MARK = "\ufeff"
LINE_END = re.compile(r"\r\n|\n|\r")
HALF = re.compile("[\ud800-\udfff]")  # of a character that an editor has cut in two


class RawText:
    """One text and its places."""

    def __init__(self, text: str):
        self.text = text

    @cached_property
    def plain(self) -> str:
        """As the engine reads it."""
        return HALF.sub("\ufffd", self.text.removeprefix(MARK).replace("\r\n", "\n"))

    @cached_property
    def _left_out(self) -> list[int]:
        """Where the characters stand that the plain text leaves out."""
        mark = [0] if self.text.startswith(MARK) else []
        return mark + [match.start() for match in re.finditer("\r\n", self.text)]

    @cached_property
    def _gaps(self) -> list[int]:
        """The same places, as offsets of the plain text; what stands before all of it is at -1."""
        mark = self.text.startswith(MARK)
        return [at - skipped - (mark and not at) for skipped, at in enumerate(self._left_out)]

    def raw(self, plain: int) -> int:
        """The raw offset of a plain one; a line's end is before its "\\r\\n"."""
        return plain + bisect_left(self._gaps, plain)

    def to_plain(self, raw: int) -> int:
        """The plain offset of a raw one."""
        return raw - bisect_left(self._left_out, raw)

    @cached_property
    def _starts(self) -> list[int]:
        """The raw offset of each line as editors count them."""
        return [0, *(match.end() for match in LINE_END.finditer(self.text))]

    def place(self, plain: int, encoding: str) -> tuple[int, int]:
        """An editor's line and column for a plain offset."""
        raw = self.raw(plain)
        line = bisect_right(self._starts, raw) - 1
        return line, _units(self.text[self._starts[line] : raw], encoding)

    def offset(self, line: int, column: int, encoding: str) -> int:
        """The plain offset of an editor's line and column; the nearest there is, if none is."""
        if line >= len(self._starts):
            return len(self.plain)
        start = raw = self._starts[line]
        end = LINE_END.search(self.text, start)
        end = end.start() if end else len(self.text)
        left = column
        while raw < end and (left := left - _units(self.text[raw], encoding)) >= 0:
            raw += 1
        return self.to_plain(raw)

    def with_edits(self, edits: list[tuple[int, int, str]]) -> str:
        """The text with plain ranges (start, end, replacement) replaced, all else as it is."""
        out, done = [], 0
        for start, end, replacement in sorted(edits):
            out += [self.text[done : self.raw(start)], replacement]
            done = self.raw(end)
        return "".join(out) + self.text[done:]


def _units(text: str, encoding: str) -> int:
    if encoding == "utf-32":
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(char > "\uffff" for char in text)
