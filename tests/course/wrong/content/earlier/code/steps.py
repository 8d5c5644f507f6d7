"""An earlier lesson's program."""


def up_to(last):
    return list(range(1, last + 1))
