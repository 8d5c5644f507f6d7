"""What the second reader runs in a child process: `python child.py JOB PATH CODE FACTS OUT`.

`facts` measures a lesson's facts.py; `figures` draws its figures.py from the rows in FACTS;
`widget` asks its widget.py. The engine is there for those only because lessons' own files ask it.
"""

import functools
import json
import runpy
import sys
from pathlib import Path


def measure(path, content):
    """A row for each fact; its place counts from the folder that holds all lessons."""
    rows = []

    def fact(name, value, unit="", digits=None):
        caller = sys._getframe(1)
        place = Path(caller.f_code.co_filename).resolve().relative_to(content)
        value = value.item() if hasattr(value, "item") else value
        rows.append([name, value, unit, digits or 0, f"{place.as_posix()}:{caller.f_lineno}"])

    runpy.run_path(str(path))["measure"](fact)
    return rows


@functools.total_ordering
class Quoted:
    """What a figure may ask of a fact."""

    def __init__(self, name, value, unit, digits, origin):
        from engine.verify.spelling import Fact, said

        self.name, self.value, self.unit, self.digits = name, value, unit, digits
        if not isinstance(value, bool):
            self.text = said(Fact(name, value, unit, digits, origin))

    def __eq__(self, other):
        return self.value == getattr(other, "value", other)

    def __lt__(self, other):
        return self.value < getattr(other, "value", other)

    def __bool__(self):
        return bool(self.value)

    __hash__ = None


class Group:
    """`facts.heavy.ttft_p99` is a fact, `facts.heavy` a group of them."""

    def put(self, parts, fact):
        for part in parts[:-1]:
            self = vars(self).setdefault(part, Group())
        setattr(self, parts[-1], fact)


def group(rows):
    """The facts as figures.py and widget.py ask for them."""
    sys.path.append(str(Path(__file__).resolve().parents[2]))
    facts = Group()
    for row in rows:
        facts.put(row[0].split("."), Quoted(*row))
    return facts


def draw(path, rows, steps):
    """Name -> SVG of each figure."""
    facts = group(rows)
    from engine.figures import to_svg

    drawn = {}
    for name, value in runpy.run_path(str(path), run_name="figures").items():
        if getattr(value, "__module__", "") == "figures" and not name.startswith("_"):
            name, title = name.replace("_", "-"), value.__doc__.strip().split("\n")[0].rstrip(".")
            drawn[name] = to_svg(value(facts, steps), name, title)
    return drawn


def widget(path, rows):
    """The page's data, its scripts, and each call with what Python returns."""
    facts = group(rows)
    made = runpy.run_path(str(path), run_name="widget")
    calls = []
    for name, cases in made["PARITY"].items():
        for given in cases:
            call = f"{name}({', '.join(map(json.dumps, given))})"
            calls.append([call, made[name](*given)])
    return {"data": made["page"](facts), "scripts": list(made["SCRIPTS"]), "calls": calls}


def main():
    job, path, code, given, out = sys.argv[1:]
    sys.path[0] = code
    path, given = Path(path).resolve(), json.loads(Path(given).read_text(encoding="utf-8"))
    jobs = {"figures": draw, "widget": widget}
    result = measure(path, path.parents[1]) if job == "facts" else jobs[job](path, **given)
    Path(out).write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main()
