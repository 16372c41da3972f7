"""The part of the store that finds documents by words, date and id."""

from __future__ import annotations

from datetime import date

import numpy as np
from sqlalchemy import Connection, select, update

from core.errors import NotFound
from core.store.database import Database
from core.store.projects import full_text
from core.store.tables import documents, projects
from core.store.values import SearchResult


class DocumentFinder:
    """Reads only; the store it is part of brings the database."""

    _database: Database

    def search(
        self, project_id: int, words: str, *, limit: int = 50, offset: int = 0
    ) -> SearchResult:
        """Documents that hold all the words, in corpus order."""
        page = max(0, min(limit, 10_000)), max(0, offset)
        with self._database.read() as connection:
            if _searchable(connection, project_id):
                return full_text.index_of(connection, project_id).search(words, *page)
            return full_text.search_texts(connection, project_id, words, *page)

    def matching(self, project_id: int, words: str, *, unfinished: bool = False) -> np.ndarray:
        """Positions of all documents that hold the words one after the other, in corpus order.

        ``unfinished``: the last word is still being typed, so its beginning is enough.
        """
        with self._database.read() as connection:
            if _searchable(connection, project_id):
                index = full_text.index_of(connection, project_id)
                return index.matching(words, unfinished=unfinished)
            return full_text.matching_texts(connection, project_id, words)

    def texts_between(self, project_id: int, start: int, stop: int) -> list[str]:
        """The texts from one position up to another."""
        query = select(documents.c.text).where(
            documents.c.project == project_id,
            documents.c.position >= start,
            documents.c.position < stop,
        )
        with self._database.read() as connection:
            return list(connection.scalars(query.order_by(documents.c.position)))

    def dates(self, project_id: int) -> np.ndarray:
        """The day of every document as a proleptic ordinal; 0 where there is none."""
        query = (
            select(documents.c.date)
            .where(documents.c.project == project_id)
            .order_by(documents.c.position)
        )
        with self._database.read() as connection:
            days = connection.scalars(query).all()
        known = {day: date.fromisoformat(day).toordinal() for day in set(days) if day}
        return np.fromiter((known.get(day, 0) for day in days), np.int32, len(days))

    def positions_with_id(self, project_id: int, document_id: str) -> list[int]:
        """Positions of the documents with this id; ids need not be unique."""
        query = select(documents.c.position).where(
            documents.c.project == project_id, documents.c.id == document_id
        )
        with self._database.read() as connection:
            return list(connection.scalars(query.order_by(documents.c.position)))

    def build_index(self, project: int) -> None:
        """Build the full-text index in pieces, so that others can write in between."""
        if not self._database.full_text:
            return
        with self._database.write() as connection:
            full_text.index_of(connection, project).create()
            n_docs = connection.scalar(select(projects.c.n_docs).where(projects.c.id == project))
        for start in range(0, n_docs or 0, full_text.DOCUMENTS_PER_TRANSACTION):
            with self._database.write() as connection:
                index = full_text.index_of(connection, project)
                index.fill(start, start + full_text.DOCUMENTS_PER_TRANSACTION)
        ready = update(projects).where(projects.c.id == project).values(searchable=True)
        with self._database.write() as connection:
            connection.execute(ready)


def _searchable(connection: Connection, project: int) -> bool:
    found = connection.scalar(select(projects.c.searchable).where(projects.c.id == project))
    if found is None:
        raise NotFound("There is no such project.")
    return bool(found)
