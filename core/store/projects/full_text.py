"""Find documents by words: with SQLite's full-text index where there is one, with LIKE elsewhere.

Each project has an index of its own, whose row numbers are positions. What a user types is
taken apart into words of letters and digits, so nothing of it is ever read as a query.
"""

from __future__ import annotations

import re

import numpy as np
from sqlalchemy import Connection, func, select, text

from core.store.tables import documents
from core.store.values import SearchResult

WORDS_LIMIT = 32
MIN_PREFIX = 2  # letters from which on an unfinished word is completed
DOCUMENTS_PER_TRANSACTION = (
    5_000  # documents indexed in one transaction, so that others can write in between
)

_PARTS = re.compile(r'"([^"]*)"?|([^\s"]+)')
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_WORD = re.compile(r"[^\W_]+")


def phrases_in(words: str) -> list[str]:
    """What was asked for: single words, and phrases where quotation marks say so."""
    parts = (quoted or plain for quoted, plain in _PARTS.findall(words.replace("\x00", " ")))
    bare = (_EDGES.sub("", part) for part in parts)
    return [part for part in bare if part][:WORDS_LIMIT]


def create_index(connection: Connection, project: int) -> None:
    """An index without texts of its own; two letters are looked up like a word."""
    options = f"tokenize = 'unicode61 remove_diacritics 2', prefix = '{MIN_PREFIX}'"
    connection.exec_driver_sql(f"DROP TABLE IF EXISTS {_index(project)}")  # half made, once
    connection.exec_driver_sql(
        f"CREATE VIRTUAL TABLE {_index(project)} USING fts5(text, content='', {options})"
    )


def fill_index(connection: Connection, project: int, start: int, stop: int) -> None:
    """Take a stretch of the project's documents into its index."""
    connection.exec_driver_sql(
        f"INSERT INTO {_index(project)} (rowid, text) SELECT position, text FROM documents "
        "WHERE project = ? AND position >= ? AND position < ? ORDER BY position",
        (project, start, stop),
    )


def clear_index(connection: Connection, project: int, start: int, stop: int) -> None:
    """Take a stretch of documents out of the index, while they still are what they were."""
    connection.exec_driver_sql(
        f"INSERT INTO {_index(project)} ({_index(project)}, rowid, text) "
        "SELECT 'delete', position, text FROM documents "
        "WHERE project = ? AND position >= ? AND position < ? ORDER BY position",
        (project, start, stop),
    )


def _index(project: int) -> str:
    return f"search_{int(project)}"


def search_index(
    connection: Connection, project: int, words: str, limit: int, offset: int
) -> SearchResult:
    """All words must occur; the last one may still be unfinished."""
    phrases = phrases_in(words)
    if not phrases:
        return SearchResult((), 0)
    query = " AND ".join(f'"{" ".join(_WORD.findall(phrase))}"' for phrase in phrases)
    query += "" if words.rstrip(" ") != words or words.endswith('"') else " *"
    table = _index(project)
    keys = {"query": query, "limit": limit, "offset": offset}
    where = f"FROM {table} WHERE {table} MATCH :query"
    total = connection.scalar(text(f"SELECT count(*) {where}"), {"query": query})
    page = text(f"SELECT rowid {where} ORDER BY rowid LIMIT :limit OFFSET :offset")
    return SearchResult(tuple(connection.scalars(page, keys)), total or 0)


def matching_index(
    connection: Connection, project: int, words: str, *, unfinished: bool
) -> np.ndarray:
    """Every document that holds the words one after the other, in corpus order.

    The database puts the positions into one string in one step: reading them row by row would
    take longer than finding them.
    """
    query = " ".join(_WORD.findall(words))
    if not query:
        return np.empty(0, np.intp)
    complete = unfinished and len(query.split()[-1]) >= MIN_PREFIX
    table = _index(project)
    ordered = f"SELECT rowid FROM {table} WHERE {table} MATCH ? ORDER BY rowid"
    statement = f"SELECT group_concat(rowid) FROM ({ordered})"
    row = connection.exec_driver_sql(statement, (f'"{query}"{" *" if complete else ""}',)).scalar()
    return np.fromstring(row or "", dtype=np.int64, sep=",").astype(np.intp)


def matching_texts(connection: Connection, project: int, words: str) -> np.ndarray:
    """The same without an index: slower, and inside words too."""
    if not words.strip():
        return np.empty(0, np.intp)
    query = select(documents.c.position).where(
        documents.c.project == project, documents.c.text.icontains(words, autoescape=True)
    )
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
        query = query.where(documents.c.text.icontains(phrase, autoescape=True))
    total = connection.scalar(select(func.count()).select_from(query.subquery()))
    page = query.order_by(documents.c.position).limit(limit).offset(offset)
    return SearchResult(tuple(connection.scalars(page)), total or 0)
