"""A sample of the mutants on every run of the tests: of each kind of edit, and harmless ones.

All of them run with `make mutants`. What has to draw figures or to walk the grid of settings
takes seconds, and is left to that.
"""

import random

import pytest

from tests.conftest import CACHE
from tests.mutants.bench import PROJECT, Bench
from tests.mutants.corpus import corpus
from tests.mutants.mutant import NOTICED
from tests.mutants.trial import Trial, entry_for, programs_of

SEED = 31
SIZES = {"prose": 52, "code": 42, "facts": 42, "harmless": 14}


@pytest.fixture(scope="module")
def trial(real_site, tmp_path_factory):
    """A bench that finds the runs of the real site in the cache."""
    bench = Bench(PROJECT / "content", CACHE, tmp_path_factory.mktemp("mutants"))
    return Trial(bench, programs_of(bench, []))


def is_quick(mutant, drawn_facts):
    if entry_for(mutant):  # what nothing notices goes a long way
        return False
    if mutant.surface == "code":
        runs = mutant.rule == "number in a format" and mutant.path.endswith("trace.py")
        return runs or mutant.rule == "line above a quoted one"
    return mutant.rule != "fact one unit further" or mutant.fact not in drawn_facts


def sample(mutants):
    """So many of each surface, turn by turn from each kind of edit."""
    draw = random.Random(SEED)
    for surface, size in SIZES.items():
        kinds = {}
        for mutant in mutants:
            if mutant.surface == surface:
                kinds.setdefault(mutant.rule.partition(":")[0], []).append(mutant)
        queues = [draw.sample(kinds[kind], len(kinds[kind])) for kind in sorted(kinds)]
        turns = range(max(map(len, queues)))
        yield from [
            queue[turn] for turn in turns for queue in queues if turn < len(queue)
        ][:size]  # fmt: skip


@pytest.mark.xdist_group("mutants")
def test_a_sample_of_the_mutants(trial):
    drawn_facts = trial.bench.draft()[0].facts_in_figures
    quick = [mutant for mutant in corpus(trial.bench) if is_quick(mutant, drawn_facts)]
    verdicts = [trial.verdict(mutant) for mutant in sample(quick)]
    good = (*NOTICED, "harmless")
    assert [str(verdict) for verdict in verdicts if verdict.ending not in good] == []
    assert len(verdicts) >= 150
