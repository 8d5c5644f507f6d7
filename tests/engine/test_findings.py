"""Findings: where, what, and the edit that mends it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.findings import (
    CLEAN,
    FINDINGS,
    PROGRAM_FAILED,
    USAGE,
    Finding,
    Refused,
    nearest,
    position,
)


def finding(
    path="content/a/lesson.md", line=1, col=1, rule="bare-number", what="w", fix="f"
) -> Finding:
    return Finding(path, line, col, rule, what, fix)


def test_a_finding_is_a_line_that_editors_can_jump_to():
    text = str(
        Finding("content/a/lesson.md", 41, 17, "bare-number", '"3.49" has no source', "write x")
    )
    assert text == 'content/a/lesson.md:41:17: bare-number: "3.49" has no source; write x'


def test_a_report_goes_through_the_files_from_top_to_bottom():
    in_order = [
        finding("content/a/facts.py", 99),
        finding("content/a/lesson.md", 2, 30),
        finding("content/a/lesson.md", 10, 4),
        finding("content/a/lesson.md", 10, 12),
        finding("content/b/lesson.md", 1),
    ]
    assert Refused(reversed(in_order)).findings == in_order


def test_the_same_fault_is_told_once():
    assert Refused([finding(line=3), finding(line=3), finding(line=4)]).findings == [
        finding(line=3),
        finding(line=4),
    ]


def test_a_refusal_says_all_that_is_wrong():
    assert (
        str(Refused([finding(line=3), finding(line=2)])) == f"{finding(line=2)}\n{finding(line=3)}"
    )


def test_exit_codes_are_the_four_that_are_documented():
    assert (CLEAN, FINDINGS, USAGE, PROGRAM_FAILED) == (0, 1, 2, 3)
    assert Refused([finding()]).code == FINDINGS
    assert Refused([finding()], PROGRAM_FAILED).code == PROGRAM_FAILED


@pytest.mark.parametrize(
    ("name", "names", "advice"),
    [
        (
            "heavy.ttft_p9",
            ["heavy.ttft_p99", "light.tpot", "slowdown"],
            "did you mean heavy.ttft_p99?",
        ),
        ("zzz", ["beta", "alpha"], "there are: alpha, beta"),
        ("zzz", [], "there are none"),
        ("", ["alpha"], "there are: alpha"),
    ],
)
def test_a_name_nobody_knows_gets_advice(name, names, advice):
    assert nearest(name, names) == advice
    assert nearest(name, iter(names)) == advice
    assert nearest(name, dict.fromkeys(names)) == advice


@settings(deadline=None)
@given(st.text(st.sampled_from("ab\n\r\f\u2028é")), st.data())
def test_a_position_is_where_an_editor_puts_it(text, data):
    offset = data.draw(st.integers(0, len(text)))
    line, col = position(text, offset)
    lines = text.split("\n")
    assert sum(len(before) + 1 for before in lines[: line - 1]) + col - 1 == offset
    assert 1 <= col <= len(lines[line - 1]) + 1


def test_positions_worked_by_hand():
    text = "ab\n\ncd\f\u2028e\n"
    assert [position(text, text.index(char)) for char in "abcde"] == [
        (1, 1), (1, 2), (3, 1), (3, 2), (3, 5),
    ]  # fmt: skip
    assert position(text, len(text)) == (4, 1)
    assert position("", 0) == (1, 1)
