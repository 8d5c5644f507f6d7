"""show_numbers.py prints every number that the deep part of the lesson quotes."""

import re
from pathlib import Path

import pytest
import show_numbers

CONTENT = Path(__file__).resolve().parents[2] / "content"
LESSON = (CONTENT / "build-a-tiny-model-server/lesson.md").read_text(encoding="utf-8")


def measured():
    names = []
    show_numbers.measure(lambda name, *_, **__: names.append(name))
    return names


def quoted_in_the_deep_part():
    deep = LESSON.partition("\n## Go deeper\n")[2].partition("\n## Skills\n")[0]
    assert deep
    expressions = re.findall(r"\{\{ (.*?) \}\}", deep)
    expressions = [re.sub(r'"[^"]*"', "", expression) for expression in expressions]
    return {
        name
        for expression in expressions
        for name in re.findall(r"[a-z_]\w*(?:\.\w+)*", expression)
    }


@pytest.mark.slow
def test_each_number_of_the_deep_part_is_among_them():
    words = {
        "code",
        "run",
        "line",
        "src",
        "ref",
        "step",
        "lesson",
        "source",
        "claim",
        "and",
        "first",
        "last",
    }
    quoted = {name for name in quoted_in_the_deep_part() - words if not name.startswith("cite.")}
    only_for_claims = {"chat.all_pages", "wide.blocked_ratio"}
    assert len(quoted) > 30
    assert quoted - set(measured()) - only_for_claims == set()


def test_what_it_prints(capsys):
    show_numbers.show("a.b", 1234.56, "ms", 1)
    show_numbers.show("a_longer.name", 7)
    show_numbers.show("wall", "cache")
    assert capsys.readouterr().out == (
        "a.b                  1,234.6 ms\na_longer.name        7\nwall                 cache\n"
    )
