"""Every published figure, printed to its published digits, against what the programs measure."""

import json
import re
from pathlib import Path

import pytest
from batching import KV_BYTES_PER_TOKEN, step_seconds
from card import MEMORY_SHARE, card_pages
from chats import CHATS, first_chats, percentile, send_times
from grid import all_runs, in_order
from show_numbers import mean_gaps
from tiny_server import PAGE_TOKENS, bottleneck, pages_for, report, serve

PUBLISHED = json.loads((Path(__file__).parent / "published.json").read_text(encoding="utf-8"))
WORKLOAD = first_chats(PUBLISHED["workload"]["chats"])


def run(rate, pages, limit):
    return serve(WORKLOAD, rate, pages, limit)


def like(published, value):
    """`value` printed to as many decimals as the published text has."""
    if not isinstance(published, str) or isinstance(value, str):
        return value
    digits = len(published.partition(".")[2].rstrip("%"))
    return f"{value:,.{digits}f}"


def walk(node, path=()):
    """Every leaf of the published file as (path, value)."""
    items = (
        node.items()
        if isinstance(node, dict)
        else enumerate(node)
        if isinstance(node, list)
        else ()
    )
    if isinstance(node, (dict, list)) and node:
        for key, value in items:
            yield from walk(value, (*path, key))
    else:
        yield path, node


def measured_workload():
    tokens = [p + r for p, r in zip(WORKLOAD["prompts"], WORKLOAD["replies"])]
    replies = WORKLOAD["replies"]
    yield "chats", len(tokens)
    yield "of", CHATS
    yield "total_tokens", sum(tokens)
    yield "reply_tokens", sum(replies)
    yield "gaps_between_tokens", sum(reply - 1 for reply in replies)
    yield "mean_tokens_per_chat", sum(tokens) / len(tokens)
    yield "prompt_min", min(WORKLOAD["prompts"])
    yield "prompt_max", max(WORKLOAD["prompts"])
    yield "reply_min", min(replies)
    yield "reply_max", max(replies)


def test_workload():
    published = PUBLISHED["workload"]
    measured = dict(measured_workload())
    assert published.keys() - measured.keys() == {"first_chats", "sent_at_rate"}
    for name, value in measured.items():
        assert like(published[name], value) == published[name], name


def test_first_chats():
    sends = send_times(WORKLOAD["gaps"], PUBLISHED["workload"]["sent_at_rate"])
    for row in PUBLISHED["workload"]["first_chats"]:
        chat = row["chat"]
        prompt, reply = WORKLOAD["prompts"][chat], WORKLOAD["replies"][chat]
        assert like(row["sent_s"], sends[chat]) == row["sent_s"]
        assert (prompt, reply, pages_for(prompt + reply)) == (
            row["prompt"],
            row["reply"],
            row["pages"],
        )


@pytest.mark.parametrize("row", PUBLISHED["step_time_ms"], ids=str)
def test_step_times(row):
    contexts = row.get("contexts", [])
    if isinstance(contexts, str):
        chats, tokens = map(int, re.findall(r"\d+", contexts))
        contexts = [tokens] * chats
    if "running" in row:  # the first chats of the heavy run, as its trace shows them
        contexts = WORKLOAD["prompts"][: row["running"]]
    assert like(row["ms"], 1000 * step_seconds(contexts, row["new_prompt_tokens"])) == row["ms"]


def test_memory():
    published = dict(PUBLISHED["memory"])
    page = PAGE_TOKENS * KV_BYTES_PER_TOKEN
    assert published.pop("kv_bytes_per_token") == f"{KV_BYTES_PER_TOKEN / 2**10:g} KiB"
    assert published.pop("page_tokens") == PAGE_TOKENS
    assert published.pop("page_bytes") == f"{page / 2**20:g} MiB"
    assert published.pop("toy_cache_240_pages") == f"{240 * page / 2**20:g} MiB"
    assert published.pop("real_card_pages") == f"{card_pages(PAGE_TOKENS):,}"
    assert published.pop("real_card_share") == f"{MEMORY_SHARE:.0%}"
    assert not published


def measured_run(setting):
    rate = setting["rate"]
    result = run(**setting)
    got = report(WORKLOAD, rate, result)
    steps = result[2]
    blocked = [n for n, step in enumerate(steps, 1) if "cache" in step.blocked]
    means = mean_gaps(*result[:2])
    return {
        "ttft_p50_s": got["ttft_p50"],
        "ttft_p99_s": got["ttft_p99"],
        "tbt_p50_ms": 1000 * got["tbt_p50"],
        "tbt_p99_ms": 1000 * got["tbt_p99"],
        "queue_max": got["queue_max"],
        "pages_max": got["pages_max"],
        "wall": bottleneck(got),
        "mean_gap_per_chat_p99_ms": 1000 * percentile(means, 99),
        "cache_full_at_s": got["cache_full_at"],
        "cache_full_step": blocked[0] if blocked else None,
        "cache_steps": got["cache_steps"],
        "batch_steps": got["batch_steps"],
        "chats_per_s": got["chats_per_second"],
        "queue_max_in_first_3_s": max(step.queue for step in steps if step.start <= 3),
    }


@pytest.mark.parametrize("row", PUBLISHED["runs"], ids=lambda row: row["name"])
def test_runs(row):
    measured = measured_run(row["setting"])
    for name, value in row["published"].items():
        assert like(value, measured[name]) == value, name


def heavy():
    setting = next(row["setting"] for row in PUBLISHED["runs"] if row["name"] == "heavy")
    return setting, run(**setting)[2]


@pytest.mark.parametrize("block", ["first_steps", "cache_fills"])
def test_trace(block):
    setting, steps = heavy()
    assert PUBLISHED["trace_of_heavy"]["columns"] == [
        "step", "start_s", "took_ms", "chats", "new", "queue", "held", "owed", "left", "blocked",
    ]  # fmt: skip
    for row in PUBLISHED["trace_of_heavy"][block]:
        step = steps[row[0] - 1]
        left = setting["pages"] - step.held - step.owed
        measured = [
            row[0], like(row[1], step.start), like(row[2], 1000 * step.seconds), step.chats,
            step.joined, step.queue, step.held, step.owed, left, " and ".join(step.blocked),
        ]  # fmt: skip
        assert measured == row


def test_ratios_in_prose():
    light, full = (report(WORKLOAD, rate, run(rate, 240, 16)) for rate in (10, 40))
    assert PUBLISHED["rounded_in_prose"] == {
        "p99_ttft_heavy_over_light": f"about {round(full['ttft_p99'] / light['ttft_p99'], -1):g}",
        "p99_tbt_heavy_over_light": "about half more",
    }
    assert 1.4 < full["tbt_p99"] / light["tbt_p99"] < 1.6


def test_orders_keep_the_published_walls():
    # The published orders came from a generator that was not published, so the ranges are ours.
    walls = {"heavy": set(), "more": set(), "wide": set()}
    for order in range(6):
        chats = in_order(order)
        for name, (pages, limit) in {
            "heavy": (240, 16),
            "more": (480, 16),
            "wide": (480, 24),
        }.items():
            walls[name].add(bottleneck(report(chats, 40, serve(chats, 40, pages, limit))))
    assert walls["heavy"] == {"cache"}
    assert walls["more"] == {"batch"}
    assert "both" in walls["wide"]


@pytest.mark.slow
def test_steps_without_a_new_chat_over_the_grid():
    low, high = map(float, PUBLISHED["over_384_runs"]["step_with_no_new_chat_ms"])
    plain = [
        1000 * step.seconds for _, (_, _, steps) in all_runs() for step in steps if not step.joined
    ]
    assert low <= min(plain) < low + 0.1
    assert high - 0.1 < max(plain) <= high


def test_nothing_published_is_left_out():
    covered = {
        "about", "workload", "step_time_ms", "memory", "runs", "trace_of_heavy",
        "rounded_in_prose", "over_six_orders", "over_384_runs",
    }  # fmt: skip
    assert PUBLISHED.keys() == covered
    known = set(measured_run(PUBLISHED["runs"][0]["setting"]))
    assert {path[-1] for path, _ in walk([row["published"] for row in PUBLISHED["runs"]])} <= known
