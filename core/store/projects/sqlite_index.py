"""SQLite's own full-text index, one for each project; its row numbers are positions."""

from __future__ import annotations

import numpy as np
from sqlalchemy import Connection, text

from core.store.projects.search_words import (
    MIN_PREFIX,
    is_unfinished,
    phrases_in,
    spellings_of,
    words_in,
)
from core.store.values import SearchResult


class SqliteIndex:
    """Words of a project's documents; works inside a caller's transaction."""

    def __init__(self, connection: Connection, project: int) -> None:
        self._connection, self._table = connection, f"search_{int(project)}"
        self._project = project

    def create(self) -> None:
        """An index without texts of its own; two letters are looked up like a word."""
        options = f"tokenize = 'unicode61 remove_diacritics 2', prefix = '{MIN_PREFIX}'"
        run = self._connection.exec_driver_sql
        run(f"DROP TABLE IF EXISTS {self._table}")  # half made, once
        run(f"CREATE VIRTUAL TABLE {self._table} USING fts5(text, content='', {options})")

    def fill(self, start: int, stop: int) -> None:
        """Take a stretch of the project's documents into the index."""
        self._connection.exec_driver_sql(
            f"INSERT INTO {self._table} (rowid, text) SELECT position, text FROM documents "
            "WHERE project = ? AND position >= ? AND position < ? ORDER BY position",
            (self._project, start, stop),
        )

    def clear(self, start: int, stop: int) -> None:
        """Take a stretch of documents out of the index, while they still are what they were."""
        self._connection.exec_driver_sql(
            f"INSERT INTO {self._table} ({self._table}, rowid, text) "
            "SELECT 'delete', position, text FROM documents "
            "WHERE project = ? AND position >= ? AND position < ? ORDER BY position",
            (self._project, start, stop),
        )

    def search(self, words: str, limit: int, offset: int) -> SearchResult:
        """All words must occur; the last one may still be unfinished."""
        phrases = phrases_in(words)
        if not phrases:
            return SearchResult((), 0)
        *complete, last = phrases
        asked = [*map(_any_spelling, complete), _any_spelling(last, is_unfinished(words))]
        query = " AND ".join(asked)
        keys = {"query": query, "limit": limit, "offset": offset}
        where = f"FROM {self._table} WHERE {self._table} MATCH :query"
        total = self._connection.scalar(text(f"SELECT count(*) {where}"), {"query": query})
        page = text(f"SELECT rowid {where} ORDER BY rowid LIMIT :limit OFFSET :offset")
        return SearchResult(tuple(self._connection.scalars(page, keys)), total or 0)

    def matching(self, words: str, *, unfinished: bool) -> np.ndarray:
        """Every document that holds the words one after the other, in corpus order.

        The database puts the positions into one string in one step: reading them row by row would
        take longer than finding them.
        """
        asked = words_in(words)
        if not asked:
            return np.empty(0, np.intp)
        complete = unfinished and len(asked[-1]) >= MIN_PREFIX
        ordered = f"SELECT rowid FROM {self._table} WHERE {self._table} MATCH ? ORDER BY rowid"
        query = _any_spelling(" ".join(asked), complete)
        statement = f"SELECT group_concat(rowid) FROM ({ordered})"
        row = self._connection.exec_driver_sql(statement, (query,)).scalar()
        return np.fromstring(row or "", dtype=np.int64, sep=",").astype(np.intp)


def _any_spelling(phrase: str, unfinished: bool = False) -> str:
    """The query for a phrase. Its words are letters and digits, so nothing needs escaping."""
    end = " *" if unfinished else ""
    return f"({' OR '.join(_quoted(each) + end for each in spellings_of(phrase))})"


def _quoted(phrase: str) -> str:
    return f'"{" ".join(words_in(phrase))}"'
