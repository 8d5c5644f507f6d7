"""A widget's scripts run by the build, in an engine without a page: what they compute and draw."""

import json
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self

from engine.findings import PROGRAM_FAILED, Finding, Refused

SECONDS, MEMORY_BYTES = 60, 1 << 30  # a call may take
PLACE = re.compile(r"script-(\d+)\.js:(\d+)")
UNREAD = re.compile(r"<anonymous>:(\d+): SyntaxError")  # it has no name yet
VIEWS = 'typeof VIEWS === "undefined" ? {} : VIEWS'


class Port:
    """The scripts of one widget, one or more, loaded in order with DATA. `scripts`: path to text.

    A context manager. The engine lives and ends in a thread of its own: it can hang for ever in one
    that has an event loop, and when the garbage collector is left to end it.
    """

    def __init__(self, data: Any, scripts: Mapping[str, str], seconds: float = SECONDS):
        from py_mini_racer import MiniRacer  # only where something is to be run

        self._scripts, self._seconds = [*scripts.items()], seconds
        self._thread = ThreadPoolExecutor(1)
        self._engine = self._thread.submit(MiniRacer).result()
        try:
            self._load(data)
        except Refused:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the engine."""
        self._thread.submit(self._engine.close).result()
        self._thread.shutdown()

    def _load(self, data: Any) -> None:
        self._run(f"var DATA = {json.dumps(data)}; 0", 0)
        for index, (_, text) in enumerate(self._scripts):
            self._run(f"{text}\n;0 //# sourceURL=script-{index}.js", index)

    def parse(self, path: str, text: str) -> None:
        """Read a script that needs a page, and so cannot run here. Raises Refused if it is none."""
        self._scripts.append((path, text))
        self._run(f"(() => {{{text}\n}}); 0", len(self._scripts) - 1)

    def value(self, name: str, arguments: list) -> Any:
        """What a function returns. Raises Refused if it throws, or takes too long."""
        given = ", ".join(map(json.dumps, arguments))
        text = self._run(f"JSON.stringify({name}({given}) ?? null)", 0)
        return json.loads(text, parse_int=lambda digits: int(float(digits)))  # as it is there

    def views(self) -> dict[str, str]:
        """The HTML of each view in VIEWS at the first settings."""
        drawn = f"Object.entries({VIEWS}).map(([name, view]) => [name, `${{view(first_shown())}}`])"
        return dict(json.loads(self._run(f"JSON.stringify({drawn})", -1)))

    def _run(self, code: str, index: int) -> Any:
        """What the code gives. The script of this index is to blame if nothing tells which it is."""
        from py_mini_racer import JSEvalException, JSTimeoutException

        limits = {"timeout_sec": self._seconds, "max_memory": MEMORY_BYTES}
        try:
            return self._thread.submit(self._engine.eval, code, **limits).result()
        except JSTimeoutException:
            self._thread.submit(self._engine.eval, "0").result()  # V8 calls back before it stops
            what, line = f"ran for more than {self._seconds:g} s", 1
        except JSEvalException as error:
            said = str(error)
            place, unread = PLACE.search(said), UNREAD.match(said)
            index = int(place[1]) if place else index
            line = int(place[2] if place else unread[1] if unread else 1)
            what = re.sub(r"^\S+:\d+: ", "", said.split("\n")[0])
        path, text = self._scripts[index]
        line = min(
            line, text.rstrip("\n").count("\n") + 1
        )  # what is cut short fails behind its end
        fix = "mend the script; nothing is published until it runs"
        raise Refused([Finding(path, line, 1, "program-failed", what, fix)], PROGRAM_FAILED)
