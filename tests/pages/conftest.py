"""The real site, built once, and a real browser to read it with."""

import functools
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from engine.publish import publish
from tests.browser import find

PROJECT = Path(__file__).resolve().parents[2]
LESSON = "build-a-tiny-model-server"
PATHS = ("index.html", f"{LESSON}/index.html", f"{LESSON}/widget/index.html")


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder without a word."""

    def log_message(self, *_):
        """Tests do not print requests."""


@pytest.fixture(scope="session")
def site(real_site, tmp_path_factory):
    """The folder of the real site."""
    out = tmp_path_factory.mktemp("site") / "site"
    publish(real_site.files, out)
    return out


@pytest.fixture(scope="session")
def address(site):
    """Where the site is served, at a sub-path."""
    handler = functools.partial(Quiet, directory=site.parent)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/site/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=find(), args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser, request):
    """Opens an address; fails the test for any error, warning or failed request on the page."""
    trouble, pages = [], []

    def open_page(url, **options):
        options = {"viewport": {"width": 1280, "height": 900}, **options}
        page = browser.new_page(**options)
        pages.append(page)
        page.on("console", lambda message: trouble.append(message.text))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("requestfailed", lambda failed: trouble.append(failed.url))
        page.on("response", lambda r: trouble.append(r.url) if r.status >= 400 else None)
        page.goto(url)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert trouble == []
