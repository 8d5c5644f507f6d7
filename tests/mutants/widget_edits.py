"""Edits of an interactive page: of its text in HTML, and of what its scripts say."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from engine.course import FRONT_MATTER
from engine.draft import Draft
from engine.script_text import VALUE, script_pieces
from tests.mutants import claims, typed
from tests.mutants.added import SENTENCES
from tests.mutants.mutant import Mutant, edit_of

FORMS = {
    **{kind: sentence for kind, sentence in SENTENCES.items() if not set(sentence) & set("`*[\\")},
    "code": "It prints <code>42</code>.", "bold": "It took <strong>9</strong> tries.",
    "split by a tag": "It took 1<b>2</b> tries.", "hexadecimal entity": "It took &#x37; tries.",
    "named entity": "That is &frac12; of them.", "bold word": "It took <em>seven</em> tries.",
    "link": 'See <a href="#a">7 more</a>.', "new element": "<span>It took 7 tries.</span>",
}  # fmt: skip
PLACES = {
    "paragraph": r"(?=</p>)", "list": r"(?=</li>)", "heading": r"(?=</h[12]>)",
    "label": r"(?=</label>)", "line to click": r"(?=</summary>)", "button": r"(?=</button>)",
}  # fmt: skip
EACH = 4  # forms that each place gets, other ones for the next place
ATTRIBUTES = {
    r"(?<=<input)(?= )": ('min="1"', 'max="20"', 'value="7"', 'step="0.5"',
                          'placeholder="7 chats"', 'placeholder="seven chats"'),
    r"(?<=<p)(?=[ >])": ('title="It took 7 tries."', "title='twice as long'"),
    r"(?<=<button)(?= )": ('aria-label="Go 7 steps"', 'title="both of them"'),
    r"(?<=<section)(?= )": ("aria-label=7", 'aria-description="25&#32;ms"'),
}  # fmt: skip
ENDS = (" 7", " 25 ms", " 3.49", " 3/4", " \u00bd", " seven", " twice", " half")
GEOMETRY = re.compile(r'(?:viewBox="0 0 | (?:width|height)="|["`]M)(?P<number>\d+)(?=[" ])')
STRING = re.compile(r'"(?=\n)')


def page(draft: Draft, path: str) -> Iterator[Mutant]:
    """Numbers of the page typed, names and number words one more, claims negated, numbers added."""
    text = draft.lesson.text
    found = [*typed.typed(draft, path), *typed.names(draft, path), *typed.words(draft, path)]
    for edit in [*found, *claims.claims(draft, path), *_added(path, text)]:
        yield replace(edit, surface="widget", rule=f"{edit.rule}, page")


def _added(path: str, text: str) -> Iterator[Mutant]:
    head = FRONT_MATTER.match(text).end()
    forms, turn = [*FORMS.items()], 0
    for place, pattern in PLACES.items():
        for match in re.finditer(pattern, text):
            for _ in range(EACH):
                kind, sentence = forms[turn % len(forms)]
                turn += 1
                about = f"{sentence} at the end of line {text.count(chr(10), 0, match.start()) + 1}"
                rule = f"added in a {place}: {kind}"
                yield edit_of("widget", rule, path, text, match.span(), f" {sentence}", about)
    for pattern, attributes in ATTRIBUTES.items():
        for match in re.finditer(pattern, text):
            for attribute in attributes:
                rule = "added in an attribute"
                yield edit_of("widget", rule, path, text, match.span(), f" {attribute}")
    for match in STRING.finditer(text, 0, head):
        span = match.start(), match.start()
        for end in ENDS:
            yield edit_of("widget", "added in a front matter", path, text, span, end)


def texts(path: str, script: str) -> Iterator[Mutant]:
    """Each text of a script with a number, or a word that counts, at its end."""
    for index, piece in enumerate(script_pieces(script)):
        at = _end(piece.text, piece.at, script)
        for turn in (2 * index, 2 * index + 1) if at else ():
            end = ENDS[turn % len(ENDS)]
            about = f"`{end.strip()}` at the end of `{_brief(piece.text)}`"
            rule = "number in a text of a script"
            yield edit_of("widget", rule, path, script, (at, at), end, about)


def _end(text: str, at, script: str) -> int:
    """Where the text's last word ends that is typed as it is read, in the script."""
    for index in range(len(text) - 1, -1, -1):
        char = text[index]
        if not char.isspace() and char != VALUE and script[at(index)] == char:
            return at(index) + 1
    return 0


def _brief(text: str) -> str:
    words = " ".join(text.replace(VALUE, "...").split())
    return words if len(words) <= 50 else f"{words[:22]} ... {words[-22:]}"


def harmless(draft: Draft, path: str, scripts: Mapping[str, str]) -> Iterator[Mutant]:
    """Comments, empty lines, classes and geometry; other words where no view says them at first."""
    text, head = draft.lesson.text, draft.lesson.body_offset
    for match in list(re.finditer(r"\n(?=<(?:p|h2|ul|section|details)\b)", text))[::5]:
        for rule, new in (("empty lines", "\n\n\n"), ("comment", "\n<!-- 7 notes, twice -->\n")):
            yield edit_of("harmless", f"{rule} of the page", path, text, match.span(), new)
    for match in list(re.finditer(r'(?<=class=")\w+', text[head:]))[::3]:
        span = head + match.start(), head + match.end()
        yield edit_of("harmless", "class of the page", path, text, span, f"{match[0]}-2")
    for number, match in enumerate(re.finditer(r"(?=</p>\n)", text)):
        if number % 3 == 0:
            new = " There is more."
            yield edit_of("harmless", "sentence of the page", path, text, match.span(), new)
    port, *others = scripts.items()
    yield from list(_harmless_in(*port))[:2]  # each is compared with Python at length
    for file, script in others:
        yield from _harmless_in(file, script)


def _harmless_in(path: str, script: str) -> Iterator[Mutant]:
    for match in list(re.finditer(r"(?<=\n\}\n)(?=\n)", script))[::8]:
        for rule, new in (("empty line", "\n\n"), ("comment", '// 7 of these, "twice"\n')):
            yield edit_of("harmless", f"{rule} of a script", path, script, match.span(), new)
    for match in list(GEOMETRY.finditer(script))[::2]:
        new = str(int(match["number"]) + 1)
        span = match.span("number")
        yield edit_of("harmless", "geometry of a script", path, script, span, new)
    if path.endswith(("controls.js", "log.js", "page.js")):
        for piece in script_pieces(script)[::4]:
            at = _end(piece.text, piece.at, script)
            about = f"`as well` at the end of `{_brief(piece.text)}`"
            if at:
                span = at, at
                yield edit_of("harmless", "text of a script", path, script, span, " as well", about)
