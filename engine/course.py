"""The course as values: its lessons, the sources they cite, the names they use, their programs."""

import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from engine.facts import Fact
from engine.findings import Finding, Refused
from engine.sources import Source
from engine.stamps import Expression

LESSON, WIDGET = "lesson.md", "widget/page.html"
FRONT_MATTER = re.compile(r"\A\+\+\+\n(.*?)^\+\+\+\n", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Entry:
    """A lesson as the course lists it, built here or published elsewhere."""

    number: int
    slug: str
    title: str
    url: str  # where it is published; "" for a lesson that is built here
    line: int  # of course.toml


@dataclass(frozen=True)
class Lesson:
    """A lesson that is built here."""

    entry: Entry
    folder: Path
    text: str  # the whole of lesson.md, or of the widget's page.html; front matter included
    stamped: str  # the same with a stamp for each expression
    expressions: list[Expression]
    meta: dict[str, Any]  # the front matter, stamped: LESSON_KEYS, of a widget's page WIDGET_KEYS
    file: str = LESSON  # or WIDGET, if this is the text of its interactive page
    widget: "Lesson | None" = None

    @property
    def path(self) -> str:
        """The text's file as findings name it."""
        return str(self.folder / self.file)

    @property
    def body_offset(self) -> int:
        """Where the front matter ends, in `text` and in `stamped`."""
        return FRONT_MATTER.match(self.stamped).end()

    @cached_property
    def programs(self) -> dict[str, Source]:
        """The programs in code/, by file name."""
        return {program.source.name: program.source for program in _programs(self.folder)}


@dataclass(frozen=True)
class Program:
    """A file of some lesson's code/ folder."""

    slug: str
    source: Source


@dataclass(frozen=True)
class Citation:
    """A work the course cites; its numbers are facts of kind "cited"."""

    key: str
    title: str
    short: str  # as a sentence names it
    url: str
    read: str  # the date it was read
    line: int  # of sources.toml


@dataclass(frozen=True)
class Vocabulary:
    """Names that contain digits and count nothing: A100, p99, a date."""

    path: str
    lines: dict[str, int]  # name, or a pattern's name -> its line
    names: list[str]
    patterns: dict[str, str]

    @cached_property
    def regex(self) -> re.Pattern:
        """Matches a name or pattern that stands alone; the longest name wins."""
        names = [re.escape(name) for name in sorted(self.names, key=len, reverse=True)]
        names += [f"(?P<{name}>{pattern})" for name, pattern in self.patterns.items()]
        return re.compile(rf"(?<![\w.])(?:{'|'.join(names) or '(?!)'})(?!\w)")

    @cached_property
    def _hash(self) -> int:
        return hash((*self.names, *self.patterns.values()))

    def __hash__(self) -> int:
        return self._hash

    def entry_for(self, match: re.Match) -> str:
        """The name of the entry that a match of `regex` is due to."""
        return match.lastgroup or match[0]


@dataclass(frozen=True)
class Course:
    """All that is read from content/."""

    root: Path
    title: str
    description: str
    entries: dict[str, Entry]
    lessons: list[Lesson]
    citations: dict[str, Citation]
    cited: dict[str, Fact] = field(repr=False)
    vocabulary: Vocabulary = field(repr=False)

    @cached_property
    def code(self) -> list[Program]:
        """Every program of every lesson, of those without a text too."""
        return [program for folder in sorted(self.root.iterdir()) for program in _programs(folder)]

    def code_with(self, lesson: Lesson) -> list[Program]:
        """What a reader downloads: the lesson's programs and all folders they name, and so on."""
        slugs, waiting = set(), {lesson.entry.slug}
        while waiting:
            slugs |= waiting
            text = "".join(program.source.text for program in self.code if program.slug in slugs)
            named = {program.slug for program in self.code if f'"{program.slug}"' in text}
            waiting = named - slugs
        return [program for program in self.code if program.slug in slugs]


def read_text(path: Path) -> str:
    """A file's text as editors show it: no byte-order mark, lines ended by "\\n"."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        fix = "add the file, or point --content at the folder that has it"
        raise Refused([Finding(str(path), 1, 1, "missing-file", "is not there", fix)]) from None
    except (OSError, UnicodeDecodeError) as error:
        what = f"cannot be read as UTF-8 text ({type(error).__name__})"
        raise Refused([Finding(str(path), 1, 1, "not-text", what, "save it as UTF-8")]) from None
    return text.replace("\r\n", "\n")


def _programs(folder: Path) -> list[Program]:
    files = sorted((folder / "code").glob("*.py"))
    return [Program(folder.name, source(file.name, str(file), read_text(file))) for file in files]


@lru_cache(1000)
def source(name: str, path: str, text: str) -> Source:
    """A program; one that is as it was need not be parsed again."""
    return Source(name, path, text)


@lru_cache(10)
def first_like(vocabulary: Vocabulary) -> Vocabulary:
    """The first of all that are equal: what is kept by it is found without comparing its names."""
    return vocabulary
