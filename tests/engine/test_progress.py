"""What is told while something takes long: on a terminal, elsewhere, and to nobody."""

import os
import pty
import re
import subprocess
import sys

from engine.cli import main
from engine.progress import teller

BUILD = [sys.executable, "-m", "engine", "build"]
COLOUR = re.compile(r"\x1b\[[\d;]*m")


def on_a_terminal(project, **environment):
    """What a build writes to a terminal on its error stream, and what to its output."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        BUILD, cwd=project, stdout=subprocess.PIPE, stderr=theirs, text=True,
        env={**os.environ, "TERM": "xterm-256color", **environment},
    )  # fmt: skip
    os.close(theirs)
    output, _ = child.communicate()
    told = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # Linux says so when the other side is closed
            break
        if not part:
            break
        told += part
    os.close(ours)
    return told.decode(), output


def test_elsewhere_each_run_is_a_plain_line_on_the_error_stream(project, capsys):
    assert main(["build"]) == 0
    output, told = capsys.readouterr()
    assert told.splitlines()[0] == "running  content/count-to-ten/facts.py"
    assert "comparing content/count-to-ten/widget/counting.js with Python" in told
    assert "running" not in output and "\x1b" not in told
    assert main(["build"]) == 0  # all is known by now
    assert capsys.readouterr().err == ""


def test_quiet_tells_nothing(project, capsys):
    assert main(["build", "--quiet"]) == 0
    assert capsys.readouterr().err == ""


def test_on_a_terminal_a_line_moves_and_nothing_of_it_stays(project):
    told, output = on_a_terminal(project)
    assert "running  content/count-to-ten/facts.py" in told and COLOUR.search(told)
    assert told.rstrip().endswith("\x1b[2K") or "\x1b[2K" in told[-40:]
    assert output.startswith("built") and "\x1b" not in output


def test_no_colour_is_honoured(project):
    told, _ = on_a_terminal(project, NO_COLOR="1")
    assert "running" in told
    assert not [code for code in COLOUR.findall(told) if re.search(r"[;\[]3\d", code)]


def test_a_name_is_text_and_no_markup(capsys):
    with teller()("[bold]a[/bold].py"):
        pass
    assert capsys.readouterr().err == "[bold]a[/bold].py\n"
