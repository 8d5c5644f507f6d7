"""The comparison with Python that has to notice an edit of a widget's port."""

from collections.abc import Iterator
from typing import Any

from engine.findings import Refused
from engine.parity import compare
from engine.port import Port
from tests.mutants.apart import apart
from tests.mutants.bench import Bench
from tests.mutants.mutant import Mutant, Verdict
from tests.mutants.oracles import first_failure, quick_tests
from tests.mutants.programs import SAME, Sign

# As it is, the slowest call takes 0.06 s, the tests take one, and all calls two.
CALL_SECONDS, TEST_SECONDS, ALL_SECONDS = 1, 5, 10
SIZES = (1, 1, 8, 8)  # calls of one function that are tried before some of the next
Call = tuple[str, list, Any]  # a function, its arguments, and what it returns in Python


class PortTrial:
    """Tries edits of the port of a bench's lesson."""

    def __init__(self, bench: Bench):
        self.bench = bench
        self._tests = quick_tests("test_server_js.py")
        self._data = bench.draft()[0].widget.behind.data
        *self._quick, self._rest = _stages(bench.calls())

    def verdict(self, mutant: Mutant) -> Verdict:
        """The first that notices: a few of the calls, the port's tests, all of the calls."""
        text = mutant.applied(self.bench.text(mutant.path))
        with self.bench.edited(mutant.path, text):
            for stage in (self._compared, self._tested, self._compared_at_length):
                ending, by, said = stage(text)
                if ending != "same":
                    return Verdict(mutant, ending, by, said)
        return Verdict(mutant, "survived")

    def _compared(self, text: str) -> Sign:
        return self._first_difference(text, self._quick)

    def _compared_at_length(self, text: str) -> Sign:
        return self._first_difference(text, [self._rest])

    def _tested(self, _: str) -> Sign:
        failed = first_failure(self.bench.content, self._tests, lambda: None, TEST_SECONDS)
        return ("tested", "tests/content", failed) if failed else SAME

    def _first_difference(self, text: str, stages: list[list[Call]]) -> Sign:
        """The first call that gives something else than in Python."""

        def work() -> Sign:
            try:
                with Port(self._data, {"the port": text}, CALL_SECONDS) as port:
                    for stage in stages:
                        calls, values = [call[:2] for call in stage], [call[2] for call in stage]
                        parity = compare(calls, values, port.value, lambda name, arguments: "")
                        for _, texts in parity.differences.items():
                            return "killed", "parity", texts[0]
            except Refused as refused:
                return "killed", "program-failed", refused.findings[0].what
            return SAME

        sign = apart(work, ALL_SECONDS)
        return tuple(sign) if sign else ("killed", "program-failed", "it ends with its process")


def _stages(calls: list[Call]) -> Iterator[list[Call]]:
    """A few calls of each function first, from all over what is tried; at last, all the others."""
    waiting: dict[str, list[Call]] = {}
    for call in calls:
        waiting.setdefault(call[0], []).append(call)
    for size in SIZES:
        for name, rest in waiting.items():
            some = rest[:: max(len(rest) // size, 1)]
            waiting[name] = [call for call in rest if call not in some]
            if some:
                yield some
    yield [call for rest in waiting.values() for call in rest]
