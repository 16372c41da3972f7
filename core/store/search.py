"""Finding documents by words: SQLite's full-text index where there is one, LIKE elsewhere.

Each project has an index of its own, whose row numbers are positions. What a user types is
taken apart into words of letters and digits, so nothing of it is ever read as a query.
"""

from __future__ import annotations

import re

from sqlalchemy import Connection, func, select, text

from core.store.tables import documents
from core.store.values import SearchResult

WORDS_LIMIT = 32

_PARTS = re.compile(r'"([^"]*)"?|([^\s"]+)')
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_WORD = re.compile(r"[^\W_]+")


def phrases_in(words: str) -> list[str]:
    """What was asked for: single words, and phrases where quotation marks say so."""
    parts = (quoted or plain for quoted, plain in _PARTS.findall(words.replace("\x00", " ")))
    bare = (_EDGES.sub("", part) for part in parts)
    return [part for part in bare if part][:WORDS_LIMIT]


def create_index(connection: Connection, project: int) -> None:
    """An index without texts of its own, filled from the project's documents."""
    table = _index(project)
    tokens = "tokenize = 'unicode61 remove_diacritics 2'"
    connection.exec_driver_sql(
        f"CREATE VIRTUAL TABLE {table} USING fts5(text, content='', {tokens})"
    )
    connection.exec_driver_sql(
        f"INSERT INTO {table} (rowid, text) "
        "SELECT position, text FROM documents WHERE project = ? ORDER BY position",
        (project,),
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
