"""The commands for the hours of writing: findings mended, and a server for editors."""

import argparse
import os
import sys

from engine.build import drafts_of
from engine.findings import CLEAN, FINDINGS, USAGE, Finding, Refused
from engine.mending import Left, apply, diff, file_of, plan
from engine.progress import teller


def fix_findings(options: argparse.Namespace) -> int:
    """Mend the findings that have one certain fix; show the changes and ask first."""
    wanted = [path.resolve() for path in options.paths]
    for given, path in zip(options.paths, wanted):
        if not path.exists():
            what, fix = "is not there", "name a file or a folder of the course"
            raise Refused([Finding(str(given), 1, 1, "usage", what, fix)], USAGE)
    codes = []

    def check(unsaved):
        _, drafts, findings = drafts_of(
            options.content, options.cache, options.seconds, unsaved, teller(options.quiet)
        )
        codes.append(findings.code)
        return drafts, findings.all

    def is_wanted(finding: Finding) -> bool:
        file = file_of(options.content, finding).resolve()
        return not wanted or any(file.is_relative_to(path) for path in wanted)

    mending = plan(check, is_wanted)
    for line in diff(mending, _has_colours()):
        print(line)
    files = len(mending.texts)
    count = f"{_some(len(mending.edits), 'fix', 'es')} in {_some(files, 'file')}"
    if mending.edits and (options.yes or _agreed(f"apply {count}?")):
        unwritten = 0
        for path, made in apply(mending):
            unwritten += not made
            said = f"fixed    {path}: {_some(made, 'finding')}"
            print(said if made else f"left     {path}: it has changed meanwhile; run this again")
        left = mending.left_then
        print("next     reread what changed, then run make accept")
    else:
        unwritten, left = files, mending.left_now
        if mending.edits:
            print(f"nothing was changed; --yes applies {count}")
    _tell(left)
    return max(codes[0], FINDINGS) if left or unwritten else CLEAN


def serve_editor(options: argparse.Namespace) -> None:
    """Be a language server for an editor: findings, facts and fixes while one types."""
    from engine.lsp import serve  # takes a second, which no other command has to wait for

    serve(options.content, options.cache, options.seconds)


def _tell(left: Left) -> None:
    for finding, why in left:
        print(f"{finding}; left alone: {why}", file=sys.stderr)
    if left:
        print(f"{_some(len(left), 'finding')} left", file=sys.stderr)


def _has_colours() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _agreed(question: str) -> bool:
    """The answer to a question, asked once; without a terminal nobody can give it."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    try:
        return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False


def _some(count: int, thing: str, plural: str = "s") -> str:
    return f"{count} {thing}{plural * (count != 1)}"
