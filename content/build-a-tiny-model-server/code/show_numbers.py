"""Prints every number that the lesson's deep part quotes, with the name the lesson calls it by."""

import sys
from math import ceil, floor, fsum

from tiny_server import LESSON_CHATS, LESSONS, LONG_QUEUE, PAGE_TOKENS
from tiny_server import bottleneck, first_chats, pages_for, percentile, report, serve

from batching import KV_BYTES_PER_TOKEN
from grid import ORDERS, all_runs, in_order
from trace import HEAVY, LIGHT, LIMIT, MORE_PAGES, PAGES

sys.path.append(str(LESSONS / "what-model-server-settings-change" / "code"))
from card import MEMORY_SHARE, card_pages

WIDE_LIMIT = 24
CHATS = first_chats(LESSON_CHATS)
SETTINGS = {
    "heavy": (HEAVY, PAGES, LIMIT),
    "more": (HEAVY, MORE_PAGES, LIMIT),
    "most": (HEAVY, 2 * MORE_PAGES, LIMIT),
    "wide": (HEAVY, MORE_PAGES, WIDE_LIMIT),
}


def mean_gaps(first, last):
    """One number a chat: its mean gap, from first token to last, in seconds."""
    return [(e - b) / (n - 1) for b, e, n in zip(first, last, CHATS["replies"]) if n > 1]


def _blocked(cache_steps, batch_steps):
    """A report with a long queue and these counts, as `bottleneck` wants it."""
    return {"queue_max": LONG_QUEUE, "cache_steps": cache_steps, "batch_steps": batch_steps}


def measure(fact):
    """Call `fact(name, value, unit, digits)` for each number."""
    fact("chats", LESSON_CHATS)
    fact("page.tokens", PAGE_TOKENS)
    fact("page.kib_per_token", KV_BYTES_PER_TOKEN / 1024, "KiB", 0)
    fact("page.mib", PAGE_TOKENS * KV_BYTES_PER_TOKEN / 2**20, "MiB", 0)
    fact("cache_mib", PAGES * PAGE_TOKENS * KV_BYTES_PER_TOKEN / 2**20, "MiB", 0)
    fact("card.pages", card_pages(PAGE_TOKENS))
    fact("card.share", 100 * MEMORY_SHARE, "%", 0)
    fact("long_queue", LONG_QUEUE)
    shares = (n for n in range(101) if bottleneck(_blocked(100, n)) == "both")
    fact("both_from", next(shares) / 100, digits=2)
    fact("longest_chat", max(map(pages_for, map(sum, zip(CHATS["prompts"], CHATS["replies"])))))

    for name, (rate, pages, limit) in SETTINGS.items():
        got = report(CHATS, rate, serve(CHATS, rate, pages, limit))
        fact(f"{name}.pages", pages)
        fact(f"{name}.limit", limit)
        fact(f"{name}.ttft_p99", got["ttft_p99"], "s", 2)
        fact(f"{name}.tbt_p99", 1000 * got["tbt_p99"], "ms", 1)
        fact(f"{name}.cache_steps", got["cache_steps"])
        fact(f"{name}.batch_steps", got["batch_steps"])
        fact(f"{name}.wall", bottleneck(got))

    light, heavy = (serve(CHATS, rate, PAGES, LIMIT) for rate in (LIGHT, HEAVY))
    fact("light.rate", LIGHT)
    fact("heavy.rate", HEAVY)
    fact("light.tbt_p99", 1000 * report(CHATS, LIGHT, light)["tbt_p99"], "ms", 1)
    fact("light.mean_gap_p99", 1000 * percentile(mean_gaps(*light[:2]), 99), "ms", 1)
    fact("heavy.mean_gap_p99", 1000 * percentile(mean_gaps(*heavy[:2]), 99), "ms", 1)

    walls = [
        bottleneck(report(in_order(order), HEAVY, serve(in_order(order), *SETTINGS["wide"])))
        for order in ORDERS
    ]
    fact("orders.both_at_wide", walls.count("both"))

    plain, reading, runs = [], [], 0
    for _, (_, _, steps) in all_runs():
        runs += 1
        plain += [1000 * step.seconds for step in steps if not step.joined]
        reading += [1000 * step.seconds for step in steps if step.joined]
    fact("grid.runs", runs)
    fact("grid.orders", len(ORDERS))
    fact("grid.plain_min", floor(10 * min(plain)) / 10, "ms", 1)  # outwards: all lie between
    fact("grid.plain_max", ceil(10 * max(plain)) / 10, "ms", 1)
    fact("grid.plain_spread", max(plain) / min(plain), digits=2)
    fact("grid.plain_mean", fsum(plain) / len(plain), "ms", 1)
    fact("grid.reading_mean", fsum(reading) / len(reading), "ms", 1)
    fact("rank.nth", ceil(99 * LESSON_CHATS / 100))


def show(name, value, unit="", digits=0):
    text = value if isinstance(value, str) else f"{value:,.{digits}f}"
    print(f"{name:20} {text} {unit}".rstrip())


if __name__ == "__main__":
    measure(show)
