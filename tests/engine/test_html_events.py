"""A page read in parts gives what it gives in one."""

from hypothesis import given
from hypothesis import strategies as st

from engine.html_events import CUT, _events, events

PIECES = (
    "<p>", "</p>", "\n<p>", "\n<figure class='x'>", "</figure>", "text 7", "\n", "<!-- ", " -->",
    "<script>", "</script>", "<style>", "</style>", "<title>", "</title>", "<textarea>", '<a title="',
    '">', "'", "&amp;", "&am", "&#5", "<", ">", "<br/>", "\n<svg>", "</svg>", "<![CDATA[", "]]>", "<?x",
    "<!doctype html>\n", "\n<li x", "é½", "\n<pre>\n", "</", "\r\n<h2>", "<plaintext>",
)  # fmt: skip


def joined(found):
    """Texts that follow each other as one: the parser may hand them over in pieces."""
    result = []
    for kind, what, *place in found:
        if kind == "data" and result and result[-1][0] == "data":
            result[-1][1] += what[0]
        else:
            result.append([kind, what[0] if kind == "data" else what, *place])
    return result


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_in_parts_as_in_one(page):
    assert joined(events(page)) == joined(_events(page)[0])


def test_the_real_pages_are_read_in_parts(real_site):
    for name, content in real_site.files.items():
        if name.endswith(".html"):
            page = content.decode()
            assert joined(events(page)) == joined(_events(page)[0])
            assert len(CUT.split(page)) > 5
