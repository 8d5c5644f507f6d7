"""Builds in a process of their own, which can be ended at any moment, whatever it is doing.

A page frame or a pattern can loop for ever as well as a program can, and nothing ends a thread.
The process stays from one build to the next: what it remembers makes the next one quick.
"""

import gc
import os
import pickle
import signal
import subprocess
import sys
import traceback
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from engine import lock, pages
from engine.build import assemble, drafts_of
from engine.findings import PROGRAM_FAILED, Finding, Refused

PROJECT = Path(__file__).resolve().parents[1]
START = "from engine.builder import work; work()"
PATIENCE = 0.5  # seconds that a build has to end what it started


@dataclass(frozen=True)
class Job:
    """What is to be built."""

    content: Path
    templates: Path
    cache: Path
    seconds: float  # a lesson's program may run


@dataclass(frozen=True)
class Outcome:
    """A site, or all that is wrong; and what the locks say of the site's numbers."""

    files: dict[str, bytes] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    review: list[lock.Difference] = field(default_factory=list)


def attempt(job: Job) -> Outcome:
    """Build as `lesson build` does, but a number that moved is for review, and no fault."""
    try:
        course, drafts, findings = drafts_of(job.content, job.cache, job.seconds)
        findings.stop_if_any()
        review = [change for draft in drafts for change in lock.changes(draft)]
        site = assemble(course, drafts, pages.Frames(job.templates))
    except Refused as refused:
        return Outcome(findings=refused.findings)
    except Exception as error:  # the engine's own fault must not end the preview
        traceback.print_exc()
        return Outcome(findings=[_fault(job, f"{type(error).__name__}: {error}")])
    return Outcome(site.files, review=review)


def _fault(job: Job, what: str) -> Finding:
    return Finding(str(job.content), 1, 1, "program-failed", f"the engine: {what}", "undo the edit")


class Builder:
    """The process. `build` and `stop` may be called from different threads."""

    def __init__(self, job: Job):
        self._job = job
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def build(self) -> Outcome | None:
        """Build what there is now; None if it was stopped."""
        self._stopped = False
        process = self._process = self._process or _started()
        try:
            pickle.dump(self._job, process.stdin)
            process.stdin.flush()
            return pickle.load(process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError, ValueError):
            self._end(process)
            return None if self._stopped else Outcome(findings=[_fault(self._job, "it ended")])

    def stop(self) -> None:
        """End the process and all that it runs; the next build starts another."""
        self._stopped = True
        if self._process:
            self._end(self._process)

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        self._process = None
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # what was not sent yet need not be
                pipe.close()


def _started() -> subprocess.Popen[bytes]:
    """A new process, out of the terminal's reach: Ctrl-C is for the one that serves."""
    path = os.pathsep.join(filter(None, (str(PROJECT), os.environ.get("PYTHONPATH"))))
    return subprocess.Popen(
        [sys.executable, "-P", "-c", START], env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


def _leave(*_: object) -> None:
    """Leave by an exception, so that a program that is running is ended on the way out."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
    sys.exit(PROGRAM_FAILED)


def work() -> None:
    """In the process: an outcome for each job that comes in, until there are no more."""
    signal.signal(signal.SIGTERM, _leave)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing else may stand among the answers
    gc.disable()  # a writer waits for the answer, and between two edits there is time
    with suppress(EOFError):
        while True:
            job = pickle.load(sys.stdin.buffer)
            pickle.dump(attempt(job), answers)
            answers.flush()
            gc.collect()
