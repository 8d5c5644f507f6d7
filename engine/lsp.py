"""A language server: what the gate says while one types, for any editor that speaks the protocol.

Only the protocol is here and in engine/session.py; what there is to say is in engine/assist.py,
engine/offers.py and engine/fixes.py.
"""

import os
import sys
from pathlib import Path

from lsprotocol import types as lsp
from pygls.uris import from_fs_path, to_fs_path

from engine import assist
from engine.draft import Draft
from engine.findings import Finding
from engine.fixes import Edit, choices, edits
from engine.offers import Offer, offers
from engine.rawtext import RawText
from engine.session import Open, Server

WATCHED = "**/*.{py,md,toml,lock,html,js,css}"
KINDS = {
    "fact": lsp.CompletionItemKind.Constant, "word": lsp.CompletionItemKind.Function,
    "filter": lsp.CompletionItemKind.Operator, "program": lsp.CompletionItemKind.File,
    "symbol": lsp.CompletionItemKind.Class, "line": lsp.CompletionItemKind.Text,
    "setting": lsp.CompletionItemKind.Property,
}  # fmt: skip


def hover(server: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    raw, draft = server.text(params.text_document.uri) or (RawText(""), None)
    offset = server.offset(raw, params.position)
    said = assist.hover(raw.plain, offset, draft, server.seen.drafts) if draft else None
    if not said:
        return None
    text = lsp.MarkupContent(lsp.MarkupKind.Markdown, said.text)
    return lsp.Hover(text, server.range(raw, said.start, said.end))


def completion(server: Server, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
    raw, draft = server.text(params.text_document.uri) or (RawText(""), None)
    offset = server.offset(raw, params.position)
    return [_item(server, offer, raw, offset) for offer in offers(raw.plain, offset, draft)]


def definition(server: Server, params: lsp.DefinitionParams) -> lsp.Location | None:
    raw, draft = server.text(params.text_document.uri) or (RawText(""), None)
    offset = server.offset(raw, params.position)
    found = assist.definition(raw.plain, offset, draft) if draft else None
    if not found:
        return None
    start = lsp.Position(found[1] - 1, 0)
    return lsp.Location(from_fs_path(str(found[0].resolve())) or "", lsp.Range(start, start))


def code_action(server: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    path = server.path_of(params.text_document.uri)
    here = server.checked.get(path) if path else None
    raw, draft = server.text(params.text_document.uri) or (RawText(""), None)
    if not here or not draft or raw.text != here.raw.text or draft.lesson.text != raw.plain:
        return []  # the next look will know
    first, last = (server.offset(raw, place) for place in (params.range.start, params.range.end))
    actions = []
    for finding in server.seen.findings:
        if finding.path == str(path):
            start, end = assist.extent(raw.plain, finding)
            if start <= last and first <= end:
                actions += [
                    _action(server, finding, edit, draft, here) for edit in choices(finding, draft)
                ]
    return actions


def inlay_hint(server: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    raw, draft = server.text(params.text_document.uri) or (RawText(""), None)
    first, last = (server.offset(raw, place) for place in (params.range.start, params.range.end))
    return [
        lsp.InlayHint(lsp.Position(*raw.place(offset, server.encoding)), said, padding_left=True)
        for offset, said in (assist.hints(raw.plain, draft) if draft else ())
        if first <= offset <= last
    ]


def _item(server: Server, offer: Offer, raw: RawText, offset: int) -> lsp.CompletionItem:
    """An offer as editors list it."""
    document = server.client_capabilities.text_document
    item = document.completion.completion_item if document and document.completion else None
    snippet = offer.snippet if item and item.snippet_support else ""
    formats = lsp.InsertTextFormat
    return lsp.CompletionItem(
        label=offer.label,
        kind=KINDS.get(offer.kind, lsp.CompletionItemKind.Value),
        detail=offer.detail,
        text_edit=lsp.TextEdit(server.range(raw, offer.start, offset), snippet or offer.insert),
        insert_text_format=formats.Snippet if snippet else formats.PlainText,
    )


def _action(
    server: Server, finding: Finding, edit: Edit, draft: Draft, here: Open
) -> lsp.CodeAction:
    """An edit as editors offer it."""
    changed = lsp.TextEdit(server.range(here.raw, edit.start, edit.end), edit.replacement)
    name = lsp.OptionalVersionedTextDocumentIdentifier(here.uri, here.version)
    workspace = server.client_capabilities.workspace
    known = workspace and workspace.workspace_edit and workspace.workspace_edit.document_changes
    return lsp.CodeAction(
        title=f"replace {draft.lesson.text[edit.start : edit.end]} with {edit.replacement}",
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[server.diagnostic(finding, here.raw)],
        is_preferred=edits(finding, draft) is not None,
        edit=lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(name, [changed])])
        if known
        else lsp.WorkspaceEdit(changes={here.uri: [changed]}),
    )


def initialized(server: Server, params: lsp.InitializedParams) -> None:
    server.find_course()
    workspace = server.client_capabilities.workspace
    watched = workspace.did_change_watched_files if workspace else None
    if watched and watched.dynamic_registration:
        options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(WATCHED)])
        method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
        watching = lsp.Registration("files", method, options)
        server.client_register_capability(lsp.RegistrationParams([watching]), lambda result: None)


def changed(server: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    if server.path_of(params.text_document.uri):
        server.changed()


def saved(server: Server, params: lsp.DidSaveTextDocumentParams) -> None:
    server.changed()  # whatever it is, lesson code may read it


def files_changed(server: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
    """Of what is below content/, and the documents beside it; what was built is no news."""
    content = server.content.resolve() if server.content else None
    files = [Path(to_fs_path(change.uri) or "").resolve() for change in params.changes]
    if content and any(f.is_relative_to(content) or f.parent == content.parent for f in files):
        server.changed()


FEATURES = {
    lsp.INITIALIZED: initialized,
    lsp.TEXT_DOCUMENT_DID_OPEN: changed,
    lsp.TEXT_DOCUMENT_DID_CHANGE: changed,
    lsp.TEXT_DOCUMENT_DID_SAVE: saved,
    lsp.TEXT_DOCUMENT_DID_CLOSE: changed,
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: files_changed,
    lsp.TEXT_DOCUMENT_HOVER: hover,
    lsp.TEXT_DOCUMENT_COMPLETION: completion,
    lsp.TEXT_DOCUMENT_DEFINITION: definition,
    lsp.TEXT_DOCUMENT_CODE_ACTION: code_action,
    lsp.TEXT_DOCUMENT_INLAY_HINT: inlay_hint,
}
OPTIONS = {
    lsp.TEXT_DOCUMENT_COMPLETION: lsp.CompletionOptions(trigger_characters=[*"{.\"|('"]),
    lsp.TEXT_DOCUMENT_CODE_ACTION: lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]),
}


def serve(content: Path | None, cache: Path, seconds: float) -> None:
    """Speak the protocol on the standard streams until the editor ends it."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever prints from now on says it there
    server = Server(content, cache, seconds)
    for name, function in FEATURES.items():
        server.feature(name, OPTIONS.get(name))(function)
    server.start_io(sys.stdin.buffer, out)
