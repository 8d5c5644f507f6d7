"""The second reading: clean on what was published, and not on anything that was changed since."""

import ast
import json
import re
import shutil
import subprocess
import sys
import zipfile
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cli import main
from engine.verify import verify
from engine.verify.content import Content
from engine.verify.parsed import Page
from engine.verify.runs import Runs
from engine.verify.spelling import Fact, Unsaid, decimal_text, in_order, said, without_names

PROJECT = Path(__file__).resolve().parents[2]
MODULES = sorted((PROJECT / "engine/verify").glob("*.py"))
LESSON, FRONT, PROOF = "count-to-ten/index.html", "index.html", "proof.json"
WIDGET = "count-to-ten/widget/index.html"
FACT = '<data value="{}" data-kind="computed" data-from="{}, count-to-ten/facts.py:{}">'
TEN, FIFTY_FIVE = FACT.format(10, "last", 7), FACT.format(55, "sum.ten", 8)
LINE = '<data value="17" data-kind="structural" data-from="counting.py">'
ANSWER = """
::: answer
What if the last is another?

{{ run("counting.py", edit={"LAST": parts}) }}
:::
"""
SECOND_FIGURE = '''

def means(facts, steps):
    """The mean grows like the count"""
    figure, axes = chart(height=200)
    axes.plot([1, 2, 3], [1, 1.5, 2], color=FIRST)
    return figure
'''


@pytest.fixture(scope="session")
def published(tmp_path_factory):
    """The small course with a second figure and an edited run, and its site."""
    folder = tmp_path_factory.mktemp("published")
    shutil.copytree(PROJECT / "tests/course/content", folder / "content")
    own = folder / "content/count-to-ten"
    with (own / "figures.py").open("a") as figures:
        figures.write(SECOND_FIGURE)
    lesson = (own / "lesson.md").read_text(encoding="utf-8")
    more = f"{ANSWER}\n![Another line](means)\nThe mean.\n\n## Go deeper"
    (own / "lesson.md").write_text(lesson.replace("\n## Go deeper", more), encoding="utf-8")
    (own / "numbers.lock").unlink(missing_ok=True)
    options = ["--content", f"{folder}/content", "--templates", f"{PROJECT}/templates"]
    options += ["--cache", f"{folder}/cache"]
    assert main(["accept", *options]) == 0
    assert main(["build", *options, "--out", f"{folder}/site"]) == 0
    return folder


@pytest.fixture
def copy(published, tmp_path):
    """A copy of the site and its content, to spoil; without the list of numbers, unless asked."""
    for name in ("site", "content"):
        shutil.copytree(published / name, tmp_path / name)
    (tmp_path / "site" / PROOF).unlink()
    return tmp_path


@pytest.fixture(scope="session")
def runs(published, tmp_path_factory):
    """The published content's own runs: a page changes none of them."""
    return Runs(Content(published / "content"), tmp_path_factory.mktemp("runs"))


@pytest.fixture
def ran(runs, monkeypatch):
    """Saves the runs of a test that leaves the content as it is."""
    monkeypatch.setattr("engine.verify.Runs", lambda content, scratch: runs)


def findings(folder):
    found, failed = verify(folder / "site", folder / "content")
    assert not failed
    return [str(finding) for finding in found]


def edit(path, old, new, count=1):
    """Replace the first places of some text; a test that changes nothing tests nothing."""
    text = path.read_text(encoding="utf-8")
    assert old in text and old != new
    path.write_text(text.replace(old, new, count), encoding="utf-8")


def drawing(page, name):
    return re.search(rf'<figure class="drawing" id="{name}">(<svg.*?</svg>)', page, re.S)[1]


def test_what_was_published_is_clean(published):
    assert findings(published) == []


NUMBERS = {
    "the text of a number": (TEN + "10<", TEN + "11<", '"11"'),
    "the last place of a number": (">5.5</data>", ">5.6</data>", '"5.6"'),
    "the precision of a number": (">5.5</data>", ">5.50</data>", '"5.50"'),
    "the unit of a number": ("about 92%", "about 92", '"about 92"'),
    "a rounded number": ("about 92%", "about 93%", '"about 93%"'),
    "a number in words": (">two</data>", ">three</data>", '"three"'),
    "a thousands comma": (">5,050</data>", ">5050</data>", '"5050"'),
    "a value": ('value="5.5"', 'value="5.6"', "value here is 5.6"),
    "the last digit of a value": ("91.81818181818181", "91.81818181818182", "growth is 91.8"),
    "an unknown fact": ("sum.hundred, ", "sum.million, ", '"sum.million" is no fact'),
    "another fact": ("mean, count-to-ten", "last, count-to-ten", "last is 10"),
    "the line of a fact": ("count-to-ten/facts.py:9", "count-to-ten/facts.py:8", "facts.py:9"),
    "the file of a fact": ("count-to-ten/facts.py:9", "count-to-ten/fact.py:9", "facts.py:9"),
    "the line of a source": ("sources.toml:7", "sources.toml:1", "sources.toml:7"),
    "a cited number": ('unit, sources.toml:7">1<', 'unit, sources.toml:7">2<', '"2"'),
    "no source": (f' data-from="sum.ten, {LESSON[:12]}/facts.py:8"', "", '"55" does not say'),
    "no kind": (TEN + "10", TEN.replace(' data-kind="computed"', "") + "10", 'the kind ""'),
    "the kind name": (TEN, TEN.replace("computed", "name"), 'of the kind "name"'),
    "the kind structural": (
        TEN + "10", TEN.replace("computed", "structural") + "10", "numbers come from"
    ),
    "the kind cited": (TEN, TEN.replace("computed", "cited"), "last is not cited"),
    "no element": (FIFTY_FIVE + "55</data>", "55", '"55" has no source'),
    "two numbers swapped": (
        f"{TEN}10</data> and adding gives <strong>{FIFTY_FIVE}55</data>",
        f"{FIFTY_FIVE}55</data> and adding gives <strong>{TEN}10</data>",
        "where lesson.md has",
    ),
    "a step": ('data-from="steps">2<', 'data-from="steps">1<', '"1" is shown'),
    "another step": ('"2" data-kind="structural" data-from="steps">2<',
                     '"1" data-kind="structural" data-from="steps">1<', "steps 1"),
    "the lesson's number": ('"2" data-kind="structural" data-from="course.toml">2',
                            '"3" data-kind="structural" data-from="course.toml">3',
                            '"3" should be 2'),
    "the number of a figure": ('"1" data-kind="structural" data-from="figures">1</data>.',
                               '"2" data-kind="structural" data-from="figures">2</data>.',
                               '"2" should be 1'),
    "the reading time": ('"1" data-kind="computed" data-from="words / 200">1',
                         '"9" data-kind="computed" data-from="words / 200">9', '"9" minutes'),
    "a line number": (LINE + "17", LINE.replace("17", "16") + "16", "counting.py:16 is"),
    "a line number far away": (LINE + "17", LINE.replace("17", "99") + "99", "99 is not there"),
    "no line number": (LINE + "17", LINE.replace("17", "x") + "x", "counting.py:x is"),
    "the first line of a listing": (LINE.replace("17", "13") + "13",
                                    LINE.replace("17", "12") + "12", "line 12"),
    "the last line of a listing": (LINE.replace("17", "18") + "18",
                                   LINE.replace("17", "19") + "19", "line 19"),
    "a line of a listing": ('data-line="15"', 'data-line="51"', "line 51"),
}  # fmt: skip

TYPED = {
    "in a paragraph": ("grows fast", "grows 3 times", '"3"'),
    "in a heading": ("</data> parts</h2>", "</data> parts of 4</h2>", '"4"'),
    "in a table": (">code</th>", ">code ²</th>", '"²"'),
    "in a caption": ("The mean.", "The mean of ½.", '"½"'),
    "behind a number": ("5.5</data>", "5.5</data>1", '"1"'),
    "as an entity": ("grows fast", "grows &#55; times", '"7"'),
    "in Arabic digits": ("grows fast", "grows ٣ times", '"٣"'),
    "in the title": ("to ten?</title>", "to ten in 9 ways?</title>", '"9"'),
    "in the description": ("gives 55.", "gives 56.", '"56"'),
    "in one more of the description": ("gives 55.", "gives 55 of 60.", '"60"'),
    "in a label": ('aria-label="Table"', 'aria-label="Table 5"', '"5" in aria-label'),
    "in a title attribute": ("<h1>", '<h1 title="all 12">', '"12" in title'),
    "in an alternative text": ("<h1>", '<img alt="12 bars" src="data:,"><h1>', '"12" in alt'),
    "in the description of a figure": ("bends upwards to 55", "bends upwards to 54", '"54"'),
    "in code": ("f&quot;{{x}}", "f&quot;{{x + 8}}", '"8"'),
    "in a date": ('"2026-10-20">2026-10-20', '"2026-10-21">2026-10-21', "2026-10-21"),
    "at a name": ("the p50", "the p51", '"51"'),
    "as the start of a list": ("<ul>", '<ol start="4"><li>x</li></ol><ul>', '"4" in start'),
    "in a citation": ("book VII</a>", "book 7</a>", "book 7"),
    "in the title of a citation": ("Elements, read", "Elements 2, read", "Elements 2"),
    "in the front page": ("Published elsewhere", "Published on 3 pages", '"3"'),
}

CODE = {
    "an excerpt": ('class="mi">0</span>', 'class="mi">1</span>', "is not line 15"),
    "an excerpt's words": (">total</span>", ">totals</span>", "is not line 13"),
    "a line in a table": (">result += number<", ">result += numbers<", "is no line of a program"),
    "a digit of a transcript": ("1 to 10 is 55", "1 to 10 is 56", "1 to 10 is 56"),
    "a word of a transcript": ("on average 5.5", "in average 5.5", "in average 5.5"),
    "an edited run": ("1 to 2 is 3", "1 to 2 is 4", "1 to 2 is 4"),
    "the program of a transcript": ("python3 counting.py", "python3 count.py", "which program"),
    "the label of a transcript": ("What counting.py prints", "What c4.py prints", "c4.py"),
    "a label of a figure": ("counted to</text>", "counted up to</text>", "counted up to"),
    "a number in a figure": (">20</text>", ">30</text>", "30"),
    "a path of a figure": ("95.40404 140.03", "95.40404 141.03", "figure sums has"),
    "the place of a mark": ('x="95.40404" y="150"', 'x="95.40404" y="151"', "figure sums has"),
    "the title of a figure": ("grows faster", "grows slower", "grows slower"),
    "the name of a figure": ('id="sums"', 'id="other"', 'no figure is called "other"'),
    "an excerpt's kind gone": ('counting.py" data-kind="excerpt"', 'counting.py"', "<pre>"),
    "an excerpt called a name": ("excerpt", "name", "without a source"),
    "a listing called a name": ('counting.py" data-kind="excerpt"',
                                'counting.py" data-kind="name"', "cannot be of the kind name"),
    "a line's kind gone": ('<code data-kind="excerpt">', "<code>", "code without a source"),
    "a transcript's kind gone": (' data-kind="transcript"', "", "<pre> without a source"),
    "a transcript called a name": ('"transcript"', '"name"', "cannot be of the kind name"),
    "a figure's kind gone": (' data-kind="figure"', "", "<svg> without a source"),
    "a figure called a name": ('data-kind="figure"', 'data-kind="name"', "of the kind name"),
    "a command's kind gone": ('<code data-kind="name">', "<code>", "which program"),
    "a citation's kind gone": ('<cite data-kind="name">', "<cite>", "<cite> without a source"),
    "a paragraph with a kind": ("<p>Counting", '<p data-kind="excerpt">7 Counting', '"7"'),
    "a number waived by hand": ("grows fast", 'is <span data-kind="waived" data-from="a">9</span>',
                                '"9" is waived'),
    "broken HTML": ("</strong>", "</strang>", "a browser has to guess"),
    "a dead link": ('href="#sums"', 'href="#sum"', "#sum is not there"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        pytest.param(*case, id=f"{group}: {name}")
        for group, cases in (("number", NUMBERS), ("typed", TYPED), ("code", CODE))
        for name, case in cases.items()
    ],
)
def test_a_page_changed_by_hand_is_found(ran, copy, old, new, named):
    page = copy / "site" / (FRONT if "Published" in old else LESSON)
    edit(page, old, new)
    found = findings(copy)
    assert any(named in finding for finding in found), found
    assert all(finding.startswith(f"{page}:") for finding in found)


PRESET = f'<a href="#last=10">Go to {TEN}10</data></a>'
VIEW = (
    '<div class="view" data-view="sum" data-kind="transcript">'
    "<p>Adding up to 10 gives <b>55</b>.</p></div>"
)
IN_WIDGET = {
    "a word of a view": ("Adding up", "Adding it up", 'the view sum has "Adding it up to 10 gives "'),
    "a number of a view": ("<b>55</b>", "<b>56</b>", 'has "56" where the scripts draw "55"'),
    "an element of a view": ("<b>55</b>", "<i>55</i>", "has <i> where the scripts draw <b>"),
    "an attribute in a view": ("<p>Adding", '<p title="all 9">Adding', 'has <p title="all 9"> where'),
    "more in a view": ("</b>.</p>", "</b>.</p><p>More</p>", "has <p> where the scripts draw nothing"),
    "less in a view": ("</b>.</p>", "</b></p>", 'has nothing where the scripts draw "."'),
    "the name of a view": ('data-view="sum"', 'data-view="sums"', 'draw no view "sums"'),
    "a view's kind gone": (' data-kind="transcript"', "", '"55" has no source'),
    "a view that is gone": (VIEW, "", "shows nothing where widget/page.html has view sum"),
    "a view shown twice": (VIEW, VIEW + VIEW, "shows view sum where widget/page.html has nothing"),
    "the data": ('"most": 5050', '"most": 5051', "the data is not what widget.py gives"),
    "the form of the data": ('{"first"', '{first"', "the data is not what widget.py gives"),
    "no data": (' id="data"', "", "the data is not what widget.py gives"),
    "a preset's target": ("#last=10", "#last=11", "no preset of last leads to last=11"),
    "another fact as a target": ("#last=10", "#last=55", "no preset of last leads to last=55"),
    "a preset's setting": ("#last=10", "#lst=10", 'the widget has no setting "lst"'),
    "a link to settings by hand": ("<p>It", '<p><a href="#last=10">There</a> it', "of nothing leads to"),
    "the number of a preset": (f"{TEN}10</data></a>", f"{TEN}11</data></a>", '"11"'),
    "a preset that is gone": (PRESET, "Go", "widget/page.html has last"),
    "a number in the text": (f"at {TEN}10", f"at {TEN}12", '"12"'),
    "a number typed into the text": ("It opens", "In 3 ways it opens", '"3" has no source'),
    "the title of an input": ('title="up to 10"', 'title="up to 11"', '"11" in title'),
    "the value of an input": ('type="number"', 'type="number" value="7"', '"7" in value'),
    "the range of an input": ('type="number"', 'type="range" min="1" max="9"', '"9" in max'),
    "the title": ("Count and see</title>", "Count to 9 and see</title>", 'the title shows "9"'),
    "the description": ("the sum is 55", "the sum is 56", 'the description shows "56"'),
    "the order of the scripts": ("counting.", "views.", "the scripts are not counting.js, views.js"),
    "a script left out": ("<script defer src", "<script defer data-src", "the scripts are not"),
    "a style left out": ('stylesheet" href="../../assets/page', 'icon" href="../../assets/page',
                         "the style sheet page.css is not loaded as it is"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "named"), IN_WIDGET.values(), ids=IN_WIDGET)
def test_an_interactive_page_changed_by_hand_is_found(ran, copy, old, new, named):
    page = copy / "site" / WIDGET
    edit(page, old, new)
    found = findings(copy)
    assert any(named in finding for finding in found), found
    assert all(finding.startswith(f"{page}:") for finding in found)


@pytest.mark.parametrize(
    ("file", "old", "new", "named"),
    [
        ("counting", "number <= last", "number < last", "the scripts are not counting.js"),
        ("views", "Adding up", "Summing up", "the scripts are not counting.js"),
        ("page", "show();\n", "show()\n", "the scripts are not counting.js"),
        ("page", "2rem", "3rem", "the style sheet page.css is not loaded as it is"),
    ],
)
def test_a_script_or_a_style_changed_by_hand_is_found(ran, copy, file, old, new, named):
    suffix = "css" if "style" in named else "js"
    (path,) = (copy / "site/assets").glob(f"{file}.*.{suffix}")
    edit(path, old, new)
    (finding,) = findings(copy)
    assert finding.startswith(f"{copy}/site/{WIDGET}:1:1: verify: {named}")


def test_a_lesson_leads_to_its_widget_at_the_settings_it_names(ran, copy):
    page = copy / "site" / LESSON
    edit(page, "widget/index.html#last=10", "widget/index.html#last=11")
    (finding,) = findings(copy)
    assert "no preset of last leads to last=11" in finding
    edit(page, "widget/index.html#last=11", "#sums")
    assert f"{page}:1:1: verify: does not link to its widget; build the site again" in findings(
        copy
    )


def test_a_widget_s_page_that_is_missing_is_found(ran, copy):
    (copy / "site" / WIDGET).unlink()
    missing = f"{copy}/site/{WIDGET}:1:1: verify: the page is missing; build the site again"
    assert missing in findings(copy)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("It opens", "This page opens"),
        ("Last number", "The <em>last</em> number"),
        ('{"first": {"last": 10}, "most": 5050}', '{"most":5050,\n"first":{"last":10}}'),
        ('autocomplete="off"', 'autocomplete="off" class="h2" step="any"'),
        ("\n<p>", "\n\n\n   <p>"),
    ],
)
def test_other_words_on_an_interactive_page_are_no_finding(ran, copy, old, new):
    edit(copy / "site" / WIDGET, old, new)
    assert findings(copy) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("grows fast", "grows at a great pace"),
        ("<h1>", "<h1 class='big' title='a title'>"),
        ("Go deeper</h2>", "Go <em>deeper</em></h2>"),
        ("goes on", "goes on, as on 2026-10-20"),
        ("Code keeps its braces", "Code like <code>up_to</code> keeps them"),
        ("A line that bends", "A bent line that rises"),
        ("\n<p>", "\n\n\n   <p>"),
    ],
)
def test_other_words_are_no_finding(ran, copy, old, new):
    edit(copy / "site" / LESSON, old, new)
    assert findings(copy) == []


def test_a_finding_says_where_the_number_stands(ran, copy):
    page = copy / "site" / LESSON
    edit(page, "grows fast", "grows\n by <b>some\n &amp; 77</b>")
    text = page.read_text(encoding="utf-8").split("\n")
    line = next(number for number, words in enumerate(text, 1) if "77" in words)
    column = text[line - 1].index("77") + 1
    fix = "quote a fact, or list the name in vocabulary.toml"
    assert findings(copy) == [f'{page}:{line}:{column}: verify: "77" has no source; {fix}']


def test_all_findings_come_at_once(ran, copy):
    page = copy / "site" / LESSON
    for old, new in (("grows fast", "grows 3 times"), (">5.5</data>", ">5.6</data>")):
        edit(page, old, new)
    edit(copy / "site" / FRONT, "elsewhere", "elsewhere, in 8 places")
    found = "\n".join(findings(copy))
    assert all(number in found for number in ('"3"', '"5.6"', '"8"'))


def test_figures_in_each_other_s_place_are_found(ran, copy):
    page = copy / "site" / LESSON
    text = page.read_text(encoding="utf-8")
    one, other = drawing(text, "sums"), drawing(text, "means")
    swapped = text.replace(one, "<>").replace(other, one).replace("<>", other)
    page.write_text(swapped, encoding="utf-8")
    found = "\n".join(findings(copy))
    assert "figure sums has" in found and "figure means has" in found


def test_a_figure_that_is_gone_is_found(ran, copy):
    page = copy / "site" / LESSON
    text = page.read_text(encoding="utf-8")
    page.write_text(
        re.sub(r'<figure class="drawing" id="means">.*?</figure>', "", text, flags=re.S)
    )
    assert any("the figures are not those of lesson.md" in finding for finding in findings(copy))


def test_a_sentence_that_is_gone_is_found(ran, copy):
    edit(copy / "site" / LESSON, f" to {TEN}10</data> and", " and")
    assert any("lesson.md has last" in finding for finding in findings(copy))


@pytest.mark.parametrize(
    ("file", "old", "new", "named"),
    [
        ("code/counting.py", "LAST = 10", "LAST = 11", "last is 11, and its value here is 10"),
        ("code/counting.py", "result = 0", "result = 1", "1 to 10 is 55"),
        ("code/counting.py", "import sys", "import sys  # first", "in the download differs"),
        ("code/counting.py", "\n\nLAST", "\n\n\nLAST", "line 13"),
        ("facts.py", 'digits=1)\n    fact("growth', 'digits=2)\n    fact("growth', '"5.50"'),
        ("figures.py", "counted to", "counted up to", "counted up to"),
        ("lesson.md", "mean is {{ mean }}", "mean is {{ mean | digits(3) }}", '"5.500"'),
        ("lesson.md", '"add"]', '"then", "add"]', "steps"),
        ("../earlier/code/steps.py", "last + 1", "last + 2", "sum.ten is 66, and its value"),
        ("widget.py", "facts.sum.hundred", "facts.sum.ten", "the data is not what widget.py gives"),
        ("widget.py", '{"last": facts', '{"lst": facts', 'the widget has no setting "last"'),
        (
            "widget/counting.js",
            "result = 0",
            "result = 1",
            "total(1) is not the same in the script",
        ),
        (
            "widget/counting.js",
            "LAST = 10",
            "LAST = 11",
            "constants() is not the same in the script",
        ),
        ("widget/views.js", "gives", "makes", 'where the scripts draw "Adding up to 10 makes "'),
        ("widget/page.js", '"use strict"', "'use strict'", "the scripts are not counting.js"),
        ("widget/page.css", "2rem", "3rem", "the style sheet page.css is not loaded"),
        ("widget/page.html", "It opens at {{ last }}", "It opens", "where widget/page.html has"),
        ("widget/page.html", "up to {{ last }}", "up to {{ sum.ten }}", '"10" in title'),
        ("../course.toml", "number = 2", "number = 7", '"2" should be 7'),
        ("../sources.toml", "value = 1", "value = 4", "cite.euclid.unit is 4"),
        ("../vocabulary.toml", '"p50"', '"p99"', '"50" has no source'),
    ],
)
def test_content_changed_after_publishing_is_found(copy, file, old, new, named):
    edit(copy / "content/count-to-ten" / file, old, new)
    found = findings(copy)
    assert any(named in finding for finding in found), found


def test_pages_and_downloads_are_all_there_and_no_more(ran, copy):
    site = copy / "site"
    shutil.copy(site / LESSON, site / "more.html")
    shutil.copytree(site / "count-to-ten", site / "other")
    edit(site / FRONT, 'href="count-to-ten/index.html"', 'href="count/index.html"')
    found = "\n".join(findings(copy))
    assert f"{site}/more.html:1:1: verify: a page of no lesson" in found
    assert f"{site}/other/index.html:1:1: verify: a page of no lesson" in found
    assert "does not link to count-to-ten/index.html" in found
    assert "count/index.html is not there" in found


def test_a_page_that_is_missing_is_found(ran, copy):
    (copy / "site" / LESSON).unlink()
    missing = f"{copy}/site/{LESSON}:1:1: verify: the page is missing; build the site again"
    assert missing in findings(copy)


@pytest.mark.parametrize("change", ["drop", "add", "edit", "spoil"])
def test_a_download_that_is_not_the_programs_is_found(ran, copy, change):
    path = copy / "site/count-to-ten/count-to-ten-code.zip"
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    name = "earlier/code/steps.py"
    files |= {"drop": {}, "add": {"earlier/code/x.py": b""}, "edit": {name: b"x"}, "spoil": {}}[
        change
    ]
    if change == "drop":
        del files[name]
    with zipfile.ZipFile(path, "w") as archive:
        for member, content in files.items():
            archive.writestr(member, content)
    if change == "spoil":
        path.write_bytes(b"no zip")
    found = findings(copy)
    assert len(found) == 1 and found[0].startswith(f"{path}:1:1: verify: ")


PROOFS = {
    "a digest": ('steps.py": "', 'steps.py": "0', "is another file"),
    "a file": ("earlier/code/steps.py", "earlier/code/stops.py", "stops.py is not there"),
    "a value": ('"value": 5.5', '"value": 5.6', "mean is (5.5"),
    "a fact": ('"sum.hundred": {', '"sum.million": {', "sum.million is no fact"),
    "a number": ('"text": "5.5"', '"text": "5.6"', '"5.6" is listed'),
    "a place": ('"line": 14,\n     "col": 13', '"line": 15,\n     "col": 13', "15:13 of lesson.md"),
    "an expression": ('"expression": "mean"', '"expression": "last"', "other expressions"),
    "a count": ('"structural": 2', '"structural": 3', "not 3"),
    "a figure": ('"sha256": "', '"sha256": "0', "is drawn differently"),
    "a count of calls": ('"total": 29', '"total": 28', "the parity of count-to-ten is not"),
    "a count of values": ('"values": 30', '"values": 31', "the parity of count-to-ten is not"),
    "a function": ('"constants": 1', '"constant": 1', "the parity of count-to-ten is not"),
    "a difference": (
        '"differences": {}',
        '"differences": {"total": ["total(1)"]}',
        "the parity of count-to-ten is not",
    ),
    "a script": ('"counting.js": "', '"counting.js": "0', "counting.js is another script"),
    "the name of a script": ('"views.js": "', '"view.js": "', "the scripts of count-to-ten are"),
    "the digest of a script": ('widget/views.js": "', 'widget/views.js": "0', "is another file"),
    "a number of the widget": ('"text": "Go to 10"', '"text": "Go to 11"', '"Go to 11" is listed'),
    "an expression of the widget": ('"live(', '"love(', "lists other expressions than"),
    "the widget as a whole": ('"widget": {', '"gadget": {', "cannot be read"),
    "a lesson": ('"count-to-ten": {', '"count-to-two": {', "the lessons are"),
    "its form": ('"digests"', '"digest"', "cannot be read"),
    "its end": ("\n}\n", "\n", "cannot be read"),
}


@pytest.mark.parametrize(("old", "new", "named"), PROOFS.values(), ids=PROOFS)
def test_a_list_of_numbers_that_is_not_true_is_found(ran, published, copy, old, new, named):
    shutil.copy(published / "site" / PROOF, copy / "site" / PROOF)
    edit(copy / "site" / PROOF, old, new)
    found = findings(copy)
    assert any(named in finding for finding in found), found
    assert all(finding.startswith(str(copy / "site" / PROOF)) for finding in found)


def test_a_number_that_the_list_lacks_is_found(ran, published, copy):
    proof = json.loads((published / "site" / PROOF).read_text(encoding="utf-8"))
    rows = proof["lessons"]["count-to-ten"]["numbers"]
    rows[:] = [row for row in rows if row["expression"] != "mean"]
    (copy / "site" / PROOF).write_text(json.dumps(proof), encoding="utf-8")
    assert any('does not list "5.5"' in finding for finding in findings(copy))


def test_the_command_says_clean_or_what_is_wrong(copy, capsys):
    command = ["verify", str(copy / "site"), "--content", str(copy / "content")]
    assert main(command) == 0
    assert capsys.readouterr().out == "clean\n"
    edit(copy / "site" / LESSON, "grows fast", "grows 3 times")
    assert main(command) == 1
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.endswith("\n1 finding\n")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("facts.py", 'fact("parts", 2)', 'fact("parts", 1 // 0)'),
        ("figures.py", "return figure", "return figures"),
        ("code/counting.py", 'print("-- the mean")', "raise SystemExit(3)"),
        ("widget.py", 'return {"LAST": LAST}', "return {[]: LAST}"),
    ],
)
def test_a_program_that_fails_is_exit_code_3(copy, capsys, file, old, new):
    edit(copy / "content/count-to-ten" / file, old, new)
    assert main(["verify", str(copy / "site"), "--content", str(copy / "content")]) == 3
    assert f"{copy}/content/count-to-ten/{file}:1:1: verify: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("counting.js", "let result = 0;", "throw 1;", ":5: 1"),
        (
            "counting.js",
            "let result = 0;",
            "let result = ;",
            ":5: SyntaxError: Unexpected token ';'",
        ),
        ("views.js", "first_shown", "shown_first", ": ReferenceError: first_shown is not defined"),
        ("views.js", "", "", "No such file or directory"),
    ],
)
def test_a_script_that_fails_is_exit_code_3(copy, capsys, file, old, new, said):
    path = copy / "content/count-to-ten/widget" / file
    edit(path, old, new) if old else path.unlink()
    assert main(["verify", str(copy / "site"), "--content", str(copy / "content")]) == 3
    told = [line for line in capsys.readouterr().err.split("\n") if "mend the program" in line]
    assert len(told) == 1 and said in told[0]
    assert told[0].startswith(f"{copy}/content/count-to-ten/widget:1:1: verify: ")


def test_folders_that_are_not_there_are_usage(copy, capsys):
    assert main(["verify", str(copy / "nowhere"), "--content", str(copy / "content")]) == 2
    assert main(["verify", str(copy / "site"), "--content", str(copy / "nowhere")]) == 2
    assert "DIR is not a folder" in capsys.readouterr().err


def test_content_that_cannot_be_read_is_a_finding(copy):
    edit(copy / "content/course.toml", "[[lessons]]", "[[lessons]")
    assert ["cannot be read" in finding for finding in findings(copy)] == [True]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_the_second_reader_shares_nothing_with_the_engine(path):
    lesson_code_needs = {"engine.figures"} if path.stem == "child" else set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [node.module] if isinstance(node, ast.ImportFrom) else []
        names += [name.name for name in node.names] if isinstance(node, ast.Import) else []
        for name in set(names) - lesson_code_needs:
            assert not name.startswith("engine") or name.startswith("engine.verify"), name


def test_the_second_reader_loads_nothing_of_the_engine():
    code = "import sys, engine.verify; print(*(n for n in sys.modules if n.startswith('engine.')))"
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    assert all(name.startswith("engine.verify") for name in ended.stdout.split())
    assert "html.parser" not in ended.stdout


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("3.49 s, then 1,024.", ["3.49", "1,024"]),
        ("a ½ and Ⅷ, x² or 七", ["½", "Ⅷ", "²", "七"]),
        ("on 2026-10-20 at 10:30", ["2026", "10", "20", "10:30"]),
        ("٣٤ p99 .5", ["٣٤", "99", "5"]),
        ("none", []),
    ],
)
def test_every_numeric_character_is_in_a_number(text, numbers):
    assert in_order(text) == numbers


def test_names_count_only_where_they_stand_alone():
    blank = without_names("p50, xp50, p501, .p50 (p50) 2026-10-20", ["p50"], [r"\d{4}-\d\d-\d\d"])
    assert in_order(blank) == ["50", "501", "50"]


@given(st.floats(allow_nan=False, allow_infinity=False, width=32), st.integers(0, 12))
def test_a_printed_number_is_the_nearest_and_ties_are_even(value, digits):
    text = decimal_text(value, digits)
    printed, exact = Fraction(text.replace(",", "")), Fraction(value)
    half = Fraction(1, 2 * 10**digits)
    assert abs(printed - exact) <= half
    if abs(printed - exact) == half:
        assert (printed * 10**digits) % 2 == 0
    assert len(text.partition(".")[2]) == digits


@pytest.mark.parametrize(
    ("value", "unit", "digits", "filters", "shown"),
    [
        (1234.5, "s", 0, "", "1,234\u00a0s"),
        (2.5, "%", 0, "", "2%"),
        (-0.001, "", 2, "", "0.00"),
        (2**53 + 1, "", 0, "", "9,007,199,254,740,993"),
        (3, "pages", 0, "| words | capital", "Three"),
        (83.9, "", 1, "| about", "about 80"),
        (83.9, "ms", 1, "| about(2)", "about 84\u00a0ms"),
        (0.0416, "s", 3, "| about(1)", "about 0.04\u00a0s"),
        (0.0416, "s", 3, "| bare | digits(4)", "0.0416"),
        ("section 4.3", "", 0, "", "section 4.3"),
    ],
)
def test_a_fact_is_said_as_lesson_md_asks(value, unit, digits, filters, shown):
    assert said(Fact("a", value, unit, digits, ""), filters) == shown


@pytest.mark.parametrize(
    ("value", "filters"),
    [(1.4, "| about"), (21, "| words"), (2.5, "| words"), (True, ""), (1, "| x")],
)
def test_what_cannot_be_said_is_refused(value, filters):
    with pytest.raises(Unsaid):
        said(Fact("a", value, "", 0, ""), filters)


def test_each_text_knows_its_place_in_the_file():
    source = (
        "<!doctype html><title>t</title>\n<p>one &amp; two<br>three\n<svg><text>four</text></svg>"
    )
    page = Page("a.html", source)
    for word in ("one", "two", "three", "four"):
        text = next(text for text in page.root.texts() if word in text.text)
        assert text.offset(text.text.index(word)) == source.index(word)
    assert [page.source[node.offset] for node in page.root.find("p", "br", "text")] == ["<"] * 3


@pytest.mark.slow
def test_the_real_site_is_clean(real_site, tmp_path):
    for name, content in real_site.files.items():
        path = tmp_path / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    found, failed = verify(tmp_path / "site", PROJECT / "content")
    assert [str(finding) for finding in found] == [] and not failed
