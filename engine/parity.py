"""A widget's port against the programs it ports: the same to the last bit, or no site.

widget.py names functions that are in Python and in the port alike, and the arguments to try.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.findings import Finding

Call = tuple[str, list]  # a function's name and its arguments


@dataclass(frozen=True)
class Parity:
    """What was compared: calls of each function, and single values in what they returned."""

    calls: dict[str, int]
    values: int
    differences: dict[str, list[str]]  # function -> what differs, one text a call

    def __str__(self) -> str:
        calls = ", ".join(f"{count:,} of {name}" for name, count in self.calls.items())
        differ = sum(map(len, self.differences.values()))
        return f"parity: {self.values:,} values compared in {calls}; {differ} differences"


def compare(
    calls: list[Call],
    expected: list[Any],
    port: Callable[[str, list], Any],
    look_closer: Callable[[str, list], str],
) -> Parity:
    """Each call's value in Python, `expected`, against that of the port.

    `look_closer` says more of the first call of a function that differs: which step is the first.
    """
    differences: dict[str, list[str]] = {}
    for (name, arguments), value in zip(calls, expected):
        difference = first_difference(value, port(name, arguments))
        if difference:
            closer = "" if name in differences else look_closer(name, arguments)
            text = f"{called(name, arguments)}{difference}{closer}"
            differences.setdefault(name, []).append(text)
    return Parity(dict(Counter(name for name, _ in calls)), _size(expected), differences)


def findings(parity: Parity, path: str, script: str) -> Iterator[Finding]:
    """One finding for each function that differs, at its line of the port."""
    for name, texts in parity.differences.items():
        found = re.search(rf"^(?:function\*?|const|let|var) {name}\b", script, re.MULTILINE)
        line = script.count("\n", 0, found.start()) + 1 if found else 1
        others = len(texts) - 1
        more = f", and so do {others} other calls" if others > 1 else ", and so does another"
        what = f"{texts[0]}{more if others else ''}"
        fix = "make the script and the program do the same"
        yield Finding(path, line, 1, "parity", what, fix)


def called(name: str, arguments: list) -> str:
    """A call as the script would write it."""
    return f"{name}({', '.join(map(json.dumps, arguments))})"


def first_difference(python: Any, port: Any, place: str = "") -> str:
    """Where two values part: ".steps[17].seconds is 0.0078 in Python, 0.0079 in the port"; or ""."""
    if isinstance(python, dict) and isinstance(port, dict) and python.keys() == port.keys():
        pairs = [(f".{key}", python[key], port[key]) for key in python]
    elif isinstance(python, list) and isinstance(port, list) and len(python) == len(port):
        pairs = [(f"[{index}]", *pair) for index, pair in enumerate(zip(python, port))]
    elif python == port and isinstance(python, bool) == isinstance(port, bool):
        return ""
    else:
        return f"{place} is {_brief(python)} in Python, {_brief(port)} in the port"
    return next(
        (found for key, *pair in pairs if (found := first_difference(*pair, place + key))), ""
    )


def _size(value: Any) -> int:
    if isinstance(value, (dict, list)):
        return sum(map(_size, value.values() if isinstance(value, dict) else value))
    return 1


def _brief(value: Any) -> str:
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return "{" + ", ".join(sorted(value)) + "}" if isinstance(value, dict) else repr(value)
