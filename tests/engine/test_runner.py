"""Runs of lesson code: from the cache only while nothing that made them has changed."""

import json
import os
import py_compile
import select
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from engine import runner as runner_module
from engine.facts import Fact
from engine.findings import FINDINGS, PROGRAM_FAILED, Refused
from engine.load import load
from engine.runner import OUTPUT_BYTES, Runner
from engine.sources import NotFound

LESSON = """\
+++
title = "T"
search_title = "S"
description = "D"
date = "2026-01-01"
topic = "X"
prerequisites = []
steps = ["first", "second"]
deep = "Deeper"
+++

Text.
"""
COURSE = """\
title = "C"
description = "D"
published = "https://example.org/{slug}/"

[[lessons]]
number = 1
slug = "earlier"
title = "E"

[[lessons]]
number = 2
slug = "counting"
title = "T"
"""


class Lab:
    """A course of one lesson in a temporary folder; `times` says how often its code ran."""

    def __init__(self, root: Path):
        self.root, self.cache, self.seconds = root / "content", root / "cache", 60.0
        self._counter = root / "runs"
        self.write("course.toml", COURSE)
        self.write("sources.toml", "")
        self.write("vocabulary.toml", "names = []\n[patterns]\n")
        self.write("counting/lesson.md", LESSON)
        self.write("counting/code/program.py", "LAST = 10\nprint(LAST)\n")

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def write_program(self, text: str, name: str = "counting/code/program.py") -> Path:
        return self.write(name, dedent(text))

    def counted(self, text: str) -> str:
        """The program with a first line that counts its runs, outside content/ and unread."""
        return f"open({str(self._counter)!r}, 'a').write('x')\n" + dedent(text)

    @property
    def times(self) -> int:
        return len(self._counter.read_text()) if self._counter.exists() else 0

    def _runner(self):
        course = load(self.root)
        return Runner(course, self.cache, self.seconds), course.lessons[0]

    def transcript(self, program: str = "program.py", **edit: str) -> str:
        runner, lesson = self._runner()
        return runner.transcript(lesson, program, edit)

    def facts(self, text: str | None = None) -> dict[str, Fact]:
        if text is not None:
            self.write_program(text, "counting/facts.py")
        runner, lesson = self._runner()
        return runner.facts(lesson)

    def figures(self, facts: dict[str, Fact] | None = None):
        runner, lesson = self._runner()
        return runner.figures(lesson, facts or {})


@pytest.fixture
def lab(tmp_path) -> Lab:
    return Lab(tmp_path)


def failure(job: Callable[[], object]) -> tuple[str, int, str]:
    """Where and why a job's code failed; that it is told as such is checked here for all tests."""
    with pytest.raises(Refused) as refused:
        job()
    (finding,) = refused.value.findings
    assert refused.value.code == PROGRAM_FAILED
    assert finding.rule == "program-failed"
    return finding.path, finding.line, finding.what


# -- facts


def test_facts_are_what_the_lesson_measures_with_the_line_that_does(lab):
    facts = lab.facts("""\
        from program import LAST


        def measure(fact):
            fact("last", LAST)
            fact("heavy.p99", 3.4861, "s", digits=2)
            fact("mode", "float16")
            fact("holds", LAST > 3)
        """)
    origins = [f"counting/facts.py:{line}" for line in (5, 6, 7, 8)]
    expected = [
        ("last", 10, "", 0),
        ("heavy.p99", 3.4861, "s", 2),
        ("mode", "float16", "", 0),
        ("holds", True, "", 0),
    ]
    assert [(f.name, f.value, f.unit, f.digits) for f in facts.values()] == expected
    assert [fact.origin for fact in facts.values()] == origins
    assert {fact.kind for fact in facts.values()} == {"computed"}
    assert list(facts) == [name for name, *_ in expected]


def test_numbers_of_numpy_are_measured_as_numbers(lab):
    facts = lab.facts("""\
        import numpy

        def measure(fact):
            fact("mean", numpy.mean([1, 2]), digits=1)
            fact("count", numpy.int64(3))
        """)
    assert (facts["mean"].value, facts["count"].value) == (1.5, 3)
    assert facts["mean"].text == "1.5"


@pytest.mark.parametrize(
    "call",
    [
        'fact("x", float("nan"), digits=1)',
        'fact("x", float("inf"), digits=1)',
        'fact("x", None)',
        'fact("x", "")',
        'fact("x", [1])',
        'fact("x", 0.5)',
        'fact("x", 0.5, digits=-1)',
        'fact("x", 0.5, digits="2")',
        'fact("x", 0.5, digits=1.0)',
        'fact("x", 1, unit=5)',
        'fact("x", 1, unit=None)',
        'fact("x", __import__("numpy").array([1, 2]))',
        'fact("two words", 1)',
        'fact("x.", 1)',
        'fact("", 1)',
        'fact("2x", 1)',
    ],
)
def test_what_is_no_fact_is_a_finding_on_its_line(lab, call):
    with pytest.raises(Refused) as refused:
        lab.facts(f"def measure(fact):\n    fact('fine', 1)\n    {call}\n")
    (finding,) = refused.value.findings
    assert refused.value.code == FINDINGS
    where = str(lab.root / "counting" / "facts.py")
    assert (finding.path, finding.line, finding.rule) == (where, 3, "bad-fact")


@pytest.mark.parametrize(("first", "second"), [("a", "a"), ("a", "a.b"), ("a.b.c", "a.b")])
def test_a_name_stands_for_one_fact_or_for_a_group(lab, first, second):
    with pytest.raises(Refused) as refused:
        lab.facts(f'def measure(fact):\n    fact("{first}", 1)\n    fact("{second}", 2)\n')
    (finding,) = refused.value.findings
    assert (finding.line, finding.rule) == (3, "bad-fact")


def test_names_that_only_begin_alike_are_different_facts(lab):
    facts = lab.facts('def measure(fact):\n    fact("a.b", 1)\n    fact("a.bc", 2)\n')
    assert set(facts) == {"a.b", "a.bc"}


def test_all_bad_facts_are_told_at_once(lab):
    with pytest.raises(Refused) as refused:
        lab.facts('def measure(fact):\n    fact("a", None)\n    fact("b", 1)\n    fact("b", 0.5)\n')
    assert [finding.line for finding in refused.value.findings] == [2, 4]


# -- figures

DRAW = """\
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 9"><text>%s</text></svg>'


def how_it_fills(facts, steps):
    \"\"\"The store fills.

    More about it.
    \"\"\"
    return SVG % (facts.heavy.p99.value, )


def _helper():
    return 1


def steps(facts, steps):
    \"\"\"All steps\"\"\"
    return SVG % "-".join(steps)
"""


def test_figures_are_the_public_functions_with_their_titles_and_lines(lab):
    lab.write("counting/figures.py", DRAW)
    drawings = lab.figures({"heavy.p99": Fact("heavy.p99", 77, "s", 0, "counting/facts.py:1")})
    assert [(name, drawing.title, drawing.line) for name, drawing in drawings.items()] == [
        ("how-it-fills", "The store fills", 4),
        ("steps", "All steps", 16),
    ]
    assert ">77<" in drawings["how-it-fills"].svg
    assert ">first-second<" in drawings["steps"].svg
    assert 'id="how-it-fills-title"' in drawings["how-it-fills"].svg


def test_figures_tell_which_facts_they_used(lab):
    lab.write("counting/figures.py", DRAW)
    facts = {name: Fact(name, 1, "", 0, "counting/facts.py:1") for name in ("heavy.p99", "light")}
    used = {name for drawing in lab.figures(facts).values() for name in drawing.facts}
    assert used == {"heavy.p99"}


def test_figures_are_drawn_again_when_a_fact_has_changed(lab):
    lab.write("counting/figures.py", lab.counted(DRAW))
    for value, times in ((1, 1), (1, 1), (2, 2)):
        drawings = lab.figures({"heavy.p99": Fact("heavy.p99", value, "", 0, "c/facts.py:1")})
        assert f">{value}<" in drawings["how-it-fills"].svg
        assert lab.times == times


def test_a_figure_without_a_title_is_refused(lab):
    lab.write("counting/figures.py", "def fills(facts, steps):\n    return '<svg/>'\n")
    path, _, what = failure(lab.figures)
    assert path == str(lab.root / "counting" / "figures.py")
    assert "fills has no title" in what


# -- what a program prints


def test_a_transcript_is_what_the_program_prints(lab):
    lab.write_program("""\
        import sys
        from pathlib import Path

        if __name__ == "__main__":
            print("é", sys.argv, Path.cwd() == Path(__file__).parent)
            print("not shown", file=sys.stderr)
            sys.stdout.write("no end")
        """)
    assert lab.transcript() == "é ['program.py'] True\nno end"


def test_an_edit_changes_the_constant_and_nothing_else(lab):
    path = lab.write_program(
        'LAST = 10  # "é"\nFIRST = "ä"; OTHER = 3\nprint(FIRST, LAST, OTHER)\n'
    )
    before = path.read_bytes()
    assert lab.transcript() == "ä 10 3\n"
    assert lab.transcript(LAST="7") == "ä 7 3\n"
    assert lab.transcript(LAST="'a b'", OTHER="[4]") == "ä a b [4]\n"
    assert lab.transcript(FIRST="1") == "1 10 3\n"
    assert lab.transcript() == "ä 10 3\n"
    assert path.read_bytes() == before


@pytest.mark.parametrize("edit", [{"LAST": "10"}, {"NOTHING": "1"}, {"main": "1"}])
def test_an_edit_that_changes_nothing_is_refused(lab, edit):
    lab.write_program("LAST = 10\n\n\ndef main():\n    pass\n")
    with pytest.raises(NotFound, match=next(iter(edit))):
        lab.transcript(**edit)


def test_a_program_runs_in_a_copy_and_cannot_spoil_the_original(lab):
    lab.write_program("""\
        from pathlib import Path

        Path(__file__).write_text("spoilt")
        Path("left.txt").write_text("behind")
        print("done")
        """)
    before = {path: path.read_bytes() for path in lab.root.rglob("*") if path.is_file()}
    assert lab.transcript() == "done\n"
    assert {path: path.read_bytes() for path in lab.root.rglob("*") if path.is_file()} == before


def test_a_program_finds_the_earlier_lessons_it_names_beside_it(lab):
    lab.write_program("VALUE = 5\n", "earlier/code/old.py")
    lab.write_program("""\
        import sys
        from pathlib import Path

        sys.path.append(str(Path(__file__).resolve().parents[2] / "earlier" / "code"))
        from old import VALUE

        print(VALUE)
        """)
    assert lab.transcript() == "5\n"


@pytest.mark.parametrize("what", ["engine", "engine.facts"])
def test_a_program_has_no_engine_to_import(lab, what):
    lab.write_program(f"print(1)\nimport {what}\n")
    path, line, what = failure(lab.transcript)
    assert (path, line) == (str(lab.root / "counting" / "code" / "program.py"), 2)
    assert what.startswith("ModuleNotFoundError")


def test_a_program_sees_no_environment_of_ours(lab, monkeypatch):
    monkeypatch.setenv("TOKEN", "secret")
    monkeypatch.setenv("PYTHONPATH", str(lab.root))
    lab.write_program("import os\nprint(os.environ.get('TOKEN'), os.environ.get('PYTHONPATH'))\n")
    assert lab.transcript() == "None None\n"


def test_a_program_has_no_keyboard(lab):
    typed, keyboard = os.pipe()
    os.write(keyboard, b"typed by a person")
    os.close(keyboard)
    ours = os.dup(0)
    os.dup2(typed, 0)
    try:
        lab.write_program("import sys\nprint(repr(sys.stdin.read()))\n")
        assert lab.transcript() == "''\n"
    finally:
        os.dup2(ours, 0)
        os.close(ours)
        os.close(typed)


def test_sets_and_clocks_come_out_alike_on_every_machine(lab):
    lab.write_program("import time\nprint({*'abcdef'}, time.tzname)\n")
    first = lab.transcript()
    for entry in lab.cache.glob("*.json"):
        entry.unlink()
    assert lab.transcript() == first
    assert "('UTC', 'UTC')" in first


# -- the cache


def use_facts(lab: Lab) -> object:
    return {name: fact.value for name, fact in lab.facts().items()}


def use_figures(lab: Lab) -> object:
    drawings = lab.figures()
    return {name: drawing.svg for name, drawing in drawings.items()}


@pytest.mark.parametrize("job", ["facts", "figures", "script"])
def test_the_same_again_runs_nothing(lab, job):
    lab.write("counting/facts.py", lab.counted("def measure(fact):\n    fact('a', 1)\n"))
    lab.write(
        "counting/figures.py", lab.counted("def f(facts, steps):\n    'T'\n    return '<svg/>'\n")
    )
    lab.write("counting/code/program.py", lab.counted("print(1)\n"))
    use = {"facts": use_facts, "figures": use_figures, "script": Lab.transcript}[job]
    first = use(lab)
    assert lab.times == 1
    assert use(lab) == use(lab) == first
    assert lab.times == 1


def test_runs_with_different_edits_are_kept_side_by_side(lab):
    lab.write("counting/code/program.py", lab.counted("LAST = 10\nprint(LAST)\n"))
    for _ in range(2):
        assert [lab.transcript(), lab.transcript(LAST="1"), lab.transcript(LAST="2")] == [
            "10\n", "1\n", "2\n",
        ]  # fmt: skip
    assert lab.times == 3


def test_what_the_run_did_not_read_can_change_without_another_run(lab):
    lab.write("counting/facts.py", lab.counted("def measure(fact):\n    fact('a', 1)\n"))
    lab.facts()
    lab.write("counting/lesson.md", LESSON + "More.\n")
    lab.write("counting/figures.py", "x = 1\n")
    lab.write("earlier/code/old.py", "x = 1\n")
    lab.facts()
    assert lab.times == 1


CODE = "counting/code"
READS = {
    "the program itself": ("program.VALUE", f"{CODE}/program.py"),
    "a module it imports": ("__import__('module').VALUE", f"{CODE}/module.py"),
    "a module that imports": ("__import__('outer').VALUE", f"{CODE}/module.py"),
    "a module of another lesson": ("__import__('old').VALUE", "earlier/code/old.py"),
    "a file it opens": ("open('data.txt').read()", f"{CODE}/data.txt"),
    "a file by its bytes": ("open(b'data.txt', 'rb').read().decode()", f"{CODE}/data.txt"),
    "a file by its path": ("Path('data.txt').read_text()", f"{CODE}/data.txt"),
    "a file it may change": ("open('data.txt', 'r+').read()", f"{CODE}/data.txt"),
    "a file by number": (
        "os.read(os.open('data.txt', os.O_RDONLY), 99).decode()",
        f"{CODE}/data.txt",
    ),
    "a file of another lesson": ("open('../../earlier/data.txt').read()", "earlier/data.txt"),
    "a file before it goes away": (
        "(open('data.txt').read(), os.chdir('/'))[0]",
        f"{CODE}/data.txt",
    ),
    "a file after it went there": (
        "(os.chdir('..'), open('data.txt').read())[1]",
        "counting/data.txt",
    ),
    "a table for numpy": ("int(__import__('numpy').loadtxt('data.txt'))", f"{CODE}/data.txt"),
}


def reading(lab: Lab, expression: str) -> None:
    """A facts.py that measures what the expression reads."""
    lab.write(f"{CODE}/module.py", "VALUE = '1'\n")
    lab.write(f"{CODE}/outer.py", "from module import VALUE\n")
    lab.write("earlier/code/old.py", "VALUE = '1'\n")
    for name in (f"{CODE}/data.txt", "counting/data.txt", "earlier/data.txt"):
        lab.write(name, "1")
    text = f"""\
import os, sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "earlier" / "code"))
import program


def measure(fact):
    fact("read", str({expression}))
"""
    lab.write("counting/facts.py", lab.counted(text))
    lab.write(f"{CODE}/program.py", "VALUE = '1'\n")


@pytest.mark.parametrize(("expression", "name"), READS.values(), ids=READS.keys())
def test_an_edit_of_the_same_size_and_time_is_seen(lab, expression, name):
    reading(lab, expression)
    first = lab.facts()["read"].value
    path = lab.root / name
    before = path.stat()
    path.write_text(path.read_text().replace("1", "2"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    assert lab.facts()["read"].value == first.replace("1", "2") != first
    assert lab.times == 2


def test_a_compiled_copy_of_a_module_that_has_changed_since_is_not_used(lab):
    reading(lab, "__import__('module').VALUE")
    path = lab.root / CODE / "module.py"
    py_compile.compile(path)
    before = path.stat()
    path.write_text("VALUE = '2'\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert lab.facts()["read"].value == "2"


def test_an_edit_of_facts_themselves_is_seen(lab):
    assert lab.facts("def measure(fact):\n    fact('a', 1)\n")["a"].value == 1
    assert lab.facts("def measure(fact):\n    fact('a', 2)\n")["a"].value == 2


def test_an_edit_of_a_program_or_its_module_is_seen_in_the_transcript(lab):
    lab.write_program("from module import VALUE\nprint('a', VALUE)\n")
    lab.write_program("VALUE = 1\n", f"{CODE}/module.py")
    assert lab.transcript() == "a 1\n"
    lab.write_program("VALUE = 2\n", f"{CODE}/module.py")
    assert lab.transcript() == "a 2\n"
    lab.write_program("from module import VALUE\nprint('b', VALUE)\n")
    assert lab.transcript() == "b 2\n"


def test_a_new_module_that_hides_another_is_seen(lab):
    reading(lab, "__import__('old').VALUE")
    assert lab.facts()["read"].value == "1"
    lab.write(f"{CODE}/old.py", "VALUE = '2'\n")
    assert lab.facts()["read"].value == "2"


LISTS = {  # of a folder that no import looks into
    "os.listdir()": "(os.chdir('../data'), len(os.listdir()))[1]",
    "os.listdir(text)": "len(os.listdir('../data'))",
    "os.listdir(path)": "len(os.listdir(Path('../data')))",
    "os.listdir(bytes)": "len(os.listdir(b'../data'))",
    "os.scandir()": "(os.chdir('../data'), len(list(os.scandir())))[1]",
    "os.walk": "sum(len(files) for _, _, files in os.walk('../data'))",
    "Path.iterdir": "len(list(Path('../data').iterdir()))",
    "Path.glob": "len(list(Path('../data').glob('*')))",
    "glob.glob": "len(__import__('glob').glob('../data/*'))",
}


@pytest.mark.parametrize("expression", LISTS.values(), ids=LISTS.keys())
def test_a_new_file_in_a_folder_it_listed_is_seen(lab, expression):
    reading(lab, expression)
    lab.write("counting/data/old.txt", "")
    assert lab.facts()["read"].value == "1"
    lab.write("counting/data/new.txt", "")
    assert lab.facts()["read"].value == "2"


def test_a_file_that_goes_away_or_comes_back_is_seen(lab):
    text = """\
        def measure(fact):
            try:
                fact("read", open("../data/maybe.txt").read())
            except FileNotFoundError:
                fact("read", "nothing")
        """
    (lab.root / "counting" / "data").mkdir()
    lab.write("counting/facts.py", lab.counted(text))
    assert lab.facts()["read"].value == "nothing"
    path = lab.write("counting/data/maybe.txt", "something")
    assert lab.facts()["read"].value == "something"
    path.unlink()
    assert lab.facts()["read"].value == "nothing"


def test_a_file_outside_the_course_counts_too(lab, tmp_path):
    data = tmp_path / "outside.txt"
    data.write_text("1")
    text = f"def measure(fact):\n    fact('read', open({str(data)!r}).read())\n"
    assert lab.facts(text)["read"].value == "1"
    data.write_text("2")
    assert lab.facts()["read"].value == "2"


@pytest.mark.parametrize("name", ["python", "library"])
def test_another_python_or_library_is_another_run(lab, monkeypatch, name):
    lab.write("counting/facts.py", lab.counted("def measure(fact):\n    fact('a', 1)\n"))
    lab.facts()
    if name == "python":
        monkeypatch.setattr(runner_module.platform, "python_version", lambda: "9.9.9")
    else:
        monkeypatch.setattr(runner_module, "version_of", lambda library: "9.9.9")
    lab.facts()
    assert lab.times == 2


@pytest.mark.parametrize("text", ["", "{", "null", "{}", "\x00\xff", '{"inputs": '])
def test_an_entry_that_was_damaged_is_made_anew(lab, text):
    lab.write("counting/code/program.py", lab.counted("print('right')\n"))
    assert lab.transcript() == "right\n"
    (entry,) = lab.cache.glob("*.json")
    whole = json.loads(entry.read_text())
    entry.write_text(text, encoding="latin-1")
    assert lab.transcript() == "right\n"
    assert lab.times == 2
    assert json.loads(entry.read_text()) == whole


def test_the_cache_may_be_emptied_at_any_time(lab):
    lab.write("counting/code/program.py", lab.counted("print('right')\n"))
    assert lab.transcript() == "right\n"
    for entry in lab.cache.glob("*.json"):
        entry.unlink()
    assert lab.transcript() == "right\n"
    assert lab.times == 2


# -- failures


def test_a_failure_is_not_kept(lab):
    lab.write("counting/code/program.py", lab.counted("raise SystemError('no')\n"))
    for times in (1, 2):
        failure(lab.transcript)
        assert lab.times == times


def test_a_failure_never_shows_what_was_printed_before(lab):
    lab.write_program("from module import VALUE\nprint(10 // VALUE)\n")
    module = lab.write_program("VALUE = 5\n", f"{CODE}/module.py")
    assert lab.transcript() == "2\n"
    module.write_text("VALUE = 0\n")
    for _ in range(2):
        assert failure(lab.transcript)[2].startswith("ZeroDivisionError")
    module.write_text("VALUE = 2\n")
    assert lab.transcript() == "5\n"


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("x = 1\n\n1 / 0\n", 3, "ZeroDivisionError: division by zero"),
        ("def f(:\n", 1, "SyntaxError"),
        ("x = 1\nif x:\npass\n", 3, "IndentationError"),
        ("x = 1\n\neval('1 +')\n", 3, "SyntaxError"),
        ("import json\n\njson.loads('{')\n", 3, "JSONDecodeError"),
        ("import sys\n\nprint(1)\nsys.exit(3)\n", 4, "3"),
        ("raise SystemExit('bye')\n", 1, "bye"),
        ("def f():\n    f()\n\nf()\n", 2, "RecursionError"),
        ("raise KeyboardInterrupt\n", 1, "KeyboardInterrupt"),
        ("raise ValueError('two\\nlines')\n", 1, "ValueError: two lines"),
        ("import os\nos._exit(0)\n", 1, "ended without a result"),
        ("import os\nos.abort()\n", 1, "SIGABRT"),
        ("import nothing_of_the_kind\n", 1, "ModuleNotFoundError"),
        ("x = 1\nopen('nothing.txt')\n", 2, "FileNotFoundError"),
        ("x = 1\ninput()\n", 2, "EOFError"),
    ],
)
def test_what_goes_wrong_is_told_with_the_line_of_the_lessons_file(lab, text, line, what):
    path = lab.write_program(text)
    where, at, said = failure(lab.transcript)
    assert (where, at) == (str(path), line)
    assert what in said
    assert "\n" not in said


def test_an_error_inside_a_module_is_told_where_it_is(lab):
    lab.write_program("import old\n\nold.fail()\n")
    path = lab.write_program("def fail():\n    return [][1]\n", f"{CODE}/old.py")
    assert failure(lab.transcript)[:2] == (str(path), 2)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x = 1\n1 / 0\n", 2),
        ("def measure(fact):\n    1 / 0\n", 2),
        ("def measure(fact:\n    pass\n", 1),
        ("def measure(fact):\n    fact('a')\n", 2),
        ("import numpy\n\ndef measure(fact):\n    numpy.zeros(-1)\n", 4),
    ],
)
def test_errors_in_facts_are_told_with_their_line(lab, text, line):
    path = str(lab.root / "counting" / "facts.py")
    assert failure(lambda: lab.facts(text))[:2] == (path, line)


def test_a_program_that_exits_with_zero_has_ended_well(lab):
    lab.write_program("import sys\nprint('done')\nsys.exit(0)\n")
    assert lab.transcript() == "done\n"


def test_a_program_may_print_so_much_and_no_more(lab):
    lab.write_program(f"print('x' * {OUTPUT_BYTES - 1})\n")
    assert len(lab.transcript()) == OUTPUT_BYTES
    lab.write_program(f"print('x' * {OUTPUT_BYTES})\n")
    assert "printed more than" in failure(lab.transcript)[2]


def test_a_program_that_prints_without_end_is_stopped(lab):
    lab.write_program("while True:\n    print('x' * 1_000_000)\n")
    assert "printed more than" in failure(lab.transcript)[2]


# -- what a program leaves behind


class Pipe:
    """A named pipe: it is at its end once nobody is left who could write into it."""

    def __init__(self, path: Path):
        os.mkfifo(path)
        self.path = path
        self._end = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def read_to_the_end(self) -> bytes:
        read = b""
        while True:
            ready, _, _ = select.select([self._end], [], [], 20)
            assert ready, "somebody still holds the pipe"
            part = os.read(self._end, 100)
            if not part:
                os.close(self._end)
                return read
            read += part


def background(pipe: Pipe, then: str) -> str:
    """A program that starts another one, which holds the pipe and would sleep for long."""
    return f"""\
import subprocess
import time

with open({str(pipe.path)!r}, "w") as pipe:
    subprocess.Popen(["sh", "-c", "echo up; exec sleep 600"], stdout=pipe)
{then}
"""


def test_time_runs_out_for_a_program_and_all_that_it_started(lab, tmp_path):
    pipe = Pipe(tmp_path / "pipe")
    lab.seconds = 3
    path = lab.write_program(background(pipe, "time.sleep(600)"))
    assert failure(lab.transcript) == (str(path), 1, "ran for more than 3 s")
    assert pipe.read_to_the_end() == b"up\n"


def test_what_a_program_started_ends_with_it(lab, tmp_path):
    pipe = Pipe(tmp_path / "pipe")
    lab.write_program(background(pipe, "print('done')"))
    assert lab.transcript() == "done\n"
    assert pipe.read_to_the_end() in (b"up\n", b"")  # it may not have come so far
