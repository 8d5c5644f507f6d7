"""A lesson on its way to a page: its text parsed, its expressions evaluated, its figures drawn."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from markdown_it.token import Token

from engine.course import WIDGET, Course, Lesson
from engine.facts import Fact
from engine.findings import Finding
from engine.fragment import html_pieces
from engine.pieces import Piece, pieces
from engine.prose import Prose
from engine.runner import Drawing
from engine.widget import Widget
from engine.words import Shown


@dataclass(frozen=True)
class Draft:
    """A lesson on its way to a page."""

    course: Course
    lesson: Lesson
    tokens: list[Token]  # of the body, stamped
    shown: dict[int, Shown]  # by the expression's index; those that failed are not there
    prose: Prose
    facts: Mapping[str, Fact]  # the lesson's own
    drawings: Mapping[str, Drawing]
    widget: "Draft | None" = None  # the text of its interactive page
    behind: Widget | None = None  # and, in that one, what stands behind it

    @property
    def parts(self) -> list["Draft"]:
        """The lesson's text, and that of its widget's page if there is one."""
        return [self, self.widget] if self.widget else [self]

    @property
    def facts_in_figures(self) -> set[str]:
        """Names of the facts that some figure uses."""
        return {name for drawing in self.drawings.values() for name in drawing.facts}

    @property
    def facts_in_widget(self) -> set[str]:
        """Names of the facts that the widget's scripts get."""
        return {name for part in self.parts if part.behind for name in part.behind.facts}

    @cached_property
    def pieces(self) -> list[Piece]:
        """All text of the front matter and the body."""
        return [*_front_matter(self.lesson), *_body(self.lesson, self.tokens)]

    def is_block(self, index: int) -> bool:
        """Whether an expression shows a block; one that failed is taken for what it stands as."""
        return index not in self.shown or self.shown[index].block

    def finding(self, offset: int, rule: str, what: str, fix: str) -> Finding:
        """A finding at a place of the lesson's text."""
        return self.prose.finding(offset, rule, what, fix)

    def at_line(self, token: Token, rule: str, what: str, fix: str) -> Finding:
        """A finding about a block of the body, at its first line."""
        before = self.lesson.text.count("\n", 0, self.lesson.body_offset)
        return Finding(self.lesson.path, before + token.map[0] + 1, 1, rule, what, fix)


def _front_matter(lesson: Lesson) -> Iterator[Piece]:
    """The values of the front matter's lines."""
    offset = 0
    for line in lesson.stamped[: lesson.body_offset].split("\n"):
        value = line.find("=") + 1
        if not line.startswith("#"):
            yield Piece(line[value:], "text", ((0, offset + value),))
        offset += len(line) + 1


def _body(lesson: Lesson, tokens: list[Token]) -> Iterator[Piece]:
    """The text of the body; offsets count from the start of the file."""
    before, body = lesson.body_offset, lesson.stamped[lesson.body_offset :]
    for piece in html_pieces(body) if lesson.file == WIDGET else pieces(tokens, body):
        starts = tuple((index, offset + before) for index, offset in piece.starts)
        yield replace(piece, starts=starts)
