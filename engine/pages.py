"""Whole pages: a checked draft and the frames of templates/ become the bytes of a site."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from math import ceil
from pathlib import Path

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from engine.course import Course, Lesson, read_text
from engine.draft import Draft
from engine.elements import data
from engine.figures import DESCRIPTION
from engine.findings import Finding, Refused
from engine.fragment import fill_html
from engine.markup import figure_names, headings, render
from engine.origins import origins
from engine.stamps import STAMP, fill_in
from engine.widget import Widget

WORDS_PER_MINUTE = 200
ZIP_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest a zip can say: the same for everybody


@dataclass(frozen=True)
class Heading:
    """An entry of a page's table of contents."""

    anchor: str
    html: str


def lesson_page(draft: Draft, frames: "Frames") -> str:
    """The lesson's HTML page."""
    plain, deep = reading_minutes(draft)
    html_of, text_of = _html_of(draft), lambda index: escape(_text_of(draft)(index))
    contents = [
        Heading(anchor, fill_in(text, html_of, escape))
        for tag, anchor, text in headings(draft.tokens) if tag == "h2"
    ]  # fmt: skip
    return frames.render(
        "lesson.html",
        root="../",
        course=draft.course,
        lesson=draft.lesson,
        meta={key: _filled(value, html_of) for key, value in draft.lesson.meta.items()},
        plain={key: _filled(value, text_of) for key, value in draft.lesson.meta.items()},
        number=Markup(data(draft.lesson.entry.number, "structural", "course.toml")),
        minutes_plain=_minutes(plain),
        minutes_deep=_minutes(deep),
        contents=contents,
        body=Markup(_body(draft)),
        origins=origins(draft),
        download=zip_name(draft.lesson),
    )


def widget_page(draft: Draft, frames: "Frames") -> str:
    """The page of a lesson's widget: its text, its data and its scripts."""
    html_of, text_of = _html_of(draft), lambda index: escape(_text_of(draft)(index))
    body = draft.lesson.stamped[draft.lesson.body_offset :]
    behind = draft.behind
    return frames.render(
        "widget.html",
        root="../../",
        course=draft.course,
        lesson=draft.lesson,
        plain={key: _filled(value, text_of) for key, value in draft.lesson.meta.items()},
        body=Markup(fill_html(body, html_of, _text_of(draft))),
        data=Markup(json.dumps(behind.data).replace("<", "\\u003c")),
        styles=[_asset(name, text) for name, text in behind.styles.items()],
        scripts=[_asset(name, text) for name, text in behind.scripts.items()],
    )


def widget_assets(behind: Widget) -> dict[str, bytes]:
    """Path in the site -> bytes of the widget's scripts and styles."""
    texts = {**behind.scripts, **behind.styles}
    return {_asset(name, text): text.encode() for name, text in texts.items()}


def _asset(name: str, text: str) -> str:
    """Where a file stands in the site: its name holds a digest, so a page never meets another one."""
    stem, _, suffix = name.rpartition(".")
    return f"assets/{stem}.{hashlib.sha256(text.encode()).hexdigest()[:10]}.{suffix}"


def index_page(course: Course, drafts: list[Draft], frames: "Frames") -> str:
    """The course's front page."""
    numbers = {
        entry.slug: Markup(data(entry.number, "structural", "course.toml"))
        for entry in course.entries.values()
    }
    descriptions = {
        draft.lesson.entry.slug: _filled(draft.lesson.meta["description"], _html_of(draft))
        for draft in drafts
    }
    entries = sorted(course.entries.values(), key=lambda entry: entry.number)
    return frames.render(
        "index.html", root="", course=course, entries=entries, numbers=numbers,
        descriptions=descriptions,
    )  # fmt: skip


def zip_name(lesson: Lesson) -> str:
    """The download's file name."""
    return f"{lesson.entry.slug}-code.zip"


def code_zip(course: Course, lesson: Lesson) -> bytes:
    """The lesson's programs, and those of other lessons that they load, as one archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for program in course.code_with(lesson):
            info = zipfile.ZipInfo(f"{program.slug}/code/{program.source.name}", ZIP_DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            info.create_system = 3  # "made on Unix", wherever it is made
            archive.writestr(info, program.source.text)
    return out.getvalue()


def reading_minutes(draft: Draft) -> tuple[int, int]:
    """Minutes to read the lesson up to the heading named `deep`, and from there on."""
    counts = [0, 0]
    deep = 0
    for index, token in enumerate(draft.tokens):
        if token.type == "inline":
            if draft.tokens[index - 1].tag == "h2" and token.content == draft.lesson.meta["deep"]:
                deep = 1
            counts[deep] += len(STAMP.sub("number", token.content).split())
    return ceil(counts[0] / WORDS_PER_MINUTE), ceil(counts[1] / WORDS_PER_MINUTE)


class Frames:
    """The page frames of templates/."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._jinja = _environment(folder)
        self.assets: dict[str, bytes] = {}  # path in the site -> bytes; the name holds a digest
        names: dict[str, str] = {}
        for file in sorted([*folder.glob("*.css"), *folder.glob("*.js")]):
            text = read_text(file)
            names[file.name] = _asset(file.name, text)
            self.assets[names[file.name]] = text.encode()
        self._names = names

    def render(self, name: str, **values: object) -> str:
        """A page. Raises Refused if the frame is missing, or says what there is not."""
        try:
            return self._jinja.get_template(name).render(values, assets=self._names)
        except Exception as error:  # a frame is a program: it can fail in any way
            path = str(self._folder / (getattr(error, "name", None) or name))
            line = getattr(error, "lineno", None) or _line_in(error, name)
            what, fix = str(getattr(error, "message", "") or error), "mend the frame"
            raise Refused([Finding(path, line, 1, "template", what, fix)]) from None


@lru_cache(10)
def _environment(folder: Path) -> Environment:
    """Frames compiled once, and again when their text is another, whatever their date says."""

    def load(name: str) -> tuple[str, str, Callable[[], bool]] | None:
        path = folder / name
        if not path.is_file():
            return None
        text = read_text(path)
        return text, str(path), lambda: path.is_file() and read_text(path) == text

    return Environment(
        loader=FunctionLoader(load), undefined=StrictUndefined, autoescape=True,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip


def _line_in(error: BaseException, name: str) -> int:
    """The line of a frame at which an error passed through it."""
    line, frame = 1, error.__traceback__
    while frame:
        if Path(frame.tb_frame.f_code.co_filename).name == name:
            line = frame.tb_lineno
        frame = frame.tb_next
    return line


def _filled(value: str | list[str], shown: Callable[[int], str]) -> Markup | list[Markup]:
    """A value of the front matter with its stamps filled in."""
    if isinstance(value, list):
        return [_filled(item, shown) for item in value]
    return Markup(fill_in(value, shown, escape))


def _html_of(draft: Draft) -> Callable[[int], str]:
    """What the page shows for an expression."""
    return lambda index: draft.shown[index].html


def _text_of(draft: Draft) -> Callable[[int], str]:
    """What an attribute says for an expression."""
    return lambda index: draft.shown[index].text


def _minutes(count: int) -> Markup:
    return Markup(data(count, "computed", f"words / {WORDS_PER_MINUTE}"))


def _body(draft: Draft) -> str:
    numbers = {name: number for number, name in enumerate(figure_names(draft.tokens), 1)}

    def draw(name: str, alt: str, caption: str) -> str:
        svg = draft.drawings[name].svg.replace(DESCRIPTION, escape(alt))
        number = data(numbers[name], "structural", "figures")
        caption = f"<figcaption><b>Figure\u00a0{number}.</b> {caption}</figcaption>"
        return f'<figure class="drawing" id="{escape(name)}">{svg}{caption}</figure>\n'

    return render(draft.tokens, _html_of(draft), _text_of(draft), draft.is_block, draw)
