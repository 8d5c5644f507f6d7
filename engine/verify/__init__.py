"""A second, independent reading of a published site.

The gate stands before the pages; this stands behind them. It takes the files as a visitor gets
them, reads them with another parser, runs all lesson code anew, and wants a source for each
number by rules of its own. It shares no code with the rest of the engine, so that a mistake there
is not made twice.
"""

import tempfile
import zipfile
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

from engine.verify.content import Content
from engine.verify.page import check_page
from engine.verify.parsed import Node, Page
from engine.verify.proof import check_proof
from engine.verify.reading import Finding, Reading
from engine.verify.runs import Broken, Runs
from engine.verify.widget import check_widget, wrong_settings

BUILD = "build the site again"


def verify(site: Path, content: Path) -> tuple[list[Finding], bool]:
    """Everything that is wrong with the site, and whether lesson code failed."""
    try:
        known = Content(content)
    except (OSError, ValueError, KeyError, AttributeError) as error:
        what = f"cannot be read: {type(error).__name__}: {error}"
        return [Finding(str(content), 1, 1, what, "mend it; `lesson check` says where")], False
    findings: set[Finding] = set()
    broken: set[tuple[str, str]] = set()
    pages = {
        path.relative_to(site).as_posix(): Page(
            f"{site}/{path.relative_to(site).as_posix()}", path.read_text(encoding="utf-8")
        )
        for path in sorted(site.rglob("*.html"))
    }
    with tempfile.TemporaryDirectory() as scratch:
        runs = Runs(known, Path(scratch).resolve())
        for name, page in pages.items():
            lesson = known.pages.get(name)
            reading = Reading(page, lesson, known, runs)
            if not lesson and name != "index.html":
                reading.found(0, "a page of no lesson", "delete it, or add its lesson to content/")
            failed = check_page(reading)
            if lesson and lesson.is_widget:
                failed += check_widget(reading, site)
            try:
                _links(reading, site, name, pages)
            except Broken as error:
                failed.append(error)
            broken |= {(error.path, str(error)) for error in failed}
            findings.update(reading.findings)
        try:
            findings.update(check_proof(site, known, pages, runs))
        except Broken as error:
            broken.add((error.path, str(error)))
    findings.update(_missing(site, known, pages))
    for slug in known.lessons:
        findings.update(_download(site / slug / f"{slug}-code.zip", slug, known))
    for path, said in broken:
        findings.add(Finding(f"{content}/{path}", 1, 1, said, "mend the program"))
    return sorted(findings), bool(broken)


def _missing(site: Path, content: Content, pages: dict[str, Page]) -> list[Finding]:
    """The front page leads to each lesson, a lesson to its widget; no page stands alone."""
    front = pages.get("index.html")
    if not front:
        return [Finding(f"{site}/index.html", 1, 1, "the front page is missing", BUILD)]
    linked = _linked(front)
    found = [
        Finding(front.name, 1, 1, f"does not link to {name}", BUILD)
        for name in sorted((content.pages.keys() | pages.keys()) - linked - {"index.html"})
        if not name.endswith("/widget/index.html")
    ]
    for slug in content.widgets:
        lesson = pages.get(f"{slug}/index.html")
        if lesson and "widget/index.html" not in _linked(lesson):
            found.append(Finding(lesson.name, 1, 1, "does not link to its widget", BUILD))
    found += [
        Finding(f"{site}/{name}", 1, 1, "the page is missing", BUILD)
        for name in sorted(content.pages.keys() - pages.keys())
    ]
    return found


def _linked(page: Page) -> set[str]:
    """Where a page leads, anchors aside."""
    return {urldefrag(node.attrs["href"])[0] for node in page.nodes if "href" in node.attrs}


def _links(reading: Reading, site: Path, name: str, pages: dict[str, Page]) -> None:
    """What a page links to or loads from the site is there."""
    for node in reading.page.nodes:
        for key in ("href", "src"):
            target = node.attrs.get(key, "")
            if not target or urlsplit(target).scheme or target.startswith("//"):
                continue
            path, anchor = urldefrag(target)
            file = (site / name).parent / unquote(path) if path else site / name
            outside = not file.resolve().is_relative_to(site.resolve())
            if outside or not file.is_file():
                _dead(reading, node, key, target)
            elif anchor and file.suffix == ".html":
                inside = file.resolve().relative_to(site.resolve()).as_posix()
                settings = reading.content.pages.get(inside) if "=" in anchor else None
                if settings and settings.is_widget:
                    for wrong in wrong_settings(reading, settings.slug, node, anchor):
                        reading.found(reading.page.attribute(node, key), wrong, BUILD)
                elif anchor not in pages[inside].ids:
                    _dead(reading, node, key, target)


def _dead(reading: Reading, node: Node, key: str, target: str) -> None:
    reading.found(reading.page.attribute(node, key), f"{target} is not there", BUILD)


def _download(path: Path, slug: str, content: Content) -> list[Finding]:
    """The zip holds the lesson's programs and every folder they name, as they are in content/."""
    try:
        with zipfile.ZipFile(path) as archive:
            held = {name: archive.read(name).decode() for name in archive.namelist()}
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        return [Finding(str(path), 1, 1, f"cannot be read: {type(error).__name__}", BUILD)]
    now = {
        f"{folder}/code/{name}": "\n".join(lines)
        for (folder, name), lines in content.programs.items()
    }
    folders = {slug}
    while more := {
        folder for folder in {name.split("/")[0] for name in now} - folders
        for name, text in now.items() if name.split("/")[0] in folders and f'"{folder}"' in text
    }:  # fmt: skip
        folders |= more
    wanted = {name: text for name, text in now.items() if name.split("/")[0] in folders}
    found = []
    for name in sorted(wanted.keys() | held.keys()):
        if name not in held:
            what = f"{name} is not in the download"
        elif name not in wanted:
            what = f"{name} is in the download, and no program of the lesson needs it"
        elif held[name].removesuffix("\n") != wanted[name]:
            what = f"{name} in the download differs from content/"
        else:
            continue
        found.append(Finding(str(path), 1, 1, what, BUILD))
    return found


def report(findings: list[Finding]) -> str:
    """The findings, one a line, and how many there are."""
    count = f"{len(findings)} finding{'s' * (len(findings) != 1)}"
    return "\n".join([*map(str, findings), count])
