"""The pages as Chromium shows them: narrow and wide, light and dark, by keyboard, on paper."""

import pytest

from tests.pages.conftest import LESSON, PATHS

pytestmark = pytest.mark.xdist_group("pages")
SCHEMES, WIDTHS = ("light", "dark"), (320, 360, 768, 1280)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_never_scrolls_sideways(open_page, address, path, scheme, width):
    page = open_page(address + path, color_scheme=scheme, viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_wide_things_scroll_in_a_box_that_takes_focus(open_page, address):
    page = open_page(address + PATHS[1], viewport={"width": 360, "height": 800})
    boxes = page.locator("pre, .scroll").all()
    assert len(boxes) > 10
    wide = [box for box in boxes if box.evaluate("box => box.scrollWidth > box.clientWidth")]
    assert wide
    for box in boxes:
        assert box.get_attribute("tabindex") == "0" and box.get_attribute("aria-label")


CONTRAST = """
() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const color = rgba(getComputedStyle(e).backgroundColor);
      if (color[3] === 255) return color;
    }
    return rgba(getComputedStyle(document.body).colorScheme === "dark" ? "black" : "white");
  };
  const poor = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
    const style = getComputedStyle(element), svg = element instanceof SVGElement;
    if (svg && !element.closest("text")) continue;
    if (svg && style.fill === getComputedStyle(document.body).backgroundColor) continue;
    const [one, two] = [light(rgba(svg ? style.fill : style.color)), light(behind(element))];
    const ratio = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    if (ratio < 4.5) poor.push(`${ratio.toFixed(2)} ${element.outerHTML.slice(0, 90)}`);
  }
  return poor;
}
"""


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_all_text_has_contrast(open_page, address, path, scheme):
    page = open_page(address + path, color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
    assert page.evaluate(CONTRAST) == []


def test_themes_differ(open_page, address):
    colors = {
        open_page(address, color_scheme=scheme).evaluate(
            "getComputedStyle(document.body).backgroundColor"
        )
        for scheme in SCHEMES
    }
    assert len(colors) == 2


def test_figures_are_named_drawings_in_the_themes_colours(open_page, address):
    fills = []
    for scheme in SCHEMES:
        page = open_page(address + PATHS[1], color_scheme=scheme)
        figures = page.locator("figure.drawing svg")
        assert figures.count() == 4
        for figure in figures.all():
            assert figure.get_attribute("role") == "img"
            label, description = figure.get_attribute("aria-labelledby").split()
            assert page.locator(f"#{label}").inner_html().strip()
            assert len(page.locator(f"#{description}").inner_html()) > 40
            assert figure.bounding_box()["width"] > 300
        fills.append(
            page.locator("figure.drawing text").first.evaluate("t => getComputedStyle(t).fill")
        )
    assert fills[0] != fills[1]


def test_figure_text_can_be_read_on_a_phone_and_stays_inside(open_page, address):
    page = open_page(address + PATHS[1], viewport={"width": 360, "height": 800})
    outside = page.evaluate("""() => [...document.querySelectorAll("figure.drawing text")].filter((text) => {
        const [inner, outer] = [text.getBoundingClientRect(), text.ownerSVGElement.getBoundingClientRect()];
        return inner.left < outer.left - 1 || inner.right > outer.right + 1
            || inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1;
    }).map((text) => text.textContent)""")
    assert outside == []
    heights = page.evaluate("""() => [...document.querySelectorAll("figure.drawing text")].map((text) =>
        parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)""")
    assert min(heights) >= 9


def test_every_id_is_there_once_and_every_link_in_the_page_leads_somewhere(open_page, address):
    page = open_page(address + PATHS[1])
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(ids) == len(set(ids))
    for target in page.evaluate(
        "[...document.querySelectorAll('a[href^=\"#\"]')].map((a) => a.hash)"
    ):
        assert target[1:] in ids


def test_links_and_downloads_answer(open_page, address, browser):
    for path in PATHS:
        page = open_page(address + path)
        for link in page.evaluate("[...document.querySelectorAll('a')].map((a) => a.href)"):
            if link.startswith(address):
                assert page.request.get(link).ok, link
            else:
                assert link.startswith("https://"), link


def test_headings_are_in_order_and_landmarks_are_there(open_page, address):
    for path in PATHS:
        page = open_page(address + path)
        levels = page.evaluate(
            "[...document.querySelectorAll('h1,h2,h3,h4')].map((h) => +h.tagName[1])"
        )
        assert levels.count(1) == 1 and levels[0] == 1
        assert all(after <= before + 1 for before, after in zip(levels, levels[1:]))
        assert page.locator("main").count() == 1
        assert page.locator("html").get_attribute("lang") == "en"


def test_the_first_tab_skips_to_the_content(open_page, address):
    page = open_page(address + PATHS[1])
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#content"
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#content"


def test_copying_code_takes_no_line_numbers(open_page, address):
    page = open_page(address + PATHS[1])
    text = page.evaluate("""() => {
        const code = document.querySelector("figure.listing .line").closest("pre");
        getSelection().selectAllChildren(code);
        return getSelection().toString();
    }""")
    source = (site_code(LESSON) / "tiny_server.py").read_text(encoding="utf-8")
    assert text.strip() in source


def site_code(slug):
    from tests.pages.conftest import PROJECT

    return PROJECT / "content" / slug / "code"


def test_the_page_works_without_scripts_and_from_disk(browser, site):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"file://{site}/{PATHS[1]}")
    assert page.locator("article h2").count() >= 9
    assert page.locator("article h2").first.is_visible()
    page.goto(f"file://{site}/index.html")
    page.get_by_role("link", name="Build a tiny model server you can read end to end").click()
    assert page.url.endswith(PATHS[1])
    page.context.close()


def test_answers_are_folded_on_screen(open_page, address):
    page = open_page(address + PATHS[1])
    answers = page.locator("details")
    assert answers.count() >= 6
    assert not answers.first.locator("p").first.is_visible()
    answers.first.locator("summary").click()
    assert answers.first.locator("p").first.is_visible()


def test_numbers_on_the_page_carry_their_source(open_page, address):
    page = open_page(address + PATHS[1])
    numbers = page.locator("article data")
    assert numbers.count() > 200
    assert page.locator("article data:not([value]), article data:not([data-from])").count() == 0
    headline = page.locator('article data[data-from^="heavy.ttft_p99,"]').first
    assert headline.inner_text().replace("\u00a0", " ") == "3.49 s"
    assert float(headline.get_attribute("value")) == pytest.approx(3.4919, abs=1e-4)
