"""What takes long, told while it happens: a line that moves on a terminal, plain lines elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

Tell = Callable[[str], AbstractContextManager]


def silent(what: str) -> AbstractContextManager:
    """Tells nothing."""
    return nullcontext()


def teller(quiet: bool = False) -> Tell:
    """How to tell: on the error stream, for the output is data. `NO_COLOR` is honoured."""
    if quiet:
        return silent
    return _moving if sys.stderr.isatty() else _plain


@contextmanager
def _plain(what: str) -> Iterator[None]:
    print(what, file=sys.stderr, flush=True)
    yield


@contextmanager
def _moving(what: str) -> Iterator[None]:
    """A spinner and the seconds that have passed; nothing of it stays."""
    from rich.console import Console  # only where somebody is looking
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        progress.add_task(what, total=None)
        yield
