"""What a mutant is, and what became of it."""

from dataclasses import dataclass
from typing import Any

NOTICED = ("killed", "shown", "tested")  # refused; on the page; by the tests of the programs
ENDINGS = (*NOTICED, "equivalent", "survived", "harmless", "false alarm")


@dataclass(frozen=True)
class Mutant:
    """One edit: `new` for the characters from `start` to `end` of a file below content/."""

    surface: str  # prose, code, facts, figures, widget or harmless
    rule: str  # the kind of edit
    path: str  # below content/
    line: int
    edit: str  # "what was -> what is", for the report
    start: int = 0
    end: int = 0
    new: str = ""
    fact: str = ""  # of a fact that measures something else: its name, and the values to try
    values: tuple[Any, ...] = ()

    @property
    def name(self) -> str:
        """Names it, whatever moves in the file."""
        return f"{self.path}: {self.rule}: {self.edit}"

    def applied(self, text: str) -> str:
        """The file's text after the edit."""
        return text[: self.start] + self.new + text[self.end :]


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant, who noticed it, and what it said."""

    mutant: Mutant
    ending: str  # one of ENDINGS
    by: str = ""  # the rule of the gate, or the place of the page
    said: str = ""
    seconds: float = 0  # it took to find out

    def __str__(self) -> str:
        place = f"content/{self.mutant.path}:{self.mutant.line}"
        said = f" ({self.said})" if self.said else ""
        return f"{place}: {self.mutant.rule}: {self.mutant.edit}{said}"


def edit_of(
    surface: str, rule: str, path: str, text: str, span: tuple[int, int], new: str, about: str = ""
) -> Mutant:
    """The mutant that puts `new` for a span of `text`, which is the file's."""
    start, end = span
    line = text.count("\n", 0, start) + 1
    edit = about or f"{_short(text[start:end])} -> {_short(new)}"
    return Mutant(surface, rule, path, line, edit, start, end, new)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return f"`{text if len(text) <= 60 else text[:28] + ' ... ' + text[-27:]}`"
