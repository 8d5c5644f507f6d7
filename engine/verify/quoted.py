"""Excerpts against the programs, transcripts against new runs, figures against new drawings."""

from itertools import zip_longest

from engine.verify.content import QUOTED
from engine.verify.parsed import Node, Page
from engine.verify.reading import Reading, says
from engine.verify.spelling import Fact, said

BUILD = "build the site again"


def check_excerpt(reading: Reading, node: Node) -> None:
    """A listing is a slice of its program; a line in the text is a line of one of the programs."""
    if node.tag == "code":
        every = reading.content.programs.values()
        if not any(says(line, node.text) for lines in every for line in lines):
            reading.found(node.end, f"`{node.text}` is no line of a program", BUILD)
        return None
    program = _caption(node).find("code")
    name = program[0].text if program else ""
    if node.attrs.get("aria-label") != name:
        what = f'the listing of "{name}" is read aloud as "{node.attrs.get("aria-label", "")}"'
        reading.found(reading.page.attribute(node, "aria-label"), what, BUILD)
    spans = [span for span in node.find("span") if "data-line" in span.attrs]
    if not spans or "\n".join(span.text for span in spans) != node.text.strip("\n"):
        return reading.found(node, "the listing has text that is on no numbered line", BUILD)
    programs = reading.content.called(name, reading.slug)
    if not programs:
        return reading.found(_caption(node), f'no program is called "{name}"', BUILD)
    wrong = min((_differs(spans, lines) for lines in programs), key=len)
    for span in wrong:
        number = span.attrs["data-line"]
        reading.found(span.end, f"`{span.text}` is not line {number} of {name}", BUILD)
    return None


def _differs(spans: list[Node], lines: list[str]) -> list[Node]:
    """The lines of a listing that the program does not say there, one indentation aside."""
    first = spans[0].attrs["data-line"]
    start = int(first) if first.isdecimal() else 0
    there = lines[start - 1 : start - 1 + len(spans)] if start else []
    indents = [len(line) - len(line.lstrip()) for line in there if line.strip()]
    cut = min(indents, default=0)
    return [
        span for index, span in enumerate(spans)
        if span.attrs["data-line"] != str(start + index)
        or index >= len(there) or span.text.rstrip() != there[index][cut:].rstrip()
    ]  # fmt: skip


def check_transcript(reading: Reading, node: Node) -> None:
    """What the program prints now, or a part; or what it prints after an edit lesson.md names."""
    caption = [
        code for code in _caption(node).find("code") if code.attrs.get("data-kind") == "name"
    ]
    words = caption[0].text.split() if caption else []
    slug, folder = reading.slug, reading.content.programs
    if len(words) != 2 or words[0] != "python3" or (slug, words[1]) not in folder:
        what = "the transcript does not say which program printed it"
        return reading.found(node, what, BUILD)
    program = words[1]
    if node.attrs.get("aria-label") != f"What {program} prints":
        what = f'the transcript of {program} is read aloud as "{node.attrs.get("aria-label", "")}"'
        reading.found(reading.page.attribute(node, "aria-label"), what, BUILD)
    shown = node.text.strip("\n")
    printed = reading.runs.output(slug, program)
    if _prints(printed, shown):
        return None
    for edit in reading.lesson.edits(program) if node.inside("details") else []:
        if _prints(reading.runs.output(slug, program, _constants(reading, edit)), shown):
            return None
    known = set(printed.split("\n"))
    strange = next((line for line in shown.split("\n") if line not in known), shown.split("\n")[0])
    offset = reading.page.source.find(strange, node.end)
    what = f"{program} does not print `{strange.strip()}` there"
    return reading.found(offset if offset >= 0 else node.end, what, BUILD)


def _prints(printed: str, shown: str) -> bool:
    printed = printed.strip("\n")
    return shown == printed or shown in printed.split("\n\n")


def _constants(reading: Reading, edit: str) -> tuple[tuple[str, str], ...]:
    """`"LIMIT": heavy.limit, "PAGES": 3` -> each name with its value."""
    found = []
    for part in edit.split(","):
        name, _, value = part.partition(":")
        facts: list[Fact] = reading.facts(value.strip())
        found.append((QUOTED.search(name)[2], repr(facts[0].value) if facts else value.strip()))
    return tuple(found)


def check_figure(reading: Reading, node: Node) -> None:
    """The same elements, attributes and labels as in a new drawing; only <desc> is the page's."""
    figure = node.inside("figure")
    name = figure.attrs.get("id", "") if figure else ""
    drawn = reading.runs.figures(reading.slug) if reading.lesson else {}
    if name not in drawn:
        return reading.found(node, f'no figure is called "{name}"', BUILD)
    again = Page("", f"<!doctype html><title>a</title><body>{drawn[name]}").root.find("svg")[0]
    for here, there in zip_longest(_shapes(node), _shapes(again)):
        if not here or not there or here[1:] != there[1:]:
            wanted = _told(there) if there else "nothing"
            what = f"figure {name} has {_told(here) if here else 'nothing'} where it draws {wanted}"
            return reading.found(here[0] if here else node, what, BUILD)
    describe = node.find("desc")
    written = reading.lesson.figures.get(name)
    if not describe or written is None:
        return reading.found(node, f"figure {name} has no description in lesson.md", BUILD)
    return reading.compare(describe[0].end, describe[0].text, written, f"the description of {name}")


def check_waived(reading: Reading, node: Node) -> None:
    """A typed number that lesson.md lets stand, with its reason."""
    asked = [
        [word for _, word in QUOTED.findall(text)]
        for lesson in reading.lessons for text in lesson.expressions if text.startswith("waived(")
    ]  # fmt: skip
    if [node.text, node.attrs.get("data-from", "")] not in asked:
        reading.found(node.end, f'"{node.text}" is waived here and not in lesson.md', BUILD)


def _shapes(svg: Node) -> list[tuple[Node, str, list, str]]:
    """(node, tag, attributes, own text) of each element."""
    found = []
    for node in (node for node in svg.walk() if isinstance(node, Node)):
        texts = (child.text.strip() for child in node.children if not isinstance(child, Node))
        own = "" if node.tag == "desc" else " ".join(filter(None, texts))
        found.append((node, node.tag, sorted(node.attrs.items()), own))
    return found


def _told(shape: tuple[Node, str, list, str]) -> str:
    """A short form of an element: `<text>40</text>`."""
    _, tag, attributes, own = shape
    text = own or " ".join(f'{key}="{value}"' for key, value in attributes)
    return f"<{tag}> {text[:60]}".strip()


def _caption(node: Node) -> Node:
    """The caption of a listing; the listing itself if it has none."""
    figure = node.inside("figure") or node
    return next(iter(figure.find("figcaption")), node)


def check_origins(reading: Reading, table: Node) -> None:
    """The table of facts: each is shown as it is to be, is what it was, and is from where it says."""
    for row in table.find("tr")[1:]:
        cells = [cell for cell in row.nodes if cell.tag in ("th", "td")]
        texts = [cell.text for cell in cells]
        facts = reading.facts(texts[0])
        if not facts or len(cells) != 4:
            reading.found(row, f'"{texts[0]}" is no fact', BUILD)
            continue
        forms = reading.forms(texts[0]) | {said(facts[0])}
        for shown in texts[1].split(" \u00b7 "):
            if shown not in forms:
                wanted = " or ".join(f'"{form}"' for form in sorted(forms))
                reading.found(cells[1].end, f'"{shown}" should be {wanted}', BUILD)
        for cell, wanted in zip(cells[2:], (str(facts[0].value), facts[0].origin)):
            if cell.text != wanted:
                reading.found(cell.end, f'"{cell.text}" should be "{wanted}"', BUILD)
