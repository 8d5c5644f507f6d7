"""Facts as authors look them up: by name, with their places, for people and for programs."""

import json
from pathlib import Path

from engine.cli import main


def test_each_fact_tells_where_it_is_quoted(project, capsys):
    assert main(["facts", "sum.*", "--format", "json"]) == 0
    ten, hundred = json.loads(capsys.readouterr().out)
    assert ten["name"] == "sum.ten" and ten["value"] == 55 and ten["text"] == "55"
    assert ten["measured_at"] == "count-to-ten/facts.py:8"
    text = Path("content/count-to-ten/lesson.md").read_text(encoding="utf-8").split("\n")
    for place in ten["quoted_at"]:
        path, line, column = place.rsplit(":", 2)
        if path.endswith("lesson.md"):
            assert "sum.ten" in text[int(line) - 1][int(column) - 1 :]
    assert (
        sum(place.startswith("content/count-to-ten/lesson.md:") for place in ten["quoted_at"]) == 3
    )
    assert "content/count-to-ten/widget.py" in hundred["quoted_at"]


def test_a_fact_that_nothing_quotes_is_told(project, capsys):
    with Path("content/count-to-ten/facts.py").open("a", encoding="utf-8") as facts:
        facts.write('    fact("spare.one", 7)\n')
    assert main(["facts", "spare.*"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["spare.one", "7", "7", "count-to-ten/facts.py:13", "nowhere"]
    assert lines[-1] == "1 fact, 1 quoted nowhere"


def test_a_claim_quotes_what_it_names(project, capsys):
    assert main(["facts", "growth", "--format", "json"]) == 0
    [growth] = json.loads(capsys.readouterr().out)
    assert len(growth["quoted_at"]) == 2
