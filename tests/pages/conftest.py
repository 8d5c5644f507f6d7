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
