"""The account of a finished page, worked by hand."""

from collections import Counter

import pytest

from engine.course import Vocabulary
from engine.coverage import account, leaks, styled, summary

VOCABULARY = Vocabulary("vocabulary.toml", {}, ["A100"], {"date": r"\d{4}-\d\d-\d\d"})


def test_each_number_counts_by_the_nearest_kind():
    page = """<html><head><title>On an A100</title><style>p { margin: 7px }</style></head><body>
    <p><data value="3.4" data-kind="computed">3.49 s</data> on 2026-10-20</p>
    <figure data-kind="excerpt"><pre>x = 1 <b>+ 2</b></pre>
    <figcaption data-kind="structural">line <data data-kind="structural">4</data></figcaption></figure>
    <svg data-kind="figure"><text>0.5</text><path d="M 1 2"/></svg><script>var a = 9</script>
    </body></html>"""
    counts, findings = account("index.html", page, VOCABULARY)
    assert findings == []
    assert counts == Counter(computed=1, excerpt=2, structural=1, figure=1, name=2)


@pytest.mark.parametrize(
    ("page", "places"),
    [
        ("<p>It is 7</p>", [(1, 10, '"7"')]),
        ("<p>\n\n  then ½ of it\nand 1,024</p>", [(3, 8, '"½"'), (4, 5, '"1,024"')]),
        ("<p><data value='1' data-kind='computed'>one</data> or 2</p>", [(1, 55, '"2"')]),
        ("<img><br/><p>3", [(1, 14, '"3"')]),
        ("<svg data-kind='figure'><g/></svg> 5", [(1, 36, '"5"')]),
    ],
)
def test_a_number_without_a_source_is_found_where_it_stands(page, places):
    counts, findings = account("index.html", page, VOCABULARY)
    assert counts["unknown"] == len(places)
    for finding, (line, col, number) in zip(sorted(findings), places, strict=True):
        assert (finding.path, finding.line, finding.col) == ("index.html", line, col)
        assert finding.rule == "no-source" and number in finding.what


def test_a_stamp_that_came_through_is_a_leak_in_text_and_in_attributes():
    for page in ("<p>\ue000\ue101\ue102\ue001</p>", '<p>\n<a title="\ue000">x</a>'):
        found = list(leaks("index.html", page))
        assert found and {finding.rule for finding in found} == {"leak"}
    assert not list(leaks("index.html", "<p>fine</p>"))


def test_the_summary_names_the_kinds_that_are_there_and_the_unknown():
    assert (
        summary(Counter(computed=1200, name=2))
        == "1,202 numbers: 1,200 computed, 2 name, 0 unknown"
    )


@pytest.mark.parametrize(
    ("css", "found"),
    [
        ('a::after { content: " (7 more)" }', 1),
        ("a::after { content:'\u00bd' }", 1),
        ('a::after { content: " (optional)" } b { width: 7px }', 0),
        ("a::before { content: attr(data-line) }", 0),
    ],
)
def test_a_number_that_a_style_sheet_writes_has_no_source(css, found):
    findings = list(styled("assets/a.css", f"\n{css}"))
    assert [(finding.line, finding.rule) for finding in findings] == [(2, "no-source")] * found
