"""One edit of a widget's port at a time: a number, or an operator."""

from collections.abc import Iterator

from pygments.lexers.javascript import JavascriptLexer
from pygments.token import Number, Operator

from tests.mutants.code_edits import next_literal
from tests.mutants.mutant import Mutant, edit_of

OTHER = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===",
    "+": "-", "-": "+", "*": "+", "/": "*", "**": "*", "%": "*",
    "+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "++": "--", "--": "++",
    "&&": "||", "||": "&&", "!": "",
}  # fmt: skip
OF_THE_PORT = " of the port"
RULES = {
    "comparison": ("<", "<=", ">", ">=", "===", "!=="),
    "and, or, not": ("&&", "||", "!"),
}


def edits(path: str, text: str) -> Iterator[Mutant]:
    """Each number one more, each operator changed for another."""
    before = ""
    for start, kind, token in JavascriptLexer().get_tokens_unprocessed(text):
        new = next_literal(token) if kind in Number else OTHER.get(token)
        if new is not None and (kind in Number or kind in Operator) and before != "function":
            rule = next((rule for rule, group in RULES.items() if token in group), "arithmetic")
            rule = "number" if kind in Number else rule
            yield _edit(path, text, (start, start + len(token)), rule, new)
        before = token if token.strip() else before


def _edit(path: str, text: str, span: tuple[int, int], rule: str, new: str) -> Mutant:
    start = text.rfind("\n", 0, span[0]) + 1
    line = text[start:].partition("\n")[0].strip()
    said = f"`{text[slice(*span)]}` -> `{new}` at column {span[0] - start + 1} of `{line}`"
    return edit_of("widget", rule + OF_THE_PORT, path, text, span, new, said)
