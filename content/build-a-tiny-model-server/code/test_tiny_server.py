"""The lesson's own tests. Run them with `python3 test_tiny_server.py` (or with pytest).

The last one compares with lesson 22's cache, which needs NumPy.
"""

import sys
from itertools import product
from math import fsum

from tiny_server import LESSON_CHATS, LESSONS, PAGE_TOKENS
from tiny_server import Pages, bottleneck, load_test, pages_for, report, serve

# tiny_server has put the folders of earlier lessons on Python's path.
from batching import simulate
from chats import first_chats, percentile, send_times
from grid import LIMITS, RATES, all_runs

CHATS = first_chats(LESSON_CHATS)


def test_nothing_is_promised_twice_and_nothing_is_lost():
    largest = max(pages_for(p + r) for p, r in zip(CHATS["prompts"], CHATS["replies"]))
    for pages, limit in [(largest, 16), (240, 1), (240, 16), (960, 400)]:
        first, last, steps = serve(CHATS, 40, pages, limit)
        assert all(step.held + step.owed <= pages for step in steps)
        assert all(step.joined <= step.chats <= limit for step in steps)
        assert sum(step.chats for step in steps) == sum(CHATS["replies"])
        assert sum(step.joined for step in steps) == len(CHATS["prompts"])
        assert steps[-1].held == steps[-1].owed == steps[-1].queue == 0
        for reply, begin, end in zip(CHATS["replies"], first, last):
            assert sum(begin <= step.start + step.seconds <= end for step in steps) == reply


def test_a_huge_cache_changes_nothing_that_lesson_24_said():
    for rate, limit in product(RATES, LIMITS):
        sends = send_times(CHATS["gaps"], rate)
        expected = simulate(sends, CHATS["prompts"], CHATS["replies"], limit)
        assert serve(CHATS, rate, 100_000, limit)[:2] == expected


def test_a_case_worked_by_hand():
    # Two chats sent together, one page each, and a cache of one page: the second waits for all
    # three steps of the first. Each step has one chat, so it takes the time to read the weights
    # and that chat's tokens: 16.06e9 bytes and 131,072 a token, at 2.039e12 bytes a second.
    chats = {"gaps": [0.0, 1.0], "prompts": [8, 6], "replies": [3, 2]}
    run = serve(chats, 1, 1, 16)
    took = [(16.06e9 + 131_072 * tokens) / 2.039e12 for tokens in (0, 9, 10, 0, 7)]
    assert [step.seconds for step in run[2]] == took
    assert [step.blocked for step in run[2]] == [["cache"], ["cache"], ["cache"], [], []]
    assert [step.held for step in run[2]] == [1, 1, 0, 1, 0]
    got = report(chats, 1, run)
    assert got["ttft_p50"] == took[0]
    assert got["ttft_p99"] == took[0] + took[1] + took[2] + took[3]
    assert got["tbt_p50"] == took[1] and got["tbt_p99"] == took[2]
    assert (got["queue_max"], got["cache_steps"], got["cache_full_at"]) == (1, 3, 0.0)


def test_the_walls():
    assert bottleneck({"queue_max": 3, "cache_steps": 9, "batch_steps": 0}) == "none"
    assert bottleneck({"queue_max": 4, "cache_steps": 9, "batch_steps": 4}) == "cache"
    assert bottleneck({"queue_max": 4, "cache_steps": 4, "batch_steps": 9}) == "batch"
    assert bottleneck({"queue_max": 4, "cache_steps": 8, "batch_steps": 4}) == "both"


def test_nearest_rank():
    assert percentile(range(1, 401), 99) == 396
    assert percentile([7], 1) == percentile([7], 99) == 7
    assert percentile([4, 1, 3, 2], 50) == 2


def test_more_cache_helps_until_the_other_wall_binds():
    light, heavy = load_test(10, 240, 16), load_test(40, 240, 16)
    more, most, both = load_test(40, 480, 16), load_test(40, 960, 16), load_test(40, 480, 24)
    walls = [bottleneck(got) for got in (light, heavy, more, most, both)]
    assert walls == ["none", "cache", "batch", "batch", "both"]
    assert heavy["ttft_p99"] > 50 * light["ttft_p99"]
    assert heavy["tbt_p99"] < 2 * light["tbt_p99"]
    assert more == most
    assert both["ttft_p99"] < more["ttft_p99"] < heavy["ttft_p99"]


def test_steps_that_read_prompts_are_the_long_ones():
    plain, reading = [], []
    for _, (_, _, steps) in all_runs():
        plain += [step.seconds for step in steps if not step.joined]
        reading += [step.seconds for step in steps if step.joined]
    assert 0.0078 < min(plain) <= max(plain) < 0.0085
    assert fsum(reading) / len(reading) > fsum(plain) / len(plain)


def test_what_can_never_work_is_refused_at_once():
    for rate, pages, limit in [(0, 240, 16), (40, -1, 16), (40, 240, 0), (40, 10, 16)]:
        try:
            serve(CHATS, rate, pages, limit)
        except ValueError:
            continue
        raise AssertionError("a hopeless setting was served")


def test_pages_keep_the_same_tables_as_lesson_22():
    sys.path.append(str(LESSONS / "paged-kv-cache" / "code"))
    from block_manager import BLOCK_TOKENS, BlockManager

    assert BLOCK_TOKENS == PAGE_TOKENS
    counts, real = Pages(20), BlockManager(20)
    lengths = {}
    script = [("a", 40), ("b", 16), ("a", 9), ("c", 1), ("b", 0), ("c", 16), ("d", 50), ("a", 0)]
    script += [("e", 90), ("c", 0), ("e", 30)]
    for chat, tokens in script:
        if tokens == 0:
            counts.release(chat)
            real.free(chat)
            del lengths[chat]
        elif chat not in lengths:
            counts.grow(chat, tokens)
            real.add(chat, list(range(tokens)))
            lengths[chat] = tokens
        else:
            for _ in range(tokens):
                lengths[chat] += 1
                counts.grow(chat, lengths[chat])
                real.append(chat, 7)
        assert counts.tables == real.tables
        assert counts.free == real.free_blocks
        assert counts.used == sum(len(table) for table in real.tables.values())


if __name__ == "__main__":
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_")]
    for name, test in tests:
        words = name.removeprefix("test_").replace("_", " ")
        try:
            test()
            print("passed", words)
        except ModuleNotFoundError as missing:
            print("left out", words, f"(needs {missing.name})")
    print(len(tests), "tests done")
