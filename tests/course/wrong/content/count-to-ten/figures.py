"""The lesson's figures."""

from counting import total

from engine.figures import FIRST, chart


def sums(facts, steps):
    """The sum grows faster than the count"""
    figure, axes = chart(height=200)
    figure.subplots_adjust(bottom=0.25)
    numbers = list(range(1, facts.last.value + 1))
    axes.plot(numbers, [total(number) for number in numbers], color=FIRST)
    axes.set_xlabel("counted to")
    return figure
