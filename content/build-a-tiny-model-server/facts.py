"""What the lesson quotes: the numbers of show_numbers.py, and those that only the plain part needs."""

from pathlib import Path

import show_numbers
import tiny_server
import trace
from batching import PARAMETERS, step_seconds
from chats import SEED, percentile, send_times
from grid import LIMITS, ORDERS, PAGES, RATES, in_order
from show_numbers import CHATS, SETTINGS
from tiny_server import bottleneck, load_test, pages_for, report, serve

LIGHT = (trace.LIGHT, trace.PAGES, trace.LIMIT)
SLOW = 1.0  # seconds a person may be asked to wait for a first word
FIGURE_SECONDS = 3.0  # of the overloaded run that the figure shows


def measure(fact):
    """All facts of the lesson."""
    show_numbers.measure(fact)
    source = Path(tiny_server.__file__).read_text(encoding="utf-8")
    fact("program.lines", source.count("\n"))
    the_chats(fact)
    the_steps(fact)
    the_runs(fact)
    the_trace(fact)
    the_table(fact)
    the_orders(fact)


def the_chats(fact):
    prompts, replies = CHATS["prompts"], CHATS["replies"]
    fact("chat.seed", str(SEED))  # a name for the draws rather than a count: no comma
    fact("chat.all_pages", sum(map(pages_for, map(sum, zip(prompts, replies)))))
    fact("chat.prompt_min", min(prompts))
    fact("chat.prompt_max", max(prompts))
    fact("chat.reply_min", min(replies))
    fact("chat.reply_max", max(replies))
    fact("chat.mean_tokens", (sum(prompts) + sum(replies)) / len(prompts), digits=0)


def the_steps(fact):
    """Three steps that show what a step's length depends on."""
    fact("model.parameters", PARAMETERS / 1e9, "billion", 2)
    fact("model.one_chat", 1000 * step_seconds(CHATS["prompts"][:1], 0), "ms", 1)
    chats, context = trace.LIMIT, 220
    fact("model.full_chats", chats)
    fact("model.full_context", context)
    full, one = step_seconds([context] * chats, 0), step_seconds(CHATS["prompts"][:1], 0)
    fact("model.full_step", 1000 * full, "ms", 1)
    fact("model.full_growth", full / one, digits=3)


def the_runs(fact):
    light, heavy = load_test(*LIGHT), load_test(*SETTINGS["heavy"])
    more, most = load_test(*SETTINGS["more"]), load_test(*SETTINGS["most"])
    fact("light.pages", LIGHT[1])
    fact("light.ttft_p99", light["ttft_p99"], "s", 3)
    fact("light.queue_max", light["queue_max"])
    fact("light.pages_max", light["pages_max"])
    fact("heavy.ttft_p50", heavy["ttft_p50"], "s", 2)
    fact("heavy.cache_full_at", heavy["cache_full_at"], "s", 2)
    fact("heavy.queue_max", heavy["queue_max"])
    fact("heavy.chats_per_second", heavy["chats_per_second"], digits=1)
    fact("more.ttft_p50", more["ttft_p50"], "s", 2)
    fact("more.pages_max", more["pages_max"])
    fact("most.same_as_more", most == more)
    fact("slowdown", heavy["ttft_p99"] / light["ttft_p99"], digits=1)
    fact("gap_growth", heavy["tbt_p99"] / light["tbt_p99"], digits=2)
    fact("most_pages_ratio", SETTINGS["most"][1] / SETTINGS["more"][1], digits=1)
    fact("more.held_share", more["pages_max"] / SETTINGS["more"][1], digits=2)
    wide = load_test(*SETTINGS["wide"])
    fact("wide.blocked_ratio", wide["cache_steps"] / wide["batch_steps"], digits=2)
    fact("more_pages_ratio", SETTINGS["more"][1] / SETTINGS["heavy"][1], digits=1)

    rate, pages, _ = SETTINGS["most"]
    limits = range(trace.LIMIT, len(CHATS["prompts"]))
    free = next((n for n in limits if load_test(rate, pages, n)["queue_max"] == 0), None)
    fact("free.limit", free)
    rate, pages, _ = LIGHT
    fact("tiny.ttft_p99", load_test(rate, min(PAGES), trace.LIMIT)["ttft_p99"], "s", 2)
    fact("tiny.queue_max", load_test(rate, min(PAGES), trace.LIMIT)["queue_max"])
    fact("narrow.limit", min(LIMITS))
    fact("narrow.queue_max", load_test(rate, pages, min(LIMITS))["queue_max"])


def the_trace(fact):
    """What the reading of the overloaded run points at."""
    rate, pages, limit = SETTINGS["heavy"]
    first, _, steps = serve(CHATS, rate, pages, limit)
    sends = send_times(CHATS["gaps"], rate)
    waits = [token - sent for token, sent in zip(first, sends)]
    fact("quick.share", 100 * min(_shares_within_p99()), "%", 0)
    slow = next((sent for sent, wait in zip(sends, waits) if wait > SLOW), None)
    fact("heavy.first_slow_sent", slow, "s", 2)
    fact("slow", SLOW, "s", 0)
    joining = {step.start + step.seconds: step.seconds for step in steps if step.joined}
    from_admission = percentile([joining[token] for token in first], 99)
    fact("heavy.from_admission", from_admission, "s", 3)

    fact("chat_two.number", 2)
    fact("chat_two.prompt", CHATS["prompts"][2])
    fact("chat_two.reply", CHATS["replies"][2])
    fact("chat_two.pages", pages_for(CHATS["prompts"][2] + CHATS["replies"][2]))
    fact("trace.first_chats", 4)
    fact("trace.first_sent", 1000 * sends[4 - 1], "ms", 0)
    fact("trace.held_two", steps[1].held)
    fact("trace.owed_two", steps[1].owed)
    fact("step_four.number", 4)
    four = steps[4 - 1]
    new = [chat for chat, token in enumerate(first) if token == four.start + four.seconds]
    fact("step_four.joined", len(new))
    fact("step_four.prompts", sum(CHATS["prompts"][chat] for chat in new))
    fact("step_four.ms", 1000 * four.seconds, "ms", 1)
    number = next((n for n, step in enumerate(steps, 1) if "cache" in step.blocked), None)
    fact("heavy.cache_full_step", number)
    full = steps[(number or 1) - 1]
    fact("trace.held_full", full.held)
    fact("trace.owed_full", full.owed)
    fact("trace.left_full", pages - full.held - full.owed)
    head = sum(step.joined for step in steps[: (number or 1)])
    fact("trace.head_needs", pages_for(CHATS["prompts"][head] + CHATS["replies"][head]))
    shown = [*steps[:5], *steps[(number or 1) - 2 : (number or 1) + 2]]
    reading = max(step.seconds for step in shown if step.joined)
    plain = max(step.seconds for step in shown if not step.joined)
    fact("trace.reading_over_plain", reading / plain, digits=1)
    fact("trace.chats_full", full.chats)
    fact("trace.places_full", limit - full.chats)

    shown = [step for step in steps if step.start <= FIGURE_SECONDS]
    fact("cachefig.seconds", FIGURE_SECONDS, "s", 0)
    fact("cachefig.queue", max(step.queue for step in shown))


def _shares_within_p99():
    """Share of the waits and of the gaps that are within their p99, in each run we speak of."""
    for rate, pages, limit in [LIGHT, *SETTINGS.values()]:
        first, _, steps = serve(CHATS, rate, pages, limit)
        waits = [token - sent for token, sent in zip(first, send_times(CHATS["gaps"], rate))]
        gaps = [step.seconds for step in steps for _ in range(step.chats - step.joined)]
        for values in (waits, gaps):
            p99 = percentile(values, 99)
            yield sum(value <= p99 for value in values) / len(values)


def the_table(fact):
    """Waits over the grid's rates and pages; the columns and rows have names, not numbers."""
    rows = dict(zip(("slow", "calm", "brisk", "fast"), RATES, strict=True))
    columns = dict(zip(("small", "normal", "double", "large"), PAGES, strict=True))
    fact("explore.settings", len(rows) * len(columns))
    for column, pages in columns.items():
        fact(f"explore.{column}", pages)
    for row, rate in rows.items():
        fact(f"explore.{row}", rate)
        for column, pages in columns.items():
            wait = load_test(rate, pages, trace.LIMIT)["ttft_p99"]
            fact(f"explore.{row}_{column}", wait, "s", 3 if wait < 0.1 else 2)


def the_orders(fact):
    """What stays, and what moves, when the chats come in another order."""
    waits = {name: [] for name in ("light", "heavy", "more")}
    walls = {name: set() for name in waits}
    for order in ORDERS:
        chats = in_order(order)
        for name in waits:
            rate, pages, limit = LIGHT if name == "light" else SETTINGS[name]
            got = report(chats, rate, serve(chats, rate, pages, limit))
            waits[name].append(got["ttft_p99"])
            walls[name].add(bottleneck(got))
    ratios = [heavy / light for heavy, light in zip(waits["heavy"], waits["light"])]
    fact("orders.ratio_min", min(ratios), digits=0)
    fact("orders.ratio_max", max(ratios), digits=0)
    fact("orders.more_min", min(waits["more"]), "s", 2)
    fact("orders.more_max", max(waits["more"]), "s", 2)
    fact("orders.walls_stay", walls["heavy"] == {"cache"} and walls["more"] == {"batch"})
