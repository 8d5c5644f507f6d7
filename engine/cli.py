"""Arguments, printing, exit codes."""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from engine.build import Site, build
from engine.findings import CLEAN, USAGE, Finding, Refused
from engine.load import load
from engine.publish import publish, refuse_foreign
from engine.runner import SECONDS, Runner


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 clean, 1 findings, 2 usage, 3 lesson code failed."""
    options = _parser().parse_args(arguments)
    try:
        for name, folder in (("--content", options.content), ("--templates", options.templates)):
            if not folder.is_dir():
                what, fix = f"{name} is not a folder", "run from the project's folder, or name it"
                raise Refused([Finding(str(folder), 1, 1, "usage", what, fix)], USAGE)
        options.command(options)
    except Refused as refused:
        for finding in refused.findings:
            print(finding, file=sys.stderr)
        count = len(refused.findings)
        print(f"{count} finding{'s' if count != 1 else ''}; nothing was published", file=sys.stderr)
        return refused.code
    return CLEAN


def build_command(options: argparse.Namespace) -> None:
    """Check everything and publish the site."""
    refuse_foreign(options.out)
    site = build(options.content, options.templates, options.cache, options.seconds)
    publish(site.files, options.out)
    size = sum(map(len, site.files.values()))
    print(f"built    {options.out}: {len(site.files)} files, {size / 1024:,.0f} KiB")
    print("\n".join(_checked(site)))
    print(f"open     {options.out / 'index.html'}")


def check_command(options: argparse.Namespace) -> None:
    """Run and check everything from scratch; write nothing but the report."""
    with tempfile.TemporaryDirectory() as scratch:
        cache = options.cache or Path(scratch)
        site = build(options.content, options.templates, cache, options.seconds)
    _report(options, [*_checked(site), "clean"])


def facts_command(options: argparse.Namespace) -> None:
    """Print every fact: name, text, unrounded value, where it was measured."""
    course = load(options.content)
    with tempfile.TemporaryDirectory() as scratch:
        runner = Runner(course, options.cache or Path(scratch), options.seconds)
        facts = [fact for lesson in course.lessons for fact in runner.facts(lesson).values()]
    rows = [("fact", "text", "value", "measured at")]
    for fact in [*facts, *course.cited.values()]:
        text = "" if isinstance(fact.value, bool) else fact.text
        rows.append((fact.name, text, str(fact.value), fact.origin))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = ["  ".join([*map(str.ljust, row, widths), row[3]]) for row in rows]
    _report(options, lines)


def _checked(site: Site) -> list[str]:
    return [f"checked  {line}" for line in site.report]


def _report(options: argparse.Namespace, lines: list[str]) -> None:
    """Print the lines, and write them where --out says."""
    print("\n".join(lines))
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        path = options.out / f"{options.name}.txt"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="lesson", description="Lessons that cannot lie.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    report, run_again = "folder for a copy of the report (default: none)", "run all again"
    for name, command, out, about_out, cache, about_cache in (
        (
            "build",
            build_command,
            Path("build/site"),
            "the site",
            Path("build/cache"),
            "build/cache",
        ),
        ("check", check_command, None, report, None, run_again),
        ("facts", facts_command, None, report, Path("build/cache"), "build/cache"),
    ):
        sub = commands.add_parser(name, help=command.__doc__, description=command.__doc__)
        sub.set_defaults(command=command, name=name)
        for flag, default, about in (
            ("--content", Path("content"), "what people read (default: content)"),
            ("--templates", Path("templates"), "page frames (default: templates)"),
            ("--out", out, f"{about_out} (default: {out})" if out else about_out),
            ("--cache", cache, f"results of earlier runs (default: {about_cache})"),
        ):
            sub.add_argument(flag, type=Path, metavar="DIR", default=default, help=about)
        about = f"time a lesson's program may run (default: {SECONDS})"
        sub.add_argument("--seconds", type=float, metavar="N", default=SECONDS, help=about)
    return parser
