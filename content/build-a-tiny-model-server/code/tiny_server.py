"""A tiny model server, small enough to read from top to bottom.

The model is a stop-watch: it writes no words, it only tells how long a real one's step would
take. The clock is simulated too, so a run gives the same digits on every machine.

A chat is one prompt and its reply. A step gives every running chat one token more.
TTFT: time to a chat's first token, from its sending. TBT: time between two of its tokens.
"""

import sys
from collections import deque, namedtuple
from pathlib import Path

LESSONS = Path(__file__).resolve().parents[2]
for slug in ("how-an-ai-server-answers-many-people-at-once", "why-average-speed-is-misleading"):
    sys.path.append(str(LESSONS / slug / "code"))

from batching import step_seconds  # lesson 24: how long a step takes
from chats import first_chats, percentile, send_times  # lesson 27: whom to serve, and when

PAGE_TOKENS = 16  # tokens that one page of the cache holds
LESSON_CHATS = 400  # chats that a load test sends
LONG_QUEUE = 4  # a queue that stays under this many chats is no bottleneck


def pages_for(tokens):
    return -(-tokens // PAGE_TOKENS)  # rounded up: the last page may be partly empty


class Pages:
    """The cache's bookkeeping: which pages are free, and which chat has which."""

    def __init__(self, pages):
        self.free = deque(range(pages))
        self.tables = {}  # chat -> its pages, in the order of its tokens
        self.used = 0

    def grow(self, chat, tokens):
        """Give `chat` pages until they hold `tokens` tokens."""
        table = self.tables.setdefault(chat, [])
        while len(table) < pages_for(tokens):
            table.append(self.free.popleft())
            self.used += 1

    def release(self, chat):
        self.used -= len(self.tables[chat])
        self.free.extend(self.tables.pop(chat))


# What the clipboard says of one step: its start and length in seconds; chats in it, and how many
# of those are new; chats left in the queue; pages held, and pages owed (promised, not yet taken);
# which of "cache" and "batch" kept the head of the queue out.
Step = namedtuple("Step", "start seconds chats joined queue held owed blocked")


def serve(workload, rate, pages, limit):
    """Send and serve all chats; return first-token times, last-token times (s) and the Steps."""
    prompts, replies = workload["prompts"], workload["replies"]
    needs = [pages_for(prompt + reply) for prompt, reply in zip(prompts, replies)]
    if not (0 < rate < float("inf") and pages > 0 and limit > 0):
        raise ValueError(f"rate {rate}, pages {pages} and limit {limit} must all be positive")
    if min(prompts) < 1 or min(replies) < 1:
        raise ValueError("every prompt and every reply needs at least one token")
    if max(needs) > pages:
        raise ValueError(f"a chat needs {max(needs)} pages, and the cache has {pages}")
    sends = send_times(workload["gaps"], rate)
    coming, queue = deque(range(len(sends))), deque()
    cache, promised = Pages(pages), 0
    running = {}  # chat -> tokens of its reply so far
    first, last, steps, clock = [0.0] * len(sends), [0.0] * len(sends), [], 0.0
    while coming or queue or running:
        # Load generator and queue: chats whose send time has come line up.
        if not queue and not running:
            clock = max(clock, sends[coming[0]])
        while coming and sends[coming[0]] <= clock:
            queue.append(coming.popleft())

        # Admit: only the head of the queue, and only if a place and all its pages can be promised.
        contexts = [prompts[chat] + made for chat, made in running.items()]
        joined, blocked = [], []
        while queue and not blocked:
            no_pages = promised + needs[queue[0]] > pages
            no_place = len(running) >= limit
            blocked = ["cache"] * no_pages + ["batch"] * no_place
            if not blocked:
                chat = queue.popleft()
                joined.append(chat)
                running[chat] = 0
                promised += needs[chat]
                cache.grow(chat, prompts[chat])

        # Batcher: one step for every admitted chat, and the clock moves on.
        seconds = step_seconds(contexts, sum(prompts[chat] for chat in joined))
        start, clock, stepped = clock, clock + seconds, len(running)

        # Cache: each chat has a token more. It takes a page when its last is full, or it is done.
        for chat in list(running):
            running[chat] += 1
            if running[chat] == 1:
                first[chat] = clock
            if running[chat] < replies[chat]:
                cache.grow(chat, prompts[chat] + running[chat])
            else:
                last[chat] = clock
                promised -= needs[chat]
                cache.release(chat)
                del running[chat]

        # Metrics: one line on the clipboard.
        held, owed = cache.used, promised - cache.used
        steps.append(Step(start, seconds, stepped, len(joined), len(queue), held, owed, blocked))
    return first, last, steps


def report(workload, rate, run):
    """The clipboard's summary: waits in seconds, the longest queue, what blocked and how often."""
    first, last, steps = run
    waits = [token - sent for token, sent in zip(first, send_times(workload["gaps"], rate))]
    gaps = [step.seconds for step in steps for _ in range(step.chats - step.joined)]
    cache_full = [step.start for step in steps if "cache" in step.blocked]
    return {
        "ttft_p50": percentile(waits, 50),
        "ttft_p99": percentile(waits, 99),
        "tbt_p50": percentile(gaps, 50) if gaps else None,
        "tbt_p99": percentile(gaps, 99) if gaps else None,
        "queue_max": max(step.queue for step in steps),
        "pages_max": max(step.held for step in steps),
        "cache_steps": len(cache_full),
        "batch_steps": sum("batch" in step.blocked for step in steps),
        "cache_full_at": cache_full[0] if cache_full else None,
        "chats_per_second": len(last) / max(last),
    }


def bottleneck(metrics):
    """The wall that makes chats wait: "none", "cache", "batch" or "both"."""
    if metrics["queue_max"] < LONG_QUEUE:
        return "none"
    cache, batch = metrics["cache_steps"], metrics["batch_steps"]
    if 2 * min(cache, batch) >= max(cache, batch):
        return "both"
    return "cache" if cache > batch else "batch"


def load_test(rate, pages, limit):
    """Send the lesson's chats at `rate` a second and return the report."""
    workload = first_chats(LESSON_CHATS)
    return report(workload, rate, serve(workload, rate, pages, limit))
