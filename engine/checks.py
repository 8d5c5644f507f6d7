"""The gate: small functions from a draft to findings. CHECKS is the list of them."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress

from engine.course import Course
from engine.draft import Draft
from engine.facts import Fact
from engine.findings import Finding, nearest
from engine.markup import FOLDED, figure_names, stands_alone
from engine.number_words import number_words
from engine.numerals import REFERENCE, facts_that_print, numerals
from engine.sources import NotFound
from engine.stamps import STAMP, stamps_in

RAW_HTML = re.compile(r"<(?:[A-Za-z/][^>]*>|!--)")
BRACES = re.compile(r"\{\{|\}\}|\{%|%\}|\{#|#\}")
READ = ("text", "code", "alt", "title")  # places whose words a reader meets as they are
WORD = re.compile(r"[^\W_]+")
# Entities, and the labels of links that are defined elsewhere.
UNSEEN = re.compile(r"&#?\w+;|(?<=\])\[[^\]\n]+\]|^ {0,3}\[[^\]\n]+\]:", re.MULTILINE)
NAME = re.compile(r"[A-Za-z_]\w*")


def bare_number(draft: Draft) -> Iterator[Finding]:
    """A number typed by hand, wherever a reader meets it; a file:line is `typed-reference`."""
    known_names = {
        name for program in draft.course.code for name in NAME.findall(program.source.text)
    }
    for piece in draft.pieces:
        if piece.place not in READ:
            continue
        text = STAMP.sub(lambda match: " " * len(match[0]), piece.text)
        if piece.place == "code":
            text = NAME.sub(
                lambda match: " " * len(match[0]) if match[0] in known_names else match[0], text
            )
        references = [match.span() for match in REFERENCE.finditer(text)]
        for start, end in references:
            what, fix = f'"{text[start:end]}" will go stale', _line_for(text[start:end], draft)
            yield draft.finding(piece.at(start), "typed-reference", what, fix)
        for number, offset, name in numerals(text, draft.course.vocabulary):
            if not name and not any(start <= offset < end for start, end in references):
                after = text[offset + len(number) :]
                what, fix = _source_for(number, after, draft.prose.facts)
                yield draft.finding(piece.at(offset), "bare-number", what, fix)


def _line_for(reference: str, draft: Draft) -> str:
    """The word that says what a typed file:line means, if that line can be told from others."""
    file, _, number = reference.partition(":")
    source = draft.lesson.programs.get(file)
    with suppress(NotFound, ValueError, IndexError):
        if source and source.line(content := source.lines[int(number) - 1].strip()):
            return f'write {{{{ line("{file}", {json.dumps(content)}) }}}}'
    return 'write {{ line("the file", "the whole line it means") }}'


def _source_for(number: str, after: str, facts: Mapping[str, Fact]) -> tuple[str, str]:
    quotes = facts_that_print(number, after, facts)
    if quotes:
        equal = "it equals a fact" if len(quotes) == 1 else f"it equals {len(quotes)} facts"
        return f'"{number}" has no source; {equal}', f"write {' or '.join(quotes[:3])}"
    fix = "measure it in facts.py, cite it in sources.toml, or list the name in vocabulary.toml"
    return f'"{number}" has no source', fix


def number_word(draft: Draft) -> Iterator[Finding]:
    """A word that counts, typed by hand."""
    for piece in draft.pieces:
        if piece.place in READ and piece.place != "code":
            text = STAMP.sub(lambda match: " " * len(match[0]), piece.text)
            text = draft.course.vocabulary.regex.sub(lambda match: " " * len(match[0]), text)
            for word, offset in number_words(text):
                fix = (
                    f'quote a fact as {{{{ ... | words }}}}, bind it with {{{{ claim("{word}", ...) }}}}, '
                    f'or, if it counts nothing, write {{{{ plain("{word}") }}}}'
                )
                what = f'"{word}" counts something and has no source'
                yield draft.finding(piece.at(offset), "number-word", what, fix)


def typed_code(draft: Draft) -> Iterator[Finding]:
    """A block of code that was typed: nothing keeps it true."""
    for piece in draft.pieces:
        if piece.place == "block":
            fix = "write {{ code(...) }} for an excerpt or {{ run(...) }} for what a program prints"
            yield draft.finding(piece.at(0), "typed-code", "a code block is typed by hand", fix)


def raw_markup(draft: Draft) -> Iterator[Finding]:
    """HTML, or braces that belong to no expression."""
    for piece in draft.pieces:
        if piece.place in ("code", "block"):
            continue
        for match in RAW_HTML.finditer(piece.text):
            fix = "use Markdown, or put it in a code span"
            yield draft.finding(piece.at(match.start()), "raw-html", f'"{match[0]}" is HTML', fix)
        for match in BRACES.finditer(piece.text):
            what = f'"{match[0]}" opens or closes no expression'
            fix = "write {{ ... }} on one line, or put the braces in a code span"
            yield draft.finding(piece.at(match.start()), "expression", what, fix)


def misplaced(draft: Draft) -> Iterator[Finding]:
    """A block inside a sentence, a number in a link's target, a list that starts elsewhere."""
    blocks = set()
    for token, after in zip(draft.tokens, [*draft.tokens[1:], None]):
        if token.type == "inline" and stands_alone(token, draft.is_block) == "block":
            blocks.add(stamps_in(token.content)[0])
        if token.type == f"container_{FOLDED}_open" and after.type != "paragraph_open":
            fix = "begin it with a paragraph: the line that a reader clicks"
            yield draft.at_line(token, "misplaced-block", "an answer has no line to click", fix)
        if token.type == "ordered_list_open" and token.attrs.get("start", 1) != 1:
            fix = "begin the list with 1; the page counts on from there"
            yield draft.at_line(token, "list-start", "a list starts at a typed number", fix)
    for piece in draft.pieces:
        for match in STAMP.finditer(piece.text):
            index = stamps_in(match[0])[0]
            if piece.place in ("target", "figure"):
                fix = "link with {{ lesson(...) }} or {{ source(...) }}, or write the address out"
                yield draft.finding(piece.at(0), "stamp-in-target", "a link's target is live", fix)
            elif index in draft.shown and draft.shown[index].block and index not in blocks:
                fix = "give it a line of its own, with an empty line before and after"
                yield draft.finding(
                    piece.at(match.start()),
                    "misplaced-block",
                    "a block stands inside other text",
                    fix,
                )


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
                    offset, "double-figure", f'figure "{name}" is shown twice', "remove one"
                )
            if not child.content.strip():
                fix = f"say in words what it shows: ![...]({name})"
                yield draft.finding(
                    offset, "no-alt-text", f'figure "{name}" has no alternative text', fix
                )
            seen.add(name)


def where(course: Course, fact: Fact) -> tuple[str, int]:
    """Path and line of a fact's origin, as findings name them."""
    path, _, line = fact.origin.rpartition(":")
    return str(course.root / path), int(line)


def unused(draft: Draft) -> Iterator[Finding]:
    """A fact, figure, program or source of this lesson that nothing on the page uses."""
    folder = draft.lesson.folder
    used = draft.prose.used_facts | draft.facts_in_figures
    for name, fact in draft.facts.items():
        if name not in used:
            fix = f"quote {{{{ {name} }}}} or remove it"
            place = where(draft.course, fact)
            yield Finding(*place, 1, "unused-fact", f"{name} is quoted nowhere", fix)
    for name in draft.drawings.keys() - set(figure_names(draft.tokens)):
        line, fix = draft.drawings[name].line, f"show it with ![what it shows]({name}) or remove it"
        yield Finding(
            str(folder / "figures.py"), line, 1, "unused-figure", f'"{name}" is shown nowhere', fix
        )
    for source in draft.lesson.programs.values():
        if source.path not in draft.prose.words.used_programs:
            fix = "quote it with code(...), line(...) or run(...), or remove it"
            yield Finding(
                source.path, 1, 1, "unused-program", f"{source.name} is quoted nowhere", fix
            )


def lost_text(draft: Draft) -> Iterator[Finding]:
    """Words that Markdown drops in silence: a table cell too many, what stands behind `:::`."""
    start = draft.lesson.body_offset
    kept = Counter(word for piece in draft.pieces for word in WORD.findall(piece.text))
    kept.update(WORD.findall(draft.lesson.stamped[:start]))
    for token in draft.tokens:  # a list's numbers, the language of a fence, the name of a block
        info = token.info.strip()
        kept.update([info] if not token.type.startswith("container") or info == FOLDED else [])
    body = UNSEEN.sub(lambda match: " " * len(match[0]), draft.lesson.stamped[start:])
    for match in WORD.finditer(body):
        kept[match[0]] -= 1
    for match in reversed(list(WORD.finditer(body))):  # of equal words, the last ones are lost
        if kept[match[0]] < 0:
            kept[match[0]] += 1
            fix = "a row has as many cells as its table, and ::: answer nothing behind it"
            word = draft.lesson.text[start + match.start() : start + match.end()]
            yield draft.finding(
                start + match.start(), "lost-text", f'"{word}" does not reach the page', fix
            )


def heading_order(draft: Draft) -> Iterator[Finding]:
    """A heading that those who hear the page would miss: the title is the only first level."""
    level = 1
    for token in draft.tokens:
        if token.type == "heading_open":
            before, level = level, int(token.tag[1])
            if level == 1 or level > before + 1:
                marks = "#" * min(max(level, 2), before + 1)
                what = f"a heading of level {level} follows one of level {before}"
                yield draft.at_line(token, "heading-order", what, f"begin it with {marks}")


CHECKS = (
    bare_number, number_word, typed_code, raw_markup, lost_text, misplaced, figures, heading_order, unused,
)  # fmt: skip
