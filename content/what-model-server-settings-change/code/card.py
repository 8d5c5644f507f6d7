"""Lesson 28: how many pages of cache fit on a real card beside the model."""

import sys
from pathlib import Path

LESSONS = Path(__file__).resolve().parents[2]
sys.path.append(str(LESSONS / "how-an-ai-server-answers-many-people-at-once" / "code"))

from batching import KV_BYTES_PER_TOKEN, WEIGHT_BYTES

CARD_BYTES = 80e9
MEMORY_SHARE = 0.9  # of the card that the server may use
ACTIVATION_BYTES = 2e9  # scratch space for the numbers inside one step


def card_pages(page_tokens):
    """Whole pages of `page_tokens` tokens that fit on the card."""
    room = MEMORY_SHARE * CARD_BYTES - WEIGHT_BYTES - ACTIVATION_BYTES
    return int(room // (page_tokens * KV_BYTES_PER_TOKEN))
