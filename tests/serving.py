"""A preview in a process of its own, for tests: where it is, what it says, how it ends."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

PROJECT = Path(__file__).resolve().parents[1]
CACHE = PROJECT / "build/cache"
PATIENCE = 30  # seconds for what a slow machine may take long for


class Served:
    """`lesson serve` in the folder `project`. A context manager."""

    def __init__(self, project: Path, *options: str, port: int = 0):
        command = [sys.executable, "-m", "engine", "serve", "--port", str(port)]
        self.said = project.parent / f"{project.name}.said"
        with self.said.open("w") as said:
            self.process = subprocess.Popen(
                [*command, "--cache", str(CACHE), *options], cwd=project,
                env={**os.environ, "PYTHONPATH": str(PROJECT)}, stdout=said, stderr=said,
                # A shell's background jobs ignore an interrupt, and so would what they start.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )  # fmt: skip
        self.address = until(lambda: re.search(r"http://\S+/", self.output))[0]
        self.port = urlsplit(self.address).port

    def __enter__(self) -> "Served":
        self.until(lambda state: not state["busy"])
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.end()

    @property
    def output(self) -> str:
        """All that it has printed."""
        return self.said.read_text(encoding="utf-8")

    def end(self, by: int = signal.SIGINT) -> int:
        """End it, and return its exit code."""
        self.process.send_signal(by)
        return self.process.wait(PATIENCE)

    def get(self, path: str, method: str = "GET", **headers: str) -> tuple[int, dict, bytes]:
        """Status, headers and body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, headers=headers)
            answer = connection.getresponse()
            return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def states(self) -> Iterator[dict]:
        """What it tells the pages, now and from now on."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request("GET", "/_preview/events")
            heard = time.monotonic()
            for line in connection.getresponse():
                assert time.monotonic() < heard + PATIENCE, "no news came"
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])
                    heard = time.monotonic()
        finally:
            connection.close()

    def until(self, wanted: Callable[[dict], object]) -> dict:
        """The first state that is wanted."""
        return next(state for state in self.states() if wanted(state))


def until(found: Callable[[], object], seconds: float = PATIENCE):
    """What `found` returns once it is something."""
    end = time.monotonic() + seconds
    while not (result := found()):
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.01)
    return result
