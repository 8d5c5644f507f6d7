"""Stamps: what stands for a `{{ ... }}` while Markdown is parsed.

A stamp is as long as the expression it stands for, so every line and column of the parsed text
is a line and column of the author's file, and Markdown never sees an expression's quotes, pipes
or stars. It is made of private-use characters, which no author types and no parser touches:
START, the expression's index in two characters, filling, END.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

START, END, FILL = "\ue000", "\ue001", "\ue002"
DIGIT_ZERO, BASE = 0xE100, 1024
STAMP = re.compile(f"{START}([\ue100-\ue4ff]{{2}}){FILL}*{END}")
RESERVED = re.compile("[\ue000-\uf8ff]")

# Leftmost wins, so braces in a code span or a fenced block stay what they are: text.
FENCE = r"^ {0,3}(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*\n)*? {0,3}(?P=fence)[`~]*[ \t]*$"
CODE_SPAN = r"(?<![`\\])(?P<ticks>`+)(?!`)(?:[^\n]|\n(?!\s*\n))*?(?<!`)(?P=ticks)(?!`)"
STRING = r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\''
EXPRESSION = rf"\{{\{{(?P<inside>(?:{STRING}|\}}(?!\}})|[^}}\n\"'])*)\}}\}}"
SCAN = re.compile(rf"{FENCE}|{CODE_SPAN}|{EXPRESSION}", re.MULTILINE)


@dataclass(frozen=True)
class Expression:
    """One `{{ ... }}` of an author's file."""

    index: int
    typed: str  # all of it, braces included
    code: str  # what stands between the braces
    offset: int  # of the first brace in the file


def stamp(text: str) -> tuple[str, list[Expression]]:
    """`text` with a stamp for each expression, and the expressions in order."""
    expressions: list[Expression] = []

    def replace(match: re.Match) -> str:
        if match["inside"] is None:
            return match[0]
        index = len(expressions)
        expressions.append(Expression(index, match[0], match["inside"].strip(), match.start()))
        number = chr(DIGIT_ZERO + index // BASE) + chr(DIGIT_ZERO + index % BASE)
        return START + number + FILL * (len(match[0]) - 4) + END

    return SCAN.sub(replace, text), expressions


def stamps_in(text: str) -> list[int]:
    """The indexes of the stamps in `text`, in order."""
    return [_index(match) for match in STAMP.finditer(text)]


def fill_in(text: str, value: Callable[[int], str], other: Callable[[str], str] = str) -> str:
    """`text` with each stamp replaced by `value(index)`, and `other` applied to what is between."""
    out, end = [], 0
    for match in STAMP.finditer(text):
        out += [other(text[end : match.start()]), value(_index(match))]
        end = match.end()
    return "".join(out) + other(text[end:])


def _index(match: re.Match) -> int:
    high, low = match[1]
    return (ord(high) - DIGIT_ZERO) * BASE + ord(low) - DIGIT_ZERO
