"""How thick a sheet of paper gets when it is folded."""

SHEET = 0.1  # mm
FOLDS = 7
LAYERS = 2  # a fold puts this many layers where one was


def thickness(folds):
    """Of the folded sheet, in mm."""
    result = SHEET
    for _ in range(folds):
        result *= LAYERS
    return result


if __name__ == "__main__":
    print(f"{FOLDS} folds: {thickness(FOLDS):.1f} mm")
