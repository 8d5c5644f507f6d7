"""Where in an expression a writer's cursor is: in which word's argument, behind which `|`.

The text may be unfinished, so nothing is parsed: tokens are read from the opening braces to the cursor.
"""

import ast
import re
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache

from engine.stamps import SCAN, STRING, Expression, stamp

TOKEN = re.compile(
    rf"""(?P<string>{STRING})|(?P<open>["'].*)|(?P<name>[A-Za-z_][\w.]*)|(?P<other>==|.)""",
    re.DOTALL,
)
NAME = re.compile(rf"{STRING}|(?P<name>[A-Za-z_]\w*(?:\.\w+)*)")
FIGURE = re.compile(r"!\[[^\]\n]*\]\(([^)\s]*)\Z")


@dataclass
class Call:
    """Brackets that are open at the cursor: of a word, or other ones."""

    word: str  # "" if they belong to none
    bracket: str
    argument: int = 0  # which one is being typed, from 0
    keyword: str = ""  # or its name
    given: dict[int | str, str] = field(default_factory=dict)  # texts by argument


@dataclass(frozen=True)
class Spot:
    """What is being typed at the cursor."""

    typed: str  # so far: of a name, or of a text in quotes
    quote: str  # the quote that is open, or ""
    filter: bool  # whether it stands behind a `|`
    call: Call | None  # the word whose argument it is


def spot(text: str, offset: int) -> Spot | None:
    """What is being typed at `offset`; None if that is in no expression."""
    inside = _inside(text, offset)
    return None if inside is None else _read(inside)


def figure_at(text: str, offset: int) -> str | None:
    """What is typed so far of a figure's name, in `![what it shows](name)`; or None."""
    match = FIGURE.search(text, text.rfind("\n", 0, offset) + 1, offset)
    return match[1] if match else None


@lru_cache(20)
def expressions_of(text: str) -> tuple[Expression, ...]:
    """Every whole expression of a text."""
    return tuple(stamp(text)[1])


def expression_at(text: str, offset: int) -> Expression | None:
    """The whole expression that a character belongs to."""
    for expression in expressions_of(text):
        if expression.offset <= offset <= expression.offset + len(expression.typed):
            return expression
    return None


def name_at(expression: Expression, offset: int) -> tuple[str, int, int] | None:
    """The dotted name at an offset of the text, with its start and end; not one in quotes."""
    for match in NAME.finditer(expression.typed):
        start, end = (place + expression.offset for place in match.span())
        if match["name"] and start <= offset <= end:
            return match["name"], start, end
    return None


def _inside(text: str, offset: int) -> str | None:
    """What stands between the braces and `offset`."""
    start = text.rfind("\n", 0, offset) + 1
    for match in SCAN.finditer(text):
        if match.start() < offset < match.end():
            at = match.start() + 2
            return text[at:offset] if match["inside"] is not None and at <= offset else None
        if match.end() <= offset:
            start = max(start, match.end())
    braces = text.find("{{", start, offset)
    return text[braces + 2 : offset] if braces >= 0 else None


def _read(inside: str) -> Spot:
    open_calls, last, before = [], "", ""
    typed, quote = "", ""
    for token in TOKEN.finditer(inside):
        kind, said = token.lastgroup, token[0]
        typed, quote = "", ""
        call = open_calls[-1] if open_calls else None
        if kind == "open":
            typed, quote = said[1:], said[0]
        elif kind == "name":
            typed = last = said
            continue
        elif kind == "string" and call:
            call.given[call.keyword or call.argument] = _value(said)
        elif said in ("(", "[", "{"):
            open_calls.append(Call(last if said == "(" else "", said))
        elif said in (")", "]", "}") and open_calls:
            open_calls.pop()
        elif said == "," and call:
            call.argument, call.keyword = call.argument + 1, ""
        elif said == "=" and call:
            call.keyword = last
        if said.isspace():
            before = last or before
        elif kind != "open":
            before, last = said, ""
    return Spot(typed, quote, before == "|" and not quote, _innermost(open_calls))


def _innermost(open_calls: list[Call]) -> Call | None:
    return next((call for call in reversed(open_calls) if call.word), None)


def _value(literal: str) -> str:
    with suppress(ValueError, SyntaxError):
        return str(ast.literal_eval(literal))
    return literal[1:-1]
