"""Find documents by words: with the database's own index where there is one, else with LIKE."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from sqlalchemy import ColumnElement, Connection, func, or_, select

from core.store.projects.postgresql_index import PostgresqlIndex
from core.store.projects.search_words import phrases_in, spellings_of
from core.store.projects.sqlite_index import SqliteIndex
from core.store.tables import documents
from core.store.values import SearchResult

DOCUMENTS_PER_TRANSACTION = (
    5_000  # documents indexed in one transaction, so that others can write in between
)


class FullTextIndex(Protocol):
    """The words of one project's documents, as a database keeps them."""

    def create(self) -> None: ...

    def fill(self, start: int, stop: int) -> None: ...

    def clear(self, start: int, stop: int) -> None: ...

    def search(self, words: str, limit: int, offset: int) -> SearchResult: ...

    def matching(self, words: str, *, unfinished: bool) -> np.ndarray: ...


def index_of(connection: Connection, project: int) -> FullTextIndex:
    """The index of a project, in whichever database it is."""
    if connection.dialect.name == "postgresql":
        return PostgresqlIndex(connection, project)
    return SqliteIndex(connection, project)


def matching_texts(connection: Connection, project: int, words: str) -> np.ndarray:
    """The same without an index: slower, and inside words too."""
    if not words.strip():
        return np.empty(0, np.intp)
    query = select(documents.c.position).where(documents.c.project == project, _holds(words))
    found = connection.scalars(query.order_by(documents.c.position)).all()
    return np.array(found, dtype=np.intp)


def search_texts(
    connection: Connection, project: int, words: str, limit: int, offset: int
) -> SearchResult:
    """The same question without an index: slower, and inside words too."""
    phrases = phrases_in(words)
    if not phrases:
        return SearchResult((), 0)
    query = select(documents.c.position).where(documents.c.project == project)
    for phrase in phrases:
        query = query.where(_holds(phrase))
    total = connection.scalar(select(func.count()).select_from(query.subquery()))
    page = query.order_by(documents.c.position).limit(limit).offset(offset)
    return SearchResult(tuple(connection.scalars(page)), total or 0)


def _holds(phrase: str) -> ColumnElement[bool]:
    """That a text holds a phrase, in any of its spellings."""
    return or_(
        *(documents.c.text.icontains(each, autoescape=True) for each in spellings_of(phrase))
    )
