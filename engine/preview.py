"""The preview: watches, builds what changed, and holds what a browser is to show now.

There is always the last good site, and beside it what is wrong at present. Nothing here knows of
HTTP: `engine/serve.py` shows what `Preview.state` says, and `follow` tells when it is another.
"""

import asyncio
import secrets
import sys
import time
import traceback
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace

from engine.builder import Builder, Job, Outcome
from engine.formats import text
from engine.lock import Difference
from engine.overlay import EDITORS, link_to, problem
from engine.watch import Tree, Watch, tree

SETTLING = 0.06  # seconds without a change, after what looks like the middle of one
MOST_SETTLING = 2
PATIENCE = 0.5  # seconds after which a newer edit ends a build, and pages say that one is going on


@dataclass(frozen=True)
class State:
    """What a browser is to show."""

    build: int = 0  # counts the good builds that differ; 0 is none yet
    files: Mapping[str, bytes] = field(default_factory=dict)  # of the last good one
    problems: list[dict] = field(default_factory=list)  # what is wrong now
    review: list[Difference] = field(default_factory=list)  # of the last good one, with its locks
    busy: bool = True


class Preview:
    """One run of the preview, from its start to its end."""

    def __init__(self, job: Job, editor: str = EDITORS["vscode"]):
        self.start = secrets.token_hex(4)  # tells this run from one before it
        self.state = State()
        self.builds = 0  # those that came to an end, good or not
        # For a number on the page, which says "slug/file.py:12": the page fills in what it says.
        self.editor = link_to(job.content / "{file}", "{at}", 1, editor) if editor else ""
        self._job, self._editor = job, editor
        self._builder, self._watch = Builder(job), Watch()
        self._news = (
            asyncio.Event()
        )  # set once for each new state, and then another takes its place
        self._edits = asyncio.Event()  # set when there may have been an edit
        self._closed = False

    async def run(self) -> None:
        """Build, and build again after each edit, until `close`."""
        listening = asyncio.create_task(self._listen())
        built: Tree | None = None
        while not self._closed:
            try:
                self._edits.clear()
                now = await self._settled(built)
                if not now.is_like(built):
                    built = now
                    await self._build(now)
                else:
                    await self._edits.wait()
            except Exception:  # whatever it is, the next edit gets another try
                traceback.print_exc()
                await asyncio.sleep(1)
        await asyncio.to_thread(self._builder.stop)
        await listening

    def close(self) -> None:
        """End: nothing is built or told any more. May be called at any time, and twice."""
        self._closed = True
        self._watch.close()
        self._edits.set()
        self._news.set()

    async def follow(self) -> AsyncIterator[State]:
        """The state now, and each one after it; of those that come quickly, the last."""
        seen = None
        while not self._closed:
            news = self._news
            if self.state is not seen:
                seen = self.state
                yield seen
            else:
                await news.wait()

    async def _listen(self) -> None:
        while not self._closed:
            await asyncio.to_thread(self._watch.wait)
            self._edits.set()

    def _tree(self) -> Tree:
        """What there is now, with an ear on every folder of it."""
        now = tree(self._job.content, self._job.templates, self._job.cache)
        while self._watch.arm(now.folders):  # and what came before it listened
            now = tree(self._job.content, self._job.templates, self._job.cache)
        return now

    async def _settled(self, built: Tree | None) -> Tree:
        """What there is, once it does not look like the middle of a change any more."""
        now, began = await asyncio.to_thread(self._tree), time.monotonic()
        while built and now.unsettled(built) and time.monotonic() < began + MOST_SETTLING:
            await asyncio.sleep(SETTLING)
            before, now = now, await asyncio.to_thread(self._tree)
            if now.is_like(before):
                break
        return now

    async def _build(self, built: Tree) -> None:
        """Build, unless it takes so long that there is a newer edit before it is done."""
        began = time.monotonic()
        building = asyncio.create_task(asyncio.to_thread(self._builder.build))
        while not building.done():
            await asyncio.wait({building}, timeout=0.1)
            slow = not building.done() and time.monotonic() > began + PATIENCE
            if slow and not self.state.busy:
                self._tell(replace(self.state, busy=True))
            if self._closed or (slow and self._edits.is_set() and await self._is_stale(built)):
                await asyncio.to_thread(self._builder.stop)
        outcome = await building
        if outcome:
            self._take(outcome, time.monotonic() - began)

    async def _is_stale(self, built: Tree) -> bool:
        self._edits.clear()
        stale = not (await asyncio.to_thread(self._tree)).is_like(built)
        if stale:
            self._edits.set()
        return stale

    def _take(self, outcome: Outcome, seconds: float) -> None:
        """Show the new site, or say what keeps it from being shown."""
        self.builds += 1
        took = f"in {seconds * 1000:,.0f} ms"
        if outcome.findings:
            project = self._job.content.absolute().parent
            problems = [problem(each, project, self._editor) for each in outcome.findings]
            print(text(outcome.findings), end="", file=sys.stderr)
            still = "still showing the last good build" if self.state.build else "no good build yet"
            count = len(problems)
            print(f"{count} finding{'s' * (count != 1)}; {still}", file=sys.stderr, flush=True)
            self._tell(replace(self.state, problems=problems, busy=False))
            return
        number = self.state.build + (outcome.files != self.state.files)
        count = len(outcome.review)
        review = f"; {count} change{'s' * (count != 1)} to review" if count else ""
        print(f"built    {len(outcome.files)} files {took}{review}", flush=True)
        self._tell(State(number, outcome.files, [], outcome.review, busy=False))

    def _tell(self, state: State) -> None:
        self.state = state
        self._news.set()
        self._news = asyncio.Event()
