"""Published HTML as a tree in which every element and text knows its place in the file.

html5lib builds it by the rules that browsers follow, so a page means here what it means to them.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from html5lib import HTMLParser, treebuilders


@dataclass(eq=False)
class Text:
    """A run of text. `pieces` are (index in the text, offset in the file), ascending."""

    text: str
    parent: "Node"
    pieces: list[tuple[int, int]]

    def offset(self, index: int) -> int:
        """Where a character of the text stands in the file."""
        start, offset = max(piece for piece in self.pieces if piece[0] <= index)
        return offset + index - start


@dataclass(eq=False)
class Node:
    """An element. `offset` is that of its "<"; `end` is behind its start tag."""

    tag: str
    attrs: dict[str, str]
    parent: "Node | None"
    offset: int
    end: int
    children: list["Node | Text"] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text inside."""
        return "".join(child.text for child in self.children)

    @property
    def kind(self) -> str:
        """What the nearest element that says so says the numbers in here are."""
        return next(
            (node.attrs["data-kind"] for node in self.up() if "data-kind" in node.attrs), ""
        )

    @property
    def nodes(self) -> list["Node"]:
        return [child for child in self.children if isinstance(child, Node)]

    def up(self) -> Iterator["Node"]:
        """This element and those around it, from the inside."""
        node: Node | None = self
        while node:
            yield node
            node = node.parent

    def inside(self, *tags: str) -> "Node | None":
        """The nearest element of these names round this one, itself included."""
        return next((node for node in self.up() if node.tag in tags), None)

    def walk(self) -> Iterator["Node | Text"]:
        """Everything inside, in the order of the page; this element comes first."""
        yield self
        for child in self.children:
            if isinstance(child, Node):
                yield from child.walk()
            else:
                yield child

    def find(self, *tags: str) -> list["Node"]:
        """The elements inside with one of these names."""
        return [node for node in self.walk() if isinstance(node, Node) and node.tag in tags]

    def texts(self) -> list[Text]:
        return [text for text in self.walk() if isinstance(text, Text)]


class Page:
    """One file of HTML: its tree, and what a parser finds wrong with it."""

    def __init__(self, name: str, source: str):
        self.name = name
        self.source = source.replace("\r\n", "\n")
        self._lines = [0, *accumulate(len(line) + 1 for line in self.source.split("\n"))]
        parser = HTMLParser(tree=_Builder, namespaceHTMLElements=False)
        parser.tree.page, parser.tree.parser = self, parser
        parser.parse(self.source)
        self.faults = [(self.offset(*place), code) for place, code, _ in parser.errors]
        self._built = parser.tree
        self.root = self._node(parser.tree.openElements[0]._element, None)
        self.nodes = [node for node in self.root.walk() if isinstance(node, Node)]
        self.ids = {node.attrs["id"]: node for node in self.nodes if "id" in node.attrs}

    def offset(self, line: int, column: int) -> int:
        return self._lines[line - 1] + column

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1."""
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def attribute(self, node: Node, name: str) -> int:
        """Where an attribute stands, or its element if it cannot be made out."""
        at = self.source.find(f"{name}=", node.offset, node.end)
        return at if at >= 0 else node.offset

    def _node(self, element: Any, parent: Node | None) -> Node:
        outer = parent.end if parent else 0
        offset, end = self._built.starts.get(id(element), (outer, outer))
        attrs = {_local(name): value for name, value in element.attrib.items()}
        node = Node(_local(element.tag), attrs, parent, offset, end)
        children = list(element)
        for index, text in enumerate([element.text, *(child.tail for child in children)]):
            if text:
                runs = self._built.texts.get((id(element), index), [(end, text)])
                lengths = accumulate((len(run) for _, run in runs), initial=0)
                pieces = [(start, at) for start, (at, _) in zip(lengths, runs)]
                node.children.append(Text(text, node, pieces))
            # a comment has no name but a function
            if index < len(children) and isinstance(children[index].tag, str):
                node.children.append(self._node(children[index], node))
        return node


class _Builder(treebuilders.getTreeBuilder("etree")):
    """The library's own builder, which notes where the parser is when it adds something."""

    page: Page
    parser: HTMLParser

    def reset(self) -> None:
        super().reset()
        self.starts: dict[int, tuple[int, int]] = {}
        self.texts: dict[tuple[int, int], list[tuple[int, str]]] = {}

    def _here(self) -> int:
        return self.page.offset(*self.parser.tokenizer.stream.position())

    def insertRoot(self, token: dict[str, Any]) -> None:
        super().insertRoot(token)
        self._started(self.openElements[-1], token)

    def insertElementNormal(self, token: dict[str, Any]) -> Any:
        element = super().insertElementNormal(token)
        self._started(element, token)
        return element

    def _started(self, element: Any, token: dict[str, Any]) -> None:
        end = self._here()
        start = self.page.source.lower().rfind(f"<{token['name'].lower()}", 0, end)
        self.starts[id(element._element)] = (max(start, 0), end)

    def insertText(self, data: str, parent: Any = None) -> None:
        node = parent or self.openElements[-1]
        end, source = self._here(), self.page.source
        start = end - len(data)
        if source[start:end] != data:  # an entity
            start = max(source.rfind("&", 0, end), 0)
        runs = self.texts.setdefault((id(node._element), len(node._element)), [])
        runs.append((start, data))
        super().insertText(data, parent)


def _local(name: str) -> str:
    """A name without its namespace: "href" for xlink:href, too."""
    return name.rpartition("}")[2]
