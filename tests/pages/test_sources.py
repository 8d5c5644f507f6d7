""" "Show sources": by keyboard, pointer and touch each number says what it is and where it is from."""

import pytest

from tests.pages.conftest import PATHS

pytestmark = pytest.mark.xdist_group("pages")
LESSON = PATHS[1]
HEADLINE = 'article data[data-from^="heavy.ttft_p99,"]'


def told(page):
    """What the panel says: label -> text."""
    rows = page.evaluate("""() => [...document.querySelectorAll("#source dt")].map((term) =>
        [term.textContent, term.nextElementSibling.textContent.replace(/\\u00a0/g, " ")])""")
    return dict(rows)


def test_a_number_tells_its_chain(open_page, address):
    page = open_page(address + LESSON)
    assert page.locator("#source").is_hidden()
    page.get_by_role("button", name="Show sources").click()
    page.locator(HEADLINE).first.hover()
    said = told(page)
    assert said["shown"] == "3.49 s" and said["fact"] == "heavy.ttft_p99"
    assert said["kind"].startswith("computed") and said["unrounded"].startswith("3.4918909")
    assert said["measured at"].startswith("build-a-tiny-model-server/code/show_numbers.py:")
    count = page.locator('main data[data-from^="heavy.ttft_p99,"]').count()
    assert said["on this page"] == f"{count} times"


def test_kinds_are_told_apart_and_all_are_marked(open_page, address):
    page = open_page(address + LESSON)
    page.get_by_role("button", name="Show sources").click()
    styles = page.evaluate("""() => Object.fromEntries([...document.querySelectorAll("article data")].map(
        (number) => [number.dataset.kind, getComputedStyle(number).textDecorationStyle]))""")
    assert styles == {"computed": "dotted", "cited": "solid", "structural": "double"}


def test_the_keyboard_goes_from_number_to_number_and_back_out(open_page, address):
    page = open_page(address + LESSON)
    button = page.get_by_role("button", name="Show sources")
    button.focus()
    page.keyboard.press("Enter")
    assert button.get_attribute("aria-pressed") == "true"
    page.locator("article data").first.focus()
    assert told(page)["fact"] == "program.lines"
    page.keyboard.press("Tab")
    assert told(page)["shown"] != ""
    page.keyboard.press("Escape")
    assert page.locator("#source").is_hidden()
    assert page.evaluate("document.activeElement.id") == "sources"
    assert page.locator("data[tabindex]").count() == 0


def test_a_tap_tells_too(browser, address):
    page = browser.new_page(has_touch=True, viewport={"width": 360, "height": 740})
    page.goto(address + LESSON)
    page.get_by_role("button", name="Show sources").tap()
    page.locator(HEADLINE).first.tap()
    assert told(page)["fact"] == "heavy.ttft_p99"
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.close()


def test_without_scripts_the_same_stands_in_a_table(browser, address):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(address + LESSON)
    assert page.locator("#sources").is_hidden()
    page.get_by_text("Every fact, unrounded").click()
    row = page.locator(".origins tr", has_text="heavy.ttft_p99").first
    assert row.locator("td").first.inner_text() == "3.49\u00a0s"
    assert "show_numbers.py:" in row.inner_text()
    shown = set(
        page.evaluate("""() => [...document.querySelectorAll('article data[data-kind="computed"]')]
        .map((number) => number.dataset.from.split(", ")[0])""")
    )
    listed = set(page.locator(".origins th[scope=row]").all_inner_texts())
    assert shown <= listed
    page.context.close()
