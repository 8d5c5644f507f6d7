"""What each command does. Each takes the parsed options; what it cannot do it raises as Refused."""

import argparse
import sys
import tempfile
from pathlib import Path

from engine import history, lock
from engine.build import Findings, Site, build, drafts_of, write_all
from engine.draft import Draft
from engine.explain import explain, instead
from engine.findings import CLEAN, FINDINGS, PROGRAM_FAILED
from engine.load import load
from engine.publish import publish, refuse_foreign
from engine.runner import Runner
from engine.verify import report, verify


def build_site(options: argparse.Namespace) -> None:
    """Check everything and publish the site."""
    refuse_foreign(options.out)
    site = build(options.content, options.templates, options.cache, options.seconds)
    publish(site.files, options.out)
    size = sum(map(len, site.files.values()))
    print(f"built    {options.out}: {len(site.files)} files, {size / 1024:,.0f} KiB")
    print("\n".join(_checked(site)))
    print(f"open     {options.out / 'index.html'}")


def check_site(options: argparse.Namespace) -> None:
    """Run and check everything from scratch; write nothing but the report."""
    with tempfile.TemporaryDirectory() as scratch:
        cache = options.cache or Path(scratch)
        site = build(options.content, options.templates, cache, options.seconds)
    _report(options, [*_checked(site), "clean"])


def accept_numbers(options: argparse.Namespace) -> None:
    """Record the numbers that the lessons quote now, after you have read them."""
    for draft in _drafts(options):
        for change in lock.accept(draft, options.pattern):
            print(change)
        print(f"accepted {draft.lesson.folder / lock.NAME}")


def list_claims(options: argparse.Namespace) -> None:
    """List every claim with its margin, nearest to failing first."""
    parts = [part for draft in _drafts(options) for part in draft.parts]
    claims = [claim for part in parts for claim in part.prose.claims]
    claims.sort(key=lambda claim: (claim.margin is None, claim.margin or 0, claim.code))
    lines = [
        f"{'exact' if claim.margin is None else f'{claim.margin:.1%}':>7}  {claim.path}: {claim.code}"
        for claim in claims
    ]
    _report(options, [f"{len(lines)} claims hold; margin is a share of the larger number", *lines])


def show_diff(options: argparse.Namespace) -> None:
    """Show which quoted numbers and sentences changed since a commit."""
    for line in history.diff(options.content, options.revision, options.format):
        print(line)


def explain_number(options: argparse.Namespace) -> int:
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


def verify_site(options: argparse.Namespace) -> int:
    """Read a published site a second time, by other rules, and run all lesson code again."""
    findings, failed = verify(options.dir, options.content)
    print(report(findings) if findings else "clean", file=sys.stderr if findings else sys.stdout)
    return PROGRAM_FAILED if failed else FINDINGS if findings else CLEAN


def _drafts(options: argparse.Namespace) -> list[Draft]:
    """Every lesson, written and checked. Raises Refused if anything but the lock is wrong."""
    _, drafts, findings = drafts_of(options.content, options.cache, options.seconds)
    findings.stop_if_any()
    return drafts


def list_facts(options: argparse.Namespace) -> None:
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
