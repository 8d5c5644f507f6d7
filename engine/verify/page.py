"""All of one page: each element that needs a source, each text, each attribute that is read."""

from collections.abc import Callable
from difflib import SequenceMatcher

from engine.verify.content import QUOTED
from engine.verify.data import check_number, is_drawing
from engine.verify.parsed import Node, Text
from engine.verify.quoted import (
    check_excerpt,
    check_figure,
    check_origins,
    check_transcript,
    check_waived,
)
from engine.verify.reading import FACT, Reading
from engine.verify.runs import Broken
from engine.verify.spelling import numbers
from engine.verify.widget import check_view

CHECKED: dict[tuple[str, str], Callable[[Reading, Node], None]] = {
    ("pre", "excerpt"): check_excerpt,
    ("code", "excerpt"): check_excerpt,
    ("pre", "transcript"): check_transcript,
    ("svg", "figure"): check_figure,
    ("span", "waived"): check_waived,
    ("div", "transcript"): check_view,
    ("table", "transcript"): check_origins,
}
READ_ALOUD = (
    "alt", "title", "aria-label", "aria-description", "aria-valuetext", "placeholder", "label",
    "summary", "datetime", "content", "start",
)  # fmt: skip
CONTROLS = ("value", "min", "max", "step")  # shown by a control
SETTINGS = ("viewport", "color-scheme", "referrer", "robots")  # of a <meta>: for browsers only
SOURCE = "quote a fact, or list the name in vocabulary.toml"
BUILD = "build the site again"


def check_page(reading: Reading) -> list[Broken]:
    """Note every finding in `reading`; returns the runs that failed."""
    broken = []
    for offset, code in reading.page.faults:
        reading.found(offset, f"a browser has to guess here: {code}", "mend the HTML")
    for check in (_elements, _texts, _attributes, _order):
        try:
            broken += check(reading) or []
        except Broken as error:
            broken.append(error)
    return broken


def _elements(reading: Reading) -> list[Broken]:
    broken = []
    for node in reading.page.nodes:
        kind = node.attrs.get("data-kind")
        try:
            if node.tag == "data":
                check_number(reading, node)
            elif (node.tag, kind) in CHECKED:
                CHECKED[node.tag, kind](reading, node)
            elif (node.tag, kind) == ("cite", "name"):
                _check_work(reading, node)
            elif kind and (node.tag, kind) != ("code", "name"):
                what = f"a <{node.tag}> cannot be of the kind {kind}"
                reading.found(reading.page.attribute(node, "data-kind"), what, BUILD)
            elif _holder(node):
                continue  # all of it was compared
            elif node.tag in ("pre", "cite") or (
                node.tag in ("svg", "img") and (node.inside("figure") or node.text.strip())
            ):
                reading.found(node, f"a <{node.tag}> without a source", BUILD)
        except Broken as error:
            broken.append(error)
    return broken


def _check_work(reading: Reading, node: Node) -> None:
    """The words and the title of a citation are those of sources.toml."""
    link = next(iter(node.find("a")), node)
    works = [w for w in reading.content.works.values() if w["url"] == link.attrs.get("href")]
    if not any(work["short"] == node.text for work in works):
        reading.found(node.end, f'"{node.text}" is no work of sources.toml', BUILD)
    titles = [f"{work['title']}, read {work['read']}" for work in works]
    if link.attrs.get("title") not in titles:
        at = reading.page.attribute(link, "title")
        reading.found(at, f'"{link.attrs.get("title")}" is no title of sources.toml', BUILD)


def _holder(node: Node) -> Node | None:
    """The checked element that this one is part of."""
    return next((n for n in node.up() if (n.tag, n.attrs.get("data-kind")) in CHECKED), None)


def _texts(reading: Reading) -> None:
    lesson, content = reading.lesson, reading.content
    for text in reading.page.root.texts():
        node = text.parent
        if _holder(node) or node.inside("data", "script", "style", "cite"):
            continue
        if node.tag == "title" and lesson:
            reading.compare(text.offset(0), text.text, lesson.title, "the title")
        elif node.inside("time") and lesson:
            if text.text != lesson.meta["date"]:
                reading.found(text.offset(0), f'"{text.text}" is not the date in lesson.md', BUILD)
        elif node.inside("code"):
            _typed_code(reading, text, node)
        else:
            reading.typed(text, SOURCE)
    if lesson and list(lesson.figures) != [n.attrs.get("id") for n in _drawings(reading)]:
        shown = ", ".join(lesson.figures) or "none"
        reading.found(0, f"the figures are not those of lesson.md, in its order: {shown}", BUILD)
    if not lesson:
        titles = {entry["title"] for entry in content.course["lessons"]}
        for link in (link for item in reading.page.root.find("li") for link in item.find("a")):
            if link.text not in titles:
                reading.found(link.end, f'"{link.text}" is no lesson of course.toml', BUILD)


def _drawings(reading: Reading) -> list[Node]:
    return [node for node in reading.page.nodes if is_drawing(node)]


def _typed_code(reading: Reading, text: Text, node: Node) -> None:
    """Code in the text may also say words that the programs use, and how to run one."""
    known = reading.content.identifiers
    programs = {name for _, name in reading.content.programs}
    run = node.kind == "name" and any(text.text == f"python3 {name}" for name in programs)
    for start, end in reading.unknown(text.text) if not run else ():
        first, last = start, end
        while first and (text.text[first - 1].isalnum() or text.text[first - 1] == "_"):
            first -= 1
        while last < len(text.text) and (text.text[last].isalnum() or text.text[last] == "_"):
            last += 1
        word = text.text[first:last]
        in_name = any(text.text.startswith(name) and end <= len(name) for name in programs)
        if not in_name and not (word in known and word[:1].isalpha()):
            reading.found(text.offset(start), f'"{text.text[start:end]}" has no source', SOURCE)


def _attributes(reading: Reading) -> None:
    """What is read aloud, shown by a pointer or listed by a search."""
    lesson = reading.lesson
    titles = [reading.quoted(title) for each in reading.lessons for title in each.link_titles]
    for node in reading.page.nodes:
        own = (node.tag, node.attrs.get("data-kind"))
        for name in (*READ_ALOUD, *(CONTROLS if node.tag != "data" else ())):
            value = node.attrs.get(name, "")
            at = reading.page.attribute(node, name)
            view = node.inside("div") and _holder(node)
            if view or not any(numbers(value)) or (own in CHECKED and name == "aria-label"):
                continue  # a listing's label was compared with its program, a view as a whole
            if name == "datetime":
                if not lesson or value != lesson.meta["date"]:
                    reading.found(at, f'"{value}" is not the date in lesson.md', BUILD)
            elif name == "content" and (node.tag != "meta" or node.attrs.get("name") in SETTINGS):
                continue
            elif name == "content" and lesson and "description" in _called(node):
                reading.compare(at, value, lesson.meta["description"], "the description")
            elif name == "content" and lesson and "title" in _called(node):
                reading.compare(at, value, lesson.title, "the title")
            elif value in titles or (name == "title" and node.inside("cite")):
                continue
            else:
                for start, end in reading.unknown(value):
                    what = f'"{value[start:end]}" in {name} has no source'
                    reading.found(at, what, SOURCE)


def _called(node: Node) -> str:
    return node.attrs.get("name", "") + node.attrs.get("property", "")


def _order(reading: Reading) -> None:
    """The article shows what lesson.md asks for, all of it, in its order."""
    if not reading.lesson:
        return
    faulty = {(finding.line, finding.col) for finding in reading.findings}
    tag = "main" if reading.lesson.is_widget else "article"
    article = next(iter(reading.page.root.find(tag)), reading.page.root)
    shown = [(node, label) for node in article.find("data", "code", "pre", "cite", "div")
             if (label := _label(reading, node))]  # fmt: skip
    asked = [label for text in reading.lesson.in_article if (label := _asked(reading, text))]
    matcher = SequenceMatcher(None, [label for _, label in shown], asked, autojunk=False)
    for how, start, end, first, last in matcher.get_opcodes():
        if how == "equal":
            continue
        node = shown[min(start, len(shown) - 1)][0] if shown else article
        if reading.page.place(node.offset) not in faulty:
            there = ", ".join(label for _, label in shown[start:end]) or "nothing"
            what = f"shows {there} where {reading.lesson.file} has {', '.join(asked[first:last]) or 'nothing'}"
            reading.found(node, what, BUILD)


def _label(reading: Reading, node: Node) -> str:
    """What an element of the article shows, in a form that lesson.md's words have too."""
    kind, source = node.attrs.get("data-kind", ""), node.attrs.get("data-from", "")
    if node.tag == "data" and kind in ("computed", "cited"):
        return source.partition(", ")[0]
    if node.tag == "data" and source in ("steps", "course.toml"):
        return f"{source} {node.text}"
    if node.tag == "data" and source == "figures":
        link = node.inside("a")
        return f"figure {link.attrs.get('href', '')[1:]}" if link else ""
    if node.tag == "data":
        return "" if node.inside("figcaption") else f"line of {source}"
    if node.tag == "cite":
        return f"source {node.text}"
    if (node.tag, kind) == ("div", "transcript"):
        return f"view {node.attrs.get('data-view', '')}"
    listed = {"pre excerpt": "code", "pre transcript": "run", "code excerpt": "src"}
    return listed.get(f"{node.tag} {kind}", "")


def _asked(reading: Reading, expression: str) -> str:
    fact = FACT.fullmatch(expression)
    if fact:
        return fact[1]
    head = expression.partition("(")[0]
    words = [word for _, word in QUOTED.findall(expression)]
    if head == "step":
        return f"steps {reading.quoted('{{ ' + expression + ' }}').rpartition(' ')[2]}"
    if head == "lesson":
        return f"course.toml {reading.content.numbers.get(words[0])}" if len(words) == 1 else ""
    if head == "ref":
        return f"figure {words[0]}"
    if head == "live":
        return f"view {words[0]}"
    if head == "line":
        return f"line of {words[0].rpartition('/')[2]}"
    if head == "source":
        return f"source {reading.quoted('{{ ' + expression + ' }}')}"
    return head if head in ("code", "run", "src") else ""
