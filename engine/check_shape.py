"""The gate for the form of a text: typed code, HTML, words that get lost, blocks, figures, headings."""

import re
from collections import Counter
from collections.abc import Iterator

from engine.draft import Draft
from engine.findings import Finding, nearest
from engine.markup import FOLDED, figure_names, headings, stands_alone
from engine.stamps import STAMP, stamps_in

RAW_HTML = re.compile(r"<(?:[A-Za-z/][^>]*>|!--)")
BRACES = re.compile(r"\{\{|\}\}|\{%|%\}|\{#|#\}")
CODE = ("code", "block")
ADDRESSES = ("https://", "http://", "mailto:")
WORD = re.compile(r"[^\W_]+")
# Entities, and the labels of links that are defined elsewhere.
UNSEEN = re.compile(r"&#?\w+;|(?<=\])\[[^\]\n]+\]|^ {0,3}\[[^\]\n]+\]:", re.MULTILINE)


def typed_code(draft: Draft) -> Iterator[Finding]:
    """A block of code that was typed: nothing keeps it true."""
    for piece in draft.pieces:
        if piece.place == "block":
            fix = "write {{ code(...) }} for an excerpt or {{ run(...) }} for what a program prints"
            yield draft.finding(piece.at(0), "typed-code", "a code block is typed by hand", fix)


def raw_markup(draft: Draft) -> Iterator[Finding]:
    """HTML in Markdown."""
    for piece in draft.pieces:
        for match in RAW_HTML.finditer(piece.text) if piece.place not in CODE else ():
            fix = "use Markdown, or put it in a code span"
            yield draft.finding(piece.at(match.start()), "raw-html", f'"{match[0]}" is HTML', fix)


def loose_braces(draft: Draft) -> Iterator[Finding]:
    """Braces that belong to no expression."""
    for piece in draft.pieces:
        for match in BRACES.finditer(piece.text) if piece.place not in CODE else ():
            what = f'"{match[0]}" opens or closes no expression'
            fix = "write {{ ... }} on one line, or put the braces in a code span"
            yield draft.finding(piece.at(match.start()), "expression", what, fix)


def misplaced(draft: Draft) -> Iterator[Finding]:
    """A block inside a sentence or heading, an expression in a link's target."""
    blocks = {
        stamps_in(token.content)[0]
        for before, token in zip(draft.tokens, draft.tokens[1:])
        if before.type == "paragraph_open" and stands_alone(token, draft.is_block) == "block"
    }
    for line in draft.lesson.stamped.split("\n") if draft.behind else ():
        blocks |= set(stamps_in(line)) if STAMP.fullmatch(line.strip()) else set()
    for piece in draft.pieces:
        for match in STAMP.finditer(piece.text):
            index = stamps_in(match[0])[0]
            if piece.place == "machine":
                what, fix = "an expression stands where nobody reads it", "write it in the text"
                yield draft.finding(piece.at(match.start()), "misplaced-block", what, fix)
            elif piece.place in ("target", "figure"):
                fix = "link with {{ lesson(...) }} or {{ source(...) }}, or write the address out"
                yield draft.finding(piece.at(0), "stamp-in-target", "a link's target is live", fix)
            elif index in draft.shown and draft.shown[index].block and index not in blocks:
                what = "a block stands inside other text"
                fix = "give it a line of its own, with an empty line before and after"
                yield draft.finding(piece.at(match.start()), "misplaced-block", what, fix)


def answers(draft: Draft) -> Iterator[Finding]:
    """A folded answer without a line to click, or without an end; a block of another name."""
    lines = draft.lesson.text[draft.lesson.body_offset :].split("\n")
    for token, after, below in zip(draft.tokens, draft.tokens[1:], draft.tokens[2:]):
        if token.type == f"container_{FOLDED}_open":
            if after.type != "paragraph_open" or stands_alone(below, draft.is_block):
                fix = "begin it with a paragraph: the line that a reader clicks"
                yield draft.at_line(token, "misplaced-block", "an answer has no line to click", fix)
            if ":::" not in "".join(lines[token.map[1] : token.map[1] + 1]):
                fix = "end it with a line that says :::"
                yield draft.at_line(token, "misplaced-block", "an answer does not end", fix)
    for piece in draft.pieces:
        if piece.place == "text" and piece.text.startswith(":::"):
            what, fix = f'"{piece.text}" begins or ends no block', f"write ::: {FOLDED}, text, :::"
            yield draft.finding(piece.at(0), "misplaced-block", what, fix)


def links(draft: Draft) -> Iterator[Finding]:
    """A link that leads nowhere on this page or beside it."""
    anchors = {f"#{anchor}" for _, anchor, _ in headings(draft.tokens)}
    anchors |= {f"#{name}" for name in figure_names(draft.tokens)}
    for piece in draft.pieces:
        typed = piece.place == "target" and not STAMP.search(piece.text)
        if typed and not piece.text.startswith(ADDRESSES) and piece.text not in anchors:
            fix = "write a whole address, or use {{ lesson(...) }} or {{ ref(...) }}"
            yield draft.finding(piece.at(0), "dead-link", f'"{piece.text}" leads nowhere', fix)


def lists(draft: Draft) -> Iterator[Finding]:
    """A list that starts at a number somebody typed."""
    for token in draft.tokens:
        if token.type == "ordered_list_open" and token.attrs.get("start", 1) != 1:
            fix = "begin the list with 1; the page counts on from there"
            yield draft.at_line(token, "list-start", "a list starts at a typed number", fix)


def figures(draft: Draft) -> Iterator[Finding]:
    """A figure that nobody drew, shows twice, stands in a sentence, or cannot be heard."""
    seen: set[str] = set()
    offsets = (piece.at(0) for piece in draft.pieces if piece.place == "figure")
    for token in draft.tokens:
        for index, child in enumerate(token.children or []):
            if child.type != "image":
                continue
            name, offset = str(child.attrs["src"]), next(offsets, 0)
            if name not in draft.drawings:
                fix = nearest(name, draft.drawings)
                yield draft.finding(offset, "unknown-figure", f'figures.py draws no "{name}"', fix)
            if index:
                fix = "begin a paragraph with it; the caption follows on the next line"
                yield draft.finding(
                    offset, "misplaced-block", f'figure "{name}" stands inside a sentence', fix
                )
            if name in seen:
                yield draft.finding(
                    offset, "repeated-figure", f'figure "{name}" is shown twice', "remove one"
                )
            if not child.content.strip():
                fix = f"say in words what it shows: ![...]({name})"
                yield draft.finding(
                    offset, "no-alt-text", f'figure "{name}" has no alternative text', fix
                )
            seen.add(name)


def lost_text(draft: Draft) -> Iterator[Finding]:
    """Words that Markdown drops in silence: a table cell too many, what stands behind `:::`."""
    start = draft.lesson.body_offset
    kept = Counter(word for piece in draft.pieces for word in WORD.findall(piece.text))
    kept.update(WORD.findall(draft.lesson.stamped[:start]))
    # A list's numbers, the language of a fence, the name of a block.
    infos = ((token.info.strip(), token.type) for token in draft.tokens if token.info)
    kept.update(info for info, kind in infos if not kind.startswith("container") or info == FOLDED)
    body = UNSEEN.sub(lambda match: " " * len(match[0]), draft.lesson.stamped[start:])
    words = list(WORD.finditer(body))
    kept.subtract(match[0] for match in words)
    for match in reversed(words):  # of equal words, the last ones are lost
        if kept[match[0]] < 0:
            kept[match[0]] += 1
            fix = "a row has as many cells as its table, and ::: answer nothing behind it"
            word = draft.lesson.text[start + match.start() : start + match.end()]
            yield draft.finding(
                start + match.start(), "lost-text", f'"{word}" does not reach the page', fix
            )


def heading_order(draft: Draft) -> Iterator[Finding]:
    """A heading that those who hear the page would miss: the title is the only first level."""
    deep = draft.lesson.meta["deep"]
    if deep not in [text for _, _, text in headings(draft.tokens)]:
        offset = max(draft.lesson.text.find("deep ="), 0)
        fix = "give it the text of the heading where the optional part begins"
        yield draft.finding(offset, "front-matter", f'no heading is "{deep}"', fix)
    level = 1
    for token in draft.tokens:
        if token.type == "heading_open":
            before, level = level, int(token.tag[1])
            if level == 1 or level > before + 1:
                marks = "#" * min(max(level, 2), before + 1)
                what = f"a heading of level {level} follows one of level {before}"
                yield draft.at_line(token, "heading-order", what, f"begin it with {marks}")
