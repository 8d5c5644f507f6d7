"""What an editor can say at a place of a lesson, without any editor."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.assist import definition, extent, hints, hover
from engine.build import drafts_of
from engine.desk import NOTHING, look
from engine.findings import Finding
from engine.fixes import choices
from engine.offers import ARGUMENTS, SNIPPETS, offers
from engine.prose import FILTERS

FOLDER = Path("content/count-to-ten")
LESSON, WIDGET = FOLDER / "lesson.md", FOLDER / "widget/page.html"


@pytest.fixture(scope="module")
def draft(small_course):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(small_course)
        _, [draft], found = drafts_of(Path("content"), small_course / "cache")
    assert found.all == []
    return draft


def at(marked):
    """A text and the offset of the `^` in it."""
    return marked.replace("^", ""), marked.index("^")


def said(marked, draft):
    found = hover(*at(marked), draft, [draft])
    return found.text if found else None


def test_hover_tells_a_facts_value_its_making_and_its_places(draft):
    text = draft.lesson.text
    found = hover(text, text.index("growth | about"), draft, [draft])
    assert text[found.start : found.end] == "growth"
    assert found.text == (
        "**growth** is 91.8%  \n"
        "91.81818181818181 unrounded, unit %, digits 1  \n"
        "measured at `count-to-ten/facts.py:11`  \n"
        "quoted at `count-to-ten/lesson.md:15:24`, `count-to-ten/lesson.md:15:65`"
    )


@pytest.mark.parametrize(
    ("marked", "text"),
    [
        ("It is {{ sum.^ten | bare }}", "**sum.ten** is 55  \n55 unrounded, unit none, digits 0"),
        ("{{ cite.euclid.unit^ }}", "**cite.euclid.unit** is 1  \n1 unrounded, unit none, digits 0"),
        ("{{ sum.ten | ab^out }}", "**about**: The number rounded to so many significant figures"),
        ('{{ cl^aim("x", last > 1) }}', "**claim**: Words that stand only while the condition holds."),
        ('{{ line("counting.py", "result^ += number") }}', "```text\ncounting.py:17\n```"),
        ('{{ run("count^ing.py") }}', "```text\n-- the sum\n1 to 10 is 55\n\n-- the mean\n"),
    ],
)  # fmt: skip
def test_hover_on_names_words_filters_and_what_is_shown(draft, marked, text):
    assert said(marked, draft).startswith(text)


@pytest.mark.parametrize(
    "marked", ["It^ is", "`{{ l^ast }}`", "{{ mea^ }}", '{{ ref("n^o") }}', "^"]
)
def test_hover_is_silent_where_there_is_nothing(draft, marked):
    assert said(marked, draft) is None


def test_a_fact_that_nothing_quotes_is_told_so(draft):
    assert said("{{ parts^ }}", draft).endswith("quoted at `count-to-ten/lesson.md:12:16`")
    assert hover("{{ parts }}", 4, draft, []).text.endswith("quoted nowhere")


def test_each_expression_shows_its_text_in_place(draft):
    text = '\U0001f600 {{ last }} {{ nothing }} {{ mean }}\n`{{ last }}`\n{{ code("counting.py", "total") }}'
    assert [(text[:offset][-12:], said) for offset, said in hints(text, draft)] == [
        ("\U0001f600 {{ last }}", "10"),
        (" }} {{ mean }}"[-12:], "5.5"),
        ('", "total") }}'[-12:], "def total(last): \"\"\"The sum of 1 to `last`.\"\"\" result = 0 fo..."),
    ]  # fmt: skip


PLACES = [
    ("{{ sum.t^en }}", "facts.py", "total(LAST))"),
    ('{{ claim("x", me^an > 1) }}', "facts.py", 'fact("mean"'),
    ('{{ code("counting.py", "to^tal") }}', "code/counting.py", "def total"),
    ('{{ code("counting.py", first="result = 0", last="return result") ^}}', "code/counting.py", "result = 0"),
    ('{{ line("counting.py", "result +=^ number") }}', "code/counting.py", "result += number"),
    ('{{ s^rc("counting.py", content="result += number") }}', "code/counting.py", "result += number"),
    ('{{ run("cou^nting.py") }}', "code/counting.py", '"""Counts'),
    ('{{ line("earlier/steps.py", "def up_to(last)^:") }}', "../earlier/code/steps.py", "def up_to"),
    ('{{ source("^euclid") }}', "../sources.toml", "[euclid]"),
    ("{{ cite.euclid.^unit }}", "../sources.toml", "[euclid.unit]"),
    ('{{ lesson("ear^lier") }}', "../course.toml", 'slug = "earlier"'),
    ('{{ ref("su^ms") }}', "figures.py", "def sums"),
    ("![a line](su^ms)", "figures.py", "def sums"),
    ('{{ step("^add") }}', "lesson.md", "steps ="),
]  # fmt: skip


@pytest.mark.parametrize(("marked", "file", "line"), PLACES, ids=[p[0] for p in PLACES])
def test_definition_is_the_line_that_makes_it(draft, small_course, marked, file, line):
    path, number = definition(*at(marked), draft)
    path = small_course / path
    assert path.resolve() == (small_course / FOLDER / file).resolve()
    assert line in path.read_text(encoding="utf-8").split("\n")[number - 1]


@pytest.mark.parametrize(
    "marked",
    [
        "It^ is", "{{ nothing^ }}", '{{ code("counting.py", "no^ne") }}', '{{ code("no^.py", "x") }}',
        '{{ line("counting.py") ^}}', "![x](no^ne)", '{{ plain("tw^o") }}', "{{ (^ }}", "{{ 1^2 }}",
    ],
)  # fmt: skip
def test_definition_of_nothing_is_none(draft, marked):
    assert definition(*at(marked), draft) is None


def labels(marked, draft, kind=None):
    text, offset = at(marked)
    return [offer.label for offer in offers(text, offset, draft) if kind in (None, offer.kind)]


FACTS = ["last", "sum.ten", "sum.hundred", "mean", "growth", "parts", "cite.euclid.unit"]
OFFERS = [
    ("{{ ^", "fact", FACTS),
    ("{{ sum.^ }} and {{ x }}", "fact", FACTS),
    ("{{ x }} is {{^}}", "fact", FACTS),
    ('{{ claim("so", me^', "fact", FACTS),
    ("{{ last | ^", "filter", list(FILTERS)),
    ("{{ last|dig^ }}", "filter", list(FILTERS)),
    ('{{ line("^', "program", ["counting.py", "count-to-ten/counting.py", "earlier/steps.py"]),
    ('{{ run("c^") }}', "program", ["counting.py"]),
    ('{{ code("counting.py", "^") }}', "symbol", ["LAST", "total", "mean"]),
    ("{{ code('counting.py', symbol='^", "symbol", ["LAST", "total", "mean"]),
    ('{{ run("counting.py", edit={"^', "symbol", ["LAST"]),
    ('{{ code("earlier/steps.py", first="^', "line",
     ['"""An earlier lesson\'s program."""', "def up_to(last):", "return list(range(1, last + 1))"]),
    ('{{ ref("^', "figure", ["sums"]),
    ("![what](^)", "figure", ["sums"]),
    ('{{ step("^', "step", ["count", "add"]),
    ('{{ lesson("^', "lesson", ["earlier", "count-to-ten"]),
    ('{{ source("^', "source", ["euclid"]),
    ('{{ preset("{} so", ^', "setting", ["last"]),
]  # fmt: skip


@pytest.mark.parametrize(("marked", "kind", "wanted"), OFFERS, ids=[o[0] for o in OFFERS])
def test_completion_offers_what_fits(draft, marked, kind, wanted):
    assert labels(marked, draft, kind) == wanted


@pytest.mark.parametrize(
    "marked",
    [
        "It is ^", "`{{ ^`", "`{{ x^ }}`", "```\n{{ ^\n```", "{{ x }}^", "{{\n^", '{{ plain("^', "{{ '^",
        '{{ code("no.py", "^', '{{ live("^', "![x](a b^",
    ],
)  # fmt: skip
def test_completion_offers_nothing_elsewhere(draft, marked):
    assert labels(marked, draft) == []


def test_an_offer_replaces_what_is_typed_of_it(draft):
    text, offset = at("It is {{ sum.h^ }}")
    offer = next(offer for offer in offers(text, offset, draft) if offer.label == "sum.hundred")
    assert (text[offer.start : offset], offer.insert, offer.detail) == (
        "sum.h",
        "sum.hundred",
        "5,050",
    )


def test_a_line_with_quotes_is_offered_as_it_must_be_typed(draft):
    for quote, typed in (('"', 'print(\\"-- the sum\\")'), ("'", 'print("-- the sum")')):
        text = f"{{{{ line({quote}counting.py{quote}, {quote}"
        found = {offer.label: offer.insert for offer in offers(text, len(text), draft)}
        assert found['print("-- the sum")'] == typed


def test_the_widgets_page_is_offered_its_views(draft):
    assert labels('{{ live("^', draft.widget) == ["sum"]
    assert "live" in labels("{{ ^", draft.widget) and "live" not in labels("{{ ^", draft)
    assert labels('{{ preset("{} so", ^', draft.widget, "setting") == ["last"]


def test_every_word_can_be_completed(draft):
    words = draft.prose.words.table().keys()
    assert words <= SNIPPETS.keys() and ARGUMENTS.keys() <= words
    assert labels("{{ ^", None) and labels('{{ line("^', None) == []


@pytest.mark.parametrize(
    ("col", "rule", "text"),
    [
        (5, "bare-number", "3.49"), (12, "unknown-fact", "{{ x }}"), (22, "number-word", "two"),
        (1, "heading-order", "It, 3.49 is {{ x }} a two a.py:7"), (1, "number-word", "It"),
        (26, "typed-reference", "a.py:7"), (33, "lost-text", ""),
    ],
)  # fmt: skip
def test_a_finding_is_about_a_word_an_expression_or_a_line(col, rule, text):
    line = "It, 3.49 is {{ x }} a two a.py:7"
    col += (rule == "unknown-fact") + (rule in ("number-word", "typed-reference") and col > 1)
    start, end = extent(f"+++\n{line}\nx", Finding("x", 2, col, rule, "", ""))
    assert f"+++\n{line}\nx"[start:end] == text


def test_the_last_good_facts_stay_when_the_code_fails(project):
    first = look(Path("content"), project / "cache", 60, {})
    assert first.findings == first.moved == []
    facts = FOLDER / "facts.py"
    text = facts.read_text(encoding="utf-8")
    facts.write_text(f"{text}    fact('x', 1 // 0)\n", encoding="utf-8")
    second = look(Path("content"), project / "cache", 60, {}, first)
    assert [str(finding).split("; ")[0] for finding in second.findings] == [
        f"{facts}:13:1: program-failed: ZeroDivisionError: integer division or modulo by zero"
    ]
    assert second.drafts == first.drafts
    third = look(Path("content"), project / "cache", 60, {LESSON: "no front matter"}, second)
    assert [finding.rule for finding in third.findings] == ["front-matter"]
    assert third.drafts == first.drafts
    assert look(Path("content"), project / "cache", 60, {LESSON: "no"}, NOTHING).drafts == []


def test_what_moved_is_told_apart_from_what_is_wrong(project):
    text = LESSON.read_text(encoding="utf-8").replace("{{ mean }}", "{{ mean | digits(2) }}")
    seen = look(Path("content"), project / "cache", 60, {LESSON: text})
    assert seen.findings == []
    assert [finding.what for finding in seen.moved] == [
        'mean | digits(2) is new: "5.50"', 'mean is quoted no more: "5.5"',
    ]  # fmt: skip
    Path(FOLDER / "numbers.lock").write_text("no lock", encoding="utf-8")
    seen = look(Path("content"), project / "cache", 60, {})
    assert [finding.what for finding in seen.findings] == ["is no line of a lock"]


PARTS = [
    "{{", "}}", '"', "'", "(", ")", "|", "`", "```\n", "\n", "\n\n", "\\", " ", "+++\n", "{", "=", ",",
    "last", "sum.ten", "line", "code", "preset", 'counting.py"', "![x](", "sums", "55", "3.49 s",
    "counting.py:17", "<b>", "[a](", "\U0001f600", "\ufffd", "\u2028", "\x0c", "\0", "::: answer\n", "| a |\n",
    "1" * 5000, "(" * 300, "# ", "twice", "&#53;", "\r",
]  # fmt: skip
typing = st.lists(st.sampled_from(PARTS) | st.text(max_size=3), max_size=8).map("".join)


@pytest.mark.slow
def test_no_text_is_too_much(draft, small_course):
    """Whatever is typed into a lesson, looking at it and asking about it raises nothing."""

    @given(typing, st.integers(0, 2000), st.integers(0, 30), st.booleans())
    def survives(typed, start, gone, of_lesson):
        part = draft if of_lesson else draft.widget
        text = part.lesson.text
        text = text[:start] + typed + text[start + gone :]
        seen = look(Path("content"), small_course / "cache", 60, {Path(part.lesson.path): text})
        now = seen.parts.get(part.lesson.path, part)
        for finding in seen.findings:
            if finding.path == part.lesson.path:
                first, last = extent(text, finding)
                assert 0 <= first <= last <= len(text)
                if now is not part:
                    choices(finding, now)
        list(hints(text, now))
        for offset in {start, *(start + m.start() for m in re.finditer(r"[{(|\"]|$", typed))}:
            offset = min(offset, len(text))
            for offer in offers(text, offset, now):
                assert 0 <= offer.start <= offset
            hover(text, offset, now, seen.drafts)
            definition(text, offset, now)

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(small_course)
        survives()
