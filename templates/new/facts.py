"""What the lesson quotes."""

from folding import FOLDS, thickness

THUMB = 12.0  # mm across


def measure(fact):
    fact("folds.count", FOLDS)
    fact("folds.thickness", thickness(FOLDS), "mm", digits=1)
    fact("folds.thumb", THUMB, "mm", digits=0)
