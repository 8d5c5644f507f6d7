"""The HTML elements that quoted things stand in; they say what kind of thing it is, and whence."""

from functools import lru_cache
from html import escape
from typing import Any

from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexers.python import PythonLexer

from engine.facts import Fact


def data(value: Any, kind: str, origin: str, text: str = "") -> str:
    """The element that every number of a page stands in: its value, and where it comes from."""
    return (
        f'<data value="{escape(str(value))}" data-kind="{kind}" data-from="{escape(origin)}">'
        f"{escape(text or str(value))}</data>"
    )


def fact_html(fact: Fact) -> str:
    """A fact as the page shows it."""
    return data(fact.value, fact.kind, f"{fact.name}, {fact.origin}", fact.text)


def listing(caption: str, label: str, kind: str, content: str) -> str:
    """A block of code or output in a box that scrolls."""
    return (
        f'<figure class="listing"><figcaption>{caption}</figcaption><pre tabindex="0" '
        f'role="group" aria-label="{escape(label)}" data-kind="{kind}">{content}</pre></figure>\n'
    )


@lru_cache(1000)
def numbered_lines(code: str, start: int) -> str:
    """Highlighted lines; their numbers are attributes, so that copying takes the code alone."""
    lines = highlight(code, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)).rstrip("\n")
    return "\n".join(
        f'<span class="line" data-line="{number}">{line}</span>'
        for number, line in enumerate(lines.split("\n"), start)
    )
