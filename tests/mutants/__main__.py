"""`python -m tests.mutants`: try every mutant and print what became of them."""

import argparse
import multiprocessing
import os
import random
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from tests.mutants import report
from tests.mutants.bench import PROJECT, Bench
from tests.mutants.corpus import corpus
from tests.mutants.mutant import Mutant, Verdict
from tests.mutants.trial import Trial, entries, programs_of

WORKER: dict[str, Trial] = {}


def start(bench: Bench, programs, scratch: str) -> None:
    """Give this process a copy of the content."""
    folder = Path(scratch) / str(os.getpid())
    WORKER["trial"] = Trial(bench.elsewhere(folder), programs)


def attempt(mutant: Mutant) -> Verdict:
    """Try one mutant in this process."""
    began = time.monotonic()
    verdict = WORKER["trial"].verdict(mutant)
    return replace(verdict, seconds=time.monotonic() - began)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--surface", help="only prose, code, facts, figures, widget or harmless")
    parser.add_argument("--take", type=int, help="only so many, drawn at random (seeded)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the report as JSON")
    options = parser.parse_args()
    began = time.monotonic()
    bench = Bench(PROJECT / "content", PROJECT / "build/cache", PROJECT / "build/mutants")
    mutants = [m for m in corpus(bench) if options.surface in (None, m.surface)]
    if options.take:
        mutants = random.Random(options.take).sample(mutants, min(options.take, len(mutants)))
    programs = programs_of(bench, mutants)
    mixed = random.Random(1).sample(mutants, len(mutants))  # so that the slow ones spread
    context = multiprocessing.get_context("fork")  # children inherit what the programs did
    with (
        tempfile.TemporaryDirectory() as scratch,
        context.Pool(options.jobs, start, (bench, programs, scratch)) as pool,
    ):
        found = dict(zip(mixed, pool.imap(attempt, mixed)))
    verdicts = [found[mutant] for mutant in sorted(mutants, key=place_of)]
    used = {verdict.by for verdict in verdicts if verdict.ending == "equivalent"}
    everything = not (options.surface or options.take)
    stale = [entry["name"] for entry in entries() if everything and entry["name"] not in used]
    seconds = time.monotonic() - began
    print("\n".join(report.lines(verdicts, stale, seconds)))
    if options.out:
        report.write(options.out, verdicts, stale, seconds)
    return int(report.failed(verdicts, stale))


def place_of(mutant: Mutant):
    """Surface by surface, file by file."""
    return mutant.surface, mutant.path, mutant.line, mutant.rule, mutant.edit, mutant.new


if __name__ == "__main__":
    sys.exit(main())
