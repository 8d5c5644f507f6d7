"""One edit of a program at a time: a number, an operator, a line's place, a name."""

import ast
import re
from collections.abc import Iterable, Iterator

from tests.mutants.mutant import Mutant, edit_of

COMPARISONS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "in": "not in", "not in": "in", "is": "is not", "is not": "is",
}  # fmt: skip
ARITHMETIC = {
    "+": "-", "-": "+", "*": "+", "/": "*", "//": "/", "%": "*", "**": "*", "and": "or",
    "or": "and",
}  # fmt: skip
OPERATOR = re.compile(r"not in|is not|\b(?:in|is|and|or)\b|//|\*\*|[<>=!]=|[-<>+*/%]")
FORMAT = re.compile(r"(?<![\w.])\d+|(?<=\.)\d+")  # numbers inside an f-string, as it is written
SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Raise, ast.Assert, ast.Delete,
          ast.Import, ast.ImportFrom)  # fmt: skip


class Program:
    """A program's text, its tree, and where in the text a node of the tree stands."""

    def __init__(self, path: str, text: str):
        self.path, self.text, self.tree = path, text, ast.parse(text)
        self._lines = [line.encode() for line in text.splitlines(keepends=True)]
        self._starts = [0]
        for line in text.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Offsets of a node; ast counts columns in bytes."""
        return (
            self._offset(node.lineno, node.col_offset),
            self._offset(node.end_lineno, node.end_col_offset),
        )

    def line_start(self, number: int) -> int:
        """Offset of a line, counted from 1."""
        return self._starts[number - 1]

    def nodes(self) -> Iterator[ast.AST]:
        """All nodes but those inside an f-string, whose places differ between Pythons."""
        waiting: list[ast.AST] = [self.tree]
        while waiting:
            node = waiting.pop(0)
            yield node
            if not isinstance(node, ast.JoinedStr):
                waiting += ast.iter_child_nodes(node)

    def edit(self, rule: str, span: tuple[int, int], new: str, about: str = "") -> Mutant:
        """A mutant of this program."""
        line = self.text.count("\n", 0, span[0])
        whole = self.text.split("\n")[line].strip()
        start = span[0] - self.line_start(line + 1)
        said = about or f"`{self.text[slice(*span)]}` -> `{new}` at column {start + 1} of `{whole}`"
        return edit_of("code", rule, self.path, self.text, span, new, said)

    def _offset(self, line: int, column: int) -> int:
        return self._starts[line - 1] + len(self._lines[line - 1][:column].decode())


def edits(path: str, text: str, quoted: Iterable[int]) -> Iterator[Mutant]:
    """Every edit of a program of which the lines `quoted` (from 1) stand on the page."""
    program = Program(path, text)
    for node in program.nodes():
        yield from _numbers(program, node)
        yield from _operators(program, node)
        yield from _swaps(program, node)
        yield from _names(program, node)
    for number in sorted(quoted):
        at = program.line_start(number)
        about = f"an empty line above `{text.split(chr(10))[number - 1].strip()}`, line {number}"
        yield program.edit("line above a quoted one", (at, at), "\n", about)


def _numbers(program: Program, node: ast.AST) -> Iterator[Mutant]:
    if isinstance(node, ast.JoinedStr):
        start, end = program.span(node)
        for match in FORMAT.finditer(program.text, start, end):
            yield program.edit("number in a format", match.span(), str(int(match[0]) + 1))
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        span = program.span(node)
        yield program.edit("number", span, next_literal(program.text[slice(*span)]))


def next_literal(literal: str) -> str:
    """ "16" -> "17", "8.03e9" -> "8.04e9", "100_000" -> "100001"."""
    mantissa, exponent, power = literal.replace("_", "").partition("e")
    digits = len(mantissa.partition(".")[2])
    return f"{float(mantissa) + 10**-digits:.{digits}f}{exponent}{power}"


def _operators(program: Program, node: ast.AST) -> Iterator[Mutant]:
    pairs: list[tuple[ast.AST, ast.AST]] = []
    if isinstance(node, ast.Compare):
        pairs = list(zip([node.left, *node.comparators], node.comparators))
        table, rule = COMPARISONS, "comparison"
    elif isinstance(node, ast.BinOp):
        pairs, table, rule = [(node.left, node.right)], ARITHMETIC, "arithmetic"
    elif isinstance(node, ast.BoolOp):
        pairs, table, rule = list(zip(node.values, node.values[1:])), ARITHMETIC, "and, or"
    elif isinstance(node, ast.AugAssign):
        pairs, table, rule = [(node.target, node.value)], ARITHMETIC, "arithmetic"
    elif isinstance(node, ast.UnaryOp):
        start, end = program.span(node)[0], program.span(node.operand)[0]
        dropped = program.text[start:end].rstrip("(")
        yield program.edit("sign dropped", (start, start + len(dropped)), "")
    for left, right in pairs:
        match = OPERATOR.search(program.text, program.span(left)[1], program.span(right)[0])
        if match:
            yield program.edit(rule, match.span(), table[match[0]])


def _swaps(program: Program, node: ast.AST) -> Iterator[Mutant]:
    """Two simple statements of one line each that follow each other, where one needs the other.

    The others can stand in any order: to swap them changes nothing.
    """
    body = getattr(node, "body", [])
    for one, two in zip(body, body[1:]) if isinstance(body, list) else ():
        if all(isinstance(part, SIMPLE) and part.lineno == part.end_lineno for part in (one, two)):
            (start, middle), (next_start, end) = program.span(one), program.span(two)
            if (
                one.lineno == two.lineno
                or not _depend(one, two)
                or '"""' in program.text[start:end]
            ):
                continue
            first, second = program.text[start:middle], program.text[next_start:end]
            new = second + program.text[middle:next_start] + first
            about = f"`{first}` after `{second}`"
            yield program.edit("lines swapped", (start, end), new, about)


def _depend(one: ast.stmt, two: ast.stmt) -> bool:
    """Whether one of them changes what the other one reads or changes."""
    (reads, writes), (other_reads, other_writes) = _touched(one), _touched(two)
    return _meet(writes, other_reads | other_writes) or _meet(other_writes, reads)


def _touched(statement: ast.stmt) -> tuple[set[str], set[str]]:
    """Names that it reads and names that it changes, each as long as it goes: "self.free"."""
    reads, writes = set(), set()
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Attribute) and isinstance(node.value, (ast.Name, ast.Attribute)):
            waiting.remove(node.value)  # "self.free" is read, and not "self"
        if isinstance(node, (ast.Name, ast.Attribute)):
            (reads if isinstance(node.ctx, ast.Load) else writes).add(ast.unparse(node))
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            writes.add(ast.unparse(node.value))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            writes.add(ast.unparse(node.func.value))  # a method may change its object
            reads.discard(ast.unparse(node.func))
        if isinstance(node, ast.alias):
            writes.add(node.asname or node.name)
    own = {  # names that a comprehension gives
        name.id
        for node in ast.walk(statement) if isinstance(node, ast.comprehension)
        for name in ast.walk(node.target) if isinstance(name, ast.Name)
    }  # fmt: skip
    return reads - own, writes - own - {"np"}


def _meet(writes: set[str], names: set[str]) -> bool:
    return any(
        f"{one}.".startswith(f"{two}.") or f"{two}.".startswith(f"{one}.")
        for one in writes for two in names
    )  # fmt: skip


def _names(program: Program, node: ast.AST) -> Iterator[Mutant]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        start = program.text.index(node.name, program.span(node)[0])
        yield program.edit("definition renamed", (start, start + len(node.name)), f"{node.name}_")
