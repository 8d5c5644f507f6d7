"""What is wrong, where it stands, and the edit that mends it."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

CLEAN, FINDINGS, USAGE, PROGRAM_FAILED = 0, 1, 2, 3


@dataclass(frozen=True, order=True)
class Finding:
    """One fault. Sorting puts a report in the order in which an author reads the files."""

    path: str
    line: int  # counted from 1, as editors do; lines end at "\n" only
    col: int  # counted from 1, in characters
    rule: str
    what: str
    fix: str

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
