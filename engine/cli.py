"""Arguments, printing, exit codes."""

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path

from engine import history, lock
from engine.build import Findings, Site, build, write_all
from engine.draft import Draft
from engine.explain import explain, instead
from engine.findings import CLEAN, FINDINGS, PROGRAM_FAILED, USAGE, Finding, Refused
from engine.formats import DATA, FORMATS
from engine.load import load
from engine.publish import publish, refuse_foreign
from engine.runner import SECONDS, Runner
from engine.verify import report, verify

STOPPED = 130  # as shells report an interrupt


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 clean, 1 findings, 2 usage, 3 lesson code failed."""
    options = _parser().parse_args(arguments)
    try:
        for name in ("--content", "--templates", "DIR"):
            folder = getattr(options, name.strip("-").lower(), None)
            if folder and not folder.is_dir():
                what, fix = f"{name} is not a folder", "run from the project's folder, or name it"
                raise Refused([Finding(str(folder), 1, 1, "usage", what, fix)], USAGE)
        with redirect_stdout(sys.stderr if options.form in DATA else sys.stdout):
            code = options.command(options)
    except Refused as refused:
        _tell(refused.findings, options.form)
        return refused.code
    except BrokenPipeError:  # whoever reads this has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLEAN
    except OSError as error:
        what, fix = f"cannot be used: {error.strerror}", "name another folder"
        _tell([Finding(str(error.filename), 1, 1, "output", what, fix)], options.form)
        return USAGE
    except KeyboardInterrupt:
        print("stopped; nothing was published", file=sys.stderr)
        return STOPPED
    if options.form in DATA:
        print(FORMATS[options.form]([]), end="")
    return code or CLEAN


def _tell(findings: list[Finding], form: str) -> None:
    """Print the findings: for people on the error stream, for programs on the output."""
    if form != "text":
        print(FORMATS[form](findings), end="")
    if form not in DATA:
        print(FORMATS["text"](findings), end="", file=sys.stderr)
    count = len(findings)
    print(f"{count} finding{'s' * (count != 1)}; nothing was published", file=sys.stderr)


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


def accept_command(options: argparse.Namespace) -> None:
    """Record the numbers that the lessons quote now, after you have read them."""
    for draft in _drafts(options):
        for change in lock.accept(draft, options.pattern):
            print(change)
        print(f"accepted {draft.lesson.folder / lock.NAME}")


def claims_command(options: argparse.Namespace) -> None:
    """List every claim with its margin, nearest to failing first."""
    claims = [claim for draft in _drafts(options) for claim in draft.prose.claims]
    claims.sort(key=lambda claim: (claim.margin is None, claim.margin or 0, claim.code))
    lines = [
        f"{'exact' if claim.margin is None else f'{claim.margin:.1%}':>7}  {claim.path}: {claim.code}"
        for claim in claims
    ]
    _report(options, [f"{len(lines)} claims hold; margin is a share of the larger number", *lines])


def diff_command(options: argparse.Namespace) -> None:
    """Show which quoted numbers and sentences changed since a commit."""
    for line in history.diff(options.content, options.revision, options.format):
        print(line)


def explain_command(options: argparse.Namespace) -> int:
    """Tell where a number stands, how it is made, and what would change it."""
    course, findings = load(options.content), Findings()
    with tempfile.TemporaryDirectory() as scratch:
        runner = Runner(course, options.cache or Path(scratch), options.seconds)
        drafts = write_all(course, runner, findings)
        if len(drafts) < len(course.lessons):  # other findings are no reason to keep silent
            findings.stop_if_any()
        lines = explain(options.text, drafts, runner.inputs)
    if not lines:
        about = instead(options.text, drafts)
        print(f'no lesson shows "{options.text}"; {about}', file=sys.stderr)
        return FINDINGS
    _report(options, lines)
    return CLEAN


def verify_command(options: argparse.Namespace) -> int:
    """Read a published site a second time, by other rules, and run all lesson code again."""
    findings, failed = verify(options.dir, options.content)
    print(report(findings) if findings else "clean", file=sys.stderr if findings else sys.stdout)
    return PROGRAM_FAILED if failed else FINDINGS if findings else CLEAN


def _drafts(options: argparse.Namespace) -> list[Draft]:
    """Every lesson, written and checked. Raises Refused if anything but the lock is wrong."""
    course, findings = load(options.content), Findings()
    with tempfile.TemporaryDirectory() as scratch:
        runner = Runner(course, options.cache or Path(scratch), options.seconds)
        drafts = write_all(course, runner, findings)
    findings.stop_if_any()
    return drafts


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


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError("must be a positive number")
    return seconds


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
        ("explain", explain_command, None, report, Path("build/cache"), "build/cache"),
        ("claims", claims_command, None, report, Path("build/cache"), "build/cache"),
        ("accept", accept_command, None, report, Path("build/cache"), "build/cache"),
        ("diff", diff_command, None, report, Path("build/cache"), "build/cache"),
    ):
        sub = commands.add_parser(name, help=command.__doc__, description=command.__doc__)
        sub.set_defaults(command=command, name=name, form="text")
        for flag, default, about in (
            ("--content", Path("content"), "what people read (default: content)"),
            ("--templates", Path("templates"), "page frames (default: templates)"),
            ("--out", out, f"{about_out} (default: {out})" if out else about_out),
            ("--cache", cache, f"results of earlier runs (default: {about_cache})"),
        ):
            sub.add_argument(flag, type=Path, metavar="DIR", default=default, help=about)
        about = f"time a lesson's program may run (default: {SECONDS})"
        sub.add_argument("--seconds", type=_seconds, metavar="N", default=SECONDS, help=about)
        if name in ("build", "check"):
            about = "how to print findings (default: text)"
            sub.add_argument("--format", dest="form", choices=FORMATS, default="text", help=about)
        if name == "explain":
            sub.add_argument("text", help='a number as it is printed ("3.49"), or a fact\'s name')
        if name == "accept":
            about = "expressions to accept, with * and ? (default: all)"
            sub.add_argument("pattern", nargs="?", default="*", help=about)
        if name == "diff":
            sub.add_argument("revision", help="a commit to compare with")
            forms = ("text", "json", "markdown")
            sub.add_argument("--format", choices=forms, default="text", help="default: text")
    again = commands.add_parser(
        "verify", help=verify_command.__doc__, description=verify_command.__doc__
    )
    again.set_defaults(command=verify_command, name="verify", form="text")
    again.add_argument("dir", type=Path, metavar="DIR", help="the site, as it was published")
    about = "what it was made from (default: content)"
    again.add_argument("--content", type=Path, metavar="DIR", default=Path("content"), help=about)
    return parser
