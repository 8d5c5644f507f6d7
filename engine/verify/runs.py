"""A lesson's code run once more, by a harness of its own: facts, figures, what programs print.

Nothing is remembered from one check to the next, and everything runs in copies.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

from py_mini_racer import JSEvalException, MiniRacer

from engine.verify.content import Content
from engine.verify.spelling import Fact

CHILD = Path(__file__).with_name("child.py")
SECONDS = 300  # a run may take
SKIPPED = shutil.ignore_patterns("__pycache__", "*.pyc")


DRAWN = "JSON.stringify(Object.keys(VIEWS).map(name => [name, VIEWS[name](first_shown())]))"


class Broken(Exception):
    """A lesson's code raised, or ran out of time: the file, and what it said."""

    def __init__(self, path: str, said: str):
        super().__init__(said)
        self.path = path


class Runs:
    """Runs of the code below one content/ folder, each once."""

    def __init__(self, content: Content, scratch: Path):
        self._content, self._scratch = content, scratch
        self._copy = scratch / "content"
        shutil.copytree(content.root, self._copy, ignore=SKIPPED)
        self.facts, self.figures = cache(self._facts), cache(self._figures)
        self.output, self.widget = cache(self._output), cache(self._widget)

    def _facts(self, slug: str) -> dict[str, Fact]:
        """What facts.py measures, by name."""
        rows = self._child("facts", slug, {})
        return {row[0]: Fact(*row) for row in rows}

    def _figures(self, slug: str) -> dict[str, str]:
        """What figures.py draws: name -> SVG."""
        if not (self._copy / slug / "figures.py").exists():
            return {}
        rows = [list(fact) for fact in self.facts(slug).values()]
        steps = self._content.lessons[slug].meta["steps"]
        return self._child("figures", slug, {"rows": rows, "steps": steps})

    def _widget(self, slug: str) -> dict:
        """What widget.py gives, what its port makes of the same calls, and the views it draws."""
        rows = [list(fact) for fact in self.facts(slug).values()]
        given = self._child("widget", slug, {"rows": rows})
        folder = self._copy / slug / "widget"
        calls = ", ".join(call for call, _ in given["calls"])
        try:
            texts = [(folder / name).read_text(encoding="utf-8") for name in given["scripts"][:-1]]
            code = [
                f"var DATA = {json.dumps(given['data'])}",
                *texts,
                DRAWN,
                f"JSON.stringify([{calls}])",
            ]
            with ThreadPoolExecutor(1) as thread:  # V8 will not wait in one with an event loop
                *_, views, values = thread.submit(_in_v8, code).result()
            given["views"] = dict(json.loads(views))
            given["calls"] = [
                (*call, value) for call, value in zip(given["calls"], _numbers(values))
            ]
        except (OSError, JSEvalException) as error:
            said = str(error).strip().split("\n")[0]
            raise Broken(f"{slug}/widget", said) from None
        return given

    def _output(self, slug: str, program: str, edits: tuple[tuple[str, str], ...] = ()) -> str:
        """What `python3 program` prints where only the programs are, after constants are set."""
        place = self._scratch / "programs"
        shutil.rmtree(place, ignore_errors=True)
        for folder in sorted(self._content.root.glob("*/code")):
            shutil.copytree(folder, place / folder.parent.name / "code", ignore=SKIPPED)
        path = place / slug / "code" / program
        text = path.read_text(encoding="utf-8")
        for name, value in edits:
            text, count = re.subn(
                rf"(?m)^({name} = )[^#\n]*?(?=\s*(?:#|$))", rf"\g<1>{value}", text
            )
            if count != 1:
                raise Broken(f"{slug}/code/{program}", f"{name} is not set once")
        path.write_text(text, encoding="utf-8")
        return self._run([program], path.parent, f"{slug}/code/{program}")

    def _child(self, job: str, slug: str, given: dict) -> dict | list:
        folder = self._copy / slug
        asked, told = self._scratch / "asked.json", self._scratch / "told.json"
        asked.write_text(json.dumps(given), encoding="utf-8")
        command = [CHILD, job, folder / f"{job}.py", folder / "code", asked, told]
        self._run([str(part) for part in command], folder / "code", f"{slug}/{job}.py")
        return json.loads(told.read_text(encoding="utf-8"))

    def _run(self, command: list[str], folder: Path, name: str) -> str:
        """Another hash seed than the build's: what depends on it must not be on a page."""
        kept = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
        environment = kept | {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C.UTF-8"}
        try:
            ended = subprocess.run(
                [sys.executable, "-B", "-s", "-X", "utf8", *command], cwd=folder, env=environment,
                stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise Broken(name, f"ran for more than {SECONDS} s") from None
        if ended.returncode:
            said = ended.stderr.decode(errors="replace").strip().split("\n")[-1]
            raise Broken(name, said or f"ended with exit code {ended.returncode}")
        return ended.stdout.decode(errors="replace").replace("\r\n", "\n")


def _numbers(text: str) -> Any:
    """JSON from a script, where a whole number is as exact as any other, and no more."""
    return json.loads(text, parse_int=lambda digits: int(float(digits)))


def _in_v8(code: list[str]) -> list[Any]:
    """What each text of a script gives, one after the other."""
    with MiniRacer() as engine:
        return [engine.eval(f"{text}\n;", timeout_sec=SECONDS) for text in code]
