"""The interactive page in Chromium: every control and preset, its address, a log, for everyone."""

import json
import runpy
from types import SimpleNamespace

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.pages.conftest import LESSON, PATHS, PROJECT

pytestmark = pytest.mark.xdist_group("widget")
PAGE = PATHS[2]
FOLDER = PROJECT / "content" / LESSON
HEAVY = {"rate": 40, "pages": 240, "limit": 16, "order": 0}
LOG = """TIMESTAMP,ContextTokens,GeneratedTokens
2023-11-16 18:15:46.6805900,374,44
2023-11-16 18:15:46.9951690,396,109
2023-11-16 18:15:47.1000000,many,10
2023-11-16 18:15:47.2000000,100,0
2023-11-16 18:15:47.3000000,879,55
"""


@pytest.fixture(scope="module")
def python():
    """The functions of widget.py."""
    return SimpleNamespace(**runpy.run_path(str(FOLDER / "widget.py"), run_name="widget"))


def words(locator):
    return " ".join(locator.inner_text().split())


def controls(page):
    """The settings that the controls show."""
    shown = {name: float(page.input_value(f"#{name}")) for name in HEAVY}
    sliders = {
        name: float(page.input_value(f"#{name}_slider")) for name in ("rate", "pages", "limit")
    }
    spoken = page.get_attribute("#pages_slider", "aria-valuetext")
    assert sliders == {name: shown[name] for name in sliders}
    assert spoken.split()[0].replace(",", "") == f"{shown['pages']:g}"
    return shown


def says(page, python, **settings):
    """The page says of these settings, in its controls and its text, what Python says."""
    settings = {**HEAVY, **settings}
    summary = python.summary(**settings)
    page.wait_for_function(
        "(text) => document.querySelector('.says').innerText.replace(/\\s+/g, ' ') === text",
        arg=" ".join(summary["sentence"].split()),
    )
    assert controls(page) == settings
    numbers = words(page.locator(".numbers"))
    assert python.in_seconds(summary["ttft_p50"]).replace("\u00a0", " ") in numbers
    assert f"{python.format_number(1000 * summary['tbt_p99'], 1)} ms" in numbers
    assert f"{summary['queue_max']:,}" in numbers
    given = words(page.locator(".given"))
    assert f"{settings['pages']:,} pages" in given and f"at most {settings['limit']} chats" in given
    walls = {
        "none": "No wall",
        "cache": "The memory wall: cache",
        "batch": "The batch wall: batch limit",
        "both": "The memory wall and the batch wall",
    }
    assert words(page.locator(".wall-name")) == walls[summary["wall"]]


def test_it_opens_on_the_heavy_run(open_page, address, python):
    page = open_page(address + PAGE)
    says(page, python)
    assert page.evaluate("location.hash") == ""


def test_it_says_the_same_without_scripts(open_page, address, browser):
    live = open_page(address + PAGE)
    static = browser.new_context(java_script_enabled=False).new_page()
    static.goto(address + PAGE)
    for view in ("sentence", "result", "over_time", "against_rate"):
        place = f"[data-view={view}]"
        assert words(live.locator(place)) == words(static.locator(place))
        assert live.locator(place).inner_html() == static.locator(place).inner_html()
    assert not static.locator("#controls").is_visible()
    assert "JavaScript" in words(static.locator("noscript"))
    static.locator("details.data summary").first.click()
    assert static.locator("details.data table").first.locator("tr").count() > 50
    static.context.close()


@pytest.mark.parametrize(
    ("name", "key", "value"), [("rate", "ArrowLeft", 39), ("limit", "ArrowRight", 17)]
)
def test_sliders_follow_the_keyboard(open_page, address, python, name, key, value):
    page = open_page(address + PAGE)
    page.focus(f"#{name}_slider")
    page.keyboard.press(key)
    says(page, python, **{name: value})
    assert page.evaluate("location.hash") == f"#{name}={value}"


def test_a_slider_is_dragged(open_page, address, python):
    page = open_page(address + PAGE)
    box = page.locator("#pages_slider").bounding_box()
    middle = box["y"] + box["height"] / 2
    start = box["x"] + box["width"] * 0.2
    page.mouse.move(start, middle)
    page.mouse.down()
    for step in range(1, 6):
        page.mouse.move(start + box["width"] * 0.1 * step, middle)
    page.mouse.up()
    pages = int(page.input_value("#pages"))
    assert pages > 400
    says(page, python, pages=pages)
    page.go_back()  # one drag is one step back, however many values it passed
    says(page, python)


@pytest.mark.parametrize(("name", "value"), [("rate", 12.5), ("pages", 245), ("limit", 24)])
def test_number_boxes_take_what_a_slider_may_not_hit(open_page, address, python, name, value):
    page = open_page(address + PAGE)
    page.fill(f"#{name}", str(value))
    page.wait_for_function(f"document.querySelector('.given').innerText.includes('{value}')")
    summary = python.summary(**{**HEAVY, name: value})
    assert words(page.locator(".says")) == " ".join(summary["sentence"].split())


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("rate", ""),
        ("rate", "0"),
        ("pages", "5"),
        ("pages", "240.5"),
        ("limit", "-1"),
        ("limit", "1e9"),
    ],
)
def test_what_is_no_setting_is_told_and_changes_nothing(open_page, address, name, typed):
    page = open_page(address + PAGE)
    before = words(page.locator(".says"))
    page.fill(f"#{name}", typed)
    box = page.locator(f"#{name}")
    assert box.get_attribute("aria-invalid") == "true"
    message = page.locator(f"#{box.get_attribute('aria-describedby')}")
    assert message.is_visible() and "from" in words(message) and "to" in words(message)
    assert words(page.locator(".says")) == before
    page.fill(f"#{name}", str(HEAVY[name]))
    assert box.get_attribute("aria-invalid") is None and not message.is_visible()


def test_all_orders_can_be_chosen(open_page, address, python):
    page = open_page(address + PAGE)
    page.get_by_text("More settings").click()
    assert page.locator("#order option").count() == 6
    for order in range(6):
        page.select_option("#order", str(order))
        says(page, python, order=order)


def test_reset_leads_back_to_the_heavy_run(open_page, address, python):
    page = open_page(f"{address}{PAGE}#rate=10&pages=480&limit=24&order=3")
    says(page, python, rate=10, pages=480, limit=24, order=3)
    page.get_by_role("button", name="Reset").click()
    says(page, python)
    assert page.evaluate("location.hash") == ""


def test_the_link_holds_the_settings(open_page, address, python):
    page = open_page(address + PAGE)
    page.fill("#pages", "480")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Copy link").click()
    page.wait_for_function("document.getElementById('copied').textContent !== ''")
    link = page.input_value("#link")
    assert link == f"{address}{PAGE}#pages=480"
    says(open_page(link), python, pages=480)


def test_back_forward_and_reload_show_what_the_controls_show(open_page, address, python):
    page = open_page(address + PAGE)
    page.fill("#rate", "10")
    page.keyboard.press("Enter")
    page.fill("#pages", "480")
    page.keyboard.press("Enter")
    says(page, python, rate=10, pages=480)
    page.go_back()
    says(page, python, rate=10)
    page.go_back()
    says(page, python)
    page.go_forward()
    says(page, python, rate=10)
    page.reload()
    says(page, python, rate=10)
    page.goto(f"{address}{LESSON}/index.html")
    page.go_back()
    says(page, python, rate=10)


@pytest.mark.parametrize(
    "fragment", ["rate=abc", "rate=-4&pages=1e99", "x=1", "pages=", "rate=1000", "order=17", "%"]
)
def test_an_address_that_asks_for_what_there_is_not_opens_the_heavy_run(
    open_page, address, python, fragment
):
    says(open_page(f"{address}{PAGE}#{fragment}"), python)


def test_the_skip_link_keeps_the_settings(open_page, address, python):
    page = open_page(f"{address}{PAGE}#pages=480")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#content"
    says(page, python, pages=480)


def test_every_preset_of_the_lesson_opens_its_settings(open_page, address, python):
    lesson = open_page(f"{address}{LESSON}/index.html")
    presets = lesson.evaluate(
        "[...document.querySelectorAll('a[href*=\"widget/index.html\"]')].map((a) => a.href)"
    )
    assert len(presets) >= 6
    for preset in presets:
        settings = dict(part.split("=") for part in preset.partition("#")[2].split("&") if part)
        says(open_page(preset), python, **{name: int(value) for name, value in settings.items()})


def test_it_works_from_disk(browser, site, python):
    page = browser.new_page()
    page.goto(f"file://{site}/{PAGE}#pages=480")
    says(page, python, pages=480)
    page.fill("#rate", "10")
    page.keyboard.press("Enter")
    says(page, python, pages=480, rate=10)
    page.go_back()
    says(page, python, pages=480)
    page.close()


@pytest.mark.slow
def test_chromium_computes_what_python_computes(open_page, address, python):
    page = open_page(address + PAGE)
    for name, cases in python.PARITY.items():
        given = page.evaluate(
            f"(cases) => JSON.stringify(cases.map((given) => {name}(...given)))", cases
        )
        expected = [getattr(python, name)(*case) for case in cases]
        assert json.loads(given) == json.loads(json.dumps(expected))


def test_the_result_is_told_once_when_the_input_has_settled(open_page, address):
    page = open_page(address + PAGE)
    page.evaluate("""() => {
        window.told = [];
        const watch = () => told.push(document.getElementById("announcer").textContent);
        new MutationObserver(watch).observe(document.getElementById("announcer"), { childList: true });
    }""")
    page.focus("#limit_slider")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("told.length > 0")
    page.wait_for_timeout(300)
    [told] = page.evaluate("told")
    assert " ".join(told.split()) == words(page.locator(".says"))
    assert page.locator("[aria-live], [role=status], [role=alert], output").count() == 1


def test_tables_hold_what_the_charts_draw(open_page, address, python):
    page = open_page(f"{address}{PAGE}#rate=12")
    says(page, python, rate=12)
    for summary in page.locator("details.data summary").all():
        summary.click()
    page.wait_for_selector("[data-view=against_rate_table] tbody tr")
    rows = page.locator("[data-view=against_rate_table] tbody tr").all()
    shown = {cells[0]: cells[1] for cells in (row.inner_text().split("\t") for row in rows)}
    for rate in (10, 12, 40, 60):
        wait = python.summary(**{**HEAVY, "rate": rate})["ttft_p99"]
        assert shown[str(rate)] == python.in_seconds(wait)
    steps = python.steps(**{**HEAVY, "rate": 12})["steps"]
    first = page.locator("[data-view=over_time_table] tbody tr").first.inner_text().split("\t")
    assert first[3:7] == [str(steps[0][name]) for name in ("chats", "joined", "queue", "held")]


def open_log(page, text, name="my log.csv"):
    file = {"name": name, "mimeType": "text/csv", "buffer": text.encode()}
    page.set_input_files("#file", file)


def test_a_log_is_read_with_its_wrong_rows_told(open_page, address, python):
    page = open_page(address + PAGE)
    open_log(page, LOG)
    page.wait_for_selector("#log_says li")
    told = [words(item) for item in page.locator("#log_says li").all()]
    assert len(told) == 2
    assert told[0].startswith("line 4") and "many" in told[0]
    assert told[1].startswith("line 5")
    page.wait_for_function("document.querySelector('.given').innerText.includes('my log.csv')")
    assert page.is_disabled("#order")
    page.get_by_role("button", name="Back to the lesson").first.click()
    says(page, python)


@pytest.mark.parametrize(
    "text", ["", "a,b\n1,2\n", "arrival,prompt,reply\n", "\0\1\2", "arrival,prompt,reply\n0,5,5\n"]
)
def test_a_file_that_is_no_log_leaves_all_as_it_is(open_page, address, python, text):
    page = open_page(address + PAGE)
    open_log(page, text)
    page.wait_for_selector("#log_says li")
    says(page, python)


def test_names_and_lines_of_a_log_are_text(open_page, address):
    page = open_page(address + PAGE)
    evil = '<img src=x onerror="document.title=1">'
    open_log(
        page, LOG.replace("many", f'"{evil.replace(chr(34), chr(34) * 2)}"'), f"{evil[:-1]}.csv"
    )
    page.wait_for_selector("#log_says li")
    assert page.locator("#log_says img, .given img").count() == 0
    assert "<img" in words(page.locator("#log_says"))


def test_a_long_log_leaves_the_page_at_hand(open_page, address, python):
    page = open_page(address + PAGE)
    rows = "".join(f"{0.05 * row:.2f},{100 + row % 900},{1 + row % 300}\n" for row in range(20_000))
    open_log(page, f"arrival,prompt,reply\n{rows}", "long.csv")
    page.wait_for_selector("#serving:not([hidden])")
    page.get_by_role("button", name="Back to the lesson").first.click()  # while it is served
    says(page, python)
    open_log(page, f"arrival,prompt,reply\n{rows}", "long.csv")
    page.wait_for_function(
        "document.querySelector('.given').innerText.includes('long.csv')", timeout=60_000
    )
    assert "20,000" in words(page.locator("#log_says"))


def axe_finds_nothing(page):
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


STATES = {
    "at first": "",
    "no wall": "#rate=2",
    "all walls": "#pages=480&limit=24",
    "an extreme": "#rate=60&pages=960&limit=64&order=5",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing(open_page, address, scheme, state):
    page = open_page(f"{address}{PAGE}{STATES[state]}", color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
    page.wait_for_selector("[data-view=against_rate]:not(.stale)")
    axe_finds_nothing(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_when_something_is_wrong(open_page, address, scheme):
    page = open_page(address + PAGE, color_scheme=scheme)
    page.fill("#pages", "5")
    open_log(page, LOG)
    page.wait_for_selector("#log_says li")
    page.get_by_role("button", name="Next step").click()
    page.fill("#limit", "0")
    axe_finds_nothing(page)


@pytest.mark.parametrize("path", PATHS[:2])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_other_pages(open_page, address, path, scheme):
    axe_finds_nothing(open_page(address + path, color_scheme=scheme))


SCENE = "document.querySelector('.kitchen-scene').innerHTML"


def changed(page, before):
    """The kitchen, once it is another than before."""
    page.wait_for_function(f"(before) => {SCENE} !== before", arg=before)
    page.wait_for_timeout(100)  # for a frame that is under way
    return page.evaluate(SCENE)


def test_the_kitchen_is_still_until_it_is_played(open_page, address):
    page = open_page(address + PAGE)
    before = page.evaluate(SCENE)
    page.wait_for_timeout(300)
    assert page.evaluate(SCENE) == before
    page.get_by_role("button", name="Next step").click()
    before = changed(page, before)
    page.get_by_role("button", name="Play").click()
    changed(page, before)
    page.get_by_role("button", name="Pause").click()
    page.wait_for_timeout(100)
    before = page.evaluate(SCENE)
    page.wait_for_timeout(300)
    assert page.evaluate(SCENE) == before


def test_less_motion_means_step_by_step(open_page, address):
    page = open_page(address + PAGE, reduced_motion="reduce")
    assert not page.get_by_role("button", name="Play").is_visible()
    before = page.evaluate(SCENE)
    page.get_by_role("button", name="Next step").click()
    changed(page, before)


def test_it_can_be_used_at_twice_the_size_and_with_forced_colours(open_page, address, python):
    page = open_page(address + PAGE, viewport={"width": 640, "height": 800}, forced_colors="active")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
    page.fill("#pages", "480")
    page.keyboard.press("Enter")
    says(page, python, pages=480)


def test_on_paper_there_are_results_and_no_controls(open_page, address):
    page = open_page(address + PAGE)
    page.emulate_media(media="print")
    assert not page.locator("#controls").is_visible()
    assert page.locator(".says").is_visible() and page.locator(".numbers").is_visible()


POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:"


@pytest.mark.parametrize("path", PATHS)
def test_a_strict_policy_is_kept(open_page, address, path):
    def with_policy(route):
        response = route.fetch()
        headers = {**response.headers, "content-security-policy": POLICY}
        route.fulfill(response=response, headers=headers)

    page = open_page("about:blank")
    page.route("**/*", with_policy)
    page.goto(address + path)  # what it forbids is told on the console, which open_page watches
    assert page.locator("h1").is_visible()
