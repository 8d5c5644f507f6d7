"""Lesson 22: a paged KV cache, with the keys and values really stored.

A chat's cache is cut into blocks (pages) of BLOCK_TOKENS tokens. A chat's blocks need not lie
side by side: its block table says which block holds which stretch of its tokens.
Needs NumPy.
"""

from collections import deque

import numpy as np

BLOCK_TOKENS = 16
LAYERS, HEADS, HEAD_SIZE = 2, 2, 4  # a toy model: small enough to print, same layout as a real one


class OutOfBlocks(Exception):
    """The free list is too short for what was asked; nothing has been taken from it."""


def keys_and_values(token, position):
    """The toy model's keys and values of one token: shape (2, LAYERS, HEADS, HEAD_SIZE).

    A real model multiplies the token's vector by learned matrices. Here any rule will do, as
    long as two different tokens, or one token at two positions, get different numbers.
    """
    grid = np.arange(2 * LAYERS * HEADS * HEAD_SIZE, dtype=np.float64)
    return (token + 1 + grid * (position + 1)).reshape(2, LAYERS, HEADS, HEAD_SIZE)


class BlockManager:
    """`blocks` blocks of storage, a free list, and one block table per chat."""

    def __init__(self, blocks):
        # store[0] holds keys and store[1] values: one slot per token of every block.
        self.store = np.zeros((2, LAYERS, blocks, BLOCK_TOKENS, HEADS, HEAD_SIZE))
        self.free_blocks = deque(range(blocks))
        self.tables = {}  # chat -> its blocks, in the order of its tokens
        self.lengths = {}  # chat -> how many tokens it has stored

    def add(self, chat, prompt):
        """Store a new chat's prompt, a list of token numbers."""
        if chat in self.tables:
            raise ValueError(f"chat {chat} is already in the cache")
        self._need(-(-len(prompt) // BLOCK_TOKENS))
        self.tables[chat], self.lengths[chat] = [], 0
        for token in prompt:
            self.append(chat, token)

    def append(self, chat, token):
        """Store one more token of a chat, in a new block if its last one is full."""
        table, position = self.tables[chat], self.lengths[chat]
        if position == len(table) * BLOCK_TOKENS:
            self._need(1)
            table.append(self.free_blocks.popleft())
        block, slot = table[position // BLOCK_TOKENS], position % BLOCK_TOKENS
        self.store[:, :, block, slot] = keys_and_values(token, position)
        self.lengths[chat] = position + 1

    def free(self, chat):
        """Give all of a chat's blocks back, for others to write over."""
        self.free_blocks.extend(self.tables.pop(chat))
        del self.lengths[chat]

    def read(self, chat):
        """A chat's keys and values in token order: shape (2, LAYERS, tokens, HEADS, HEAD_SIZE)."""
        blocks = self.store[:, :, self.tables[chat]]
        tokens = len(self.tables[chat]) * BLOCK_TOKENS
        in_order = blocks.reshape(2, LAYERS, tokens, HEADS, HEAD_SIZE)
        return in_order[:, :, : self.lengths[chat]]

    def _need(self, blocks):
        if blocks > len(self.free_blocks):
            raise OutOfBlocks(f"{blocks} blocks needed, {len(self.free_blocks)} free")
