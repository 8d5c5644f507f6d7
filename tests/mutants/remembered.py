"""Slow functions of a lesson's programs that need not do twice what an edit cannot reach."""

from collections.abc import Callable, Set
from typing import Any

SLOW = {"tiny_server": "serve", "batching": "simulate"}  # program -> what takes nearly all the time


class Remembered:
    """What calls returned, by function and arguments. The same arguments give the same."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Any] = {}

    def but_for(self, programs: Set[str]) -> "Remembered":
        """What can be used after an edit that reaches these programs."""
        other = Remembered()
        other._known = {key: value for key, value in self._known.items() if key[0] not in programs}
        return other

    def install(self, program: str, module: Any) -> None:
        """Put a function that remembers in the place of a module's slow one, if it has one."""
        name = SLOW.get(program, "")
        if hasattr(module, name):
            setattr(module, name, self._remembering(program, getattr(module, name)))

    def _remembering(self, program: str, function: Callable) -> Callable:
        def call(*arguments: Any) -> Any:
            key = program, repr(arguments)
            if key not in self._known:
                self._known[key] = function(*arguments)
            return self._known[key]

        return call
