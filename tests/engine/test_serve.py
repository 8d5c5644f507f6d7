"""The preview's server: what it answers, what it refuses, how it ends."""

import json
import signal
import socket
import time
from pathlib import Path

import pytest

from engine.cli import main
from tests.serving import CACHE, Served

pytestmark = pytest.mark.xdist_group("serve")
PAGES = ("/", "/index.html", "/count-to-ten/", "/count-to-ten/index.html", "/count-to-ten/widget/")


@pytest.fixture(scope="module")
def served(small_course):
    with Served(small_course) as served:
        (small_course.parent / "secret.txt").write_text("secret")
        (small_course / "secret.txt").write_text("secret")
        yield served


def raw(port, text):
    """How the answer begins to the bytes of a request, as no client would send them."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(text.encode("latin-1"))
        parts = []
        while b"".join(parts).count(b"\n") < 20 and (part := connection.recv(65536)):
            parts.append(part)
    return b"".join(parts)


def published():
    """The folder of the same site, published."""
    assert main(["build", "--cache", str(CACHE)]) == 0
    return Path("build/site")


# -- what it answers


@pytest.mark.parametrize("path", PAGES)
def test_pages_are_the_sites_with_one_script_and_one_style_more(served, path):
    status, headers, body = served.get(path)
    assert status == 200 and headers["content-type"] == "text/html; charset=utf-8"
    assert body.count(b"lesson-preview") > 1 and body.count(b"data-start=") == 1
    name = path.strip("/")
    name = name if name.endswith(".html") else f"{name}/index.html".strip("/")
    page = (published() / name).read_bytes()
    head, rest = page.split(b"<head>")
    assert body.startswith(head) and body.endswith(rest) and b"preview" not in page


@pytest.fixture(autouse=True)
def in_the_project(small_course, monkeypatch):
    monkeypatch.chdir(small_course)


def test_a_published_site_holds_nothing_of_the_preview(real_site):
    for name, content in real_site.files.items():
        assert b"_preview/" not in content and b"lesson-preview" not in content, name


def test_every_file_of_the_site_has_its_type_and_is_never_kept(served):
    types = {
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "json": "application/json", "zip": "application/zip",
    }  # fmt: skip
    site = published()
    files = [path for path in site.rglob("*") if path.is_file()]
    assert {path.suffix[1:] for path in files} == types.keys()
    for path in files:
        status, headers, body = served.get(f"/{path.relative_to(site)}")
        assert (status, headers["content-type"]) == (200, types[path.suffix[1:]])
        assert headers["cache-control"] == "no-store"
        assert path.suffix == ".html" or body == path.read_bytes()


def test_a_folder_without_its_slash_leads_to_it(served):
    status, headers, _ = served.get("/count-to-ten")
    assert (status, headers["location"]) == (307, "/count-to-ten/")


def test_head_is_a_get_without_a_body(served):
    for path in ("/", "/count-to-ten/", "/proof.json"):
        status, headers, body = served.get(path, "HEAD")
        assert status == 200 and body == b""
        assert headers["content-length"] == served.get(path)[1]["content-length"]
    assert served.get("/_preview/events", "HEAD")[0] == 200


def test_the_first_event_says_all_there_is(served):
    state = next(served.states())
    start = state.pop("start")
    assert state == {"build": 1, "busy": False, "problems": [], "review": []}
    assert f'data-start="{start}" data-build="1"'.encode() in served.get("/")[2]


# -- what it refuses

PATHS = (
    "/../secret.txt", "/../../secret.txt", "/secret.txt", "/..", "/../", "/.", "/./index.html",
    "/%2e%2e/secret.txt", "/%2e%2e%2fsecret.txt", "/..%2fsecret.txt", "/%252e%252e/secret.txt",
    "/..%5csecret.txt", "/..\\secret.txt", "/%5c..%5csecret.txt", "/%5c%5cserver%5cshare",
    "/count-to-ten/../secret.txt", "/count-to-ten/../../secret.txt", "/count-to-ten/..;/secret.txt",
    "//etc/passwd", "/etc/passwd", "///etc/passwd", "/%2fetc%2fpasswd", "/c:/windows/win.ini",
    "/index.html%00", "/index.html%00.txt", "/%00", "/index.html/", "/index.html/..", "/index.htm",
    "/content/course.toml", "/content/count-to-ten/lesson.md", "/templates/base.html",
    "/templates/preview/preview.js", "/_preview/", "/_preview/../index.html", "/_preview/preview.js",
    "/.git/config", "/build/cache/lock", "/file:///etc/passwd", "/@fs/etc/passwd", "/%ff%fe",
    "/~root/", "/index.html%20", "/INDEX.HTML", "/con", "/assets/", "/assets", "/*", "//evil.test/..",
    "/#/../secret.txt", "/" + "a" * 5000, "/" + "../" * 500 + "etc/passwd",
)  # fmt: skip


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path[:40])
def test_nothing_but_the_sites_files_is_reached(served, path):
    answer = raw(
        served.port, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    )
    assert answer.split(b" ")[1] in (b"404", b"400"), answer[:200]
    for secret in (b"secret\n", b"root:", b"[[lessons]]", b"{% block"):
        assert secret not in answer


HOSTS = (
    "evil.test", "evil.test:8000", "localhost.evil.test", "127.0.0.1.evil.test", "evil-localhost",
    "127.0.0.1@evil.test", "localhost:80@evil.test", "[::1].evil.test", "[::2]", "192.168.0.1",
    "0.0.0.0", "2130706433", "127.1", "0x7f000001", "", " ", "localhost.", "*", "www.localhost",
    "localhost, evil.test", "localhost/../evil.test", "example.localhost",
)  # fmt: skip


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("path", ["/", "/_preview/events"])
def test_a_host_that_is_not_this_machine_is_refused(served, host, path):
    answer = raw(served.port, f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
    assert answer.split(b" ")[1] == b"400"
    assert b"count-to-ten" not in answer and b"data:" not in answer


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:1", "127.0.0.1:99", "[::1]", "[::1]:8000"]
)
def test_every_name_of_this_machine_is_known(served, host):
    answer = raw(served.port, f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
    assert answer.split(b" ")[1] == b"200"


@pytest.mark.parametrize(
    "method", "POST PUT DELETE PATCH OPTIONS TRACE CONNECT PROPFIND MKCOL BREW".split()
)
@pytest.mark.parametrize("path", ["/", "/_preview/events", "/nothing"])
def test_only_get_and_head_are_answered(served, method, path):
    target = "localhost:80" if method == "CONNECT" else path
    text = f"{method} {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert raw(served.port, text).split(b" ")[1] in (b"405", b"400", b"404")


@pytest.mark.parametrize(
    "text", ["", "\r\n\r\n", "GET\r\n\r\n", "\x16\x03\x01", "GET / HTTP/9.9\r\n\r\n"]
)
def test_what_is_no_request_does_no_harm(served, text):
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as connection:
        connection.sendall(text.encode("latin-1"))
    assert served.get("/")[0] == 200


def test_no_other_site_may_read(served):
    for path in ("/", "/proof.json", "/nothing"):
        _, headers, _ = served.get(path, Origin="http://evil.test")
        assert not [name for name in headers if name.startswith("access-control")]
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["x-content-type-options"] == "nosniff"
    answer = raw(
        served.port, "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.test\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade, close\r\nSec-WebSocket-Key: x\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n",
    )  # fmt: skip
    assert b" 101 " not in answer[:20]


# -- how it begins and ends


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.1", "example.org", "8.8.8.8", ""])
def test_an_address_that_others_reach_has_to_be_asked_for(host, capsys):
    assert main(["serve", "--host", host]) == 2
    assert "usage: is not this machine alone" in capsys.readouterr().err


def test_it_can_be_exposed(small_course):
    with Served(small_course, "--host", "0.0.0.0", "--expose") as served:
        assert served.address.startswith("http://0.0.0.0:") and served.get("/")[0] == 200
        assert served.get("/", Host="evil.test")[0] == 400
        assert served.get("/", Host=socket.gethostname())[0] == 200


def test_a_port_in_use_is_usage(served, capsys):
    assert main(["serve", "--port", str(served.port)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"127.0.0.1:{served.port}:1:1: usage: cannot be listened at")


@pytest.mark.parametrize("host", ["127.0.0.1.", "no.such.host.test", "a" * 300])
def test_addresses_that_are_none_are_usage(host, capsys):
    assert main(["serve", "--expose", "--host", host]) == 2
    assert "usage: cannot be listened at" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["--port", "x"],
        ["--port", "70000"],
        ["--port", "-1"],
        ["--editor", "vi"],
        ["--editor", "javascript:{path}"],
        ["--out", "x"],
    ],
)
def test_wrong_words_are_usage(words):
    with pytest.raises(SystemExit) as ended:
        main(["serve", *words])
    assert ended.value.code == 2


@pytest.mark.parametrize(("by", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -15)])
def test_it_ends_at_once_though_pages_listen(small_course, by, code):
    with Served(small_course) as served:
        listening = [served.states() for _ in range(3)]
        assert all(next(states)["build"] for states in listening)
        began = time.monotonic()
        assert served.end(by) == code
        assert time.monotonic() - began < 2
        assert "Traceback" not in served.output
        assert all(list(states) == [] for states in listening)


def test_it_ends_at_once_though_a_program_runs(small_course):
    facts = small_course / "content/count-to-ten/facts.py"
    good = facts.read_text()
    with Served(small_course) as served:
        facts.write_text("while True:\n    pass\n")
        served.until(lambda state: state["busy"])
        began = time.monotonic()
        assert served.end() == 130
        assert time.monotonic() - began < 3
    facts.write_text(good)


def test_the_news_are_plain_data(small_course):
    lesson = small_course / "content/count-to-ten/lesson.md"
    good = lesson.read_text()
    with Served(small_course, "--editor", "x://open/{path}?at={line}.{col}") as served:
        lesson.write_text(good + "\nIt is </script><script>alert(1)</script> 77.\n")
        state = served.until(lambda state: state["problems"])
        assert json.dumps(state)
        assert state["problems"][0]["link"] == f"x://open/{lesson}?at=39.7"
        assert b"alert(1)" not in served.get("/count-to-ten/")[2]
        assert "still showing the last good build" in served.output
    lesson.write_text(good)
