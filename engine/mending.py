"""Certain edits made: proven in memory first, then written without touching any other byte.

An edit holds if the course, checked again with it, no longer has the finding it is for and has no
finding that was not there before.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import unified_diff
from pathlib import Path

from engine.draft import Draft
from engine.findings import Finding, Refused, offset_of, position
from engine.fixes import Edit, edits, why_not
from engine.rawtext import RawText

Check = Callable[[Mapping[Path, str]], tuple[Sequence[Draft], Sequence[Finding]]]
Left = list[tuple[Finding, str]]  # findings that stay, each with the reason
COLOURS = {"+": "\033[32m", "-": "\033[31m", "@": "\033[36m"}
PLAIN = "\033[0m"


@dataclass(frozen=True)
class Plan:
    """The edits that hold, and what they leave."""

    edits: list[Edit]
    texts: dict[str, str]  # of the files that change, as they are now, by path
    left_now: Left  # what no edit mends, where it stands now
    left_then: Left  # and where it stands once the edits are made


def plan(check: Check, wanted: Callable[[Finding], bool]) -> Plan:
    """The certain edits for the findings that are wanted. Raises Refused as `check` does.

    `check` says what is wrong with the course when some texts are others than their files say.
    """
    course = _Course(check)
    asked = sorted(filter(wanted, set(course.found)))
    certain: dict[Edit, Finding] = {}
    for finding in asked:
        draft = course.parts.get(finding.path)
        if draft and (edit := edits(finding, draft)):
            certain[edit] = finding
    made, refused = course.holding(certain)
    parts, found = course.after(made)
    mended = {certain[edit] for edit in made}
    now = [
        (finding, refused.get(finding) or why_not(finding, course.parts.get(finding.path)))
        for finding in asked
        if finding not in mended
    ]
    then = [
        (finding, refused.get(course.origin(finding, made)) or why_not(finding, parts.get(finding.path)))
        for finding in sorted(filter(wanted, set(found)))
    ]  # fmt: skip
    texts = {edit.path: course.parts[edit.path].lesson.text for edit in made}
    return Plan(made, texts, now, [(finding, why or "run this again") for finding, why in then])


def file_of(content: Path, finding: Finding) -> Path:
    """The file of a finding; those of the project's documents are named from its folder."""
    path = Path(finding.path)
    return path.absolute() if path.is_relative_to(content) else content.absolute().parent / path


class _Course:
    """The course as it is, and as it would be."""

    def __init__(self, check: Check):
        self._check = check
        drafts, self.found = check({})
        self.parts = _parts(drafts)

    def after(self, made: Sequence[Edit]) -> tuple[dict[str, Draft], Sequence[Finding]]:
        """Its texts and findings once the edits are made."""
        texts = {Path(edit.path): self._text(edit.path, made) for edit in made}
        try:
            drafts, found = self._check(texts)
        except Refused as refused:
            return {}, refused.findings
        return _parts(drafts), found

    def holding(self, certain: Mapping[Edit, Finding]) -> tuple[list[Edit], dict[Finding, str]]:
        """The edits that hold together, and for the findings of all others what is wrong with them."""
        refused: dict[Finding, str] = {}

        def more(batch: list[Edit], kept: list[Edit]) -> list[Edit]:
            problem = self._problem([*kept, *batch], certain) if batch else ""
            if not problem:
                return kept + batch
            if len(batch) == 1:
                refused[certain[batch[0]]] = problem
                return kept
            half = len(batch) // 2
            return more(batch[half:], more(batch[:half], kept))

        return more(sorted(certain), []), refused

    def _problem(self, made: Sequence[Edit], certain: Mapping[Edit, Finding]) -> str:
        _, found = self.after(made)
        now = {self.origin(finding, made): finding for finding in found}
        for finding in sorted(now.keys() - set(self.found)):
            return f"its fix would bring {now[finding].rule}: {now[finding].what}"
        stays = any(certain[edit] in now for edit in made)
        return "its fix does not mend it" if stays else ""

    def origin(self, finding: Finding, made: Sequence[Edit]) -> Finding:
        """A finding of the texts as they would be, at its place in the texts as they are."""
        ours = sorted(edit for edit in made if edit.path == finding.path)
        if not ours:
            return finding
        at, moved = offset_of(self._text(finding.path, made), finding.line, finding.col), 0
        for edit in ours:
            start, end = edit.start + moved, edit.start + moved + len(edit.replacement)
            if at < start:
                break
            if at < end:
                at = start
                break
            moved += len(edit.replacement) - (edit.end - edit.start)
        line, col = position(self.parts[finding.path].lesson.text, at - moved)
        return replace(finding, line=line, col=col)

    def _text(self, path: str, made: Sequence[Edit]) -> str:
        return edited(self.parts[path].lesson.text, made, path)


def _parts(drafts: Sequence[Draft]) -> dict[str, Draft]:
    return {part.lesson.path: part for draft in drafts for part in draft.parts}


def edited(text: str, made: Sequence[Edit], path: str) -> str:
    """A text after the edits that are of its file; all its other characters are as they were."""
    ranges = [(edit.start, edit.end, edit.replacement) for edit in made if edit.path == path]
    return RawText(text).with_edits(ranges)


def diff(plan: Plan, colour: bool) -> Iterator[str]:
    """What the edits change, as lines of a unified diff."""
    for path, text in sorted(plan.texts.items()):
        now, then = (
            whole.removesuffix("\n").split("\n") for whole in (text, edited(text, plan.edits, path))
        )
        for line in unified_diff(now, then, path, path, lineterm=""):
            shade = COLOURS.get(line[0], "") if colour else ""
            yield f"{shade}{line}{PLAIN}" if shade else line


def apply(plan: Plan) -> Iterator[tuple[str, int]]:
    """Make the edits. Yields each file with how many, or 0 if it is no longer what was checked."""
    for path, text in sorted(plan.texts.items()):
        ours = [edit for edit in plan.edits if edit.path == path]
        yield path, len(ours) * _rewrite(Path(path).resolve(), text, ours)


def _rewrite(path: Path, checked: str, ours: Sequence[Edit]) -> bool:
    """Put a new file in the place of the old one in one step, so that there is always a whole one."""
    was = RawText(path.read_bytes().decode("utf-8"))
    if was.plain != checked:
        return False
    text = was.with_edits([(edit.start, edit.end, edit.replacement) for edit in ours])
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(path, name)
        Path(name).replace(path)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(name).unlink()
        raise
    return True
