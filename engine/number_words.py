"""Number words: "three", "twice", "half", "a dozen", "tenfold", "both".

Not counted, because they mostly count nothing: "one" (a pronoun), "once" and "single", and the
places in an order, "first", "second" (a time as well), "third" unless it is a fraction.
"""

import re
from functools import lru_cache

_UNITS = "two|three|four|five|six|seven|eight|nine"
_TEENS = "zero|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_LARGE = "hundred|thousand|million|billion|trillion"
_NUMBER = rf"(?:(?:{_TENS})(?:-(?:one|{_UNITS}))?|{_TEENS}|{_UNITS})"
WORD = re.compile(
    rf"""\b(?:
      (?:{_NUMBER}|one|hundred|thousand|many)-?fold   # a tenfold rise
    | (?:one|a|{_UNITS})[ -](?:third|quarter|fifth|tenth)s?
    | {_NUMBER}(?:[ ](?:{_LARGE}))?                   # three, eighty-four, two hundred
    | (?:{_LARGE})s?                                  # a thousand, hundreds
    | (?:half|halves|halv(?:e[ds]?|ing))
    | twice | thrice | (?:doubl|tripl|quadrupl)(?:e[ds]?|ing)
    | dozens? | both | pairs? | couples?
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)


@lru_cache(20_000)
def number_words(text: str) -> tuple[tuple[str, int], ...]:
    """(word, offset) of each word that counts something."""
    return tuple((match[0], match.start()) for match in WORD.finditer(text))
