"""PostgreSQL's own full text finds who holds the words; their folded texts say in which order.

The words are folded here and not by PostgreSQL, so that an index means the same on every machine,
whatever its locale, and finds what SQLite's finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    MetaData,
    Table,
    Text,
    cast,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
)
from sqlalchemy.dialects.postgresql import TSQUERY, TSVECTOR, aggregate_order_by

from core.store.postgresql import INDEXED_CHARACTERS
from core.store.projects.search_words import (
    MIN_PREFIX,
    folded_words,
    is_unfinished,
    phrases_in,
    spellings_of,
    words_in,
)
from core.store.tables import documents
from core.store.values import SearchResult

document_words = Table(  # as ``SEARCH_TABLE`` makes it
    "document_words",
    MetaData(),
    Column("project", BigInteger, primary_key=True),
    Column("position", BigInteger, primary_key=True),
    Column("folded", Text, nullable=False),  # words with a space between, before and after them
    Column("words", TSVECTOR),
)


@dataclass(frozen=True, slots=True)
class _Phrase:
    """Words that follow one another; the last may be unfinished."""

    words: Sequence[str]
    unfinished: bool = False

    @property
    def query(self) -> str:
        """That all the words are there. They are letters and digits, so nothing needs escaping."""
        return " & ".join(f"'{word}'" for word in self.words) + (":*" if self.unfinished else "")

    @property
    def follow(self) -> ColumnElement[bool]:
        """That they follow one another."""
        end = "%" if self.unfinished else " %"
        return document_words.c.folded.like(f"% {' '.join(self.words)}{end}")


def _spellings(phrase: str, unfinished: bool = False) -> list[_Phrase]:
    return [_Phrase(folded_words(each), unfinished) for each in spellings_of(phrase)]


class PostgresqlIndex:
    """Words of a project's documents; works inside a caller's transaction."""

    def __init__(self, connection: Connection, project: int) -> None:
        self._connection, self._project = connection, project

    def create(self) -> None:
        """Begin with nothing; the table of words is that of all projects."""
        here = document_words.c.project == self._project
        self._connection.execute(delete(document_words).where(here))

    def fill(self, start: int, stop: int) -> None:
        """Take a stretch of the project's documents into the index."""
        query = select(documents.c.position, documents.c.text).where(
            documents.c.project == self._project,
            documents.c.position >= start,
            documents.c.position < stop,
        )
        rows = [
            {
                "project": self._project,
                "position": position,
                "folded": f" {' '.join(folded_words(text))} ",
            }
            for position, text in self._connection.execute(query)
        ]
        if rows:
            self._connection.execute(insert(document_words), rows)

    def clear(self, start: int, stop: int) -> None:
        """Take a stretch of documents out of the index."""
        self._connection.execute(
            delete(document_words).where(
                document_words.c.project == self._project,
                document_words.c.position >= start,
                document_words.c.position < stop,
            )
        )

    def search(self, words: str, limit: int, offset: int) -> SearchResult:
        """All words must occur; the last one may still be unfinished."""
        asked = phrases_in(words)
        if not asked:
            return SearchResult((), 0)
        *before, last = asked
        phrases = [*map(_spellings, before), _spellings(last, is_unfinished(words))]
        query = select(document_words.c.position).where(*self._hold(phrases))
        total = self._connection.scalar(select(func.count()).select_from(query.subquery()))
        page = query.order_by(document_words.c.position).limit(limit).offset(offset)
        return SearchResult(tuple(self._connection.scalars(page)), total or 0)

    def matching(self, words: str, *, unfinished: bool) -> np.ndarray:
        """Every document that holds the words one after the other, in corpus order."""
        asked = words_in(words)
        if not asked:
            return np.empty(0, np.intp)
        phrase = _spellings(" ".join(asked), unfinished and len(asked[-1]) >= MIN_PREFIX)
        position = document_words.c.position
        in_order = aggregate_order_by(literal(",", Text), position)
        listed = func.string_agg(cast(position, Text), in_order)
        query = select(listed).where(*self._hold([phrase]))
        found = self._connection.scalar(query)
        return np.fromstring(found or "", dtype=np.int64, sep=",").astype(np.intp)

    def _hold(self, phrases: Sequence[Sequence[_Phrase]]) -> list[ColumnElement[bool]]:
        """Conditions on documents that hold all the phrases, each in any of its spellings."""
        either = (" | ".join(f"({each.query})" for each in spelled) for spelled in phrases)
        wanted = cast(" & ".join(f"({query})" for query in either), TSQUERY)
        is_long = func.char_length(document_words.c.folded) > INDEXED_CHARACTERS
        there = document_words.c.words.bool_op("@@")(wanted)
        follow = [
            or_(
                *(each.follow for each in spelled),
                *([] if len(spelled[0].words) > 1 else [~is_long]),
            )
            for spelled in phrases
        ]
        here = document_words.c.project == self._project
        return [here, or_(there, is_long), *follow]
