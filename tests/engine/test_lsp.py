"""The language server, over its real protocol: the command as an editor starts it."""

import time

import pytest

from engine.cli import main
from tests.engine.editor import SLOW, Editor

LESSON = "content/count-to-ten/lesson.md"
WIDGET = "content/count-to-ten/widget/page.html"
FACTS = "content/count-to-ten/facts.py"
ENDS = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def start(project, cache):
    """Starts an editor; it is ended with the test."""
    started = []

    def start(**capabilities):
        started.append(Editor(project, capabilities, ["--cache", str(cache)]))
        return started[-1]

    yield start
    for editor in started:
        editor.kill()


@pytest.fixture
def editor(start):
    editor = start()
    editor.open(LESSON)
    assert editor.looked(LESSON) == []
    return editor


@pytest.fixture
def text(project):
    return (project / LESSON).read_text(encoding="utf-8")


def diagnostic(line, start, end, code, message, severity=1):
    ends = {"line": line, "character": start}, {"line": line, "character": end}
    return {
        "range": {"start": ends[0], "end": ends[1]},
        "message": message, "severity": severity, "code": code, "source": "lesson",
    }  # fmt: skip


FOUND = '"55" has no source; it equals a fact; write {{ sum.ten }}'


def test_the_gate_speaks_while_one_types(editor, text):
    editor.change(LESSON, f"{text}\nIt is 55.\n")
    assert editor.looked(LESSON) == [diagnostic(38, 6, 8, "bare-number", FOUND)]
    editor.change(LESSON, f"{text}\nIt is {{{{ sum.ten }}}}.\n")
    assert editor.looked(LESSON) == []
    assert editor.close() == (0, "")


def test_what_moved_is_information(editor, text):
    editor.change(LESSON, text.replace("{{ mean }}", "{{ mean | digits(2) }}"))
    message = 'mean | digits(2) is new: "5.50"; reread the sentence, then run make accept'
    assert editor.looked(LESSON) == [diagnostic(13, 71, 93, "lock", message, severity=3)]
    gone = 'mean is quoted no more: "5.5"; reread the text, then run make accept'
    lock = "content/count-to-ten/numbers.lock"
    assert [(d["message"], d["severity"]) for d in editor.told(lock)] == [(gone, 3)]


@pytest.mark.parametrize(
    ("offered", "chosen", "units"),
    [(None, "utf-16", 8), (["utf-8", "utf-16"], "utf-8", 11), (["utf-32"], "utf-32", 7)],
)
def test_columns_are_exact_in_every_encoding(start, text, offered, chosen, units):
    editor = start(general={"positionEncodings": offered} if offered else {})
    assert editor.server["capabilities"]["positionEncoding"] == chosen
    editor.open(LESSON, f"{text}\n\U0001f600 é is 55.\n")
    where = editor.looked(LESSON)[0]["range"]
    assert where["start"] == {"line": 38, "character": units}
    assert where["end"] == {"line": 38, "character": units + 2}


def test_a_fix_is_offered_and_holds_in_a_text_with_other_line_ends(start, text):
    editor = start(workspace={"workspaceEdit": {"documentChanges": True}})
    typed = (text + "\n\U0001f600 is 55, and\u2028 50.\n").replace("\n", "\r\n")
    editor.open(LESSON, typed)
    found = editor.looked(LESSON)
    assert [d["code"] for d in found] == ["bare-number", "bare-number"]
    actions = editor.ask(
        "textDocument/codeAction", textDocument=editor.document(LESSON),
        range=found[0]["range"], context={"diagnostics": found},
    )  # fmt: skip
    [action] = actions
    assert (action["title"], action["kind"]) == ("replace 55 with {{ sum.ten }}", "quickfix")
    assert action["isPreferred"] and action["diagnostics"] == found[:1]
    [change] = action["edit"]["documentChanges"]
    assert change["textDocument"] == {**editor.document(LESSON), "version": editor.version}
    mended = apply(typed, change["edits"])
    assert mended == typed.replace("is 55", "is {{ sum.ten }}")
    editor.change(LESSON, mended)
    assert [d["message"].split()[0] for d in editor.looked(LESSON)] == ['"50"']


def apply(text, edits):
    """As a client does it that counts in UTF-16."""
    lines = text.replace("\r\n", "\n").split("\n")
    for edit in edits:
        (start, end), new = (edit["range"][key] for key in ("start", "end")), edit["newText"]
        assert start["line"] == end["line"]
        line = lines[start["line"]].encode("utf-16-le")
        before, after = line[: 2 * start["character"]], line[2 * end["character"] :]
        lines[start["line"]] = before.decode("utf-16-le") + new + after.decode("utf-16-le")
    return ("\r\n" if "\r\n" in text else "\n").join(lines)


def test_facts_that_are_equal_are_each_a_choice(start, project, text):
    facts = project / FACTS
    facts.write_text(facts.read_text() + '    fact("also", 55)\n', encoding="utf-8")
    editor = start()
    editor.open(LESSON, f"{text}\nIt is 55, {{{{ also }}}}.\n")
    [found] = [d for d in editor.looked(LESSON) if d["severity"] == 1]
    actions = editor.ask(
        "textDocument/codeAction", textDocument=editor.document(LESSON),
        range=found["range"], context={"diagnostics": [found]},
    )  # fmt: skip
    assert [(action["title"], action["isPreferred"]) for action in actions] == [
        ("replace 55 with {{ sum.ten }}", False),
        ("replace 55 with {{ also }}", False),
    ]
    uri = editor.document(LESSON)["uri"]
    assert (
        apply("\n" * 38 + "It is 55", actions[1]["edit"]["changes"][uri])[38:] == "It is {{ also }}"
    )


def test_hover_definition_and_hints(editor, project):
    hover = editor.at("hover", LESSON, 13, 76)
    assert hover["contents"] == {
        "kind": "markdown",
        "value": "**mean** is 5.5  \n5.5 unrounded, unit none, digits 1  \n"
        "measured at `count-to-ten/facts.py:10`  \nquoted at `count-to-ten/lesson.md:14:72`",
    }
    assert hover["range"]["start"] == {"line": 13, "character": 74}
    assert editor.at("hover", LESSON, 13, 3) is None
    start = {"line": 9, "character": 0}
    assert editor.at("definition", LESSON, 13, 76) == {
        "uri": (project / FACTS).as_uri(), "range": {"start": start, "end": start},
    }  # fmt: skip
    document = editor.document(LESSON)
    hints = editor.ask("textDocument/inlayHint", textDocument=document, range=ENDS)
    assert {"position": {"line": 13, "character": 81}, "label": "5.5", "paddingLeft": True} in hints
    assert len(hints) == 22
    few = {"start": {"line": 13, "character": 0}, "end": {"line": 14, "character": 0}}
    assert len(editor.ask("textDocument/inlayHint", textDocument=document, range=few)) == 3


@pytest.mark.parametrize("snippets", [True, False])
def test_completion_as_the_editor_can_take_it(start, text, snippets):
    item = {"completionItem": {"snippetSupport": snippets}}
    editor = start(textDocument={"completion": item})
    editor.open(LESSON, f"{text}\n\U0001f600 {{{{ sum.h }}}}\n")
    editor.looked(LESSON)
    items = {item["label"]: item for item in editor.at("completion", LESSON, 38, 11)}
    start, end = {"line": 38, "character": 6}, {"line": 38, "character": 11}
    assert items["sum.hundred"] == {
        "label": "sum.hundred", "kind": 21, "detail": "5,050", "insertTextFormat": 1,
        "textEdit": {"range": {"start": start, "end": end}, "newText": "sum.hundred"},
    }  # fmt: skip
    typed = {True: 'step("${1:step}")', False: "step("}[snippets]
    assert items["step"]["textEdit"]["newText"] == typed
    assert items["step"]["insertTextFormat"] == (2 if snippets else 1)


def test_lesson_code_that_fails_is_told_where_it_is_and_the_last_facts_stay(editor, project, text):
    facts = project / FACTS
    good = facts.read_text(encoding="utf-8")
    facts.write_text(f"{good}    print('on stdout')\n    fact('x', 1 // 0)\n", encoding="utf-8")
    editor.tell("textDocument/didSave", textDocument=editor.document(FACTS))
    message = (
        "ZeroDivisionError: integer division or modulo by zero; "
        "mend the program; nothing is published until it runs"
    )
    wanted = [diagnostic(13, 0, 21, "program-failed", message)]
    editor.until(lambda message: editor.diagnostics.get(FACTS) == wanted)
    assert "**mean** is 5.5" in editor.at("hover", LESSON, 13, 76)["contents"]["value"]
    assert "sum.ten" in [item["label"] for item in editor.at("completion", LESSON, 13, 74)]
    facts.write_text(good, encoding="utf-8")
    change = {"uri": facts.as_uri(), "type": 2}
    editor.tell("workspace/didChangeWatchedFiles", changes=[change])
    editor.until(lambda message: editor.diagnostics[FACTS] == [])


def test_a_course_that_cannot_be_read_is_told_too(editor, text):
    editor.change(LESSON, text.replace("+++\n", "", 1))
    [found] = editor.looked(LESSON)
    assert found["message"].startswith("has no front matter; ")
    assert "**mean** is 5.5" in editor.at("hover", LESSON, 12, 76)["contents"]["value"]
    editor.change(LESSON, text)
    assert editor.looked(LESSON) == []


def test_the_widgets_page_has_findings_views_and_facts(start, project):
    editor = start()
    page = (project / WIDGET).read_text(encoding="utf-8")
    editor.open(WIDGET, f'{page}<p>It is 55.</p>\n{{{{ live("\n')
    found = editor.looked(WIDGET)
    assert diagnostic(9, 9, 11, "bare-number", FOUND) in found
    assert [item["label"] for item in editor.at("completion", WIDGET, 10, 9)] == ["sum"]


def test_a_closed_text_is_taken_from_its_file_again(editor, text):
    editor.change(LESSON, f"{text}\nIt is 55.\n")
    assert len(editor.looked(LESSON)) == 1
    editor.tell("textDocument/didClose", textDocument=editor.document(LESSON))
    editor.until(lambda message: editor.diagnostics[LESSON] == [])


def test_findings_of_the_documents_are_told_at_their_files(start, project, text):
    (project / "README.md").write_text("# Course\n\nIt is 77.\n", encoding="utf-8")
    editor = start()
    editor.open(LESSON)
    [readme] = editor.told("README.md")
    assert readme["code"] == "document-number" and readme["range"]["end"]["character"] == 8


def test_other_files_and_other_methods_are_no_concern(editor, project):
    notes = project / "notes.md"
    notes.write_text("It is 55.", encoding="utf-8")
    editor.open("notes.md")
    assert editor.at("hover", "notes.md", 0, 1) is None
    assert editor.at("completion", "notes.md", 0, 1) == []
    assert editor.at("definition", "notes.md", 0, 1) is None
    for uri in ("untitled:x", "file:///nowhere/%00", "", "http://[x"):
        place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
        assert editor.ask("textDocument/hover", **place) is None
    assert editor.close() == (0, "")


def test_a_workspace_without_a_course_is_told_so(tmp_path):
    editor = Editor(tmp_path)
    said = editor.until(lambda message: message.get("method") == "window/showMessage")
    assert said["params"]["message"] == (
        "lesson: no folder of this workspace holds content/course.toml"
    )
    (tmp_path / "x.md").write_text("x")
    editor.open("x.md")
    assert editor.at("hover", "x.md", 0, 0) is None
    assert editor.close() == (0, "")


def test_the_course_can_be_named(project, cache, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    arguments = ["--stdio", "--content", str(project / "content"), "--cache", str(cache)]
    editor = Editor(elsewhere, arguments=arguments)
    editor.folder = project
    editor.open(LESSON)
    assert editor.looked(LESSON) == []
    assert editor.close() == (0, "")


@pytest.mark.parametrize("folder", ["content", "content/count-to-ten"])
def test_a_folder_of_the_course_will_do(project, cache, folder):
    editor = Editor(project / folder, arguments=["--cache", str(cache)])
    editor.folder = project
    editor.open(LESSON)
    assert editor.looked(LESSON) == []
    assert editor.close() == (0, "")


def test_files_are_watched_where_the_editor_can(start):
    editor = start(workspace={"didChangeWatchedFiles": {"dynamicRegistration": True}})
    asked = editor.until(lambda message: message.get("method") == "client/registerCapability")
    [registered] = asked["params"]["registrations"]
    assert registered["method"] == "workspace/didChangeWatchedFiles"


def test_questions_are_answered_while_lesson_code_runs(editor, project):
    facts = project / FACTS
    slow = facts.read_text(encoding="utf-8").replace("):\n", "):\n    import time; time.sleep(3)\n")
    facts.write_text(slow, encoding="utf-8")
    editor.tell("textDocument/didSave", textDocument=editor.document(FACTS))
    time.sleep(0.5)  # the run has begun
    before = len(editor.published)
    start = time.monotonic()
    for _ in range(20):
        assert editor.at("hover", LESSON, 13, 76)
    assert time.monotonic() - start < 2
    assert len(editor.published) == before


def test_what_runs_is_shown_where_the_editor_can(start, project):
    facts = project / FACTS
    facts.write_text(facts.read_text() + "    # another\n", encoding="utf-8")
    editor = start(window={"workDoneProgress": True})
    kinds = []
    while kinds[-1:] != ["end"]:
        told = editor.until(lambda message: message.get("method") == "$/progress")
        kinds.append(told["params"]["value"]["kind"])
        if kinds == ["begin"]:
            assert told["params"]["value"]["message"] == f"running  {FACTS}"


def test_many_keys_are_one_look(editor, text):
    before = len(editor.published)
    for count in range(1, 30):
        editor.change(LESSON, f"{text}\nIt is {'5' * count}.\n")
    assert len(editor.looked(LESSON)) == 1
    assert len(editor.published) - before <= 3


TYPED = [
    "", "{{", "}}", "\ud800", "\U0001f600" * 50, "\r", "\r\r\n\n", "\0", "\u2028\u2029\x0b\x0c\x85", "\ue000",
    "+++\n+++\n", "+++\ntitle = 1\n+++\n", "{{ " + "(" * 500, "`" * 999, "> " * 300, "[" * 300, "9" * 6000,
    "+++\nx = " + "[" * 5000 + "\n+++\n", "{{ run('counting.py', edit={'LAST': last}) }}", "\ufeff\ufeff",
]  # fmt: skip


@pytest.mark.slow
def test_no_text_ends_the_server(start, text):
    editor = start()
    editor.open(LESSON, text)
    for typed in TYPED:
        for whole in (typed, text + typed, typed + text, text[:400] + typed + text[400:]):
            editor.change(LESSON, whole)
            document = editor.document(LESSON)
            editor.ask("textDocument/inlayHint", textDocument=document, range=ENDS)
            for line, character in ((0, 0), (13, 76), (38, 3), (99_999, 99_999)):
                editor.at("hover", LESSON, line, character)
                editor.at("completion", LESSON, line, character)
                editor.at("definition", LESSON, line, character)
            editor.looked(LESSON)
    editor.change(LESSON, text)
    assert editor.looked(LESSON) == []
    assert editor.close() == (0, "")


def test_an_editor_that_goes_away_ends_the_server(start):
    editor = start()
    editor.process.stdin.close()
    assert editor.process.wait(SLOW) == 0


def test_the_help_says_what_it_is(capsys):
    with pytest.raises(SystemExit):
        main(["lsp", "--help"])
    said = capsys.readouterr().out
    assert "Be a language server for an editor" in said and "--stdio" in said
