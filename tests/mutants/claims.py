"""Claims that say the opposite: each comparison flipped, or the words set free of it."""

import re
from collections.abc import Iterator

from engine.draft import Draft
from tests.mutants.amounts import number_words
from tests.mutants.mutant import Mutant, edit_of

OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
TOKEN = re.compile(r""""[^"\n]*"|'[^'\n]*'|[<>=!]=|[<>]""")
CONDITION = re.compile(r"""claim\(\s*(?:"[^"\n]*"|'[^'\n]*')\s*,\s*""")


def claims(draft: Draft, path: str) -> Iterator[Mutant]:
    """Each claim with a comparison flipped, negated as a whole, and with its words unbound."""
    text = draft.lesson.text
    for expression in draft.lesson.expressions:
        bound = CONDITION.search(expression.typed)
        if not bound:
            continue
        start = expression.offset
        for match in TOKEN.finditer(expression.typed, bound.end()):
            if match[0] in OPPOSITE:
                span = start + match.start(), start + match.end()
                about = f"`{expression.code}` with `{OPPOSITE[match[0]]}`"
                yield edit_of(
                    "prose", "comparison flipped", path, text, span, OPPOSITE[match[0]], about
                )
        end = expression.typed.rindex(")")
        span = start + bound.end(), start + end
        new = f"not ({expression.typed[bound.end() : end]})"
        yield edit_of("prose", "claim negated", path, text, span, new)
        shown = draft.shown[expression.index].text
        if any(number_words(shown)):
            span = start, start + len(expression.typed)
            yield edit_of("prose", "claim unbound", path, text, span, shown)
