"""What the widget's page is given, and what its port of the server must give back.

PARITY names functions that are here and in the port alike, each with the arguments to try.
"""

from itertools import product

import tiny_server
import batching
from engine.facts import format_number as printed
from chats import shuffled
from grid import LIMITS, ORDERS, PAGES, RATES, in_order
from tiny_server import LESSON_CHATS, bottleneck, first_chats, report, serve

SCRIPTS = (
    "server.js", "charts.js", "graphs.js", "views.js", "kitchen.js", "log.js", "controls.js",
    "page.js",
)  # fmt: skip
NAMES = {
    batching: "PARAMETERS BYTES_PER_WEIGHT WEIGHT_BYTES LAYERS KV_HEADS HEAD_SIZE "
    "KV_BYTES_PER_TOKEN BANDWIDTH FLOPS",
    tiny_server: "PAGE_TOKENS LESSON_CHATS LONG_QUEUE",
}
PERCENT, MANY = 99, 100  # of fewer chats than that, p99 is the longest wait itself
SHORT = 0.1  # seconds: a wait below that is printed with a decimal more
LEAST_RATE, MOST_RATE, MOST_LIMIT = 1, 60, 64
# A recorded log has a real card's pages, and as many places as a server of that size may give.
LOG_LIMIT, MOST_LOG_LIMIT, MOST_CARDS = 256, 1024, 4
TEXTS = {
    "cache": "The cache is full {at} into the run, and",
    "batch": "The cache never fills, but the batch limit holds chats up:",
    "nothing": "Nothing holds the chats up:",
    "wait": f"{100 - PERCENT} chat in 100 waits longer than {{p99}} for its first token.",
    "few": "the longest wait for a first token is {p99}.",
}


def page(facts):
    """DATA of the page's scripts: the chats, their orders, the settings and some texts."""
    longest = facts.longest_chat.value
    return {
        "chats": first_chats(LESSON_CHATS),
        "orders": [_places(order) for order in ORDERS if order],
        "first": {
            "rate": facts.heavy.rate.value,
            "pages": facts.heavy.pages.value,
            "limit": facts.heavy.limit.value,
            "order": 0,
        },
        "ranges": {
            "rate": {"min": LEAST_RATE, "max": MOST_RATE, "step": 1},
            "pages": {"min": longest, "max": max(PAGES), "step": 1},
            "limit": {"min": 1, "max": MOST_LIMIT, "step": 1},
            "order": {"min": 0, "max": max(ORDERS), "step": 1},
        },
        "log": {
            "pages": facts.card.pages.value,
            "limit": LOG_LIMIT,
            "most_pages": MOST_CARDS * facts.card.pages.value,
            "most_limit": MOST_LOG_LIMIT,
        },
        "short": SHORT,
        "many": MANY,
        "texts": TEXTS,
    }


def _places(order):
    """Where each chat of a shuffled workload stands in the order in which they were drawn."""
    drawn = first_chats(LESSON_CHATS)
    tagged = {"gaps": drawn["gaps"], "prompts": range(LESSON_CHATS), "replies": drawn["replies"]}
    return shuffled(tagged, order)["prompts"]


def constants():
    return {
        name: getattr(module, name) for module, names in NAMES.items() for name in names.split()
    }


def steps(rate, pages, limit, order):
    first, last, steps = serve(in_order(order), rate, pages, limit)
    return {"steps": [step._asdict() for step in steps], "first": first, "last": last}


def summary(rate, pages, limit, order):
    workload = in_order(order)
    metrics = report(workload, rate, serve(workload, rate, pages, limit))
    return {**metrics, "wall": bottleneck(metrics), "sentence": sentence(metrics, LESSON_CHATS)}


def sentence(metrics, chats):
    """When the cache fills, and what the slowest wait."""
    full = metrics["cache_full_at"]
    cause = "cache" if full is not None else "batch" if metrics["batch_steps"] else "nothing"
    text = f"{TEXTS[cause]} {TEXTS['wait' if chats >= MANY else 'few']}"
    return text.format(at=in_seconds(full or 0.0), p99=in_seconds(metrics["ttft_p99"]))


def in_seconds(value):
    return f"{printed(value, 3 if value < SHORT else 2)}\u00a0s"


def format_number(value, digits):
    return printed(value, digits)


TIES = (0.125, 0.375, 2.5, 3.5, 0.5, 1.005, 9.995, 1234567.5, 0.25, -0.125, -0.004, 88935.0, 1e-7)
COUNTED = ("queue_max", "cache_steps", "batch_steps")
ALL = [list(case) for case in product(RATES, PAGES, LIMITS, ORDERS)]
PARITY = {
    "constants": [[]],
    "format_number": [[value, digits] for value in TIES for digits in range(4)],
    "in_seconds": [[SHORT * part] for part in (0, 0.5, 1, 1.5, 40)],
    "sentence": [
        [{"cache_full_at": full, "batch_steps": 0, "ttft_p99": SHORT / 2}, chats]
        for full, chats in product((None, 0.0, 0.4), (MANY - 1, MANY))
    ],
    "bottleneck": [
        [dict(zip(COUNTED, counts))] for counts in product((3, 4), (0, 1, 2, 4), (0, 2))
    ],
    "summary": ALL,
    "steps": ALL[:: len(ALL) // 8],
}
DETAIL = {"summary": "steps"}  # where these differ, that one tells which step is the first
