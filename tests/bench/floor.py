"""What a build cannot do without: the lesson's text through Jinja and Markdown, once, unchecked.

Run as a process of its own: `python floor.py lesson.md`. Facts and words are whatever is asked for.
"""

import re
import sys
from pathlib import Path

from jinja2 import Environment
from markdown_it import MarkdownIt


class Anything:
    """Has every name, can be called, and reads like a number."""

    def __getattr__(self, name):
        return self

    def __call__(self, *arguments, **named):
        return self

    def __str__(self):
        return "1"

    __lt__ = __gt__ = __le__ = __ge__ = lambda self, other: True


def main(path: str) -> str:
    """The text as HTML."""
    environment = Environment()
    names = ("digits", "bare", "about", "words", "capital")
    environment.filters |= dict.fromkeys(names, lambda value, *_: value)
    text = Path(path).read_text(encoding="utf-8")
    anything = Anything()

    def shown(match: re.Match) -> str:
        code = match[1]
        names = dict.fromkeys(re.findall(r"[a-z_]\w*", code), anything)
        return str(environment.compile_expression(code)(**names))

    return MarkdownIt().enable("table").render(re.sub(r"{{(.*?)}}", shown, text))


if __name__ == "__main__":
    main(sys.argv[1])
