"""The language of the search box: words, "phrases", ``~patterns`` and filters, joined by ``OR``.

All parts must hold; ``OR`` between two parts asks for either: ``is:unlabelled refund OR invoice``.
A minus in front negates a part. Several values after a filter, separated by commas, mean any of
them. A filter that is still being typed is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from core.errors import QueryError
from core.search.filters import Columns, read_filter
from core.search.parts import (
    ColumnFilter,
    LikeFilter,
    NameFilter,
    Part,
    Pattern,
    RangeFilter,
    Words,
)
from core.search.patterns import compiled
from core.text import without_edges

PARTS_LIMIT = 32
EITHER, BOTH = "OR", "AND"  # in capitals; both is meant anyway
_PART = re.compile(r'(-?)(?:(~)|([^\W\d]\w*):(?!//))?(?:"([^"]*)("?)|([^\s"]*))')
T = TypeVar("T", bound=Part)


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed search: of each clause one part at least must hold."""

    clauses: tuple[tuple[Part, ...], ...] = ()
    like: LikeFilter | None = None

    def __bool__(self) -> bool:
        return bool(self.clauses or self.like)

    @property
    def words(self) -> tuple[Words, ...]:
        return self._all(Words)

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        return self._all(Pattern)

    @property
    def names(self) -> tuple[NameFilter, ...]:
        return self._all(NameFilter)

    @property
    def spans(self) -> tuple[RangeFilter, ...]:
        return self._all(RangeFilter)

    @property
    def columns(self) -> tuple[ColumnFilter, ...]:
        return self._all(ColumnFilter)

    @property
    def about_labels(self) -> bool:
        """Whether it says itself which labels the texts have."""
        return any(
            names.kind in ("label", "not", "author")
            or (names.kind == "is" and names.values != ("unlabelled",))
            for names in self.names
        )

    def _all(self, kind: type[T]) -> tuple[T, ...]:
        return tuple(part for clause in self.clauses for part in clause if isinstance(part, kind))


def parse(text: str, columns: Columns = ()) -> Query:
    """Parse a search; a part that cannot be understood is an error in one sentence.

    ``columns`` are the names of the project's own columns.
    """
    clauses: list[tuple[Part, ...]] = []
    likes: list[LikeFilter] = []
    before: Part | None = None
    joined = False  # by OR to the part before
    for part in _parts(text, columns):
        if part is None:
            joined = before is not None
            continue
        if joined and (isinstance(part, LikeFilter) or isinstance(before, LikeFilter)):
            raise QueryError("“like:” orders texts by similarity; it cannot stand beside OR.")
        if isinstance(part, LikeFilter):
            likes.append(part)
        elif joined:
            clauses[-1] += (part,)
        else:
            clauses.append((part,))
        before, joined = part, False
    if len(likes) > 1:
        raise QueryError("Only one “like:” at a time.")
    return Query(tuple(clauses), likes[0] if likes else None)


def _parts(text: str, columns: Columns) -> Iterator[Part | None]:
    """The parts, as many as are read; None for an OR."""
    text, at, left = text.replace("\x00", " "), 0, PARTS_LIMIT
    while at < len(text) and left:
        if text[at].isspace():
            at += 1
            continue
        start, match = at, _PART.match(text, at)
        assert match is not None  # an empty match at worst
        at = _end(text, match, start)
        written = text[start:at]
        if written in (EITHER, BOTH):
            yield from [None] if written == EITHER else []
            continue
        for part in _read(match, written, columns, unfinished=at >= len(text)):
            left -= 1
            yield part


def _end(text: str, match: re.Match[str], start: int) -> int:
    """Values and patterns end at the first space outside quotation marks."""
    if not (match[2] or match[3]):
        return max(match.end(), start + 1)
    at, quoted = start, False
    while at < len(text) and (quoted or not text[at].isspace()):
        quoted ^= text[at] == '"'
        at += 1
    return at


def _read(match: re.Match[str], written: str, columns: Columns, *, unfinished: bool) -> list[Part]:
    negated, name, given = bool(match[1]), match[3], written[len(match[1]) :]
    if match[2]:
        return _pattern(given.removeprefix("~"), negated)
    if name:
        value = given[len(name) + 1 :]
        part = read_filter(name, value, negated, columns, unfinished=unfinished)
        return _words(name.lower(), negated, open_=False) if part is None else part
    if match[4] is not None:
        return _words(match[4], negated, open_=not match[5])
    return _words(match[6], negated, open_=unfinished)


def _words(text: str, negated: bool, *, open_: bool) -> list[Part]:
    bare = without_edges(text)
    return [Words(bare, open_ and not negated, negated)] if bare else []


def _pattern(given: str, negated: bool) -> list[Part]:
    """The pattern between quotation marks, or up to the next space."""
    text = given[1:].removesuffix('"') if given.startswith('"') else given
    if not text:
        return []
    compiled(text)
    return [Pattern(text, negated)]
