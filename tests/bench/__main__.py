"""`make bench`: a table of medians, each beside its reference, in pairs that take turns.

To add a row: a context manager that yields what is to be timed, and a line in ROWS.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

from engine.build import build
from tests.browser import find
from tests.serving import CACHE, PROJECT, Served, until

REPEATS = 9
SLUG = "build-a-tiny-model-server"
WORDS = "again further onward still indeed truly surely simply plainly clearly".split()
Timed = Callable[[], float]  # does the thing once, and returns how many seconds it took


class Lesson:
    """A copy of the course, and a writer who changes one word of it at a time."""

    def __init__(self, folder: Path):
        shutil.copytree(PROJECT / "content", folder / "content")
        shutil.copytree(PROJECT / "templates", folder / "templates")
        for document in PROJECT.glob("*.md"):
            shutil.copy(document, folder)
        self.folder, self.path = folder, folder / "content" / SLUG / "lesson.md"
        self._text, self._edits = self.path.read_text(encoding="utf-8"), 0
        lines = self._text.split("+++")[-1].split("\n")
        self._line = next(
            line for line in lines if line[:1].isalpha() and line[-1:] == "." and "{{" not in line
        )

    def edit(self) -> str:
        """Put another word into a sentence; returns the sentence's end."""
        count, index = divmod(self._edits, len(WORDS))
        self._edits += 1
        line = f"{self._line[:-1]} {'so ' * count}{WORDS[index]}."
        self.path.write_text(self._text.replace(self._line, line), encoding="utf-8")
        return line


@contextmanager
def floor(lesson: Lesson) -> Iterator[Timed]:
    """The reference: a process that renders the lesson's text, without any check."""
    command = [sys.executable, PROJECT / "tests/bench/floor.py", lesson.path]

    def timed() -> float:
        began = time.perf_counter()
        subprocess.run(command, check=True)
        return time.perf_counter() - began

    yield timed


@contextmanager
def rebuilt(lesson: Lesson) -> Iterator[Timed]:
    """A warm build in the process, after an edit of one word."""

    def timed() -> float:
        lesson.edit()
        began = time.perf_counter()
        build(lesson.folder / "content", lesson.folder / "templates", CACHE)
        return time.perf_counter() - began

    timed()
    yield timed


@contextmanager
def in_memory(lesson: Lesson) -> Iterator[Timed]:
    """From the write of an edit to the news that the server has the new bytes."""
    with Served(lesson.folder) as served:
        states = served.states()
        number = next(states)["build"]

        def timed() -> float:
            nonlocal number
            began = time.perf_counter()
            lesson.edit()
            number = next(state["build"] for state in states if state["build"] > number)
            return time.perf_counter() - began

        timed()
        yield timed


@contextmanager
def loaded(lesson: Lesson) -> Iterator[Timed]:
    """From the write of an edit to the end of the load event of the page that has it."""
    when = "performance.timeOrigin + performance.getEntriesByType('navigation')[0].loadEventEnd"
    with Served(lesson.folder) as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"{served.address}{SLUG}/")

        def timed() -> float:
            time.sleep(0.3)  # a writer sees the page before the next edit
            began = time.time()
            line = lesson.edit()
            page.get_by_text(line[-30:]).first.wait_for(state="attached")
            end = until(lambda: page.evaluate(f"document.readyState === 'complete' && {when}"))
            return end / 1000 - began

        timed()
        yield timed
        browser.close()


ROWS: list[tuple[str, Callable, str, Callable]] = [  # what, and beside which reference
    ("preview: edit to bytes in memory", in_memory, "floor.py", floor),
    ("preview: edit to page loaded", loaded, "floor.py", floor),
    ("warm rebuild in the process", rebuilt, "floor.py", floor),
]


def main(repeats: int = REPEATS) -> None:
    print(f"{'':34}{'median':>9}{'longest':>9}  {'reference':12}{'median':>9}{'ratio':>7}")
    for what, row, name, reference in ROWS:
        with ExitStack() as open_things:
            folder = Path(open_things.enter_context(tempfile.TemporaryDirectory())) / "project"
            folder.mkdir()
            lesson = Lesson(folder)
            one = open_things.enter_context(row(lesson))
            other = open_things.enter_context(reference(lesson))
            pairs = [(one(), other()) for _ in range(repeats)]
        times, references = zip(*pairs)
        ratio = median(time / reference for time, reference in pairs)
        shown = f"{_ms(median(times))}{_ms(max(times))}  {name:12}{_ms(median(references))}"
        print(f"{what:34}{shown}{ratio:7.2f}", flush=True)


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:,.0f} ms".rjust(9)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
