"""An editor's session: the course it works on, its texts, and the last look at the course.

The course is checked in a thread of its own, one look at a time, so that questions are answered from
the last look while lesson code runs. No text can end the session.
"""

import asyncio
import os
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from uuid import uuid4

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from engine import assist
from engine.course import LESSON, WIDGET
from engine.desk import NOTHING, Look, look
from engine.draft import Draft
from engine.findings import Finding
from engine.mending import file_of
from engine.progress import silent
from engine.rawtext import RawText

Texts = dict[Path, "Open"]
DELAY = 0.2  # seconds without a key, before the course is checked


@dataclass(frozen=True)
class Open:
    """A text of the course as the editor has it."""

    uri: str
    version: int | None
    raw: RawText


class Server(LanguageServer):
    """The course that is open, and the last look at it."""

    def __init__(self, content: Path | None, cache: Path, seconds: float):
        full = lsp.TextDocumentSyncKind.Full  # ranges are safe only where all agree on line ends
        super().__init__("lesson", "", text_document_sync_kind=full)
        self._given, self._cache, self._seconds = content, cache, seconds
        self.content: Path | None = None
        self.seen: Look = NOTHING
        self.checked: Texts = {}  # the editor's texts, as the last look had them
        self._timer: asyncio.TimerHandle | None = None
        self._busy = self._again = False
        self._told: set[str] = set()  # files that have diagnostics in the editor

    @cached_property
    def encoding(self) -> str:
        """What the editor counts columns in."""
        encoding = self.workspace.position_encoding
        return str(getattr(encoding, "value", encoding))

    def find_course(self) -> None:
        """Work in the folder that holds content/, so that all is named as on the command line."""
        folders = [to_fs_path(folder.uri) for folder in self.workspace.folders.values()]
        roots = [Path(folder) for folder in [*folders, self.workspace.root_path, "."] if folder]
        places = [place for root in roots for place in (root / "content", root, *root.parents)]
        contents = [self._given] if self._given else places
        for content in contents:
            if (content / "course.toml").is_file():
                os.chdir(content.absolute().parent)
                self.content = Path(content.name)
                self.changed()
                return
        said = "lesson: no folder of this workspace holds content/course.toml"
        self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, said))

    def path_of(self, uri: str) -> Path | None:
        """A text of the course by the editor's name for it, as the engine names it; or None."""
        with suppress(ValueError, OSError, TypeError):
            path = Path(to_fs_path(uri) or "").resolve()
            inside = path.relative_to(self.content.resolve()) if self.content else Path()
            if self.content and str(Path(*inside.parts[1:])) in (LESSON, WIDGET):
                return self.content / inside
        return None

    def open_texts(self) -> Texts:
        """The course's texts that are open, by their paths."""
        documents = {self.path_of(d.uri): d for d in self.workspace.text_documents.values()}
        return {
            path: Open(document.uri, document.version, RawText(document.source))
            for path, document in documents.items()
            if path
        }

    def text(self, uri: str) -> tuple[RawText, Draft | None] | None:
        """An open text of the course, and its draft if it has one by now; None if it is not ours."""
        path = self.path_of(uri)
        here = self.open_texts().get(path) if path else None
        return (here.raw, self.seen.parts.get(str(path))) if here else None

    def offset(self, raw: RawText, place: lsp.Position) -> int:
        """An editor's place as an offset of the plain text."""
        return raw.offset(place.line, place.character, self.encoding)

    def range(self, raw: RawText, start: int, end: int) -> lsp.Range:
        """A range of the plain text as the editor counts."""
        ends = (raw.place(offset, self.encoding) for offset in (start, end))
        return lsp.Range(*(lsp.Position(*place) for place in ends))

    def changed(self) -> None:
        """Look at the course as soon as nobody types any more."""
        if self._timer:
            self._timer.cancel()
        if self.content:
            self._timer = asyncio.get_running_loop().call_later(DELAY, self._look)

    def _look(self) -> None:
        if self._busy:
            self._again = True
            return
        self._busy, loop, texts = True, asyncio.get_running_loop(), self.open_texts()
        unsaved = {path: text.raw.plain for path, text in texts.items()}

        def work() -> None:
            seen, problem = self.seen, ""
            tell = partial(self._running, loop) if self._shows_progress() else silent
            try:
                seen = look(self.content, self._cache, self._seconds, unsaved, seen, tell)
            except Exception:  # a fault of ours: the editor goes on with what it has
                problem = traceback.format_exc()
            with suppress(RuntimeError):  # the server has ended meanwhile
                loop.call_soon_threadsafe(self._seen, seen, texts, problem)

        threading.Thread(target=work, daemon=True).start()

    def _shows_progress(self) -> bool:
        window = self.client_capabilities.window
        return bool(window and window.work_done_progress)

    @contextmanager
    def _running(self, loop: asyncio.AbstractEventLoop, what: str) -> Iterator[None]:
        """Have the editor show what runs, from the thread that waits for it."""
        done = asyncio.Event()

        async def show() -> None:
            token = str(uuid4())
            await self.work_done_progress.create_async(token)
            self.work_done_progress.begin(token, lsp.WorkDoneProgressBegin("lesson", message=what))
            await done.wait()
            self.work_done_progress.end(token, lsp.WorkDoneProgressEnd())

        asyncio.run_coroutine_threadsafe(show(), loop)
        try:
            yield
        finally:
            loop.call_soon_threadsafe(done.set)

    def _seen(self, seen: Look, texts: Texts, problem: str) -> None:
        self._busy = False
        if problem:
            self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, problem))
        else:
            self.seen, self.checked = seen, texts
            self._publish(texts)
        workspace = self.client_capabilities.workspace
        if workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)
        if self._again:
            self._again = False
            self._look()

    def _publish(self, texts: Texts) -> None:
        """Tell the editor all findings, file by file, and of those files that have none any more."""
        files = {path.resolve(): text for path, text in texts.items()}
        found = {  # a text that is open is told that nothing is wrong with it, too
            text.uri: lsp.PublishDiagnosticsParams(text.uri, [], text.version)
            for text in texts.values()
        }
        for finding in [*self.seen.findings, *self.seen.moved]:
            file = file_of(self.content, finding).resolve()
            if file not in files:
                files[file] = Open(from_fs_path(str(file)) or "", None, _on_disk(file))
            uri = files[file].uri
            told = found.setdefault(uri, lsp.PublishDiagnosticsParams(uri, [], files[file].version))
            told.diagnostics = [*told.diagnostics, self.diagnostic(finding, files[file].raw)]
        for uri in self._told - found.keys():
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))
        for told in found.values():
            self.text_document_publish_diagnostics(told)
        self._told = set(found)

    def diagnostic(self, finding: Finding, raw: RawText) -> lsp.Diagnostic:
        """A finding as editors show it."""
        levels = lsp.DiagnosticSeverity
        return lsp.Diagnostic(
            range=self.range(raw, *assist.extent(raw.plain, finding)),
            message=f"{finding.what}; {finding.fix}",
            severity=levels.Information if finding in self.seen.moved else levels.Error,
            code=finding.rule,
            source="lesson",
        )


def _on_disk(file: Path) -> RawText:
    with suppress(OSError):
        return RawText(file.read_bytes().decode("utf-8", errors="replace"))
    return RawText("")
