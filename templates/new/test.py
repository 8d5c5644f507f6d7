"""The program against a closed form."""

import pytest

from folding import SHEET, thickness


@pytest.mark.parametrize("folds", range(20))
def test_each_fold_doubles(folds):
    assert thickness(folds) == pytest.approx(SHEET * 2**folds)
