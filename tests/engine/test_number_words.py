"""Which words count, and which only look as if they did."""

import pytest

from engine.number_words import number_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("two or three parts", ["two", "three"]),
        ("Twice as long", ["Twice"]),
        ("half of it, halved, halving", ["half", "halved", "halving"]),
        ("a third and two thirds", ["a third", "two thirds"]),
        ("one quarter", ["one quarter"]),
        ("a dozen, dozens", ["dozen", "dozens"]),
        ("about eighty times, eighty-four", ["eighty", "eighty-four"]),
        ("tenfold, two-fold, a hundredfold", ["tenfold", "two-fold", "hundredfold"]),
        ("both walls", ["both"]),
        ("doubled and tripled", ["doubled", "tripled"]),
        ("two hundred, a million, thousands", ["two hundred", "million", "thousands"]),
        ("a couple of pairs", ["couple", "pairs"]),
        ("zero", ["zero"]),
    ],
)
def test_these_count(text, words):
    assert [word for word, _ in number_words(text)] == words
    assert all(text[offset:].startswith(word) for word, offset in number_words(text))


@pytest.mark.parametrize(
    "text",
    [
        "first come, first served", "a second later", "the third of them", "one does not simply",
        "once more", "a single line", "someone, anyone", "tension", "often", "weight", "network",
        "in the forties", "behalf", "doubt", "a quarterly report", "content", "eventually",
    ],
)  # fmt: skip
def test_these_do_not(text):
    assert list(number_words(text)) == []
