"""content/ as the second reader needs it: TOML, texts with their expressions, programs as lines."""

import re
import tomllib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from engine.verify.spelling import Fact

EXPRESSION = re.compile(r"\{\{\s*(.+?)\s*\}\}")
CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)")
FRONT = re.compile(r"\+\+\+\n(.*?\n)\+\+\+\n(.*)", re.DOTALL)
LINK_TITLE = re.compile(r"""\]\(\S+\s+(["'])(.*?)\1\)""")
IMAGE = re.compile(r"^!\[(.*)\]\(([\w-]+)\)", re.MULTILINE)
TAG = re.compile(r"</?[a-zA-Z](?:\{\{.*?\}\}|[^>])*>")
QUOTED = re.compile(r"""(["'])(.+?)\1""")


@dataclass(frozen=True)
class Lesson:
    """A lesson.md, or the page.html of its widget: front matter, and body as text."""

    slug: str
    file: str
    meta: dict[str, Any]
    body: str

    @property
    def is_widget(self) -> bool:
        return self.file.endswith(".html")

    @property
    def title(self) -> str:
        """What a browser calls the page."""
        return self.meta["title" if self.is_widget else "search_title"]

    @cached_property
    def expressions(self) -> list[str]:
        """Every expression, those of the front matter first; code spans hold none."""
        front = [text for value in self.meta.values() for text in _texts(value)]
        return EXPRESSION.findall("\n".join([*front, CODE_SPAN.sub("", self.body)]))

    @cached_property
    def in_article(self) -> list[str]:
        """Those that the text shows, not in an attribute or a description; a preset's facts."""
        text = IMAGE.sub("", CODE_SPAN.sub("", self.body))
        text = TAG.sub("", text) if self.is_widget else LINK_TITLE.sub("", text)
        return [
            part for found in EXPRESSION.findall(text) for part in preset_facts(found) or [found]
        ]

    @cached_property
    def presets(self) -> list[str]:
        """The facts that presets show."""
        return [fact for found in self.expressions for fact in preset_facts(found)]

    @cached_property
    def link_titles(self) -> list[str]:
        """The titles of links, as they are written; of HTML, the attributes with expressions."""
        if self.is_widget:
            return re.findall(r'="([^"]*\{\{[^"]*)"', self.body)
        return [title for _, title in LINK_TITLE.findall(self.body)]

    @cached_property
    def figures(self) -> dict[str, str]:
        """The figures in order: name -> its description as it is written."""
        return {name: alt for alt, name in IMAGE.findall(CODE_SPAN.sub("", self.body))}

    def lines_asked(self, program: str) -> set[str]:
        """The contents by which `line(program, content)` finds lines."""
        asked = (QUOTED.findall(text) for text in self.expressions if text.startswith("line("))
        return {words[1][1].strip() for words in asked if words[0][1].endswith(program)}

    def edits(self, program: str) -> list[str]:
        """What each `edit={...}` of a run of the program says between its braces."""
        runs = [text for text in self.expressions if text.startswith("run(")]
        found = (re.search(r"edit\s*=\s*\{(.*?)\}", text) for text in runs if program in text)
        return [match[1] for match in found if match]


@dataclass
class Content:
    """Everything below content/ that a page can be held to."""

    root: Path
    course: dict[str, Any] = field(init=False)
    names: list[str] = field(init=False)
    patterns: list[str] = field(init=False)
    works: dict[str, Any] = field(init=False)
    lessons: dict[str, Lesson] = field(init=False)
    widgets: dict[str, Lesson] = field(init=False)
    programs: dict[tuple[str, str], list[str]] = field(init=False)  # (slug, file name) -> lines

    def __post_init__(self) -> None:
        self.course = tomllib.loads(self.text("course.toml"))
        vocabulary = tomllib.loads(self.text("vocabulary.toml"))
        self.names, self.patterns = vocabulary["names"], list(vocabulary["patterns"].values())
        self.works = tomllib.loads(self.text("sources.toml"))
        self.lessons = {
            path.parent.name: self._lesson(path.parent.name, "lesson.md")
            for path in sorted(self.root.glob("*/lesson.md"))
        }
        self.widgets = {
            slug: self._lesson(slug, "widget/page.html")
            for slug in self.lessons
            if (self.root / slug / "widget/page.html").exists()
        }
        self.programs = {
            (path.parents[1].name, path.name): self.lines(path.relative_to(self.root))
            for path in sorted(self.root.glob("*/code/*.py"))
        }

    @property
    def pages(self) -> dict[str, Lesson]:
        """The page of each text: where it stands in the site -> the text."""
        texts = {f"{slug}/index.html": lesson for slug, lesson in self.lessons.items()}
        return texts | {f"{slug}/widget/index.html": text for slug, text in self.widgets.items()}

    def _lesson(self, slug: str, file: str) -> Lesson:
        """An expression in the front matter may hold quotes, which TOML must not see."""
        front, body = FRONT.match(self.text(f"{slug}/{file}")).groups()
        kept = EXPRESSION.findall(front)
        hidden = iter(range(len(kept)))
        meta = tomllib.loads(EXPRESSION.sub(lambda _: f"<<{next(hidden)}>>", front))

        def shown(value: Any) -> Any:
            if isinstance(value, list):
                return [shown(item) for item in value]
            return re.sub(r"<<(\d+)>>", lambda at: f"{{{{ {kept[int(at[1])]} }}}}", str(value))

        return Lesson(slug, file, {key: shown(value) for key, value in meta.items()}, body)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Each lesson's number."""
        return {entry["slug"]: entry["number"] for entry in self.course["lessons"]}

    @cached_property
    def cited(self) -> dict[str, Fact]:
        """The numbers of sources.toml, at the lines that begin them."""
        lines = self.lines("sources.toml")
        found = {}
        for key, work in self.works.items():
            for name, item in work.items():
                if isinstance(item, dict):
                    line = lines.index(f"[{key}.{name}]") + 1
                    about = item["value"], item["unit"], item["digits"], f"sources.toml:{line}"
                    found[f"cite.{key}.{name}"] = Fact(f"cite.{key}.{name}", *about)
        return found

    def text(self, name: str | Path) -> str:
        return (self.root / name).read_text(encoding="utf-8-sig").replace("\r\n", "\n")

    def lines(self, name: str | Path) -> list[str]:
        """A file's lines, as an editor counts them."""
        return self.text(name).removesuffix("\n").split("\n")

    def called(self, program: str, slug: str) -> list[list[str]]:
        """The lines of each program of this name; the lesson's own comes first."""
        places = [place for place in self.programs if place[1] == program]
        return [self.programs[place] for place in sorted(places, key=lambda p: p[0] != slug)]

    @cached_property
    def identifiers(self) -> set[str]:
        """Every word of every program, and the programs' names."""
        words = {name for _, name in self.programs}
        for lines in self.programs.values():
            words.update(re.findall(r"\w+", "\n".join(lines)))
        return words


def preset_facts(expression: str) -> list[str]:
    """The facts of `preset("...", name=fact, ...)`, in order; none for another expression."""
    return [fact for _, fact in preset_settings(expression)]


def preset_settings(expression: str) -> list[tuple[str, str]]:
    """The same, each with the name of its setting."""
    words = QUOTED.sub("", expression) if expression.startswith("preset(") else ""
    return re.findall(r"(\w+)\s*=\s*([\w.]+)", words)


def _texts(value: Any) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]
