"""A lesson's interactive page: what its scripts get, what they are held to, what they draw first."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from engine.cache import version_of
from engine.course import Lesson, read_text
from engine.facts import Fact
from engine.findings import Finding
from engine.parity import Parity, called, compare, findings, first_difference
from engine.port import Port
from engine.runner import Runner


@dataclass(frozen=True)
class Widget:
    """All that stands behind the page."""

    data: Mapping[str, Any]  # what the scripts get; "first" holds the settings it opens with
    scripts: dict[str, str]  # file name -> text, in loading order
    styles: dict[str, str]
    facts: list[str]  # names of those it used
    parity: Parity
    views: dict[str, str]  # name -> HTML at the first settings
    wrong: list[Finding]  # where the port differs


def widget(lesson: Lesson, facts: Mapping[str, Fact], runner: Runner) -> Widget:
    """Run the widget of a lesson. Raises Refused if its Python or one of its scripts fails."""
    given = runner.widget(lesson, facts)
    folder = lesson.folder / "widget"
    scripts = {name: read_text(folder / name) for name in given["scripts"]}
    styles = {file.name: read_text(file) for file in sorted(folder.glob("*.css"))}
    # The first is the port. The last needs a page, which there is none of here: it is only read.
    paths = {str(folder / name): text for name, text in scripts.items()}
    pure, last = dict([*paths.items()][:-1]), [*paths.items()][-1]
    port = dict([*pure.items()][:1])
    parity = _parity(lesson, given, port, runner)

    def draw() -> dict[str, str]:
        with runner.tell(f"drawing  {folder}"), Port(given["data"], pure, runner.seconds) as engine:
            views = engine.views()
            engine.parse(*last)
            return views

    views = runner.kept(["views", given["data"], paths, version_of("mini-racer")], draw)
    wrong = [found for path, text in port.items() for found in findings(parity, path, text)]
    return Widget(given["data"], scripts, styles, given["facts"], parity, views, wrong)


def _parity(lesson: Lesson, given: Mapping, scripts: dict[str, str], runner: Runner) -> Parity:
    """The port compared with widget.py; kept for as long as neither says anything else."""
    calls = [(name, arguments) for name, cases in given["parity"].items() for arguments in cases]

    def look_closer(port: Port, name: str, arguments: list) -> str:
        other = given["detail"].get(name)
        if not other:
            return ""
        [python] = runner.calls(lesson, [(other, arguments)])
        found = first_difference(python, port.value(other, arguments))
        return f"; first in {called(other, arguments)}{found}" if found else ""

    def make() -> dict[str, Any]:
        expected = runner.calls(lesson, calls)
        telling = runner.tell(f"comparing {', '.join(scripts)} with Python")
        with telling, Port(given["data"], scripts, runner.seconds) as port:
            return asdict(compare(calls, expected, port.value, partial(look_closer, port)))

    asked = ["parity", given, scripts, version_of("mini-racer")]
    return Parity(**runner.kept(asked, make))
