"""Markdown <-> tokens <-> HTML. Stamps ride through as ordinary characters.

The dialect is CommonMark with tables and curly quotes, without raw HTML. It adds two forms: an
image is a figure (`![what it shows](cache-fills)` and its caption in the lines below), and
`::: answer` to `:::` folds what is between behind its first paragraph.
"""

import re
from collections.abc import Callable

from markdown_it import MarkdownIt
from markdown_it.common import normalize_url
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from mdit_py_plugins.container import container_plugin

from engine.stamps import RESERVED, STAMP, fill_in, stamps_in

FOLDED = "answer"
_MARKDOWN = (
    MarkdownIt("commonmark", {"html": False, "typographer": True, "maxNesting": 200})
    .enable(["table", "smartquotes"])
    .use(container_plugin, FOLDED)
)


def _link(url: str) -> str:
    """A link's target, escaped as HTML asks; a stamp in it stays to be found."""
    return url if RESERVED.search(url) else normalize_url.normalizeLink(url)


_MARKDOWN.normalizeLink = _link


def parse(stamped: str, typed: Callable[[int], str]) -> list[Token]:
    """Stamped Markdown -> block tokens. Code says what was `typed` there: braces are just braces."""
    tokens = _MARKDOWN.parse(stamped)
    for token in tokens:
        for part in [token, *(token.children or [])]:
            if part.type in ("fence", "code_block", "code_inline"):
                part.content = fill_in(part.content, typed)
    return tokens


def figure_names(tokens: list[Token]) -> list[str]:
    """The figures a text shows, in order."""
    return [
        str(child.attrs["src"])
        for token in tokens if token.type == "inline"
        for child in token.children if child.type == "image"
    ]  # fmt: skip


def headings(tokens: list[Token]) -> list[tuple[str, str, str]]:
    """(tag, anchor, text with stamps) of each heading; anchors differ, and hold no live number."""
    taken = {"content", *figure_names(tokens)}  # ids that the page gives to other things
    found = []
    for opening, content in zip(tokens, tokens[1:]):
        if opening.type == "heading_open":
            text = "".join(
                child.content or " " * (child.type == "softbreak") for child in content.children
            )
            base = "-".join(re.findall(r"[^\W_]+", STAMP.sub(" ", text).lower())) or "section"
            anchor, number = base, 1
            while anchor in taken:
                number += 1
                anchor = f"{base}-{number}"
            taken.add(anchor)
            found.append((opening.tag, anchor, text))
    return found


def render(
    tokens: list[Token],
    shown_html: Callable[[int], str],
    shown_text: Callable[[int], str],
    is_block: Callable[[int], bool],
    draw: Callable[[str, str, str], str],
) -> str:
    """Tokens -> HTML. `draw(name, alt, caption)` makes a figure."""
    anchors = iter(anchor for _, anchor, _ in headings(tokens))
    renderer = RendererHTML()

    def text(tokens: list[Token], index: int, options, env) -> str:
        return fill_in(tokens[index].content, shown_html, escapeHtml)

    def link_open(tokens: list[Token], index: int, options, env) -> str:
        title = tokens[index].attrs.get("title")
        if title:
            tokens[index].attrs["title"] = fill_in(str(title), shown_text)
        return renderer.renderToken(tokens, index, options, env)

    renderer.rules |= {"text": text, "link_open": link_open}
    options = _MARKDOWN.options
    out: list[str] = []
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", next(anchors))
        if token.type == "th_open":
            token.attrSet("scope", "col")
        if "style" in token.attrs:  # a strict content-security policy lets no style through
            token.attrs["class"] = str(token.attrs.pop("style")).removeprefix("text-align:")
        if token.type == f"container_{FOLDED}_open":
            out.append("<details>")
        elif token.type == f"container_{FOLDED}_close":
            out.append("</details>\n")
        elif token.type == "table_open":
            out.append('<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>\n')
        elif token.type == "table_close":
            out.append("</table></div>\n")
        elif token.type.startswith("paragraph_"):
            inline = index + token.nesting
            if not token.hidden and not stands_alone(tokens[inline], is_block):
                folds = tokens[inline - 2].type == f"container_{FOLDED}_open"
                end = "/" if token.nesting < 0 else ""
                out.append(f"<{end}{'summary' if folds else 'p'}>{end and chr(10)}")
        elif token.type == "inline" and stands_alone(token, is_block) == "figure":
            image, *caption = token.children
            alt = fill_in(
                renderer.renderInlineAsText(image.children or [], options, {}), shown_text
            )
            caption_html = renderer.renderInline(caption, options, {}).strip()
            out.append(draw(str(image.attrs["src"]), alt, caption_html))
        elif token.type == "inline":
            out.append(renderer.renderInline(token.children, options, {}))
        else:
            out.append(renderer.renderToken(tokens, index, options, {}))
    return "".join(out)


def stands_alone(inline: Token, is_block: Callable[[int], bool]) -> str:
    """Says "figure" or "block" of a paragraph that is one, and "" of a paragraph of text."""
    if inline.children and inline.children[0].type == "image":
        return "figure"
    stamp = STAMP.fullmatch(inline.content.strip())
    if stamp and is_block(stamps_in(stamp[0])[0]):
        return "block"
    return ""
