"""Each program against an oracle that computes the same another way."""

import math
import os
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import batching
import block_manager
import card
import chats
from tiny_server import PAGE_TOKENS, Pages, bottleneck, report, serve

a_chat = st.tuples(st.floats(0, 20), st.integers(1, 60), st.integers(1, 12))
workloads = st.lists(a_chat, min_size=1, max_size=25).map(
    lambda drawn: dict(zip(("gaps", "prompts", "replies"), map(list, zip(*drawn))))
)


def serve_from_scratch(workload, rate, pages, limit):
    """The server written the other way: at every step all state is worked out from the history."""
    prompts, replies = workload["prompts"], workload["replies"]
    count = len(prompts)
    sent, total = [], 0.0  # added one by one: sum() of floats is not the same on every Python
    for gap in workload["gaps"]:
        sent.append(total / rate)
        total += gap
    joined_at, clock, step, log = {}, 0.0, 0, []

    def made(chat):
        return step - joined_at[chat]

    def promise(chat):
        return math.ceil((prompts[chat] + replies[chat]) / PAGE_TOKENS)

    first, last = {}, {}
    while len(last) < count:
        running = [chat for chat in joined_at if chat not in last]
        waiting = [chat for chat in range(count) if chat not in joined_at and sent[chat] <= clock]
        if not running and not waiting:
            clock = min(sent[chat] for chat in range(count) if chat not in joined_at)
            waiting = [
                chat for chat in range(count) if chat not in joined_at and sent[chat] <= clock
            ]
        joined, blocked = [], []
        for chat in waiting:
            inside = running + joined
            no_room = sum(map(promise, inside)) + promise(chat) > pages
            blocked = ["cache"] * no_room + ["batch"] * (len(inside) >= limit)
            if blocked:
                break
            joined.append(chat)
        contexts = [prompts[chat] + made(chat) for chat in running]
        seconds = batching.step_seconds(contexts, sum(prompts[chat] for chat in joined))
        start, clock = clock, clock + seconds
        joined_at.update(dict.fromkeys(joined, step))
        step += 1
        for chat in running + joined:
            if made(chat) == 1:
                first[chat] = clock
            if made(chat) == replies[chat]:
                last[chat] = clock
        still = [chat for chat in running + joined if chat not in last]
        held = sum(math.ceil((prompts[chat] + made(chat)) / PAGE_TOKENS) for chat in still)
        owed = sum(map(promise, still)) - held
        queue = len(waiting) - len(joined)
        log.append((start, seconds, len(running + joined), len(joined), queue, held, owed, blocked))
    return [first[c] for c in range(count)], [last[c] for c in range(count)], log


@given(workloads, st.floats(0.5, 500), st.integers(5, 40), st.integers(1, 8))
@settings(max_examples=150)
def test_serve_equals_the_server_from_scratch(workload, rate, pages, limit):
    expected = serve_from_scratch(workload, rate, pages, limit)
    first, last, steps = serve(workload, rate, pages, limit)
    assert (first, last) == expected[:2]
    assert [tuple(step) for step in steps] == expected[2]


@given(workloads, st.floats(0.5, 500), st.integers(5, 40), st.integers(1, 8))
@settings(max_examples=100)
def test_serve_keeps_its_invariants(workload, rate, pages, limit):
    first, last, steps = serve(workload, rate, pages, limit)
    sends = chats.send_times(workload["gaps"], rate)
    assert all(step.held + step.owed <= pages and step.chats <= limit for step in steps)
    assert all(min(step.held, step.owed, step.queue) >= 0 for step in steps)
    assert sum(step.chats for step in steps) == sum(workload["replies"])
    assert all(sent < begin <= end for sent, begin, end in zip(sends, first, last))
    assert first == sorted(first), "first come, first served"
    assert (steps[-1].held, steps[-1].owed, steps[-1].queue) == (0, 0, 0)
    for before, after in zip(steps, steps[1:]):
        assert after.start >= before.start + before.seconds


@given(workloads, st.floats(0.5, 500), st.integers(1, 8))
@settings(max_examples=100)
def test_a_huge_cache_is_no_cache_limit(workload, rate, limit):
    sends = chats.send_times(workload["gaps"], rate)
    plain = batching.simulate(sends, workload["prompts"], workload["replies"], limit)
    assert serve(workload, rate, 10_000, limit)[:2] == plain


def test_report_of_replies_that_have_no_gap():
    workload = {"gaps": [0.0, 5.0], "prompts": [3, 3], "replies": [1, 1]}
    got = report(workload, 1, serve(workload, 1, 10, 10))
    assert got["tbt_p50"] is None and got["tbt_p99"] is None
    assert got["ttft_p99"] == batching.step_seconds([], 6)


@given(workloads, st.floats(0.5, 500), st.integers(5, 40), st.integers(1, 8))
@settings(max_examples=50)
def test_report_against_numpy(workload, rate, pages, limit):
    run = serve(workload, rate, pages, limit)
    got = report(workload, rate, run)
    sends = chats.send_times(workload["gaps"], rate)
    waits = np.array(run[0]) - np.array(sends)
    gaps = []
    for chat, reply in enumerate(workload["replies"]):
        ends = [step.start + step.seconds for step in run[2]]
        mine = ends[ends.index(run[0][chat]) :][:reply]
        gaps += list(np.diff(mine))
    for percent in (50, 99):
        wait = np.percentile(waits, percent, method="inverted_cdf")
        assert got[f"ttft_p{percent}"] == wait
        if gaps:
            gap = np.percentile(gaps, percent, method="inverted_cdf")
            assert got[f"tbt_p{percent}"] == pytest.approx(gap, abs=1e-9)
    assert got["chats_per_second"] == len(sends) / max(run[1])
    assert bottleneck(got) in ("none", "cache", "batch", "both")


@given(st.lists(st.integers(0, 5000), max_size=40), st.integers(0, 5000))
def test_step_seconds_is_the_roofline(contexts, new):
    weights = 2 * Fraction(803, 100) * 10**9
    memory = (weights + 131_072 * sum(contexts)) / Fraction(2_039_000_000_000)
    compute = weights * (len(contexts) + new) / Fraction(312 * 10**12)
    assert batching.step_seconds(contexts, new) == pytest.approx(
        float(max(memory, compute)), rel=1e-12
    )


@pytest.mark.parametrize("count", [1, 2, 4, 99, 100, 101, 400])
@pytest.mark.parametrize("percent", [1, 50, 90, 99, 100])
def test_percentile_is_nearest_rank(count, percent):
    values = [random.Random(count).gauss(0, 1) for _ in range(count)]
    assert chats.percentile(values, percent) == np.percentile(
        values, percent, method="inverted_cdf"
    )


def test_percentile_of_nothing_says_so():
    with pytest.raises(ValueError, match="no values"):
        chats.percentile([], 99)


def test_chats_follow_their_description():
    drawn = chats.draw_chats()
    rng = random.Random(2027)
    assert drawn["gaps"] == [rng.expovariate(1.0) for _ in range(2000)]
    logs = np.log(np.array(drawn["prompts"]) / 30) / np.log(20)
    assert min(logs) >= 0 and max(logs) <= 1
    assert np.histogram(logs, bins=4, range=(0, 1))[0] == pytest.approx([500] * 4, rel=0.15)
    long = sum(reply >= 100 for reply in drawn["replies"])
    assert long == pytest.approx(0.12 * 2000, rel=0.15)
    assert all(8 <= reply <= 60 or 100 <= reply <= 400 for reply in drawn["replies"])


def test_shuffling_keeps_every_chat_whole():
    workload = chats.first_chats(400)
    pairs = sorted(zip(workload["prompts"], workload["replies"]))
    assert chats.shuffled(workload, 0) == workload
    for order in range(1, 6):
        other = chats.shuffled(workload, order)
        assert other["gaps"] == workload["gaps"]
        assert other["prompts"] != workload["prompts"]
        assert sorted(zip(other["prompts"], other["replies"])) == pairs


@given(st.lists(st.floats(0, 100), min_size=1, max_size=50), st.floats(0.1, 100))
def test_send_times_are_sums_of_gaps(gaps, rate):
    expected = [0.0]
    total = 0.0
    for gap in gaps[:-1]:
        total += gap
        expected.append(total / rate)
    assert chats.send_times(gaps, rate) == expected


def test_a_card_holds_whole_pages():
    room = Fraction(9, 10) * 80 * 10**9 - 2 * 803 * 10**7 - 2 * 10**9
    assert card.card_pages(16) == math.floor(room / (2 * 2**20))
    assert card.card_pages(32) == math.floor(room / (4 * 2**20))


operations = st.lists(
    st.tuples(st.sampled_from("add append free".split()), st.integers(0, 4), st.integers(0, 40)),
    max_size=60,
)


@given(operations, st.integers(1, 12))
@settings(max_examples=150)
def test_block_manager_stores_what_was_written(script, blocks):
    manager, written = block_manager.BlockManager(blocks), {}
    for operation, chat, size in script:
        before = (list(manager.free_blocks), {c: list(t) for c, t in manager.tables.items()})
        try:
            if operation == "add" and chat not in written:
                manager.add(chat, list(range(size)))
                written[chat] = list(range(size))
            elif operation == "append" and chat in written:
                manager.append(chat, size)
                written[chat].append(size)
            elif operation == "free" and chat in written:
                manager.free(chat)
                del written[chat]
        except block_manager.OutOfBlocks:
            assert (list(manager.free_blocks), manager.tables) == before, "no block was lost"
        for known, tokens in written.items():
            stored = manager.read(known)
            assert stored.shape[2] == len(tokens)
            for position, token in enumerate(tokens):
                expected = block_manager.keys_and_values(token, position)
                assert np.array_equal(stored[:, :, position], expected)
        held = [block for table in manager.tables.values() for block in table]
        assert sorted(held + list(manager.free_blocks)) == list(range(blocks))


def test_block_manager_says_what_is_missing():
    manager = block_manager.BlockManager(2)
    manager.add("a", [1] * 20)
    with pytest.raises(block_manager.OutOfBlocks, match="1 blocks needed, 0 free"):
        manager.add("b", [1])
    with pytest.raises(ValueError, match="already"):
        manager.add("a", [1])
    assert set(manager.tables) == {"a"}


@given(operations)
@settings(max_examples=100)
def test_pages_and_block_manager_agree(script):
    counts, real, lengths = Pages(300), block_manager.BlockManager(300), {}
    for operation, chat, size in script:
        if operation == "add" and chat not in lengths:
            lengths[chat] = size
            counts.grow(chat, size)
            real.add(chat, [0] * size)
        elif operation == "append" and chat in lengths:
            lengths[chat] += 1
            counts.grow(chat, lengths[chat])
            real.append(chat, 0)
        elif operation == "free" and chat in lengths:
            del lengths[chat]
            counts.release(chat)
            real.free(chat)
        assert (counts.tables, counts.free) == (real.tables, real.free_blocks)
        assert counts.used == sum(map(len, real.tables.values()))


@pytest.mark.parametrize(
    ("rate", "pages", "limit", "says"),
    [
        (0, 9, 1, "must all be positive"), (-1, 9, 1, "must all be positive"),
        (1, 0, 1, "must all be positive"), (1, 9, 0, "must all be positive"),
        (math.inf, 9, 1, "must all be positive"), (math.nan, 9, 1, "must all be positive"),
        (1, 1, 1, "a chat needs 2 pages, and the cache has 1"),
    ],
)  # fmt: skip
def test_serve_refuses_what_cannot_work(rate, pages, limit, says):
    with pytest.raises(ValueError, match=says):
        serve({"gaps": [1.0], "prompts": [16], "replies": [1]}, rate, pages, limit)


def test_serve_refuses_empty_prompts_and_replies():
    for prompt, reply in [(0, 1), (1, 0)]:
        with pytest.raises(ValueError, match="at least one token"):
            serve({"gaps": [1.0], "prompts": [prompt], "replies": [reply]}, 1, 9, 1)


@given(st.integers(0, 500), st.integers(0, 500))
def test_keys_and_values_tell_tokens_and_places_apart(token, position):
    stored = block_manager.keys_and_values(token, position)
    assert stored.shape == (2, 2, 2, 4), "small enough to print"
    assert list(stored.flat) == [token + 1 + place * (position + 1) for place in range(32)]


PROGRAMS = sorted((Path(__file__).resolve().parents[2] / "content").glob("*/code/*.py"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
def test_each_program_finds_what_it_imports_by_itself(program):
    code = f"import runpy, sys; sys.path[0] = {str(program.parent)!r}; runpy.run_path({str(program)!r})"
    environment = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment
    )
    assert ended.returncode == 0, ended.stderr
