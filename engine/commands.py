"""What each command does. Each takes the parsed options; what it cannot do it raises as Refused."""

import argparse
import sys
import tempfile
from pathlib import Path

from engine import history, listing, lock
from engine.build import Findings, Site, build, drafts_of, write_all
from engine.draft import Draft
from engine.explain import explain, instead
from engine.findings import CLEAN, FINDINGS, PROGRAM_FAILED
from engine.formats import summary
from engine.load import load
from engine.new import new_lesson
from engine.progress import Tell, teller
from engine.publish import publish, refuse_foreign
from engine.runner import Runner
from engine.verify import report, verify


def build_site(options: argparse.Namespace) -> None:
    """Check everything and publish the site."""
    refuse_foreign(options.out)
    site = build(options.content, options.templates, options.cache, options.seconds, _tell(options))
    publish(site.files, options.out)
    size = sum(map(len, site.files.values()))
    print(f"built    {options.out}: {len(site.files)} files, {size / 1024:,.0f} KiB")
    print("\n".join(_checked(site)))
    print(f"open     {options.out / 'index.html'}")


def serve_site(options: argparse.Namespace) -> None:
    """Show the site in a browser, and show it anew after each edit."""
    from engine.serve import serve  # a server takes long to load, and only this command needs it

    serve(options)


def check_site(options: argparse.Namespace) -> None:
    """Run and check everything from scratch; write nothing but the report."""
    with tempfile.TemporaryDirectory() as scratch:
        cache = options.cache or Path(scratch)
        site = build(options.content, options.templates, cache, options.seconds, _tell(options))
    _report(options, [*_checked(site), "clean"])
    if options.summary:
        options.summary.write_text(summary([], site.report), encoding="utf-8")


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
        runner = Runner(course, options.cache or Path(scratch), options.seconds, _tell(options))
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
    _, drafts, findings = drafts_of(
        options.content, options.cache, options.seconds, tell=_tell(options)
    )
    findings.stop_if_any()
    return drafts


def write_new(options: argparse.Namespace) -> None:
    """Write a small lesson that builds, to start from."""
    for path in new_lesson(options.content, options.templates, options.slug, options.title):
        print(f"wrote    {path}")
    for draft in _drafts(options):
        if draft.lesson.entry.slug == options.slug:
            lock.accept(draft)
    print(f"next     edit {options.content / options.slug / 'lesson.md'}, then make site")


def list_facts(options: argparse.Namespace) -> None:
    """List facts: text, unrounded value, where each was measured, how often it is quoted."""
    course, drafts, findings = drafts_of(
        options.content, options.cache, options.seconds, tell=_tell(options)
    )
    if len(drafts) < len(course.lessons):  # other findings are no reason to keep silent
        findings.stop_if_any()
    facts = listing.listed(drafts, options.pattern)
    if options.format == "json":
        print(listing.as_json(facts))
    else:
        _report(options, list(listing.as_text(facts)))


def _tell(options: argparse.Namespace) -> Tell:
    return teller(options.quiet)


def _checked(site: Site) -> list[str]:
    return [f"checked  {line}" for line in site.report]


def _report(options: argparse.Namespace, lines: list[str]) -> None:
    """Print the lines, and write them where --out says."""
    print("\n".join(lines))
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        path = options.out / f"{options.name}.txt"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
