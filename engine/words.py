"""The writer's words: what a lesson may call between `{{` and `}}`, and what each puts on the page."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import escape, unescape
from textwrap import dedent
from typing import Any

from engine.course import WIDGET, Course, Lesson
from engine.elements import data, fact_html, listing, numbered_lines
from engine.facts import Fact
from engine.findings import nearest
from engine.runner import Runner
from engine.sources import Source

LEAST_REASON = 3  # words
MOST_LOCKED = 1000  # characters of a view that the lock holds as they are
INLINE = re.compile(r"</?(?:a|abbr|b|code|data|em|i|small|span|strong|tspan)\b[^>]*>")
TAG = re.compile(r"<[^>]*>")


class WordFault(Exception):
    """A word was used wrongly: rule, what, fix."""

    def __init__(self, rule: str, what: str, fix: str):
        super().__init__(what)
        self.rule, self.what, self.fix = rule, what, fix


@dataclass(frozen=True)
class Shown:
    """What one expression puts on the page."""

    text: str  # as read aloud, in an attribute or in a title
    html: str
    kind: str  # computed, cited, structural, name, excerpt, transcript, claim, plain or waived
    block: bool = False  # stands in a paragraph of its own
    locked: str = ""  # what the lock holds of it, if not the text


@dataclass(frozen=True)
class Claim:
    """Words that are bound to a condition."""

    text: str
    holds: bool


class Words:
    """The words of one text. Remembers which programs, views and sources they used.

    figures: their names, in the order in which the page shows them.
    views: what the widget's scripts draw, by name; settings: the names of those it has.
    """

    def __init__(
        self,
        course: Course,
        lesson: Lesson,
        figures: list[str],
        runner: Runner,
        views: Mapping[str, str] = {},
        settings: Iterable[str] = (),
    ):
        self._course, self._lesson, self._runner = course, lesson, runner
        self._figures, self._views, self._settings = figures, views, settings
        self.used_programs: set[str] = set()
        self.used_citations: set[str] = set()
        self.used_views: set[str] = set()

    def table(self) -> dict[str, Callable[..., Shown | Claim]]:
        """The words by the names that writers use."""
        return {
            "line": self.line, "src": self.src, "code": self.code, "run": self.run,
            "ref": self.ref, "step": self.step, "lesson": self.lesson, "source": self.source,
            "live": self.live, "preset": self.preset,
            "claim": self.claim, "plain": self.plain, "waived": self.waived,
        }  # fmt: skip

    def line(self, program: str, content: str) -> Shown:
        """`file:line` of the only line that says `content`."""
        source = self._program(program)
        number = source.line(content)
        html = f"<code>{escape(source.name)}:{data(number, 'structural', source.name)}</code>"
        return Shown(f"{source.name}:{number}", html, "structural")

    def src(self, program: str, content: str) -> Shown:
        """That line itself, in the running text."""
        source = self._program(program)
        line = source.statement(source.line(content))
        return Shown(line, f'<code data-kind="excerpt">{escape(line)}</code>', "excerpt")

    def code(self, program: str, symbol: str = "", first: str = "", last: str = "") -> Shown:
        """An excerpt: a symbol, or the lines from one content to another."""
        source = self._program(program)
        start, end = source.symbol(symbol) if symbol else source.between(first, last or first)
        places = [data(number, "structural", source.name) for number in (start, end)]
        lines = f"line {places[0]}" if start == end else f"lines {places[0]} to {places[1]}"
        text = dedent("\n".join(source.lines[start - 1 : end]))  # a phone is narrow
        caption = f"<code>{escape(source.name)}</code>, {lines}"
        block = listing(
            caption, source.name, "excerpt", f"<code>{numbered_lines(text, start)}</code>"
        )
        place = f"{source.name}:{start}-{end}"
        return Shown(text, block, "excerpt", block=True, locked=place)

    def run(self, program: str, edit: Mapping[str, Any] | None = None, part: str = "") -> Shown:
        """What a program prints, perhaps after constants are edited; all of it, or one block."""
        if program not in self._lesson.programs:
            fix = nearest(program, self._lesson.programs)
            raise WordFault("unknown-program", f'no program of this lesson is "{program}"', fix)
        self._program(program)
        changes = {name: _literal(value) for name, value in (edit or {}).items()}
        text = self._runner.transcript(self._lesson, program, changes).strip("\n")
        if part:
            blocks = [block for block in text.split("\n\n") if part in block.split("\n")[0]]
            if len(blocks) != 1:
                what = (
                    f'"{part}" is in the first line of {len(blocks)} blocks that {program} prints'
                )
                raise WordFault("not-in-code", what, "name one block by words of its first line")
            text = blocks[0]
        caption = f'<code data-kind="name">python3 {escape(program)}</code> prints'
        label = f"What {program} prints"
        block = listing(caption, label, "transcript", f"<samp>{escape(text)}</samp>")
        return Shown(text, block, "transcript", block=True)

    def ref(self, figure: str) -> Shown:
        """ "Figure 2", with a link to it."""
        if figure not in self._figures:
            fix = nearest(figure, self._figures)
            raise WordFault("unknown-figure", f'no figure "{figure}" is shown', fix)
        number = self._figures.index(figure) + 1
        html = (
            f'<a href="#{escape(figure)}">Figure\u00a0{data(number, "structural", "figures")}</a>'
        )
        return Shown(f"Figure {number}", html, "structural")

    def step(self, name: str) -> Shown:
        """ "step 3", by the step's name in the front matter."""
        steps = self._lesson.meta["steps"]
        if name not in steps:
            raise WordFault("unknown-step", f'no step is called "{name}"', nearest(name, steps))
        number = steps.index(name) + 1
        html = f"step\u00a0{data(number, 'structural', 'steps')}"
        return Shown(f"step {number}", html, "structural")

    def lesson(self, slug: str, text: str = "") -> Shown:
        """ "lesson 22", or `text`, with a link to it."""
        entries = self._course.entries
        if slug not in entries:
            raise WordFault("unknown-lesson", f'no lesson is "{slug}"', nearest(slug, entries))
        wording(text)
        entry = entries[slug]
        where = escape(entry.url or f"../{slug}/index.html")
        html = escape(text) or f"lesson\u00a0{data(entry.number, 'structural', 'course.toml')}"
        label = text or f"lesson {entry.number}"
        return Shown(label, f'<a href="{where}">{html}</a>', "structural")

    def source(self, key: str) -> Shown:
        """A work of sources.toml, by its short name, with a link to it."""
        works = self._course.citations
        if key not in works:
            raise WordFault(
                "unknown-source", f'"{key}" is not in sources.toml', nearest(key, works)
            )
        self.used_citations.add(key)
        work = works[key]
        title = escape(f"{work.title}, read {work.read}")
        link = f'<a href="{escape(work.url)}" title="{title}">{escape(work.short)}</a>'
        return Shown(work.short, f'<cite data-kind="name">{link}</cite>', "name")

    def live(self, view: str) -> Shown:
        """What the widget's scripts draw: now by the build, and in the browser as settings change."""
        if view not in self._views:
            fix = nearest(view, self._views)
            raise WordFault("unknown-view", f'the scripts draw no view "{view}"', fix)
        self.used_views.add(view)
        html = self._views[view]
        block = f'<div class="view" data-view="{escape(view)}" data-kind="transcript">{html}</div>'
        text = " ".join(unescape(TAG.sub(" ", INLINE.sub("", html))).split())
        long = f"{len(text.split()):,} words, sha256 {hashlib.sha256(text.encode()).hexdigest()}"
        locked = text if len(text) <= MOST_LOCKED else long
        return Shown(text, block, "transcript", block=True, locked=locked)

    def preset(self, text: str, **settings: Any) -> Shown:
        """A link to the widget at these settings; each `{}` in `text` is the next one's fact."""
        wording(text)
        for name, fact in settings.items():
            if name not in self._settings:
                fix = nearest(name, self._settings)
                raise WordFault("unknown-setting", f'the widget has no setting "{name}"', fix)
            if not isinstance(fact, Fact):
                raise WordFault("bare-number", f"{name} is a typed number", "name the fact it is")
        if text.count("{}") != len(settings):
            what = f'"{text}" has {text.count("{}")} {{}} for {len(settings)} settings'
            raise WordFault("expression", what, "write one {} for each")
        page = "" if self._lesson.file == WIDGET else "widget/index.html"
        target = "&amp;".join(f"{name}={fact.value}" for name, fact in settings.items())
        target = f"#{target}" if settings else ""
        shown = [fact_html(fact) for fact in settings.values()]
        html = f'<a href="{page}{target}">{escape(text).format(*shown)}</a>'
        said = text.format(*(fact.text for fact in settings.values()))
        return Shown(said, html, "computed")

    def claim(self, text: str, condition: Any) -> Claim:
        """Words that stand only while the condition holds."""
        wording(text)
        return Claim(text, bool(condition))

    def plain(self, text: str) -> Shown:
        """A number word that counts nothing."""
        wording(text)
        return Shown(text, escape(text), "plain")

    def waived(self, text: str, reason: str) -> Shown:
        """A typed number that stays, for a reason that the report gives."""
        if len(reason.split()) < LEAST_REASON:
            fix = "say in a few words why it needs no source"
            raise WordFault("bare-number", f'"{text}" is waived without a reason', fix)
        html = f'<span data-kind="waived" data-from="{escape(reason)}">{escape(text)}</span>'
        return Shown(text, html, "waived")

    def _program(self, name: str) -> Source:
        """One of the lesson's programs, or another lesson's as "slug/name.py"."""
        known = dict(self._lesson.programs)
        for other in self._course.code:
            known.setdefault(f"{other.slug}/{other.source.name}", other.source)
        if name not in known:
            raise WordFault("unknown-program", f'no program is "{name}"', nearest(name, known))
        self.used_programs.add(known[name].path)
        return known[name]


def wording(text: str) -> None:
    """Raise WordFault if words that a writer bound or marked hold a typed number."""
    if any(char.isnumeric() for char in text):
        fix = "end the text before the number and quote a fact"
        raise WordFault("bare-number", f'"{text}" holds a typed number', fix)


def _literal(value: Any) -> str:
    return repr(value.value if isinstance(value, Fact) else value)
