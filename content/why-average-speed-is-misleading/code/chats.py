"""Lesson 27: invented chats that are the same everywhere, when they are sent, and percentiles."""

import random
from itertools import accumulate
from math import ceil

SEED = 2027
CHATS = 2000
LONG_SHARE = 0.12  # of the replies, these many are long ones


def log_uniform(draw, low, high):
    """A whole number from low to high; each doubling of size is as likely as the next."""
    return round(low * (high / low) ** draw)


def draw_chats():
    """All CHATS invented chats, as three lists of one length.

    gaps: time from one chat's sending to the next one's, in units of the mean gap (1.0).
    prompts, replies: sizes in tokens.
    """
    rng = random.Random(SEED)
    gaps = [rng.expovariate(1.0) for _ in range(CHATS)]
    prompts = [log_uniform(rng.random(), 30, 600) for _ in range(CHATS)]
    is_long = [rng.random() < LONG_SHARE for _ in range(CHATS)]
    sizes = [(100, 400) if long else (8, 60) for long in is_long]
    replies = [log_uniform(rng.random(), low, high) for low, high in sizes]
    return {"gaps": gaps, "prompts": prompts, "replies": replies}


def first_chats(count):
    """The first `count` of the invented chats, in the order they were drawn."""
    return {name: values[:count] for name, values in draw_chats().items()}


def shuffled(workload, order):
    """The same chats in another order; order 0 is as drawn. The gaps between sends stay."""
    chats = list(zip(workload["prompts"], workload["replies"]))
    if order:
        random.Random(order).shuffle(chats)
    prompts, replies = zip(*chats)
    return {"gaps": workload["gaps"], "prompts": list(prompts), "replies": list(replies)}


def send_times(gaps, rate):
    """Send time of each chat in seconds, at `rate` chats a second: an open loop.

    Chat 0 goes at 0, chat i after the first i gaps. A late server never delays a send.
    """
    return [total / rate for total in accumulate(gaps[:-1], initial=0.0)]


def percentile(values, percent):
    """Nearest rank: the smallest value that at least `percent` % of all values do not exceed."""
    if not values:
        raise ValueError("no values, so no percentile")
    return sorted(values)[ceil(percent * len(values) / 100) - 1]
