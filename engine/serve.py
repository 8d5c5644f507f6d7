"""The preview over HTTP: the site as it is in memory, and news of it, for this machine alone."""

import argparse
import asyncio
import ipaddress
import json
import mimetypes
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from html import escape
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from engine.builder import Job
from engine.findings import USAGE, Finding, Refused
from engine.overlay import EDITORS
from engine.preview import Preview, State

LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]
OURS = Path(__file__).resolve().parents[1] / "templates/preview"
FIRST_BUILD = 2  # seconds that a page waits for it
ALIVE = 15  # seconds between signs of life, by which the server notes that a page has gone
HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}
TYPES = {  # what a machine's own list of types may lack, or have wrong
    ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml",
    ".json": "application/json", ".zip": "application/zip", ".txt": "text/plain",
}  # fmt: skip
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
</head>
<body>
<h1>{title}</h1>
<pre>{text}</pre>
</body>
</html>
"""


def serve(options: argparse.Namespace) -> None:
    """Serve until somebody ends it. Raises Refused if the address cannot be used."""
    if not (options.expose or _is_loopback(options.host)):
        what = "is not this machine alone: whoever reaches it could read the drafts"
        raise _refused(options.host, what, "leave --host out, or add --expose")
    listener = _listener(options.host, options.port)
    host, port = listener.getsockname()[:2]
    job = Job(options.content, options.templates, options.cache, options.seconds)
    preview = Preview(job, EDITORS.get(options.editor, options.editor))
    settings = {"ws": "none", "log_level": "critical", "access_log": False, "server_header": False}
    config = uvicorn.Config(
        application(preview, _names(options.host.lower())),
        http="h11", loop="asyncio", timeout_graceful_shutdown=1, **settings,
    )  # fmt: skip
    print(f"preview  http://{f'[{host}]' if ':' in host else host}:{port}/", flush=True)
    _Server(config, preview).run(sockets=[listener])


class _Server(uvicorn.Server):
    """Lets the pages that listen for news go, so that they do not keep it from ending."""

    def __init__(self, config: uvicorn.Config, preview: Preview):
        super().__init__(config)
        self._preview = preview

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().serve(sockets)

    def handle_exit(self, *signal) -> None:
        self._loop.call_soon_threadsafe(self._preview.close)
        super().handle_exit(*signal)


def application(preview: Preview, hosts: list[str]) -> Starlette:
    """What answers requests. A request whose Host is another may come from any site's script."""
    style = (OURS / "preview.css").read_text(encoding="utf-8")
    script = (OURS / "preview.js").read_text(encoding="utf-8")

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        running = asyncio.create_task(preview.run())
        yield
        preview.close()
        await running

    def shown(page: bytes, state: State, status: int = 200) -> Response:
        """A page with the preview's own style and script."""
        mark = f'data-start="{preview.start}" data-build="{state.build}"'
        mark += f' data-editor="{escape(preview.editor)}"'
        ours = f'\n<style id="lesson-preview">{style}</style>\n<script {mark}>{script}</script>'
        # First of all, since a script that follows a style sheet waits for it.
        before, head, rest = page.partition(b"<head>")
        return Response(before + head + ours.encode() + rest, status, HEADERS, "text/html")

    async def page(request: Request) -> Response:
        with suppress(TimeoutError):
            await asyncio.wait_for(_first(preview), FIRST_BUILD)
        state, path = preview.state, request.path_params["path"]
        if not state.build:
            return shown(_no_build(state), state, 503)
        name = path + "index.html" if path.endswith("/") or not path else path
        if name not in state.files:
            if f"{name}/index.html" in state.files:
                return RedirectResponse(f"/{name}/", 307, HEADERS)
            return shown(_no_page(state), state, 404)
        if name.endswith(".html"):
            return shown(state.files[name], state)
        suffix = Path(name).suffix
        kind = TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        return Response(state.files[name], 200, HEADERS, kind)

    async def events(request: Request) -> Response:
        if request.method == "HEAD":
            return Response(None, 200, HEADERS, "text/event-stream")
        return StreamingResponse(_events(preview), 200, HEADERS, "text/event-stream")

    return Starlette(
        routes=[Route("/_preview/events", events), Route("/{path:path}", page)],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False)],
        lifespan=lifespan,
    )


async def _first(preview: Preview) -> None:
    async for state in preview.follow():
        if state.build or state.problems:
            return


async def _events(preview: Preview) -> AsyncIterator[str]:
    """Each state as an event. It says all there is, so that a page that slept misses nothing."""
    states = aiter(preview.follow())
    coming = asyncio.ensure_future(anext(states, None))
    yield "retry: 500\n\n"
    try:
        while True:
            await asyncio.wait({coming}, timeout=ALIVE)
            if not coming.done():
                yield ": alive\n\n"
                continue
            state = coming.result()
            if state is None:
                return
            yield f"data: {json.dumps(_news(preview, state))}\n\n"
            coming = asyncio.ensure_future(anext(states, None))
    finally:
        coming.cancel()


def _news(preview: Preview, state: State) -> dict:
    review = [
        {
            "expression": change.expression,
            "before": change.brief[0] if change.before else "",
            "after": change.brief[1] if change.after else "",
            "sentences": [change.sentence_before, change.sentence_after],
        }
        for change in state.review
    ]
    now = {"start": preview.start, "build": state.build, "busy": state.busy}
    return {**now, "problems": state.problems, "review": review}


def _no_build(state: State) -> bytes:
    lines = [
        "{path}:{line}:{col}: {rule}: {what}; {fix}".format(**problem) for problem in state.problems
    ]
    title = "No good build yet" if lines else "Building"
    return PAGE.format(title=title, text=escape("\n".join(lines))).encode()


def _no_page(state: State) -> bytes:
    links = [f'<a href="/{name}">{name}</a>' for name in state.files if name.endswith(".html")]
    return PAGE.format(title="No such page", text="\n".join(links)).encode()


def _is_loopback(host: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host.lower() == "localhost"


def _names(host: str) -> list[str]:
    """What a request may call this server."""
    names = {*LOOPBACK, host, f"[{host}]"}
    if not _is_loopback(host):
        names |= {socket.gethostname().lower(), socket.getfqdn().lower()}
        with suppress(OSError):
            names |= {where[4][0] for where in socket.getaddrinfo(socket.gethostname(), None)}
    return sorted(name for name in names if "*" not in name)


def _listener(host: str, port: int) -> socket.socket:
    """A socket that listens at the address."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen()
        except OSError:
            listener.close()
            raise
    except (OSError, OverflowError, UnicodeError) as error:
        what = f"cannot be listened at: {getattr(error, 'strerror', None) or error}"
        raise _refused(f"{host}:{port}", what, "name another with --port") from None
    return listener


def _refused(address: str, what: str, fix: str) -> Refused:
    return Refused([Finding(address, 1, 1, "usage", what, fix)], USAGE)
