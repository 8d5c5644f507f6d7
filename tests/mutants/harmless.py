"""Edits that change nothing a reader could be misled by: the gate must keep quiet."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator

from engine.draft import Draft
from engine.stamps import STAMP
from tests.mutants.code_edits import Program
from tests.mutants.mutant import Mutant, edit_of

OTHER_WORDS = {
    "because": "since", "although": "though", "small": "little", "busy": "crowded",
    "begins": "starts", "needs": "wants", "looks": "seems", "short": "brief", "also": "too",
    "always": "at all times", "exactly": "precisely", "somebody": "someone", "nobody": "no one",
    "large": "big", "whole": "entire", "Look": "Look closely", "Think": "Just think",
    "invented": "made up", "means": "says", "wrong": "mistaken", "often": "many times",
    "people": "users", "fast": "quick", "slow": "sluggish", "shows": "makes plain",
}  # fmt: skip
LIVE = re.compile(STAMP.pattern)
PROSE_LINE = re.compile(r"^[A-Z*].*[.:]$")
SENTENCE = re.compile(r"(?<=[a-z)*]\.) (?=[A-Z])")
ITEM = re.compile(r"^- .*\n(?=- )", re.MULTILINE)
BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
ITALIC = re.compile(r"(?<!\*)\*([a-z][^*\n]+)\*(?!\*)")
NEW_PARAGRAPH = re.compile(r"\n\n(?=[A-Z#*])")
LINKS = ("https://example.org/2024-05-01", "https://example.org/v2/7?page=3#L12")


def wording(draft: Draft, path: str) -> Iterator[Mutant]:
    """Another word of the same sense, where the text is typed."""
    for piece in draft.pieces:
        for word, other in OTHER_WORDS.items() if piece.place in ("text", "alt") else ():
            for match in re.finditer(rf"\b{word}\b", piece.text):
                at = piece.at(match.start())
                if draft.lesson.text.startswith(word, at) and at > draft.lesson.body_offset:
                    span = at, at + len(word)
                    yield edit_of("harmless", "word", path, draft.lesson.text, span, other)


def layout(draft: Draft, path: str) -> Iterator[Mutant]:
    """Lines split and joined, empty lines added, list items swapped, other emphasis, links."""
    text, head = draft.lesson.text, draft.lesson.body_offset
    start = head
    lines = draft.lesson.stamped[head:].split("\n")
    for line, after in zip(lines, [*lines[1:], ""]):
        end = start + len(line)
        if PROSE_LINE.match(line):
            for match in list(SENTENCE.finditer(line))[:1]:
                span = start + match.start(), start + match.end()
                about = f"a new line after `{text[max(start, span[0] - 30) : span[0]]}`"
                yield edit_of("harmless", "line split", path, text, span, "\n", about)
            if PROSE_LINE.match(after):
                yield edit_of("harmless", "lines joined", path, text, (end, end + 1), " ")
            if not after and len(line) > 80:
                url = LINKS[start % len(LINKS)]
                span, new = (end, end), f" There is [more]({url})."
                yield edit_of("harmless", "digits in a link's target", path, text, span, new)
        start = end + 1
    for match in list(NEW_PARAGRAPH.finditer(text, head))[::2]:
        about = f"an empty line before `{text[match.end() : match.end() + 30]}`"
        yield edit_of("harmless", "empty line", path, text, match.span(), "\n\n\n", about)
    for match in ITEM.finditer(text, head):
        other = text[match.end() : text.index("\n", match.end()) + 1]
        span, about = (match.start(), match.end() + len(other)), f"{other[:40].strip()} comes first"
        yield edit_of("harmless", "items swapped", path, text, span, other + match[0], about)
    for pattern, new in ((BOLD, r"*\1*"), (ITALIC, r"**\1**")):
        for match in pattern.finditer(text, head):
            yield edit_of("harmless", "emphasis", path, text, match.span(), match.expand(new))


def comments(path: str, text: str, quoted: set[int]) -> Iterator[Mutant]:
    """A comment at the end of some lines of a program that are not on the page."""
    lines, seen = text.split("\n"), set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        number, column = token.start
        if token.type == tokenize.NEWLINE and number not in quoted and number not in seen:
            seen.add(number)
            if "#" not in lines[number - 1] and len(seen) % 6 == 0:
                at = Program(path, text).line_start(number) + column
                about = f"a comment behind `{lines[number - 1].strip()}`"
                new = "  # 7 of these"
                yield edit_of("harmless", "comment", path, text, (at, at), new, about)


def locals_renamed(path: str, text: str, quoted: set[int]) -> Iterator[Mutant]:
    """Another name for a variable of a function that is not on the page."""
    program = Program(path, text)
    for node in program.nodes():
        if not isinstance(node, ast.FunctionDef) or quoted & {
            *range(node.lineno, node.end_lineno + 1)
        }:
            continue
        start, end = program.span(node)
        body = text[start:end]
        names = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
        stored = {name.id for name in names if isinstance(name.ctx, ast.Store)}
        for name in sorted(stored - {argument.arg for argument in node.args.args})[:2]:
            new = re.sub(rf"(?<![\w.\"']){name}(?![\w\"'])", f"{name}_here", body)
            if _same_but_for(text[:start] + new + text[end:], text, name):
                about = f"{name} in {node.name}"
                span = start, end
                yield edit_of("harmless", "variable renamed", path, text, span, new, about)


def _same_but_for(after: str, before: str, name: str) -> bool:
    """Whether only variables of that name were renamed: no keyword, text or attribute."""
    tree = ast.parse(after)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == f"{name}_here":
            node.id = name
    return ast.dump(tree) == ast.dump(ast.parse(before))
