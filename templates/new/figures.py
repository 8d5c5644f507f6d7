"""The lesson's figure."""

from folding import thickness

from engine.figures import FIRST, INK, chart


def thickness_by_fold(facts, steps):
    """The sheet gets thicker with each fold"""
    figure, axes = chart(height=220)
    figure.subplots_adjust(bottom=0.22)
    folds = range(facts.folds.count.value + 1)
    heights = [thickness(count) for count in folds]
    axes.plot(folds, heights, color=FIRST, marker="o")
    axes.text(folds[-1] - 0.2, heights[-1], facts.folds.thickness.text, ha="right", color=INK)
    axes.set_xlabel("folds")
    return figure
