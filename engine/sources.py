"""Python text -> its symbols, its lines, excerpts of it. Content finds them; line numbers never do."""

import ast
import io
import tokenize
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from engine.findings import nearest


class NotFound(LookupError):
    """No line or symbol is the one asked for, or more than one is; the message says which."""


@dataclass(frozen=True)
class Source:
    """One program."""

    name: str  # as prose names it: "tiny_server.py"
    path: str  # as findings name it
    text: str

    @cached_property
    def lines(self) -> list[str]:
        """Without their ends. Form feeds and U+2028 end no line, in editors as here."""
        return self.text.removesuffix("\n").split("\n")

    @cached_property
    def _tree(self) -> ast.Module:
        return ast.parse(self.text, self.path)

    @cached_property
    def _comments(self) -> dict[int, int]:
        """Line (from 1) -> column (from 0) of each comment; none after what is not Python."""
        found = {}
        with suppress(tokenize.TokenError, SyntaxError):
            for token in tokenize.generate_tokens(io.StringIO(self.text).readline):
                if token.type == tokenize.COMMENT:
                    found[token.start[0]] = token.start[1]
        return found

    @cached_property
    def symbols(self) -> dict[str, list[tuple[int, int]]]:
        """Name -> first and last line (from 1) of each place that defines it; methods as "A.b"."""
        found: dict[str, list[tuple[int, int]]] = {}
        for name, node in _definitions(self._tree.body, ""):
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
            found.setdefault(name, []).append((first, node.end_lineno))
        return found

    def symbol(self, name: str) -> tuple[int, int]:
        """First and last line of the function, class, method or constant `name`."""
        places = self.symbols.get(name, [])
        if not places:
            raise NotFound(f'"{name}" is not defined in {self.name}; {nearest(name, self.symbols)}')
        if len(places) > 1:
            where = ", ".join(str(first) for first, _ in places)
            raise NotFound(
                f'"{name}" is defined more than once in {self.name}; lines {where}: rename one'
            )
        return places[0]

    def line(self, content: str) -> int:
        """Number of the only line that says `content`, indentation and a closing comment aside."""
        wanted = content.strip()
        places = [
            number
            for number, line in enumerate(self.lines, 1)
            if wanted in (line.strip(), self.statement(number))
        ]
        if not wanted or not places:
            known = {self.statement(number) for number, _ in enumerate(self.lines, 1)} - {""}
            raise NotFound(f"no line of {self.name} is `{wanted}`; {_nearest_line(wanted, known)}")
        if len(places) > 1:
            where = ", ".join(map(str, places))
            raise NotFound(
                f"more than one line of {self.name} is `{wanted}`; lines {where}: "
                "quote one that stands once"
            )
        return places[0]

    def statement(self, number: int) -> str:
        """A line by its number, without its indentation and a closing comment."""
        return self.lines[number - 1][: self._comments.get(number)].strip()

    def between(self, first: str, last: str) -> tuple[int, int]:
        """Numbers of two lines, each found by its content; the second does not stand before."""
        start, end = self.line(first), self.line(last)
        if end < start:
            raise NotFound(f"`{last}` stands before `{first}` in {self.name}; swap them")
        return start, end

    def constant(self, name: str) -> tuple[int, int, int]:
        """Line and columns (from 0) of the value given to `name` by the file's only `name = ...`."""
        self.symbol(name)
        for node in self._tree.body:
            match node:
                case ast.Assign([ast.Name(id)], value) if (
                    id == name and node.lineno == value.lineno == value.end_lineno
                ):
                    line = self.lines[node.lineno - 1].encode()  # ast counts columns in bytes
                    ends = value.col_offset, value.end_col_offset
                    return node.lineno, *(len(line[:column].decode()) for column in ends)
        fix = "name one set once by name = value, on one line"
        raise NotFound(f'"{name}" is not a constant of {self.name}; {fix}')


def _definitions(body: Iterable[ast.stmt], prefix: str):
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield prefix + node.name, node
            if isinstance(node, ast.ClassDef):
                yield from _definitions(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                for name in ast.walk(target):
                    if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                        yield prefix + name.id, node


def _nearest_line(wanted: str, known: Iterable[str]) -> str:
    close = nearest(wanted, known)
    return close if close.startswith("did you mean") else "copy the whole line from the file"
