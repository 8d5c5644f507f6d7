"""A number in its element: what it says of itself against what is measured, counted or listed."""

from math import ceil
from pathlib import Path

from engine.verify.parsed import Node
from engine.verify.reading import Reading, says

A_MINUTE = 200  # words
BUILD = "build the site again"
BLOCKS = ("p", "li", "summary", "figcaption", "td", "dd", "h2", "h3", "h4")


def check_number(reading: Reading, node: Node) -> None:
    """A `data` element."""
    kind, source = node.attrs.get("data-kind"), node.attrs.get("data-from", "")
    value = node.attrs.get("value")
    if kind not in ("computed", "cited", "structural"):
        what = f'"{node.text}" is a number of the kind "{kind or ""}", which there is not'
        return reading.found(node, what, BUILD)
    if not source or value is None:
        return reading.found(node, f'"{node.text}" does not say where it is from', BUILD)
    if kind == "structural":
        return _structural(reading, node, value, source)
    if source.startswith("words / "):
        return _minutes(reading, node, value)
    return _measured(reading, node, kind, value, source)


def _measured(reading: Reading, node: Node, kind: str, value: str, source: str) -> None:
    name, _, origin = source.partition(", ")
    known = reading.facts(name)
    if not known:
        return reading.found(
            node, f'"{name}" is no fact', "build the site again, or mend data-from"
        )
    fact = next((fact for fact in known if fact.origin == origin), known[0])
    at = reading.page.attribute
    if (kind == "cited") != name.startswith("cite."):
        reading.found(at(node, "data-kind"), f"{name} is not {kind}", BUILD)
    if value != str(fact.value):
        what = f"{name} is {fact.value}, and its value here is {value}"
        reading.found(at(node, "value"), what, BUILD)
    if node.text not in (forms := reading.forms(name)):
        wanted = " or ".join(f'"{form}"' for form in sorted(forms)) or "nothing"
        what = f'"{node.text}" is not how {name} is to be shown: it should be {wanted}'
        reading.found(node.end, what, BUILD)
    if origin != fact.origin:
        what = f"{name} is from {fact.origin}, not from {origin or 'nowhere'}"
        return reading.found(at(node, "data-from"), what, BUILD)
    path, _, line = origin.rpartition(":")
    if not _has_line(reading.content.root / path, line):
        reading.found(at(node, "data-from"), f"{origin} is no line of a file", BUILD)
    return None


def _has_line(path: Path, line: str) -> bool:
    return path.is_file() and 0 < int(line) <= path.read_text(encoding="utf-8").count("\n") + 1


def _minutes(reading: Reading, node: Node, value: str) -> None:
    """Counted from the page's own words; a minute's difference is a way of counting."""
    places = [
        number for number in reading.page.nodes
        if number.attrs.get("data-from", "").startswith("words / ")
    ]  # fmt: skip
    words = _words(reading) if reading.lesson else []
    part = places.index(node)
    if part >= len(words):
        return reading.found(node, "these minutes are of no part of the lesson", BUILD)
    expected = ceil(words[part] / A_MINUTE)
    if value != node.text or not value.isdecimal() or abs(int(value) - expected) > 1:
        what = f'"{node.text}" minutes for {words[part]:,} words, which take about {expected}'
        reading.found(node, what, BUILD)
    return None


def _words(reading: Reading) -> list[int]:
    """How many words stand before the heading that goes deeper, and from there on."""
    counts = [0, 0]
    deep = 0
    for text in (text for article in reading.page.root.find("article") for text in article.texts()):
        heading = text.parent.inside("h2")
        if heading and heading.text == reading.quoted(reading.lesson.meta["deep"]):
            deep = 1
        drawn = text.parent.inside("svg") and text.parent.tag != "desc"
        if not drawn and not text.parent.inside("pre"):
            counts[deep] += len(text.text.split())
    return counts


def _structural(reading: Reading, node: Node, value: str, source: str) -> None:
    if value != node.text:
        what = f'"{node.text}" is shown, and its value is {value}'
        return reading.found(reading.page.attribute(node, "value"), what, BUILD)
    if source == "course.toml":
        expected = _lesson_number(reading, node)
    elif source == "figures":
        expected = _figure_number(reading, node)
    elif source == "steps":
        steps = reading.lesson.meta["steps"] if reading.lesson else []
        expected = value if value in map(str, range(1, len(steps) + 1)) else f"1 to {len(steps)}"
    elif reading.content.called(source, reading.slug):
        return _line_number(reading, node, value, source)
    else:
        what = f'"{source}" is nothing that numbers come from'
        return reading.found(reading.page.attribute(node, "data-from"), what, BUILD)
    if value != expected:
        reading.found(node.end, f'"{value}" should be {expected or "no number"}', BUILD)
    return None


def _lesson_number(reading: Reading, node: Node) -> str:
    """Of the lesson that the link leads to, or that the page or the list's entry is."""
    link, entry = node.inside("a"), node.inside("li")
    if not link and not reading.lesson and entry:
        link = next(iter(entry.find("a")), None)
    if not link:
        return str(reading.content.numbers.get(reading.slug, ""))
    target = link.attrs.get("href", "").removesuffix("index.html").rstrip("/")
    return str(reading.content.numbers.get(target.rpartition("/")[2], ""))


def _figure_number(reading: Reading, node: Node) -> str:
    link, figure = node.inside("a"), node.inside("figure")
    name = link.attrs.get("href", "").removeprefix("#") if link else ""
    name = name or (figure.attrs.get("id", "") if figure else "")
    shown = [other.attrs.get("id") for other in reading.page.nodes if is_drawing(other)]
    return str(shown.index(name) + 1) if name in shown else ""


def is_drawing(node: Node) -> bool:
    return node.tag == "figure" and "drawing" in node.attrs.get("class", "").split()


def _line_number(reading: Reading, node: Node, value: str, program: str) -> None:
    listing = node.inside("figure")
    if listing and node.inside("figcaption"):
        lines = [n.attrs["data-line"] for n in listing.find("span") if "data-line" in n.attrs]
        caption = [n for n in listing.find("data") if n.attrs.get("data-from") == program]
        ends = zip((lines[:1], lines[-1:]), (caption[0], caption[-1]))
        right = [line == [value] for line, number in ends if number is node]
        if not right or not all(right):
            what = f"line {value} of {program} is not what the code below begins or ends with"
            reading.found(node.end, what, BUILD)
        return
    code, row = node.inside("code"), node.inside("tr")
    if not code or code.text != f"{program}:{value}":
        reading.found(node, f"{value} does not stand behind {program}", BUILD)
    beside = _code_after(node, row or node.inside(*BLOCKS))
    if row and beside and beside[0].attrs.get("data-kind") != "excerpt":
        reading.found(beside[0], f'"{beside[0].text}" is code without a source', BUILD)
    asked = {code.text for code in beside[:1] if code.attrs.get("data-kind") == "excerpt"}
    if not row or not asked:
        asked |= reading.lesson.lines_asked(program) if reading.lesson else set()
    programs = reading.content.called(program, reading.slug)
    number = int(value) if value.isdecimal() else 0
    lines = [lines[number - 1] for lines in programs if 0 < number <= len(lines)]
    if not any(says(line, words) for line in lines for words in asked):
        is_there = f"`{lines[0].strip()}`" if lines else "not there"
        what = f"{program}:{value} is {is_there}, not what stands beside it"
        reading.found(node.end, what, BUILD)


def _code_after(node: Node, block: Node | None) -> list[Node]:
    """The code in the same row or paragraph that comes behind a number."""
    if not block:
        return []
    after = [code for code in block.find("code") if code.offset > node.offset]
    if block.tag != "tr":
        return [code for code in after if code.attrs.get("data-kind") == "excerpt"]
    return [code for code in after if code.parent.tag == "td" and code.parent.children == [code]]
