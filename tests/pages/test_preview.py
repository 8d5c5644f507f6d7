"""The preview as a browser shows it: news of edits, the overlay, marks, where the reader was."""

import shutil
from pathlib import Path

import pytest

from tests.pages.conftest import PROJECT
from tests.serving import Served

pytestmark = pytest.mark.xdist_group("preview")
PAGE = "count-to-ten/"


class Project:
    """A copy of the small course, and what a writer does to it."""

    def __init__(self, folder: Path):
        shutil.copytree(PROJECT / "tests/course/content", folder / "content")
        shutil.copytree(PROJECT / "templates", folder / "templates")
        self.folder = folder
        self.lesson = folder / "content/count-to-ten/lesson.md"
        self.text = self.lesson.read_text(encoding="utf-8")
        filler = "\n\n".join(["Some words to scroll over."] * 80)
        self.text = self.text.replace("## Go deeper", f"{filler}\n\n## Go deeper")
        self.lesson.write_text(self.text, encoding="utf-8")

    def write(self, text: str) -> None:
        """Add to the lesson's end; what was added before goes."""
        self.lesson.write_text(f"{self.text}\n{text}\n", encoding="utf-8")

    def replace(self, name: str, old: str, new: str) -> None:
        path = self.folder / "content" / name
        path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path / "project")


@pytest.fixture
def served(project):
    with Served(project.folder) as served:
        yield served


@pytest.fixture
def open_tab(browser, served):
    """Opens the lesson in a tab of its own."""
    contexts = []

    def open_tab(path=PAGE):
        contexts.append(browser.new_context(viewport={"width": 1000, "height": 700}))
        page = contexts[-1].new_page()
        page.goto(served.address + path)
        return page

    yield open_tab
    for context in contexts:
        context.close()


def overlay(page):
    return page.locator("lesson-preview #wrong")


def sees(page, text):
    page.get_by_text(text).first.wait_for(state="attached")


def test_an_edit_reloads_every_tab_at_the_same_place(open_tab, project):
    tabs = [open_tab(), open_tab(), open_tab("count-to-ten/widget/")]
    tabs[0].evaluate("scrollTo(0, 900)")
    tabs[0].evaluate("document.querySelector('details').open = true")
    project.write("And on it goes.")
    for page in tabs[:2]:
        sees(page, "And on it goes.")
    tabs[0].wait_for_function("scrollY === 900 && document.querySelector('details').open")
    tabs[1].wait_for_function("scrollY === 0 && !document.querySelector('details').open")
    tabs[2].wait_for_function("document.querySelector('script[data-build=\"2\"]')")
    assert overlay(tabs[0]).is_hidden()


def test_the_overlay_comes_above_the_last_good_page_and_goes_by_itself(open_tab, project, served):
    page = open_tab()
    project.write("It is 55.\n\nAnd <b>this</b>.")
    overlay(page).wait_for(state="visible")
    assert overlay(page).get_by_role("listitem").count() == 3
    first = overlay(page).get_by_role("listitem").first
    line = project.text.count("\n") + 2
    place = f"content/count-to-ten/lesson.md:{line}:7"
    assert first.get_by_role("link", name=place).get_attribute("href") == (
        f"vscode://file{project.lesson}:{line}:7"
    )
    for said in ("bare-number", '"55" has no source; it equals a fact', "write {{ sum.ten }}"):
        assert said in first.inner_text()
    assert first.locator("pre").inner_text() == "It is 55."
    assert first.locator("mark").inner_text() == "5"
    assert page.get_by_text("It is 55.", exact=True).count() == 1, "the page is the last good one"
    assert overlay(page).locator("li b:not(.rule)").count() == 0, "a finding is text"
    again = open_tab()  # a tab that comes later sees the same
    overlay(again).wait_for(state="visible")
    page.evaluate("window.mine = true")
    project.lesson.write_text(project.text, encoding="utf-8")
    overlay(page).wait_for(state="hidden")
    overlay(again).wait_for(state="hidden")
    assert page.evaluate("window.mine"), "the same site needs no reload"


def test_the_overlay_folds_and_opens_for_other_findings(open_tab, project):
    page = open_tab()
    project.write("It is 55.")
    overlay(page).wait_for(state="visible")
    page.keyboard.press("Escape")
    assert overlay(page).get_by_role("listitem").count() == 0
    project.write("It is 66.")
    overlay(page).get_by_role("listitem").first.wait_for()
    assert '"66" has no source' in overlay(page).inner_text()


def test_numbers_that_changed_are_marked_for_a_moment(open_tab, project):
    page = open_tab()
    page.clock.install()
    project.replace("count-to-ten/code/counting.py", "LAST = 10", "LAST = 9")
    project.replace("count-to-ten/widget/counting.js", "LAST = 10", "LAST = 9")
    sum_of_ten = page.locator("article strong data").first
    page.wait_for_function("document.querySelector('article strong data').textContent === '45'")
    page.wait_for_function(
        "document.querySelector('article strong data').dataset.previewWas === '55 → 45'"
    )
    assert "sum.ten: 55 → 45" in page.locator("lesson-preview #moved").inner_text()
    assert page.locator(".drawing text.lesson-preview-changed").count() > 0
    assert page.locator("pre.lesson-preview-changed").count() == 1
    review = page.locator("lesson-preview #review")
    review.get_by_text("changes to review").click()
    assert "sum.ten" in review.inner_text() and '"55" → "45"' in review.inner_text()
    assert overlay(page).is_hidden(), "what moved is to be read, and no error"
    page.clock.run_for(7000)
    assert page.locator(".lesson-preview-changed").count() == 0
    assert sum_of_ten.get_attribute("data-preview-was") is None


def test_a_tab_that_slept_gets_what_it_missed(open_tab, project, served):
    page = open_tab()
    hide = "Object.defineProperty(document, 'hidden', { value: %s, configurable: true });"
    tell = "dispatchEvent(new Event('visibilitychange'))"
    page.evaluate(hide % "true" + tell)
    project.write("While you slept.")
    served.until(lambda state: state["build"] == 2)
    assert page.get_by_text("While you slept.").count() == 0
    page.evaluate(hide % "false" + tell)
    sees(page, "While you slept.")


def test_a_server_that_was_started_again_is_noticed(open_tab, project, served):
    page = open_tab()
    served.end()
    page.get_by_text("the preview has stopped").wait_for()
    project.write("Said in between.")
    with Served(project.folder, port=served.port):
        sees(page, "Said in between.")
        project.write("Said after.")
        sees(page, "Said after.")


def test_without_a_good_build_there_are_just_the_findings(open_tab, project, served):
    served.end()
    project.write("It is 55.")
    with Served(project.folder, port=served.port):
        page = open_tab()
        assert "bare-number" in page.locator("body > pre").inner_text()
        overlay(page).wait_for(state="visible")
        project.write("It goes on.")
        sees(page, "It goes on.")


def test_a_page_that_goes_away_comes_back(open_tab, project):
    page = open_tab()
    folder = project.folder / "content"
    kept = (folder / "course.toml").read_text()
    (folder / "count-to-ten").rename(folder / "count-on")
    (folder / "course.toml").write_text(kept.replace("count-to-ten", "count-on"))
    sees(page, "No such page")
    (folder / "count-on").rename(folder / "count-to-ten")
    (folder / "course.toml").write_text(kept)
    sees(page, "A lesson in two parts")


def test_the_parts_of_the_preview_are_not_printed_and_have_no_axe_findings(open_tab, project):
    from axe_playwright_python.sync_playwright import Axe

    page = open_tab()
    project.write("It is 55.")
    overlay(page).wait_for(state="visible")
    found = Axe().run(page).response["violations"]
    assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found] == []
    page.emulate_media(media="print")
    assert overlay(page).is_hidden()


def test_a_number_tells_its_fact_and_opens_the_line_that_measured_it(open_tab, project):
    page = open_tab()
    number = page.locator('article data[data-from^="sum.ten,"]').first
    number.hover()
    told = page.locator("lesson-preview #about span").all_inner_texts()
    assert told[0] == "computed: sum.ten" and told[1].startswith("55 unrounded")
    assert told[2] == "measured at count-to-ten/facts.py:8"
    page.evaluate("""() => {
        window.opened = [];
        const note = (link) => { opened.push(link.href); };
        HTMLAnchorElement.prototype.click = function () { note(this); };
    }""")
    number.click()
    number.focus()
    page.keyboard.press("Enter")
    place = f"vscode://file{project.folder}/content/count-to-ten/facts.py:8:1"
    assert page.evaluate("opened") == [place, place]
    page.locator("h1").hover()
    assert page.locator("lesson-preview #about").is_hidden()
