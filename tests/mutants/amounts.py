"""Numbers as writers type them, and the next number in the same dress."""

import re

COUNTS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
).split()
NEXT = {
    **dict(zip(COUNTS, [*COUNTS[1:], "thirty"])),
    "once": "twice", "twice": "three times", "thrice": "four times",
    "half": "a third", "halve": "quarter", "halves": "quarters", "third": "quarter",
    "quarter": "fifth", "both": "all three", "double": "triple", "doubles": "triples",
    "doubled": "tripled", "pair": "trio", "couple": "dozen", "dozen": "score",
    "hundred": "thousand", "hundreds": "thousands", "thousand": "million", "million": "billion",
    "billion": "trillion",
}  # fmt: skip
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
WORD = re.compile(rf"\b(?:{'|'.join(sorted(NEXT, key=len, reverse=True))})\b", re.IGNORECASE)
# "second" and "third" are places in an order unless an article makes them a share.
ORDINAL_THIRD = re.compile(r"(?<!\ba )(?<!\bone )\bthird\b", re.IGNORECASE)


def one_more(text: str) -> str:
    """`text` with its last number one more in the last place; "" if it holds none."""
    numbers = list(NUMBER.finditer(text))
    if not numbers:
        words = list(WORD.finditer(text))
        return replaced(text, words[-1], next_word(words[-1][0])) if words else ""
    return replaced(text, numbers[-1], next_number(numbers[-1][0]))


def next_number(number: str) -> str:
    """ "3.49" -> "3.50", "1,999" -> "2,000"."""
    digits = len(number.partition(".")[2])
    units = int(number.replace(",", "").replace(".", "")) + 1
    return (
        f"{units / 10**digits:,.{digits}f}" if "," in number else f"{units / 10**digits:.{digits}f}"
    )


def next_word(word: str) -> str:
    """ "two" -> "three", "Two" -> "Three"."""
    following = NEXT[word.lower()]
    return following[:1].upper() + following[1:] if word[:1].isupper() else following


def number_words(text: str):
    """Each word of `text` that counts something, as a match."""
    for match in WORD.finditer(text):
        if not ORDINAL_THIRD.match(text, match.start()):
            yield match


def replaced(text: str, match: re.Match, new: str) -> str:
    """`text` with `new` for what was matched."""
    return text[: match.start()] + new + text[match.end() :]
