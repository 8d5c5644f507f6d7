"""A lesson's own code in a child process, its results as plain data, cached by all that made them.

An entry of the cache holds the digest of every file and folder the run read. It is used again
only while each of them is as it was, and Python and the libraries too. Failures are not cached.
"""

import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from engine.cache import Cache, Result, version_of
from engine.course import Course, Lesson, read_text
from engine.facts import Fact
from engine.findings import PROGRAM_FAILED, Finding, Refused
from engine.progress import Tell, silent
from engine.sources import NotFound

SECONDS = 60  # a run may take
OUTPUT_BYTES = 1_000_000  # a program may print
ENGINE = Path(__file__).resolve().parent
LIBRARIES = ("jinja2", "matplotlib", "numpy")
MAKERS = ("parity.py", "port.py")  # what is kept of a widget changes with these


@dataclass(frozen=True)
class Drawing:
    """A figure as drawn: its title for those who cannot see it, its SVG, its line in figures.py."""

    title: str
    svg: str
    line: int
    ticks: list[str]  # numbers on its axes
    facts: list[str]  # names of those it used


class Runner:
    """Runs lesson code, and tells what it does not take from `cache`, which may be emptied."""

    def __init__(self, course: Course, cache: Path, seconds: float = SECONDS, tell: Tell = silent):
        self._course = course
        self._content = course.root.resolve()
        self._shown = course.root
        self._cache = Cache(cache.absolute(), self._content)
        self.seconds = seconds
        self._read: dict[Path, list[str]] = {}  # program -> what its last run read
        self.tell = tell
        self._met: dict[str, str] = {}  # what the runs read that `kept` asked for

    def facts(self, lesson: Lesson) -> dict[str, Fact]:
        """What the lesson's facts.py measures, by name."""
        value = self._run("facts", lesson, lesson.folder / "facts.py").value
        facts: dict[str, Fact] = {}
        taken: set[str] = set()  # each name, and each group of names
        findings = []
        for row in value["facts"]:
            name, problem = row["name"], row.pop("problem", "")
            within = {*accumulate(name.split("."), "{}.{}".format)}  # "a", "a.b" and "a.b.c"
            path, line = row.pop("path"), row.pop("line")
            if problem:
                fix = "change the call of fact(...) or what it measures"
            elif name in taken or within & facts.keys():
                problem, fix = (
                    "is there already, as a fact or a group of facts",
                    "rename one of them",
                )
            if problem:
                what = f'fact "{name}": {problem}'
                findings.append(Finding(str(self._shown / path), line, 1, "bad-fact", what, fix))
            else:
                facts[name] = Fact(**row, origin=f"{path}:{line}")
                taken |= within
        if findings:
            raise Refused(findings)
        return facts

    def inputs(self, lesson: Lesson) -> list[str]:
        """The files of content/ that measuring the facts has read: what can change them."""
        self.facts(lesson)
        names = self._read[lesson.folder / "facts.py"]
        return [
            str(self._shown / name)
            for name in names
            if (self._content / name).is_file() and not Path(name).is_absolute()
        ]

    def figures(self, lesson: Lesson, facts: Mapping[str, Fact]) -> dict[str, Drawing]:
        """What the lesson's figures.py draws, by name; nothing if there is none."""
        path = lesson.folder / "figures.py"
        if not path.exists():
            return {}
        steps = lesson.meta["steps"]
        value = self._run("figures", lesson, path, facts=_rows(facts), steps=steps).value
        return {name: Drawing(**figure) for name, figure in value["figures"].items()}

    def widget(self, lesson: Lesson, facts: Mapping[str, Fact]) -> dict[str, Any]:
        """What the lesson's widget.py gives: "data" for the page, "scripts", "parity", "detail"."""
        return self._run("widget", lesson, lesson.folder / "widget.py", facts=_rows(facts)).value

    def calls(self, lesson: Lesson, calls: list[tuple[str, list]]) -> list[Any]:
        """What functions of the lesson's widget.py return, one value a (name, arguments)."""
        return self._run("calls", lesson, lesson.folder / "widget.py", calls=calls).value["values"]

    def kept(self, asked: Any, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """What `make` returns, kept while what `asked` says and what its runs read is the same."""
        words = json.dumps(asked, sort_keys=True)
        result, started = self._cache.get(words), time.time_ns()
        if result is None:
            self._met = self._cache.digests(str(ENGINE / name) for name in MAKERS)
            result = Result(make(), "", self._met)
            if "" not in self._met:
                self._cache.put(words, result, started)
        return result.value

    def transcript(self, lesson: Lesson, program: str, edit: Mapping[str, str]) -> str:
        """What `python3 PROGRAM` prints in a downloaded copy, after the constants in `edit` are set."""
        source = lesson.programs[program]
        lines = source.lines.copy()
        for name, value in edit.items():
            line, start, end = source.constant(name)
            if source.lines[line - 1][start:end] == value:
                raise NotFound(f"{name} is {value} already in {program}; give another value")
            lines[line - 1] = lines[line - 1][:start] + value + lines[line - 1][end:]
        changed = {source.path: "\n".join(lines) + "\n"} if edit else {}
        return self._run("script", lesson, Path(source.path), changed, arguments=[]).output

    def _run(
        self, job: str, lesson: Lesson, path: Path, changed: Mapping[str, str] = {}, **more: Any
    ) -> Result:
        """The job's result, from the cache if that is still true."""
        read_text(path)  # a file that is missing or no text has a finding of its own
        if not (lesson.folder / "code").is_dir():
            finding = Finding(
                str(lesson.folder / "code"), 1, 1, "missing-file", "is not there", "add it"
            )
            raise Refused([finding])
        versions = [platform.python_version(), *map(version_of, LIBRARIES)]
        asked = json.dumps([job, str(path), dict(changed), more, versions], sort_keys=True)
        result, started = self._cache.get(asked), time.time_ns()
        if result is None:
            with tempfile.TemporaryDirectory() as scratch, self.tell(f"running  {path}"):
                said, output = self._child(Path(scratch), job, lesson, path, changed, more)
            inputs = self._cache.digests(said["inputs"] or [])
            result = Result(said["value"], output, inputs)
            if said["inputs"] is None:
                self._met[""] = ""  # nobody knows what it read
            else:
                self._cache.put(asked, result, started)
        self._read[path] = [*result.inputs]
        self._met |= result.inputs
        return result

    def _child(self, scratch: Path, job: str, lesson: Lesson, path: Path, changed, more):
        """Run in a child. A program gets a copy of all code folders, as a reader downloads them."""
        place = self._content
        if job == "script":
            place = scratch.resolve() / "copy"
            for source in (program.source for program in self._course.code_with(lesson)):
                copy = place / Path(source.path).relative_to(self._shown)
                copy.parent.mkdir(parents=True, exist_ok=True)
                text = changed.get(source.path) or read_text(Path(source.path))
                copy.write_text(text, encoding="utf-8")
        folder = place / lesson.folder.relative_to(self._shown)
        request = {
            "job": job,
            "path": str(place / path.relative_to(self._shown)),
            "code": str(folder / "code"),
            "engine": str(ENGINE.parent),
            "roots": [str(place), str(ENGINE)],
            **more,
        }
        (scratch / "request").write_text(json.dumps(request), encoding="utf-8")
        how_it_ended = self._wait(scratch, folder / "code")
        output = (scratch / "stdout").read_bytes().decode("utf-8", errors="replace")
        if how_it_ended is None and len(output) > OUTPUT_BYTES:
            how_it_ended = f"printed more than {OUTPUT_BYTES:,} characters"
        if how_it_ended is None and not (scratch / "result").exists():
            how_it_ended = "ended without a result"
        if how_it_ended:
            raise self._failed(str(path), 1, how_it_ended)
        result = json.loads((scratch / "result").read_text(encoding="utf-8"))
        if "error" in result:
            where, line = result["error"]["place"] or [request["path"], 1]
            said = result["error"]["message"].replace(str(place), str(self._shown))
            raise self._failed(self._name(where, place), line, said)
        if result["inputs"] is not None:
            result["inputs"] = list(self._inputs(result["inputs"], place, scratch.resolve()))
        return result, output

    def _inputs(self, paths: list[str], place: Path, scratch: Path) -> Iterator[str]:
        """The paths that can change the result: of content/ from its root, others as they are."""
        for path in map(Path, paths):
            if path.is_relative_to(place):
                yield str(path.relative_to(place))
            elif not path.is_relative_to(scratch) and not path.is_relative_to(self._cache.folder):
                yield str(path)

    def _wait(self, scratch: Path, folder: Path) -> str | None:
        """Start the child, wait, and end all that it started. Returns what went wrong, or None."""
        command = [sys.executable, "-B", "-s", "-P", "-X", "utf8", str(ENGINE / "child.py")]
        self._cache.folder.mkdir(parents=True, exist_ok=True)
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(scratch),
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "PYTHONHASHSEED": "0",
            "MPLCONFIGDIR": str(self._cache.folder / "matplotlib"),
            "OPENBLAS_NUM_THREADS": "1",
        }
        with (scratch / "stdout").open("wb") as stdout, (scratch / "stderr").open("wb") as stderr:
            child = subprocess.Popen(
                [*command, str(scratch / "request"), str(scratch / "result")],
                cwd=folder, env=environment, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
            )  # fmt: skip
            try:
                code = child.wait(self.seconds)
            except subprocess.TimeoutExpired:
                return f"ran for more than {self.seconds:g} s"
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        return f"was ended by {signal.Signals(-code).name}" if code < 0 else None

    def _name(self, path: str, place: Path) -> str:
        """A path of the child's as findings name it."""
        if Path(path).is_relative_to(place):
            return str(self._shown / Path(path).relative_to(place))
        return path

    def _failed(self, path: str, line: int, what: str) -> Refused:
        fix = "mend the program; nothing is published until it runs"
        return Refused([Finding(path, line, 1, "program-failed", what, fix)], PROGRAM_FAILED)


def _rows(facts: Mapping[str, Fact]) -> list[dict[str, Any]]:
    return [vars(facts[name]) for name in sorted(facts)]
