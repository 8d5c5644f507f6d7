"""A sample of the mutants on every run of the tests: each kind of edit, and harmless ones.

All of them run with `make mutants`.
"""

import random

import pytest

from tests.conftest import CACHE
from tests.mutants.bench import PROJECT, Bench
from tests.mutants.corpus import corpus
from tests.mutants.mutant import NOTICED
from tests.mutants.trial import Trial, programs_of

SEED, SIZE = 31, 110  # edits of the text; the others are drawn below
OTHERS = {"code": 16, "facts": 12, "harmless": 24}
QUICK = ("line above a quoted one", "definition renamed", "number in a format")


@pytest.fixture(scope="module")
def trial(real_site, tmp_path_factory):
    """A bench that finds the runs of the real site in the cache."""
    bench = Bench(PROJECT / "content", CACHE, tmp_path_factory.mktemp("mutants"))
    return Trial(bench, programs_of(bench, []))


def drawn(mutants):
    """So many of each surface, with as many kinds of edit among them as there are."""
    draw = random.Random(SEED)
    for surface, size in {"prose": SIZE, **OTHERS}.items():
        kinds = {}
        for mutant in mutants:
            if mutant.surface == surface and (surface != "code" or mutant.rule in QUICK):
                kinds.setdefault(mutant.rule, []).append(mutant)
        for rule in sorted(kinds):
            draw.shuffle(kinds[rule])
        queues = [kinds[rule] for rule in sorted(kinds)]
        turn = [queue[place] for place in range(size) for queue in queues if place < len(queue)]
        yield from turn[:size]


@pytest.mark.xdist_group("mutants")
def test_a_sample_of_the_mutants(trial):
    verdicts = [trial.verdict(mutant) for mutant in drawn(corpus(trial.bench))]
    wrong = [
        str(verdict)
        for verdict in verdicts
        if verdict.ending not in (*NOTICED, "harmless", "equivalent")
    ]
    assert wrong == []
    assert len(verdicts) >= 150
