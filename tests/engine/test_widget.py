"""A lesson's interactive page: run again only if it could come out otherwise, and shown as it is."""

import hashlib
import json
import shutil
from contextlib import chdir
from html.parser import HTMLParser
from pathlib import Path

import pytest

from engine import runner as runner_module
from engine import widget as widget_module
from engine.build import Findings, assemble, build, write_all
from engine.findings import PROGRAM_FAILED, Refused
from engine.load import load
from engine.pages import Frames
from engine.port import Port
from engine.runner import Runner

PROJECT = Path(__file__).resolve().parents[2]
OWN = Path("content/count-to-ten")
WIDGET, PAGE = OWN / "widget.py", OWN / "widget/page.html"
COUNTING, VIEWS = OWN / "widget/counting.js", OWN / "widget/views.js"
PAGE_SCRIPT, PROGRAM, FACTS = OWN / "widget/page.js", OWN / "code/counting.py", OWN / "facts.py"
PARITY = "content/count-to-ten/widget/page.html: parity: 30 values compared"


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def made():
    """The site and its drafts. What moved since it was accepted is no matter here."""
    course, found = load(Path("content")), Findings()
    drafts = write_all(course, Runner(course, Path("cache")), found)
    found.stop_if_any()
    return assemble(course, drafts, Frames(Path("templates"))), drafts


@pytest.fixture(scope="session")
def filled(tmp_path_factory):
    """A cache with all that the small course needs."""
    folder = tmp_path_factory.mktemp("filled")
    shutil.copytree(PROJECT / "tests/course/content", folder / "content")
    shutil.copytree(PROJECT / "templates", folder / "templates")
    with chdir(folder):
        made()
    return folder / "cache"


@pytest.fixture
def course(project, filled):
    """The small course in the working directory, and its cache."""
    shutil.copytree(filled, project / "cache")


@pytest.fixture
def ran(monkeypatch):
    """What has run since it was looked at: jobs in Python, and calls or views of the scripts."""
    log = set()

    class Logged(Port):
        def value(self, name, arguments):
            log.add("port")
            return super().value(name, arguments)

        def views(self):
            log.add("views")
            return super().views()

    def child(self, scratch, job, *rest):
        log.add(job)
        return logged_child(self, scratch, job, *rest)

    logged_child = Runner._child
    monkeypatch.setattr(widget_module, "Port", Logged)
    monkeypatch.setattr(Runner, "_child", child)

    def since():
        jobs = log - {"facts", "figures", "script"}
        log.clear()
        return jobs

    return since


EDITS = {
    "nothing": (PAGE, "It opens", "It opens", set()),
    "the text of the page": (PAGE, "It opens", "It begins", set()),
    "the script that needs a page": (PAGE_SCRIPT, "function show", "function  show", {"views"}),
    "the port": (COUNTING, "let result = 0;", "let result  = 0;", {"port", "views"}),
    "another script": (VIEWS, "Adding up", "Summing up", {"views"}),
    "a comment in widget.py": (WIDGET, "def sums", "# Each.\ndef sums", {"widget", "calls", "port"}),
    "the cases": (WIDGET, "range(1, 30)", "range(1, 20)", {"widget", "calls", "port"}),
    "the data": (WIDGET, '"most": facts', '"a": "b", "most": facts', {"widget", "calls", "port", "views"}),
    "the scripts": (WIDGET, '("counting.js", ', '("counting.js", "views.js", ', {"widget", "calls", "port", "views"}),
    "the program": (PROGRAM, "LAST = 10", "LAST = 5 + 5", {"widget", "calls", "port"}),
    "an earlier program": (Path("content/earlier/code/steps.py"), "last + 1", "1 + last", {"widget", "calls", "port"}),
    "a fact it is given": (FACTS, "total(10 * LAST))\n    fact(\"mean", "total(9 * LAST))\n    fact(\"mean", {"widget", "port", "views"}),
}  # fmt: skip


@pytest.mark.parametrize(("path", "old", "new", "again"), EDITS.values(), ids=EDITS)
def test_only_what_could_come_out_otherwise_runs_again(course, ran, path, old, new, again):
    edit(path, old, new)
    if "views.js" in new:
        edit(VIEWS, "const VIEWS", "var VIEWS")  # loaded twice
    made()
    assert ran() == again
    made()
    assert ran() == set()


def test_a_program_that_changes_later_than_its_port_runs_again(course, ran):
    edit(COUNTING, "let result = 0;", "let result  = 0;")
    made()
    assert ran() == {"port", "views"}
    edit(PROGRAM, "    result = 0\n", "    result = 0  # nothing\n")
    made()
    assert ran() == {"widget", "calls", "port"}


def test_a_file_that_widget_py_reads_makes_it_run_again(course, ran):
    (OWN / "most.txt").write_text("7")
    read = "int(open(__file__.replace('widget.py', 'most.txt')).read())"
    edit(WIDGET, "facts.sum.hundred.value", read)
    made()
    assert ran() == {"widget", "calls", "port", "views"}
    (OWN / "most.txt").write_text("8")
    _, (draft,) = made()
    assert draft.widget.behind.data["most"] == 8 and ran() >= {"widget", "port", "views"}


def test_another_v8_or_another_comparison_runs_again(course, ran, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(widget_module, "version_of", lambda name: "0")
        made()
        assert ran() == {"port", "views"}
    digest = runner_module.Cache.digest
    monkeypatch.setattr(
        runner_module.Cache, "digest",
        lambda self, name: "other" if name.endswith("parity.py") else digest(self, name),
    )  # fmt: skip
    made()
    assert ran() == {"port", "views"}


def test_a_port_that_differs_is_told_each_time(course, ran):
    edit(COUNTING, "LAST = 10", "LAST = 11")
    told = []
    for _ in range(2):
        with pytest.raises(Refused) as refused:
            build(Path("content"), Path("templates"), Path("cache"))
        told.append(str(refused.value))
    assert told[0] == told[1] and "constants().LAST is 10 in Python, 11 in the port" in told[0]


PAGE_VALUE, CALL_VALUE = "facts.sum.hundred.value", "LAST}"


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (PAGE_VALUE, 'float("nan")', "ValueError: Out of range float values are not JSON compliant"),
        (CALL_VALUE, "-1e999}", "ValueError: Out of range float values are not JSON compliant"),
        (CALL_VALUE, "b''}", "TypeError: Object of type bytes is not JSON serializable"),
        (PAGE_VALUE, "{(1, 2): 3}", "TypeError: keys must be str, int, float, bool or None, not tuple"),
        (PAGE_VALUE, "facts.last", "TypeError: Object of type Fact is not JSON serializable"),
    ],
)  # fmt: skip
def test_what_is_no_json_is_refused(course, place, value, said):
    edit(WIDGET, place, value)
    with pytest.raises(Refused) as refused:
        made()
    (finding,) = refused.value.findings
    assert (finding.path, refused.value.code) == (str(WIDGET), PROGRAM_FAILED)
    assert finding.what.startswith(said)


class Read(HTMLParser):
    """A page as a browser meets it: attributes by tag, and the text of scripts."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.texts, self._inside = [], {}, ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._inside = dict(attrs).get("id", "") if tag == "script" else ""

    def handle_endtag(self, tag):
        self._inside = ""

    def handle_data(self, data):
        self.texts[self._inside] = self.texts.get(self._inside, "") + data

    def all(self, tag, name):
        return [attrs[name] for other, attrs in self.tags if other == tag and name in attrs]


def page_of(site):
    return Read(site.files["count-to-ten/widget/index.html"].decode())


HOSTILE = "</script><script>alert(1)</script><!-- <script> \u2028 & ' \" \\u003c é ]]> {{ last }}"


def test_data_does_not_end_the_script_that_holds_it(course):
    edit(
        WIDGET, '"most": facts', f'"a": {HOSTILE!r}, {HOSTILE!r}: [None, True, 0.1], "most": facts'
    )
    site, (draft,) = made()
    page = page_of(site)
    assert json.loads(page.texts["data"]) == draft.widget.behind.data
    assert draft.widget.behind.data["a"] == HOSTILE
    assert [attrs.get("id") for tag, attrs in page.tags if tag == "script"][-1] == "data"
    assert len(page.all("script", "src")) == 3 and "alert" not in page.texts[""]


def test_scripts_and_styles_are_published_as_they_are_by_names_that_change_with_them(course):
    (OWN / "widget/more.css").write_text("p { margin: 0 }\n")
    COUNTING.write_bytes(b"\xef\xbb\xbf" + COUNTING.read_bytes().replace(b"\n", b"\r\n"))
    site, _ = made()
    page = page_of(site)
    names = ("counting.js", "views.js", "page.js", "more.css", "page.css")
    styles = [href for href in page.all("link", "href") if "style." not in href][1:]
    loaded = [*page.all("script", "src"), *styles]
    for name, where in zip(names, loaded, strict=True):
        text = (OWN / "widget" / name).read_text(encoding="utf-8-sig")
        stem, _, suffix = name.partition(".")
        digest = hashlib.sha256(text.encode()).hexdigest()[:10]
        assert where == f"../../assets/{stem}.{digest}.{suffix}"
        assert site.files[where.removeprefix("../../")] == text.encode()


def test_the_page_opens_with_what_the_scripts_draw_first(course):
    site, (draft,) = made()
    html = site.files["count-to-ten/widget/index.html"].decode()
    view = "<p>Adding up to 10 gives <b>55</b>.</p>"
    assert draft.widget.behind.views == {"sum": view}
    assert f'<div class="view" data-view="sum" data-kind="transcript">{view}</div>' in html
    page = page_of(site)
    assert "up to 10" in page.all("input", "title")
    assert ["#last=10" in page.all("a", "href"), PARITY in "\n".join(site.report)] == [True, True]
    lesson = Read(site.files["count-to-ten/index.html"].decode())
    assert "widget/index.html#last=10" in lesson.all("a", "href")
