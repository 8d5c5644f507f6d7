"""What a script says to readers: its texts as pieces, code and geometry aside.

A text is a literal with markup in it (what stands between the tags, and in attributes that are
read aloud), or one with words and spaces. `"h2"`, `"M0 4h3"` and `viewBox="0 0 640 300"` are none.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from pygments.lexer import include
from pygments.lexers.javascript import JavascriptLexer
from pygments.token import Punctuation, String

from engine.fragment import ATTRIBUTE, READ_ALOUD
from engine.pieces import Piece

UNQUOTED = 4  # the group of ATTRIBUTE for a value without quotes
VALUE = "\N{OBJECT REPLACEMENT CHARACTER}"  # stands where a template has ${...}
TAG = re.compile(rf"<[a-zA-Z/!{VALUE}][^<>]*>")
ESCAPE = re.compile(
    r"\\(?:u\{0*([0-9a-fA-F]{1,5})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|.)", re.DOTALL
)
# A word of three letters, or of two that stand by themselves ("of"), and a space.
PROSE = re.compile(r"(?=.*(?:[^\W\d_]{3}|(?<![^\W_])[^\W\d_]{2}))(?=.*\s)", re.DOTALL)


class _Lexer(JavascriptLexer):
    """Knows that `${` may begin with a pattern, and that a brace inside does not end it."""

    _nested = (r"\{", Punctuation, ("braces", "slashstartsregex"))
    tokens = {  # noqa: RUF012
        **JavascriptLexer.tokens,
        "interp": [
            (r"\$\{", String.Interpol, ("interp-inside", "slashstartsregex")),
            *JavascriptLexer.tokens["interp"],
        ],
        "interp-inside": [(r"\}", String.Interpol, "#pop"), _nested, include("root")],
        "braces": [(r"\}", Punctuation, "#pop"), _nested, include("root")],
    }


@lru_cache(100)
def script_pieces(script: str) -> tuple[Piece, ...]:
    """Every text of a script, with its place in it."""
    return tuple(_pieces(script))


def _pieces(script: str) -> Iterator[Piece]:
    for literal, starts in _literals(script):
        literal = ESCAPE.sub(_unescaped, literal)
        whole = Piece(literal, "text", tuple(starts))
        if not TAG.search(literal):
            text = ATTRIBUTE.sub(_heard, literal)  # of a tag that is put together from parts
            yield from [replace(whole, text=text)] if PROSE.search(text) else []
            continue
        end = 0
        for tag in [*TAG.finditer(literal), None]:
            yield from _part(whole, end, tag.start() if tag else len(literal))
            for attribute in ATTRIBUTE.finditer(literal, *tag.span()) if tag else ():
                if attribute[1].lower() in READ_ALOUD and attribute.lastindex:
                    yield from _part(whole, *attribute.span(attribute.lastindex))
            end = tag.end() if tag else end


def _heard(attribute: re.Match) -> str:
    """Blanks, unless it is read aloud, or is no attribute but a sentence with "="."""
    silent = attribute[1].lower() not in READ_ALOUD and attribute.lastindex != UNQUOTED
    return " " * len(attribute[0]) if silent else attribute[0]


def _unescaped(match: re.Match) -> str:
    """The character that an escape stands for, as long as it was typed."""
    code = next(filter(None, match.groups()), "20")
    return chr(int(code, 16)).ljust(len(match[0]))


def _part(whole: Piece, start: int, end: int) -> Iterator[Piece]:
    starts = [(max(at - start, 0), whole.at(max(at, start))) for at, _ in whole.starts if at < end]
    if whole.text[start:end].strip():
        yield Piece(whole.text[start:end], "text", tuple(dict(starts).items()))


def _literals(script: str) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """(text, [(index in the text, offset in the script)]) of each string and template."""
    open_templates: list[tuple[str, list[tuple[int, int]]]] = []
    for offset, kind, text in _Lexer().get_tokens_unprocessed(script):
        if kind in (String.Double, String.Single):
            yield text[1:-1], [(0, offset + 1)]
        elif kind is String.Backtick and text == "`":
            if open_templates and not _inside(open_templates):
                yield open_templates.pop()
            else:
                open_templates.append(("", []))
        elif kind is String.Interpol and text == "${":
            so_far, starts = open_templates[-1]
            open_templates[-1] = (so_far + VALUE, [*starts, (len(so_far), offset)])
            open_templates.append(None)
        elif kind is String.Interpol and text == "}":
            open_templates.pop()
        elif kind in String and open_templates and not _inside(open_templates):
            so_far, starts = open_templates[-1]
            open_templates[-1] = (so_far + text, [*starts, (len(so_far), offset)])


def _inside(open_templates: list) -> bool:
    """Whether we are in the ${...} of a template, which is code."""
    return open_templates[-1] is None
