"""What the lesson quotes."""

from counting import LAST, mean, total


def measure(fact):
    fact("last", LAST)
    fact("sum.ten", total(LAST))
    fact("sum.hundred", total(10 * LAST))
    fact("mean", mean(LAST), digits=1)
    fact("growth", total(10 * LAST) / total(LAST), "%", digits=1)
    fact("parts", 2)
    fact("spare", 1)
