"""Python text -> its symbols, its lines, excerpts of it. Content finds them; line numbers never do."""

import ast
from collections.abc import Iterable
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
    def symbols(self) -> dict[str, list[tuple[int, int]]]:
        """Name -> first and last line (from 1) of each place that defines it; methods as "A.b"."""
        found: dict[str, list[tuple[int, int]]] = {}
        for name, node in _definitions(ast.parse(self.text).body, ""):
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
            raise NotFound(f'"{name}" is defined more than once in {self.name}; lines {where}')
        return places[0]

    def line(self, content: str) -> int:
        """Number of the only line that says `content`, indentation and a closing comment aside."""
        wanted = content.strip()
        places = [n for n, line in enumerate(self.lines, 1) if wanted in _forms(line)]
        if not wanted or not places:
            known = {line.strip() for line in self.lines if line.strip()}
            raise NotFound(f"no line of {self.name} is `{wanted}`; {_nearest_line(wanted, known)}")
        if len(places) > 1:
            where = ", ".join(map(str, places))
            raise NotFound(
                f"more than one line of {self.name} is `{wanted}`; lines {where}: "
                "quote one that stands once"
            )
        return places[0]

    def between(self, first: str, last: str) -> tuple[int, int]:
        """Numbers of two lines, each found by its content; the second does not stand before."""
        start, end = self.line(first), self.line(last)
        if end < start:
            raise NotFound(f"`{last}` stands before `{first}` in {self.name}; swap them")
        return start, end

    def constant(self, name: str) -> tuple[int, int, int]:
        """Line and columns (from 0) of the value given to `name` by the file's only `name = ...`."""
        first, _ = self.symbol(name)
        for node in ast.parse(self.text).body:
            if isinstance(node, ast.Assign) and node.lineno == first:
                return first, node.value.col_offset, node.value.end_col_offset
        raise NotFound(f'"{name}" is not a constant of {self.name}; name one set once by name = value')


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
                    if isinstance(name, ast.Name):
                        yield prefix + name.id, node


def _forms(line: str) -> set[str]:
    """What a line may be quoted as: all of it, or without the comment that closes it."""
    return {line.strip(), line.split("  #")[0].strip()}


def _nearest_line(wanted: str, known: Iterable[str]) -> str:
    close = nearest(wanted, known)
    return close if close.startswith("did you mean") else "copy the whole line from the file"
