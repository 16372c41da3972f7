"""HTML in texts: whether a column has any, and texts without it.

Tags go, what they set apart stays apart: a block ends a line. Scripts and styles go with what they
hold. A lone < or > is no tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from html.parser import HTMLParser

TAG = re.compile(
    r"</?(?:a|abbr|article|b|blockquote|body|br|code|dd|div|dl|dt|em|font|footer|h[1-6]|head|header"
    r"|hr|html|i|img|li|ol|p|pre|script|section|small|span|strong|style|sub|sup|table|tbody|td"
    r"|th|thead|tr|u|ul)\b[^<>]*>",
    re.IGNORECASE,
)
HTML_ENTITY = re.compile(r"&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);", re.IGNORECASE)
BLOCKS = frozenset(
    {"article", "blockquote", "body", "br", "dd", "div", "dl", "dt", "footer", "header", "hr", "li"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "ol", "p", "pre", "section", "table", "tr", "ul"}
)
UNREAD = frozenset({"script", "style"})
SPACES = re.compile(r"[ \t\r\f\v\u00a0]+")
EMPTY_LINES = re.compile(r"\n\s*\n\s*")
MIN_MARKED_SHARE = 0.02  # of the cells of a column that have tags, for stripping to be offered
MIN_MARKED_CELLS = 10  # as many are no accident, however long the column


def has_markup(cells: Iterable[str]) -> bool:
    """Whether tags are more than an accident in these cells."""
    filled = [cell for cell in cells if cell.strip()]
    marked = sum(TAG.search(cell) is not None for cell in filled)
    return marked >= MIN_MARKED_CELLS or (marked > 0 and marked >= MIN_MARKED_SHARE * len(filled))


def strip_markup(text: str) -> str:
    """The text that a reader of the page would see; without tags only entities are replaced."""
    if TAG.search(text) is None:
        return HTML_ENTITY.sub(lambda found: SPACES.sub(" ", unescape(found[0])), text)
    reader = _Reader()
    reader.feed(text)
    reader.close()
    lines = SPACES.sub(" ", "".join(reader.parts))
    return EMPTY_LINES.sub("\n\n", "\n".join(line.strip() for line in lines.split("\n"))).strip()


class _Reader(HTMLParser):
    """Gathers the text between tags."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unread = 0

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        """``<![…>`` is a comment, as for browsers: a wrong one is no reason to read nothing."""
        return self.parse_bogus_comment(i, report)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._unread += tag in UNREAD
        if tag in BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._unread = max(0, self._unread - (tag in UNREAD))
        if tag in BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._unread:
            self.parts.append(data)
