"""Counts to a number and adds up what it counted."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "earlier" / "code"))

from steps import up_to

LAST = 10


def total(last):
    """The sum of 1 to `last`."""
    result = 0
    for number in up_to(last):
        result += number
    return result


def mean(last):
    return total(last) / last  # the middle, too


if __name__ == "__main__":
    print("-- the sum")
    print("1 to", LAST, "is", total(LAST))
    print()
    print("-- the mean")
    print("on average", mean(LAST))
