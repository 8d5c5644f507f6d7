"""Runs the programs of a changed copy, cheapest first, up to the first thing that differs.

`python probe.py LESSON KNOWN PART...`: a lesson's folder, a JSON file of what its code did before
the change (its `facts`, and its `transcript`), and what to run: `trace`, `facts`, `tests`, or one
test by its name. It prints what differs.
It runs in a child process of its own, so it loads nothing of the engine.
"""

import contextlib
import io
import json
import runpy
import sys
from pathlib import Path


class Differs(Exception):
    """The first sign."""


def trace(known: dict) -> None:
    """What trace.py prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        runpy.run_module("trace", run_name="__main__")
    if out.getvalue().strip("\n") != known["transcript"]:
        raise Differs("shown", "transcript", "trace.py prints something else")


def measured(lesson: Path, known: dict) -> None:
    """Each fact, as soon as it is measured."""
    seen = set()

    def fact(name, value, unit="", digits=0):
        value = value.item() if hasattr(value, "item") else value
        seen.add(name)
        now = [value if isinstance(value, (bool, str)) else repr(value), unit, digits or 0]
        if now != known["facts"].get(name):
            before = known["facts"].get(name, ["nothing"])[0]
            raise Differs("shown", "fact", f"{name} is {now[0]} and was {before}")

    runpy.run_path(str(lesson / "facts.py"))["measure"](fact)
    if seen != set(known["facts"]):
        raise Differs("killed", "unknown-fact", "a fact is measured no more")


def tests(lesson: Path, wanted: list[str]) -> None:
    """The lesson's own tests, those that walk the grid of settings last."""
    module = runpy.run_path(str(lesson / "code/test_tiny_server.py"))
    named = {name: test for name, test in module.items() if name.startswith("test_")}
    found = named.values() if "tests" in wanted else [named[name] for name in wanted]
    for test in sorted(found, key=lambda test: "all_runs" in test.__code__.co_names):
        try:
            test()
        except BaseException as error:
            said = f"{test.__name__}: {type(error).__name__}"
            raise Differs("killed", "program-failed", said) from None


def walk_the_grid_once() -> None:
    """Facts and tests walk the same grid; it takes seconds."""
    import grid

    walk, runs = grid.all_runs, []

    def all_runs():
        if not runs:
            runs.extend(walk())
        return iter(runs)

    grid.all_runs = all_runs


def main() -> None:
    lesson, known = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    parts = sys.argv[3:]
    wanted = [part for part in parts if part.startswith("test")]
    sys.path.insert(0, str(lesson / "code"))
    try:
        if "trace" in parts:
            trace(known)
        if "facts" in parts or wanted:
            walk_the_grid_once()
        if wanted:
            tests(lesson, wanted)
        if "facts" in parts:
            measured(lesson, known)
    except Differs as difference:
        print(json.dumps(difference.args))
    except BaseException as error:
        said = f"{type(error).__name__}: {' '.join(str(error).split())[:80]}"
        print(json.dumps(["killed", "program-failed", said]))
    else:
        print(json.dumps(["same", "", ""]))


if __name__ == "__main__":
    main()
