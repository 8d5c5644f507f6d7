"""A sample of the mutants on every run of the tests: of each kind of edit, and harmless ones.

All of them run with `make mutants`. What has to draw figures or to walk the grid of settings
takes seconds, and is left to that.
"""

import random
import re

import pytest

from tests.conftest import CACHE
from tests.mutants.bench import PROJECT, Bench
from tests.mutants.corpus import corpus
from tests.mutants.mutant import NOTICED
from tests.mutants.trial import Trial, entry_for, programs_of

SEED = 31
SIZES = {"prose": 32, "code": 40, "facts": 50, "widget": 24, "harmless": 6}
PORT_CONSTANT = re.compile(
    r"of `const (?:[A-Z_]+|\[[A-Z_, ]+\]) ="
)  # compared before anything else
ALONE = 'PARITY, DETAIL = {"constants": [[]]}, {}\n'


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
    if mutant.path.endswith("server.js"):
        return bool(PORT_CONSTANT.search(mutant.edit))
    if mutant.surface == "harmless" and mutant.path.endswith(".js"):
        return False
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
    draft, _ = trial.bench.draft()
    drawn_facts = draft.facts_in_figures | draft.facts_in_widget
    quick = [mutant for mutant in corpus(trial.bench) if is_quick(mutant, drawn_facts)]
    verdicts = [trial.verdict(mutant) for mutant in sample(quick)]
    good = (*NOTICED, "harmless")
    assert [str(verdict) for verdict in verdicts if verdict.ending not in good] == []
    assert len(verdicts) >= 150


@pytest.mark.xdist_group("mutants")
def test_a_constant_of_the_program_alone_differs_from_the_port(trial):
    slug, bench = "build-a-tiny-model-server", trial.bench
    program, widget = f"{slug}/code/tiny_server.py", f"{slug}/widget.py"
    text = bench.text(program).replace("LONG_QUEUE = 4 ", "LONG_QUEUE = 5 ")
    bench.runner.anew = ("widget",)
    try:
        with bench.edited(widget, bench.text(widget) + ALONE):
            _, findings = bench.try_text(program, text)
    finally:
        bench.runner.anew = ()
    said = [finding.what for finding in findings if finding.rule == "parity"]
    assert said == ["constants().LONG_QUEUE is 5 in Python, 4 in the port"]
