"""`lesson fix`: what is certain is mended and proven, all else is left with its reason."""

import sys
from pathlib import Path

import pytest

from engine import mending
from engine.build import drafts_of
from engine.cli import main
from engine.fixes import Edit, choices, edits

LESSON = Path("content/count-to-ten/lesson.md")
WIDGET = Path("content/count-to-ten/widget/page.html")


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def fix(project, cache):
    return lambda *arguments: main(["fix", "--quiet", "--cache", str(cache), *arguments])


def add(text, path=LESSON):
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


MENDED = [
    ("It is 55.", "It is {{ sum.ten }}."),
    ("It is 5,050, or 5050.", "It is {{ sum.hundred }}, or {{ sum.hundred }}."),
    ("By 91.8% and 91.8 % more", "By {{ growth }} and {{ growth }} more"),
    ("By 91.8, and no more", "By {{ growth | bare }}, and no more"),
    ('By 91.8 {{ plain("more") }} % here', 'By {{ growth | bare }} {{ plain("more") }} % here'),
    ("From 10\u201355", "From {{ last }}\u2013{{ sum.ten }}"),
    ("Emoji \U0001f600 and **55**", "Emoji \U0001f600 and **{{ sum.ten }}**"),
    ("| a |\n| --- |\n| 55 |", "| a |\n| --- |\n| {{ sum.ten }} |"),
    ("See counting.py:17.", 'See {{ line("counting.py", "result += number") }}.'),
    ("See `counting.py:17`.", 'See {{ line("counting.py", "result += number") }}.'),
    ("It is {{ sum.tne }}.", "It is {{ sum.ten }}."),
    ("It is {{ sum.hundrd | bare }}.", "It is {{ sum.hundred | bare }}."),
    (
        'It is {{ claim("sum.hundrd", sum.hundrd > sum.ten) }}.',
        'It is {{ claim("sum.hundrd", sum.hundred > sum.ten) }}.',
    ),
]


@pytest.mark.parametrize(("typed", "mended"), MENDED, ids=[typed for typed, _ in MENDED])
def test_what_is_certain_is_mended(fix, typed, mended):
    before = LESSON.read_text(encoding="utf-8")
    add(f"\n{typed}\n")
    assert fix("--yes") == 0
    assert LESSON.read_text(encoding="utf-8") == before + f"\n{mended}\n"


LEFT = [
    ("It is 1.", "a number as small as this may count anything"),
    ("It is 55 s.", "sum.ten has no unit"),
    ("It is 55% more.", "sum.ten has no unit"),
    ("It is 10.0 long.", "last is printed with other digits"),
    ("It is 56.", "no fact is equal to it"),
    ("It is `55`.", "braces in a code span are just braces"),
    ("It is x55.", "it is part of something longer"),
    ("It is -55.", "it is part of something longer"),
    ("It is $55.", "it is part of something longer"),
    ("It is the 55th.", "it is part of something longer"),
    ("It is &#53;5.", "it is not in the text as it reads"),
    ("By 91.8&nbsp;% more.", "its unit is not in the text as it reads"),
    ("It is twice as much.", "a word may count something else, or nothing"),
    ("See counting.py:0.", "no line that stands once is meant by it"),
    ("See counting.py:2.", "no line that stands once is meant by it"),
    ("See lines 13 to 17.", "no line that stands once is meant by it"),
    ("See `x counting.py:17`.", "braces in a code span are just braces"),
    ("It is {{ maen }}.", "no fact's name is close enough"),
    ("It is {{ sum . tne }}.", "its name is not written in one piece"),
    ('{{ cod("counting.py", "total") }}', "no fact's name is close enough"),
    ("It is {{ growth | abuot }}.", "only a person can tell what it should say"),
    (
        'It is {{ claim("small", sum.tne < 5) }}.',
        'its fix would bring false-claim: the claim "small" is false: sum.ten is 55',
    ),
]


@pytest.mark.parametrize(("typed", "why"), LEFT, ids=[typed for typed, _ in LEFT])
def test_what_is_not_certain_is_left_with_the_reason(fix, capsys, typed, why):
    add(f"\n{typed}\n")
    before = LESSON.read_bytes()
    assert fix("--yes") == 1
    assert LESSON.read_bytes() == before
    first, *_, last = capsys.readouterr().err.splitlines()
    assert first.startswith(f"{LESSON}:39:") and first.endswith(f"; left alone: {why}")
    assert last.endswith(" left")


def test_facts_that_are_equal_or_names_that_are_near_are_a_choice(project, cache):
    facts = Path("content/count-to-ten/facts.py")
    add('    fact("also", 55)\n    fact("sum.tenth", 7)\n    fact("p99", 8)\n', facts)
    add("\nIt is 55, {{ sum.tent }} and {{ p90 }} {{ p9 }}.\n")
    _, [draft], found = drafts_of(Path("content"), cache)
    said = {
        finding.what.split('"')[1]: mending.why_not(finding, draft)
        for finding in found.all if finding.path == str(LESSON)
    }  # fmt: skip
    assert said == {
        "55": "it equals 2 facts",
        "sum.tent": "sum.tenth is near it, and so is sum.ten",
        "p90": "no fact's name is close enough",
        "p9": "no fact's name is close enough",
    }
    [number] = [finding for finding in found.all if finding.rule == "bare-number"]
    assert edits(number, draft) is None
    at = draft.lesson.text.rindex("55")
    assert choices(number, draft) == [
        Edit(str(LESSON), at, at + 2, "{{ sum.ten }}"),
        Edit(str(LESSON), at, at + 2, "{{ also }}"),
    ]


def test_a_name_that_differs_in_its_digits_is_another_name(project, cache):
    add('    fact("the_slow.p99", 8)\n', Path("content/count-to-ten/facts.py"))
    add("\nIt is {{ the_slow.p95 }}.\n")
    _, [draft], found = drafts_of(Path("content"), cache)
    [finding] = [finding for finding in found.all if finding.rule == "unknown-fact"]
    assert mending.why_not(finding, draft) == "the_slow.p99 is near it, but has other digits"


def test_an_edit_that_does_not_hold_keeps_no_other_from_being_made(fix, capsys):
    add('\nIt is 55, {{ claim("small", sum.tne < 5) }} and 5050.\n')
    assert fix("--yes") == 1
    assert LESSON.read_text(encoding="utf-8").endswith(
        '\nIt is {{ sum.ten }}, {{ claim("small", sum.tne < 5) }} and {{ sum.hundred }}.\n'
    )
    printed = capsys.readouterr()
    assert f"fixed    {LESSON}: 2 findings\n" in printed.out
    [left, count] = printed.err.splitlines()
    assert left.startswith(f'{LESSON}:39:22: unknown-fact: "sum.tne"')  # where it stands now
    assert "its fix would bring false-claim" in left and count == "1 finding left"


def test_the_widgets_page_and_the_front_matter_are_mended_too(fix):
    add("<p>It is 55.</p>\n", WIDGET)
    text = LESSON.read_text(encoding="utf-8")
    LESSON.write_text(text.replace('"Adding by program', '"5050: adding'), encoding="utf-8")
    assert fix("--yes") == 0
    assert WIDGET.read_text(encoding="utf-8").endswith("<p>It is {{ sum.ten }}.</p>\n")
    assert '"{{ sum.hundred }}: adding' in LESSON.read_text(encoding="utf-8")


def test_every_other_byte_stays(fix):
    text = LESSON.read_bytes().replace(b"\n", b"\r\n")
    text = b"\xef\xbb\xbf" + text + b"\r\nIt is 55. \r\nAlso 5050\nand \xf0\x9f\x98\x80 end"
    LESSON.write_bytes(text)
    LESSON.chmod(0o640)
    assert fix("--yes") == 0
    after = text.replace(b"is 55", b"is {{ sum.ten }}").replace(b"5050", b"{{ sum.hundred }}")
    assert LESSON.read_bytes() == after
    assert LESSON.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in LESSON.parent.iterdir() if path.name[0] == ".") == []


def test_without_a_terminal_it_only_shows(fix, capsys):
    add("\nIt is 55.\n")
    before = LESSON.read_bytes()
    assert fix() == 1
    assert LESSON.read_bytes() == before
    assert capsys.readouterr().out.splitlines() == [
        f"--- {LESSON}",
        f"+++ {LESSON}",
        "@@ -36,4 +36,4 @@",
        ' As {{ source("euclid") }} says, a unit is {{ cite.euclid.unit }}; see {{ lesson("earlier") }}.',
        ' Code keeps its braces: `f"{{x}}"`. Drag it to {{ preset("{} itself", last=last) }}.',
        " ",
        "-It is 55.",
        "+It is {{ sum.ten }}.",
        "nothing was changed; --yes applies 1 fix in 1 file",
    ]


def test_a_clean_course_has_nothing_to_mend(fix, capsys):
    assert fix() == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("", 1), ("no", 1), (EOFError, 1)])
def test_at_a_terminal_it_asks_once(fix, monkeypatch, answer, code):
    asked = []

    def say(question):
        asked.append(question)
        if answer is EOFError:
            raise EOFError
        return answer

    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr("builtins.input", say)
    add("\nIt is 55.\n")
    assert fix() == code
    assert asked == ["apply 1 fix in 1 file? [y/N] "]
    assert ("{{ sum.ten }}.\n" in LESSON.read_text(encoding="utf-8")[-20:]) == (code == 0)


@pytest.mark.parametrize(("no_color", "coloured"), [(None, True), ("1", False), ("", True)])
def test_colours_are_for_terminals(fix, capsys, monkeypatch, no_color, coloured):
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color is not None:
        monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    add("\nIt is 55.\n")
    assert fix() == 1
    out = capsys.readouterr().out
    assert ("\033[31m-It is 55.\033[0m\n" in out) == coloured
    assert coloured or "\033" not in out


def test_only_the_paths_that_are_named(fix, capsys):
    add("\nIt is 55.\n")
    add("<p>It is 55.</p>\n", WIDGET)
    assert fix("--yes", str(WIDGET.parent)) == 0
    assert "{{ sum.ten }}.</p>" in WIDGET.read_text(encoding="utf-8")
    assert LESSON.read_text(encoding="utf-8").endswith("It is 55.\n")
    assert fix("nowhere.md") == 2
    assert "nowhere.md:1:1: usage: is not there" in capsys.readouterr().err


def test_a_course_that_cannot_be_read_is_left_alone(fix, capsys):
    add("\nIt is 55.\n")
    before = LESSON.read_bytes()
    add("\n[[", Path("content/course.toml"))
    assert fix("--yes") == 1
    assert LESSON.read_bytes() == before
    assert "content/course.toml:" in capsys.readouterr().err


def test_a_failing_program_is_exit_code_3(fix):
    add("    fact('x', 1 // 0)\n", Path("content/count-to-ten/facts.py"))
    assert fix("--yes") == 3


def planned(cache):
    def check(unsaved):
        _, drafts, found = drafts_of(Path("content"), cache, unsaved=unsaved)
        return drafts, found.all

    return mending.plan(check, lambda finding: True)


def test_a_file_that_changed_meanwhile_is_left_alone(project, cache):
    add("\nIt is 55.\n")
    plan = planned(cache)
    add("More.\n")
    before = LESSON.read_bytes()
    assert list(mending.apply(plan)) == [(str(LESSON), 0)]
    assert LESSON.read_bytes() == before


def test_a_write_that_fails_leaves_the_file_as_it_was(project, cache, monkeypatch):
    add("\nIt is 55.\n")
    plan, before = planned(cache), LESSON.read_bytes()
    names = sorted(LESSON.parent.iterdir())

    def full(self, target):
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError):
        list(mending.apply(plan))
    assert LESSON.read_bytes() == before
    assert sorted(LESSON.parent.iterdir()) == names


def test_a_link_stays_a_link(project, cache):
    add("\nIt is 55.\n")
    real = project / "real.md"
    LESSON.rename(real)
    LESSON.symlink_to(real)
    assert list(mending.apply(planned(cache))) == [(str(LESSON), 1)]
    assert LESSON.is_symlink() and real.read_text(encoding="utf-8").endswith("{{ sum.ten }}.\n")
