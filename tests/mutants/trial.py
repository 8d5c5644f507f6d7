"""One mutant tried on the surface it belongs to."""

import tomllib
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache, cached_property
from pathlib import Path

from engine.draft import Draft
from engine.findings import Finding
from tests.mutants import facts_moved, port_edits
from tests.mutants.bench import SIDE_EFFECTS, Bench
from tests.mutants.code_trial import CodeTrial
from tests.mutants.mutant import Mutant, Verdict
from tests.mutants.port_trial import PortTrial
from tests.mutants.programs import Programs, as_known

EQUIVALENT = Path(__file__).resolve().parent / "equivalent.toml"


class Trial:
    """A bench of its own, with all that is needed to try any mutant on it."""

    def __init__(self, bench: Bench, programs: Programs):
        self.bench = bench
        self._code = CodeTrial(bench, programs)
        self._draft: Draft = bench.draft()[0]

    def verdict(self, mutant: Mutant) -> Verdict:
        """What became of it; a survivor that is known to be equivalent is called that."""
        if mutant.surface == "code":
            found = self._code.verdict(mutant)
        elif mutant.rule.endswith(port_edits.OF_THE_PORT):
            found = self._port.verdict(mutant)
        elif mutant.path.endswith(".js"):
            found = self._said(mutant)
        elif mutant.surface == "facts":
            found = facts_moved.verdict(self.bench, self._draft, mutant)
        else:
            found = self._built(mutant)
        if found.ending == "survived" and (entry := entry_for(mutant)):
            return Verdict(mutant, "equivalent", entry["name"], entry["why"])
        return found

    @cached_property
    def _port(self) -> PortTrial:
        return PortTrial(self.bench)

    def _said(self, mutant: Mutant) -> Verdict:
        """An edit of what a script says: the gate sees it without what the scripts draw with it."""
        self.bench.runner.scripts_as_known = mutant.surface == "widget"
        try:
            found = self._built(mutant)
        finally:
            self.bench.runner.scripts_as_known = False
        return self._built(mutant) if found.ending == "survived" else found

    def _built(self, mutant: Mutant) -> Verdict:
        """An edit of a text: what the build says of it."""
        self.bench.runner.anew = ("figures",) if mutant.surface == "figures" else ()
        text = mutant.applied(self.bench.text(mutant.path))
        try:
            site, findings = self.bench.try_text(mutant.path, text)
        finally:
            self.bench.runner.anew = ()
        if mutant.surface == "harmless":
            said = str(findings[0]).partition("content/")[2] if findings else ""
            return Verdict(mutant, "false alarm" if findings else "harmless", "", said)
        if site and mutant.fact:
            return self._stale(mutant, text)
        if site:
            return Verdict(mutant, "survived")
        return noticed(mutant, findings)

    def _stale(self, mutant: Mutant, text: str) -> Verdict:
        """A fact typed as it is does no harm yet: what does the gate say when the fact moves?"""
        runner = self.bench.runner
        fact = replace(self._draft.facts[mutant.fact], value=mutant.values[0])
        runner.anew, runner.moved, runner.scripts_as_known = ("figures",), {mutant.fact: fact}, True
        try:
            with self.bench.edited(mutant.path, text):
                rules = {finding.rule for finding in self.bench.draft()[1]}
        finally:
            runner.anew, runner.moved, runner.scripts_as_known = (), {}, False
        if "figure-number" in rules:
            return Verdict(mutant, "killed", "figure-number", "once the fact has moved")
        return Verdict(mutant, "survived", said=f"even when {mutant.fact} moves")


def noticed(mutant: Mutant, findings: list[Finding]) -> Verdict:
    """Killed by a rule; or only by the lock, which shows it to whoever accepts it."""
    rules = sorted({finding.rule for finding in findings} - SIDE_EFFECTS - {"lock"})
    if rules:
        return Verdict(mutant, "killed", rules[0])
    if any(finding.rule == "lock" for finding in findings):
        return Verdict(mutant, "shown", "lock")
    return Verdict(mutant, "killed", "(side effect) " + findings[0].rule)


@cache
def entries() -> list[dict]:
    """The known equivalents: a pattern for their names, and why the page stays true."""
    return tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["equivalent"]


def entry_for(mutant: Mutant) -> dict | None:
    """The entry that a mutant's name matches, if there is one."""
    return next((entry for entry in entries() if fnmatchcase(mutant.name, entry["name"])), None)


def programs_of(bench: Bench, mutants: list[Mutant]) -> Programs:
    """The programs of the bench's lesson, with what they did."""
    draft, _ = bench.draft()
    runner = bench.runner(draft.course, bench.cache)
    facts = {
        name: as_known(fact.value, fact.unit, fact.digits)
        for name, fact in runner.facts(draft.lesson).items()
    }
    trace = runner.transcript(draft.lesson, "trace.py", {}).strip("\n")
    walk = any(mutant.surface == "code" for mutant in mutants)
    calls = [call for call in bench.calls() if call[0] in ("constants", "summary")][::32]
    return Programs(draft.lesson.folder, facts, trace, calls, walk)
