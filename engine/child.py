"""What runs in the child process: one piece of a lesson's own code, under limits, watched.

`python child.py REQUEST RESULT`: two JSON files. The request names one of JOBS; the result holds
its `value` or its `error`, and the `inputs`: every file and folder that was read, so that the
parent knows when the same run would give something else.
Nothing of the engine is imported unless the job needs it: a lesson's programs run by themselves.
"""

import ctypes
import json
import os
import resource
import runpy
import signal
import sys
from importlib.machinery import FileFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType

PR_SET_PDEATHSIG = 1
CPU_SECONDS, MEMORY_BYTES, FILE_BYTES = 120, 4 << 30, 64 << 20
UNSEEN = ("subprocess.Popen", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn")
FONTS = "fc-list"  # lists the machine's fonts, which are no input: matplotlib asks it once
NOT_INPUTS = ("/proc/", "/sys/", "/dev/", "/etc/", "/usr/")


class FreshLoader(SourceFileLoader):
    """Compiles the source each time: a .pyc can be older than a source with the same mtime."""

    def get_code(self, fullname):
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def watch(roots, scratch):
    """Note every file and folder read from now on, Python's own and installed ones aside.

    What other processes read is not seen: then the list is None, and nobody can keep the result.
    Writing is for a `scratch` copy, never for content/ itself.
    """
    unseen = []
    reads = {Path(__file__).absolute()}
    ignored = (*NOT_INPUTS, sys.prefix, sys.base_prefix)

    def hook(event, args):
        if event == "open":
            path, mode, _ = args
            if isinstance(path, (str, bytes)):
                place = Path(os.fsdecode(path)).absolute()  # now: it may go elsewhere
                if not set(mode or "r") & set("wax"):
                    reads.add(place)
                elif any(place.is_relative_to(root) for root in roots) and not scratch:
                    raise PermissionError(f"lesson code may not write {path}")
        elif event in UNSEEN and args[0] != FONTS:
            unseen.append(event)
        elif event in ("os.listdir", "os.scandir") and not isinstance(args[0], int):
            reads.add(Path(os.fsdecode(args[0] or ".")).absolute())

    def fresh_finder(path):
        if not (Path(path).is_dir() and any(Path(path).is_relative_to(root) for root in roots)):
            raise ImportError
        return FileFinder(path, (FreshLoader, [".py"]))

    sys.addaudithook(hook)
    sys.path_hooks.insert(0, fresh_finder)
    sys.path_importer_cache.clear()

    def inputs():
        for path in reads - {Path(__file__).absolute().parents[1]}:  # is listed to find engine/
            ours = any(path.is_relative_to(root) for root in roots)  # one not there may come
            if ours or (path.exists() and not str(path).startswith(ignored)):
                yield str(path)

    return lambda: None if unseen else sorted(inputs())


def measure(request):
    """Every `fact(...)` that the lesson's facts.py makes or lets its programs make."""
    from engine.facts import NotAFact, must_be_digits, plain_value

    facts = []

    def fact(name, value, unit="", digits=None):
        caller = sys._getframe(1)
        path = Path(caller.f_code.co_filename).relative_to(request["roots"][0])
        row = {"name": name, "path": str(path), "line": caller.f_lineno}
        try:
            row["value"] = plain_value(value)
            if isinstance(row["value"], float) and digits is None:
                raise NotAFact("a number with decimals needs digits=")
            must_be_digits(digits or 0)
            if not isinstance(unit, str):
                raise NotAFact("its unit must be a text")
            row |= {"unit": unit, "digits": digits or 0}
            if not all(part.isidentifier() for part in name.split(".")):
                raise NotAFact("its name must be words joined by points")
        except NotAFact as error:
            row["problem"] = str(error)
        facts.append(row)

    module = runpy.run_path(request["path"])
    if "measure" not in module:
        raise NotAFact("facts.py has no function measure(fact)")
    module["measure"](fact)
    return {"facts": facts}


def draw(request):
    """Every public function of the lesson's figures.py, called and made into SVG."""
    from engine.facts import Fact, Namespace
    from engine.figures import axis_numbers, to_svg

    used = set()
    facts = Namespace({row["name"]: Fact(**row) for row in request["facts"]}, on_use=used.add)
    module = runpy.run_path(request["path"], run_name="figures")
    drawings = {}
    for name, function in module.items():
        if getattr(function, "__module__", "") == "figures" and not name.startswith("_"):
            name = name.replace("_", "-")
            title = (function.__doc__ or "").strip().split("\n")[0].rstrip(".")
            used.clear()
            figure = function(facts, request["steps"])
            drawings[name] = {
                "title": title,
                "line": function.__code__.co_firstlineno,
                "svg": to_svg(figure, name, title),
                "ticks": axis_numbers(figure),
                "facts": sorted(used),
            }
    return {"figures": drawings}


def widget(request):
    """What the lesson's widget.py gives its page, and what the port of its programs is to try."""
    from engine.facts import Fact, Namespace

    used = set()
    facts = Namespace({row["name"]: Fact(**row) for row in request["facts"]}, on_use=used.add)
    module = runpy.run_path(request["path"], run_name="widget")
    for name in ("page", "SCRIPTS", "PARITY", "DETAIL"):
        if name not in module:
            raise NameError(f"widget.py has no {name}")
    data = module["page"](facts)
    scripts, parity, detail = (module[name] for name in ("SCRIPTS", "PARITY", "DETAIL"))
    if not isinstance(data, dict) or not isinstance(data.get("first"), dict):
        raise TypeError('page(facts) must return a dict in which "first" holds the settings')
    if len(scripts) < 2:
        raise ValueError("SCRIPTS must begin with the port and end with the page's own script")
    if not isinstance(parity, dict) or not isinstance(detail, dict):
        raise TypeError("PARITY and DETAIL must be dicts, by the names of functions")
    if not all(isinstance(case, (list, tuple)) for cases in parity.values() for case in cases):
        raise TypeError("PARITY must give each function a list of lists of arguments")
    return {
        "data": data, "facts": sorted(used), "scripts": scripts, "parity": parity, "detail": detail,
    }  # fmt: skip


def calls(request):
    """What functions of the lesson's widget.py return: one value for each (name, arguments)."""
    module = runpy.run_path(request["path"], run_name="widget")
    return {"values": [module[name](*arguments) for name, arguments in request["calls"]]}


def script(request):
    """A program, run as `python3 program.py` would; what it prints goes to the parent's file."""
    path = Path(request["path"])
    sys.modules["engine"] = None  # a reader has none to import
    sys.argv = [path.name, *request["arguments"]]
    program = sys.modules["__main__"] = ModuleType("__main__")
    program.__file__ = str(path)
    try:
        exec(compile(path.read_bytes(), path, "exec"), vars(program))
    except SystemExit as exit:
        if exit.code not in (None, 0):
            error = RuntimeError(f"it ended with exit code {exit.code}")
            raise error.with_traceback(exit.__traceback__) from exit
    sys.stdout.flush()
    return {}


JOBS = {"facts": measure, "figures": draw, "widget": widget, "calls": calls, "script": script}


def fault(error, lesson):
    """Where an error left the lesson's code (path, line) and what it said, in one line."""
    places = []
    frame = error.__traceback__
    while frame:
        places.append([frame.tb_frame.f_code.co_filename, frame.tb_lineno])
        frame = frame.tb_next
    if isinstance(error, SyntaxError) and error.filename:
        places.append([error.filename, error.lineno or 1])
    ours = [place for place in places if Path(place[0]).is_relative_to(lesson)]
    message = f"{type(error).__name__}: {' '.join(str(error).split())}".rstrip(": ")
    return {"place": ours[-1] if ours else None, "message": message}


def _end_with_the_parent():
    """Linux only: a build that is killed leaves no program behind."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def main():
    request = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    for limit, value in (
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
    ):
        resource.setrlimit(limit, (value, value))
    roots = [Path(root) for root in request["roots"]]
    _end_with_the_parent()
    result_path = Path(sys.argv[2])
    job = JOBS[request["job"]]
    if job is not script:
        sys.path.insert(0, request["engine"])
    sys.path.insert(0, str(request["code"]))
    inputs = watch(roots, scratch=job is script)
    try:
        result = json.dumps({"value": job(request), "inputs": inputs()}, allow_nan=False)
    except BaseException as error:  # a lesson's code may raise anything at all
        result = json.dumps({"error": fault(error, roots[0])})
    result_path.write_text(result, encoding="utf-8")


if __name__ == "__main__":
    main()
