"""Lesson 24: how long one step of a model takes, and continuous batching.

The model is a stand-in with the sizes of an 8-billion-parameter model on one A100 card: it
writes no words, it only tells how long the real one would take.
"""

from collections import deque

PARAMETERS = 8.03e9
BYTES_PER_WEIGHT = 2
WEIGHT_BYTES = PARAMETERS * BYTES_PER_WEIGHT
LAYERS, KV_HEADS, HEAD_SIZE = 32, 8, 128
# A key and a value for every layer, head and place: 128 KiB of cache for each token.
KV_BYTES_PER_TOKEN = 2 * LAYERS * KV_HEADS * HEAD_SIZE * BYTES_PER_WEIGHT

BANDWIDTH = 2.039e12  # bytes the A100 reads from its memory in a second
FLOPS = 312e12  # 16-bit sums and products the A100 does in a second


def step_seconds(contexts, new_prompt_tokens):
    """Seconds one step takes: the slower of reading memory and computing (the roofline).

    contexts: tokens in the cache of each chat that is already running.
    new_prompt_tokens: tokens of all the prompts that this step reads for the first time.
    """
    memory = (WEIGHT_BYTES + KV_BYTES_PER_TOKEN * sum(contexts)) / BANDWIDTH
    compute = 2 * PARAMETERS * (len(contexts) + new_prompt_tokens) / FLOPS
    return max(memory, compute)


def simulate(sends, prompts, replies, limit):
    """Continuous batching with no cache to run out of.

    Chats join at a step's start while fewer than `limit` run, first come first served.
    Returns two lists, in the chats' order: when the first token came, and when the last.
    """
    waiting = deque(range(len(sends)))
    first, last = [0.0] * len(sends), [0.0] * len(sends)
    made = {}  # running chat -> tokens of its reply so far
    clock = 0.0
    while waiting or made:
        if not made:
            clock = max(clock, sends[waiting[0]])
        contexts = [prompts[chat] + tokens for chat, tokens in made.items()]
        prompt_tokens = 0
        while waiting and sends[waiting[0]] <= clock and len(made) < limit:
            chat = waiting.popleft()
            made[chat] = 0
            prompt_tokens += prompts[chat]
        clock += step_seconds(contexts, prompt_tokens)
        for chat in list(made):
            made[chat] += 1
            if made[chat] == 1:
                first[chat] = clock
            if made[chat] == replies[chat]:
                last[chat] = clock
                del made[chat]
    return first, last
