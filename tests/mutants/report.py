"""What became of all mutants, for people and for machines."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.mutants.mutant import NOTICED, Verdict

BAD = ("survived", "false alarm")


def lines(verdicts: list[Verdict], stale: list[str], seconds: float) -> Iterator[str]:
    """The report: a table by surface and rule, who noticed, and each one that went wrong."""
    heads = ("all", "killed", "shown", "tested", "equal", "lost", "rate")
    widths = (6, 8, 7, 8, 7, 6, 8)
    yield f"{'surface and kind of edit':58}" + "".join(map(str.rjust, heads, widths))
    for surface in sorted({verdict.mutant.surface for verdict in verdicts} - {"harmless"}):
        of_surface = [verdict for verdict in verdicts if verdict.mutant.surface == surface]
        yield _row(surface, of_surface)
        for rule in sorted({verdict.mutant.rule for verdict in of_surface}):
            yield _row(
                f"  {rule}", [verdict for verdict in of_surface if verdict.mutant.rule == rule]
            )
    harmless = [verdict for verdict in verdicts if verdict.mutant.surface == "harmless"]
    alarms = sum(verdict.ending == "false alarm" for verdict in harmless)
    yield f"harmless edits: {len(harmless)}, false alarms: {alarms}"
    for rule, count in sorted(Counter(verdict.mutant.rule for verdict in harmless).items()):
        yield f"  {rule}: {count}"
    yield "noticed by"
    by = Counter((v.mutant.surface, v.by) for v in verdicts if v.ending in NOTICED)
    for (surface, who), count in sorted(by.items()):
        yield f"  {surface}: {who}: {count}"
    for ending in BAD:
        for verdict in verdicts:
            if verdict.ending == ending:
                yield f"{ending}: {verdict}"
    for name in stale:
        yield f"equivalent.toml: no survivor is called {name}"
    total = len(verdicts) - len(harmless)
    lost = sum(verdict.ending == "survived" for verdict in verdicts)
    yield (
        f"{total:,} mutants, {lost} survived; {len(harmless)} harmless edits, {alarms} false "
        f"alarms; {seconds:.0f} s"
    )


def failed(verdicts: Iterable[Verdict], stale: list[str]) -> bool:
    """Whether anything survived or was a false alarm, or an entry of the equivalents is stale."""
    return bool(stale) or any(verdict.ending in BAD for verdict in verdicts)


def write(path: Path, verdicts: list[Verdict], stale: list[str], seconds: float) -> None:
    """The same for machines."""
    rows = [
        {
            "surface": verdict.mutant.surface, "rule": verdict.mutant.rule,
            "file": f"content/{verdict.mutant.path}", "line": verdict.mutant.line,
            "edit": verdict.mutant.edit, "ending": verdict.ending, "by": verdict.by,
            "said": verdict.said, "seconds": round(verdict.seconds, 2),
        }
        for verdict in verdicts
    ]  # fmt: skip
    endings: dict[str, Counter] = {}
    for verdict in verdicts:
        endings.setdefault(verdict.mutant.surface, Counter())[verdict.ending] += 1
    data = {"seconds": round(seconds), "endings": endings, "stale": stale, "mutants": rows}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _row(name: str, verdicts: list[Verdict]) -> str:
    """Counts of one kind of edit; the rate leaves those out that change nothing."""
    endings = Counter(verdict.ending for verdict in verdicts)
    counted = len(verdicts) - endings["equivalent"]
    rate = sum(endings[ending] for ending in NOTICED) / counted if counted else 1
    return (
        f"{name:58}{len(verdicts):6}{endings['killed']:8}{endings['shown']:7}"
        f"{endings['tested']:8}{endings['equivalent']:7}{endings['survived']:6}{rate:8.1%}"
    )
