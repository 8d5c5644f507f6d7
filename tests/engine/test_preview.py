"""The preview without a browser: when it builds, what it says, that nothing ends it."""

import asyncio
import os
import shutil
import subprocess
import time
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from engine import builder
from engine.builder import Builder, Job, attempt
from engine.findings import Finding
from engine.overlay import CUSTOM, EDITORS, problem
from engine.preview import Preview
from engine.watch import Watch, tree
from tests.serving import CACHE, PATIENCE, Served

pytestmark = pytest.mark.xdist_group("serve")
CONTENT, TEMPLATES, BUILD = Path("content"), Path("templates"), Path("build")
LESSON = Path("content/count-to-ten/lesson.md")


def add(text):
    LESSON.write_text(LESSON.read_text() + text)


# -- what is watched


def seen():
    return tree(CONTENT, TEMPLATES, BUILD)


def test_the_tree_is_what_a_site_is_made_from(project):
    Path("README.md").write_text("Read me.")
    names = {os.path.relpath(name) for name in seen().files}
    made = {
        str(path) for root in (CONTENT, TEMPLATES) for path in root.rglob("*") if path.is_file()
    }
    assert names == {name for name in made if "__pycache__" not in name} | {"README.md"}


@pytest.mark.parametrize(
    "name",
    [
        "content/count-to-ten/lesson.md~", "content/count-to-ten/.lesson.md.swp", "content/.git/x",
        "content/count-to-ten/4913", "content/count-to-ten/#lesson.md#", "content/.#lesson.md",
        "content/count-to-ten/code/__pycache__/counting.pyc", "content/.venv/lib/x.py",
        "content/count-to-ten/lesson.md___jb_tmp___", "content/lesson.tmp", "build/cache/x.json",
        "templates/.base.html.swx", "notes.txt", ".hidden.md~", "other/README.md",
    ],
)  # fmt: skip
def test_what_editors_and_runs_leave_is_not_seen(project, name):
    before = seen()
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text("x")
    assert seen().is_like(before)


def test_bytes_decide_and_no_date(project):
    before = seen()
    os.utime(LESSON)
    LESSON.write_bytes(LESSON.read_bytes())
    assert seen().is_like(before)
    then = LESSON.stat()
    LESSON.write_text(LESSON.read_text().replace("mean", "mode", 1))
    os.utime(LESSON, ns=(then.st_atime_ns, then.st_mtime_ns))
    assert LESSON.stat().st_size == then.st_size and not seen().is_like(before)


def test_odd_files_do_not_stop_it(project):
    before = seen()
    os.mkfifo("content/pipe")
    Path("content/gone.md").symlink_to("nowhere")
    Path("content/loop").symlink_to(".")
    assert seen().is_like(before)
    Path("content/count-to-ten/data.bin").write_bytes(bytes(range(256)))
    assert not seen().is_like(before)
    shutil.rmtree("content")
    assert not seen().is_like(before)


def test_the_middle_of_a_change_is_told_from_an_edit(project):
    before = seen()
    add("More.")
    assert not seen().unsettled(before)
    good = LESSON.read_text()
    LESSON.write_text("")
    assert seen().unsettled(before)
    LESSON.unlink()
    assert seen().unsettled(before)
    LESSON.write_text(good)
    for number in range(10):
        Path(f"content/{number}.txt").write_text("x")
    assert seen().unsettled(before)


def test_it_hears_a_file_in_a_folder_that_was_not_there(project):
    watch = Watch()
    assert watch.arm(seen().folders) and not watch.arm(seen().folders)
    Path("content/new/code").mkdir(parents=True)
    watch.wait()
    assert watch.arm(seen().folders)
    Path("content/new/code/x.py").write_text("x")
    began = time.monotonic()
    watch.wait()
    assert time.monotonic() - began < 0.5
    watch.close()
    watch.wait()


def test_it_looks_now_and_then_when_it_cannot_listen(project, monkeypatch):
    monkeypatch.setattr("engine.watch.RustNotify", lambda *_: 1 / 0)
    watch = Watch()
    assert watch.arm({str(CONTENT): 1}) and watch.arm({str(CONTENT): 1}) is False
    began = time.monotonic()
    watch.wait()
    assert time.monotonic() - began < 0.5


# -- a finding in the overlay


def test_a_finding_has_its_line_split_at_the_column_and_a_link(project):
    Path("a b#.md").write_bytes("\ufeffone\r\nIt is \N{GRINNING FACE}55.\r\n".encode())
    shown = problem(Finding("a b#.md", 2, 8, "bare-number", "w", "f"), project, EDITORS["vscode"])
    assert (shown["before"], shown["at"], shown["after"]) == ("It is \N{GRINNING FACE}", "5", "5.")
    assert shown["link"] == f"vscode://file{project}/a%20b%23.md:2:8"
    long = "x" * 500 + "7" + "y" * 500
    LESSON.write_text(long)
    shown = problem(Finding(str(LESSON), 1, 501, "leak", "w", "f"), project, EDITORS["idea"])
    assert shown["before"] == "…" + "x" * 60 and shown["after"] == "y" * 99 + "…"
    assert shown["link"] == f"idea://open?file={project}/{LESSON}&line=1&column=501"


@pytest.mark.parametrize(("path", "line"), [("nowhere.md", 1), ("content", 1), (str(LESSON), 9999)])
def test_a_finding_without_a_line_has_none(project, path, line):
    shown = problem(Finding(path, line, 3, "leak", "w", "f"), project, EDITORS["none"])
    assert shown["before"] + shown["at"] + shown["after"] + shown["link"] == ""


def test_links_of_ones_own():
    for good in ("x://{path}", "subl://open?url=file://{path}&line={line}", "emacs:{path}"):
        assert CUSTOM.fullmatch(good)
    for bad in (
        "vi",
        "x://",
        "{path}",
        "javascript:alert('{path}')",
        "data:{path}",
        "JAVASCRIPT:{path}",
    ):
        assert not CUSTOM.fullmatch(bad)


# -- one build


def job(seconds=20.0):
    return Job(CONTENT, TEMPLATES, CACHE, seconds)


def test_a_number_that_moved_is_for_review(project):
    lock = LESSON.with_name("numbers.lock")
    assert attempt(job()).review == []
    lock.write_text(lock.read_text().replace('"55", "Counting', '"54", "Counting'))
    lock.write_text(lock.read_text().replace('["sum.ten", "55"', '["sum.ten", "54"'))
    outcome = attempt(job())
    assert outcome.files and not outcome.findings
    [change] = outcome.review
    assert (change.expression, change.before, change.after) == ("sum.ten", "54", "55")
    lock.unlink()
    assert attempt(job()).files and len(attempt(job()).review) > 10
    lock.write_text("<<<<<<< ours\n")
    outcome = attempt(job())
    assert [finding.rule for finding in outcome.findings] == ["lock"] and not outcome.files


def test_a_fault_of_the_engine_is_a_finding(project, monkeypatch, capsys):
    monkeypatch.setattr(builder, "drafts_of", lambda *_: 1 // 0)
    [finding] = attempt(job()).findings
    assert (
        "the engine: ZeroDivisionError" in finding.what and "Traceback" in capsys.readouterr().err
    )


def test_the_builder_outlives_its_process(project):
    builder = Builder(job())
    assert builder.build().files
    process = builder._process
    process.kill()
    process.wait()
    [finding] = builder.build().findings
    assert "it ended" in finding.what
    assert builder.build().files
    builder.stop()
    assert builder.build().files
    builder.stop()
    builder.stop()


# -- many builds


@asynccontextmanager
async def running(**options):
    """A preview whose first build is done."""
    preview = Preview(job(**options))
    run = asyncio.create_task(preview.run())
    try:
        await until(lambda: preview.builds == 1)
        yield preview
    finally:
        preview.close()
        await asyncio.wait_for(run, PATIENCE)


async def until(found):
    end = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < end, "it took too long"
        await asyncio.sleep(0.01)


def alone(test):
    """A test in an event loop of its own."""

    def run(project):
        asyncio.run(test(project))

    run.__name__ = test.__name__
    return run


@alone
async def test_each_edit_is_a_build_and_a_fault_keeps_the_last_good_one(project):
    async with running() as preview:
        good = preview.state.files
        add("\nMore.\n")
        await until(lambda: preview.state.build == 2)
        assert b"More." in preview.state.files["count-to-ten/index.html"]
        add("\nIt is 55.\n")
        await until(lambda: preview.state.problems)
        assert preview.state.build == 2 and "It is 55." not in str(preview.state.files)
        LESSON.write_text(LESSON.read_text().split("\nMore.")[0])
        await until(lambda: not preview.state.problems)
        assert preview.state.build == 3 and preview.state.files == good


@alone
async def test_a_touch_the_same_bytes_and_what_editors_leave_build_nothing(project):
    async with running() as preview:
        os.utime(LESSON)
        LESSON.write_bytes(LESSON.read_bytes())
        Path("content/.lesson.md.swp").write_text("x")
        Path("build").mkdir()
        Path("build/x.py").write_text("x")
        await asyncio.sleep(1.5)
        assert preview.builds == 1


@pytest.mark.slow
@alone
async def test_idle_seconds_build_nothing(project):
    async with running() as preview:
        await asyncio.sleep(10)
        assert preview.builds == 1


@alone
async def test_a_burst_of_files_is_at_most_two_builds(project):
    async with running() as preview:
        folder = Path("content/count-to-ten/data")
        folder.mkdir()
        for number in range(500):
            (folder / f"{number}.txt").write_text("x" * number)
        add("\nAfter the burst.\n")
        await until(
            lambda: "After the burst." in str(preview.state.files["count-to-ten/index.html"])
        )
        await asyncio.sleep(1.5)
        assert preview.builds <= 3


@alone
async def test_a_newer_edit_ends_a_program_that_never_ends(project):
    facts = Path("content/count-to-ten/facts.py")
    good = facts.read_text()
    async with running(seconds=60) as preview:
        facts.write_text(good + "    while True:\n        pass\n")
        await until(lambda: preview.state.busy)
        add("\nMeanwhile.\n")
        facts.write_text(good)
        began = time.monotonic()
        await until(lambda: preview.state.build == 2)
        assert time.monotonic() - began < 20
    ps = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert str(project) not in ps


@alone
async def test_a_newer_edit_ends_a_frame_that_never_ends(project):
    frame = Path("templates/base.html")
    good = frame.read_text()
    async with running() as preview:
        frame.write_text(
            good + "{% for x in range(99999) %}{% for y in range(99999) %}{% endfor %}{% endfor %}"
        )
        await until(lambda: preview.state.busy)
        frame.write_text(good)
        await until(lambda: not preview.state.busy)
        assert preview.state.build == 1 and not preview.state.problems


@alone
async def test_folders_that_go_and_come_back(project):
    async with running() as preview:
        for old, new in (
            ("content/count-to-ten", "content/elsewhere"), ("content", "elsewhere"),
            ("templates", "frames"), ("content/count-to-ten/code", "content/code-elsewhere"),
        ):  # fmt: skip
            Path(old).rename(new)
            await until(lambda: preview.state.problems)
            Path(new).rename(old)
            await until(lambda: not preview.state.problems)
        shutil.copytree("content", "kept")
        shutil.rmtree("content")
        await until(lambda: preview.state.problems)
        shutil.copytree("kept", "content")
        await until(lambda: not preview.state.problems)
        add("\nAnd it still listens.\n")
        await until(lambda: "still listens" in str(preview.state.files["count-to-ten/index.html"]))


@alone
async def test_another_state_of_the_project(project):
    def git(*words):
        command = ["git", "-c", "user.name=n", "-c", "user.email=e", *words]
        subprocess.run(command, check=True, capture_output=True)

    git("init", "-b", "one")
    git("add", "-A")
    git("commit", "-m", "one")
    git("checkout", "-b", "two")
    Path("content/count-to-ten").rename("content/count-on")
    for name in ("content/course.toml", "content/count-on/lesson.md"):
        Path(name).write_text(Path(name).read_text().replace("count-to-ten", "count-on"))
    git("add", "-A")
    git("commit", "-m", "two")
    async with running() as preview:
        assert "count-on/index.html" in preview.state.files
        git("checkout", "one")
        await until(lambda: "count-to-ten/index.html" in preview.state.files)
        git("checkout", "two")
        await until(lambda: "count-on/index.html" in preview.state.files)
        assert not preview.state.problems


@alone
async def test_followers_get_the_state_now_and_each_after_it(project):
    async with running() as preview:
        states = preview.follow()
        assert (await anext(states)).build == 1
        add("\nMore.\n")
        assert (await anext(states)).build == 2
        preview.close()
        assert [state async for state in states] == []


# -- 160 broken edits


def in_place(path, data):
    path.write_bytes(data)


def over_it(path, data):
    """As many editors do: a new file, renamed over the old one."""
    draft = path.with_name(f".{path.name}.new")
    draft.write_bytes(data)
    draft.replace(path)


def anew(path, data):
    path.unlink()
    time.sleep(0.01)
    path.write_bytes(data)


def beside_a_backup(path, data):
    """As vim does: the old one is kept, a new one is written."""
    path.replace(f"{path}~")
    path.write_bytes(data)


SAVES = (in_place, over_it, anew, beside_a_backup)
FACTS, FIGURES = "content/count-to-ten/facts.py", "content/count-to-ten/figures.py"
CODE, PAGE = "content/count-to-ten/code/counting.py", "content/count-to-ten/widget/page.html"
PORT, VIEWS = "content/count-to-ten/widget/counting.js", "content/count-to-ten/widget/views.js"
WIDGET, BASE = "content/count-to-ten/widget.py", "templates/base.html"
TEXT, COURSE = str(LESSON), "content/course.toml"
BREAKS = [  # file, what is added at its end or what is replaced by what
    (TEXT, "\nIt is 55.\n"), (TEXT, "\nIt is twice that.\n"), (TEXT, "\n{{ sum.tn }}\n"),
    (TEXT, "\n{{ sum.ten + 1 }}\n"), (TEXT, "\n{{ sum.ten | }}\n"), (TEXT, "\n{{ 'x }}\n"),
    (TEXT, "\n{{ claim('small', sum.ten < 3) }}\n"), (TEXT, "\n<b>bold</b>\n"),
    (TEXT, "\n```\ncode\n```\n"), (TEXT, "\nSee counting.py:3.\n"), (TEXT, "\n[x](nowhere.md)\n"),
    (TEXT, "\n#### Deep\n"), (TEXT, "\n![x](nothing)\n"), (TEXT, "\n{{ code('counting.py', 'x') }}\n"),
    (TEXT, b"\n\xff\xfe\n"), (TEXT, b"\0\x80\x81"), (TEXT, ("+++", "---")), (TEXT, ("title =", "titel =")),
    (TEXT, ("date = \"2026", "date = \"20x6")), (TEXT, "\n\ue000\n"),
    (FACTS, "\n)"), (FACTS, "    fact('x', 1 // 0)\n"), (FACTS, "    fact('last', 1)\n"),
    (FACTS, "    import os; os._exit(3)\n"), (FACTS, "    raise SystemExit\n"),
    (FACTS, "    while True: pass\n"), (FACTS, ("def measure", "def mesure")),
    (CODE, "\nx = (\n"), (CODE, ("result += number", "result -= number")), (CODE, "\nraise OSError\n"),
    (FIGURES, ("return figure", "return None")), (FIGURES, "\nimport nothing\n"),
    (PORT, "\n}"), (PORT, "\nfor (;;) {}\n"), (VIEWS, "\nthrow 1;\n"), (WIDGET, "\nPARITY = 3\n"),
    (PAGE, "<p>It is 55.</p>"), (BASE, "{% for %}"), (BASE, "{{ nothing }}"), (COURSE, "\n[[["),
]  # fmt: skip


def broken(data, how):
    if isinstance(how, tuple):
        old, new = (text.encode() for text in how)
        assert old in data
        return data.replace(old, new)
    return data + (how if isinstance(how, bytes) else how.encode())


@pytest.mark.slow
def test_nothing_that_is_saved_in_any_way_ends_it(project):
    assert len(BREAKS) * len(SAVES) == 160
    waits = []
    with Served(project):
        pass  # all that runs as it should is known from now on, however slow the machine
    with Served(project, "--seconds", "1") as served:
        states, pid = served.states(), served.process.pid
        good = served.get("/count-to-ten/")[2].split(b"data-build")[1][12:]
        for name, how in BREAKS:
            path = project / name
            data = path.read_bytes()
            for save in SAVES:
                save(path, broken(data, how))
                began = time.monotonic()
                next(state for state in states if state["problems"])
                waits.append(time.monotonic() - began)
                assert waits[-1] < 10, (name, how, save)
                page = served.get("/count-to-ten/")
                assert page[0] == 200 and page[2].split(b"data-build")[1][12:] == good
                save(path, data)
                next(state for state in states if not state["problems"] and not state["busy"])
        assert served.process.poll() is None and served.process.pid == pid
        assert served.get("/")[0] == 200 and "Traceback" not in served.output
    assert sorted(waits)[80] < 2
    print(f"median {sorted(waits)[80]:.3f} s, longest {max(waits):.3f} s")
