"""What is wrong, where it stands, and the edit that mends it."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

CLEAN, FINDINGS, USAGE, PROGRAM_FAILED = 0, 1, 2, 3

RULES = {
    "arithmetic": "prose computes; a derived number is a fact",
    "bad-fact": "a fact that cannot be printed, or not in that way",
    "bare-number": "a number typed by hand",
    "dead-link": "a link that leads nowhere on this site",
    "document-number": "a number in README or its like that no lesson prints",
    "expression": "an expression that means nothing",
    "false-claim": "words bound to a condition that no longer holds",
    "figure-number": "a number typed into a figure",
    "front-matter": "a lesson without front matter",
    "heading-order": "a heading that is one level too deep, or of the first",
    "leak": "an expression that came through unevaluated",
    "list-start": "a list that starts at a typed number",
    "lock": "a number, claim, reference or transcript that moved since it was accepted",
    "lost-text": "words that Markdown drops",
    "misplaced-block": "a block or a figure inside other text",
    "missing-file": "a file that is not there",
    "no-alt-text": "a figure that cannot be heard",
    "no-source": "a number on the finished page without a source",
    "not-in-code": "a line, symbol or block that is not in the code, or is there more than once",
    "not-text": "a file that is no text",
    "number-word": "a word that counts, typed by hand",
    "output": "an output folder that this program did not make, or cannot write",
    "parity": "a script that differs from the program it ports",
    "program-failed": "lesson code that raised, or ran out of time",
    "raw-html": "HTML in Markdown",
    "repeated-figure": "a figure shown more than once",
    "reserved-character": "a character that the engine keeps for itself",
    "stamp-in-target": "an expression in a link's target",
    "template": "a page frame that is broken",
    "toml": "a TOML file or front matter with a wrong, missing or unknown key",
    "typed-code": "a block of code typed by hand",
    "typed-reference": "a file:line typed by hand",
    "unknown-fact": "a name that is no fact",
    "unknown-figure": "a figure that nobody draws or shows",
    "unknown-lesson": "a lesson that the course does not list",
    "unknown-program": "a program that is not there",
    "unknown-setting": "a preset of a setting that the widget does not have",
    "unknown-source": "a work that sources.toml does not list",
    "unknown-step": "a step that the front matter does not list",
    "unknown-view": "a view that the widget's scripts do not draw",
    "unlisted-lesson": "a lesson folder that the course does not list",
    "unused-fact": "a fact that nothing quotes",
    "unused-figure": "a figure that nothing shows",
    "unused-name": "an entry of the vocabulary that nothing uses",
    "unused-program": "a program that nothing quotes",
    "unused-source": "a source that nothing cites",
    "usage": "a folder or an address on the command line that cannot be used",
}


@dataclass(frozen=True, order=True)
class Finding:
    """One fault. Sorting puts a report in the order in which an author reads the files."""

    path: str
    line: int  # counted from 1, as editors do; lines end at "\n" only
    col: int  # counted from 1, in characters
    rule: str  # one of RULES
    what: str
    fix: str

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise ValueError(f"there is no rule {self.rule}")

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.col}: {self.rule}: {self.what}; {self.fix}"


class Refused(Exception):
    """The job stops here. Carries its findings and the exit code they call for."""

    def __init__(self, findings: Iterable[Finding], code: int = FINDINGS):
        self.findings = sorted(set(findings))
        self.code = code
        super().__init__("\n".join(map(str, self.findings)))


def nearest(name: str, names: Iterable[str]) -> str:
    """The advice that follows a name nobody knows: the one meant, or all there are."""
    known = sorted(names)
    close = get_close_matches(name, known, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]}?"
    return f"there are: {', '.join(known)}" if known else "there are none"


def position(text: str, offset: int) -> tuple[int, int]:
    """Line and column, both from 1, of a character of `text`."""
    return text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1


def offset_of(text: str, line: int, col: int) -> int:
    """The character of `text` at a line and a column: the opposite of `position`."""
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
    return start + col - 1
