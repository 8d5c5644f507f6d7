"""One page beside the content it came from: what its facts and expressions must say."""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.verify.content import EXPRESSION, QUOTED, Content, Lesson, preset_facts
from engine.verify.parsed import Node, Page, Text
from engine.verify.runs import Runs
from engine.verify.spelling import Fact, Unsaid, in_order, numbers, said, without_names

FACT = re.compile(r"([A-Za-z_][\w.]*)\s*(\|.*)?")


class Finding(NamedTuple):
    """One fault of the published site."""

    path: str
    line: int
    col: int
    what: str
    fix: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.col}: verify: {self.what}; {self.fix}"


@dataclass
class Reading:
    """A page as it is read."""

    page: Page
    lesson: Lesson | None  # None for the front page, which shows something of all
    content: Content
    runs: Runs
    findings: list[Finding] = field(default_factory=list)

    def found(self, place: Node | int, what: str, fix: str) -> None:
        offset = place.offset if isinstance(place, Node) else place
        self.findings.append(Finding(self.page.name, *self.page.place(offset), what, fix))

    @property
    def slug(self) -> str:
        return self.lesson.slug if self.lesson else ""

    @property
    def lessons(self) -> list[Lesson]:
        """Those whose words the page can show."""
        return [self.lesson] if self.lesson else list(self.content.lessons.values())

    def facts(self, name: str) -> list[Fact]:
        """What is known by this name: more than one thing only on the front page."""
        if name in self.content.cited:
            return [self.content.cited[name]]
        measured = [self.runs.facts(lesson.slug) for lesson in self.lessons]
        return [facts[name] for facts in measured if name in facts]

    def unknown(self, text: str) -> list[tuple[int, int]]:
        """Start and end of each number that the vocabulary does not know."""
        return list(numbers(without_names(text, self.content.names, self.content.patterns)))

    def typed(self, text: Text, fix: str) -> None:
        """A finding for each unknown number of a text of the page."""
        for start, end in self.unknown(text.text):
            what = f'"{text.text[start:end]}" has no source'
            self.found(text.offset(start), what, fix)

    def quoted(self, text: str) -> str:
        """Words of lesson.md or course.toml with their expressions filled in."""
        return EXPRESSION.sub(lambda match: self._say(match[1]), text)

    def compare(self, place: int, shown: str, written: str, where: str) -> None:
        """A text without elements must show the numbers that its source says, in their order."""
        here, there = in_order(shown), in_order(self.quoted(written))
        for index in range(max(len(here), len(there))):
            one, other = (side[index] if index < len(side) else "" for side in (here, there))
            if one != other:
                what = f'{where} shows "{one}" where its source says "{other}"'
                return self.found(place, what, "build the site again")
        literal = EXPRESSION.sub(" ", written)
        for start, end in self.unknown(literal):
            what = f'{where} shows "{literal[start:end]}", which has no source'
            self.found(place, what, "quote a fact, or list the name in vocabulary.toml")
        return None

    def forms(self, name: str) -> set[str]:
        """Each way in which lesson.md asks for a fact to be shown."""
        found = set()
        for lesson in self.lessons:
            for match in map(FACT.fullmatch, [*lesson.expressions, *lesson.presets]):
                for fact in self.facts(name) if match and match[1] == name else ():
                    try:
                        found.add(said(fact, match[2] or ""))
                    except Unsaid:
                        continue
        return found

    def _say(self, expression: str) -> str:
        fact = FACT.fullmatch(expression)
        if fact:
            known = self.facts(fact[1])
            try:
                return said(known[0], fact[2] or "") if known else f"({fact[1]} is no fact)"
            except Unsaid as error:
                return f"({error})"
        head = expression.partition("(")[0]
        words = [word for _, word in QUOTED.findall(expression)]
        if head == "preset":
            return words[0].format(*map(self._say, preset_facts(expression)))
        if head == "step" and self.lesson and words[0] in self.lesson.meta["steps"]:
            return f"step {self.lesson.meta['steps'].index(words[0]) + 1}"
        if head == "lesson":
            return words[1] if len(words) > 1 else f"lesson {self.content.numbers.get(words[0])}"
        if head == "ref" and self.lesson and words[0] in self.lesson.figures:
            return f"Figure {list(self.lesson.figures).index(words[0]) + 1}"
        if head == "line":
            return f"{words[0]}:{self._line(words[0], words[1])}"
        if head == "source":
            return self.content.works.get(words[0], {}).get("short", "")
        return words[1] if head == "src" else "".join(words[:1])

    def _line(self, program: str, words: str) -> int:
        lines = self.content.called(program.rpartition("/")[2], self.slug)
        places = (n for text in lines for n, line in enumerate(text, 1) if says(line, words))
        return next(places, 0)


def says(line: str, words: str) -> bool:
    """Whether a line of a program is these words, its indentation and closing comment aside."""
    line, words = line.strip(), words.strip()
    rest = line[len(words) :].lstrip()
    return bool(words) and line.startswith(words) and (not rest or rest.startswith("#"))
