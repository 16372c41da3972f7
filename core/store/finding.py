"""The part of the store that finds documents: by words, by date, by id."""

from __future__ import annotations

from datetime import date

import numpy as np
from sqlalchemy import Connection, and_, bindparam, select, update

from core.errors import NotFound
from core.store import search
from core.store.database import Database
from core.store.fold import annotation_of
from core.store.lineage import Lineage
from core.store.log import event_of
from core.store.tables import acts, annotated, documents, events, projects
from core.store.topic_log import read_lineage
from core.store.values import Annotation, SearchResult

_LABELS_AT = (
    select(events)
    .join(acts, and_(acts.c.project == events.c.project, acts.c.event == events.c.id))
    .where(acts.c.project == bindparam("p_project"), acts.c.position == bindparam("p_position"))
    .where(acts.c.kind == "label", acts.c.status == "done", acts.c.event < bindparam("p_before"))
    .order_by(events.c.id)
)
EVER = 2**62  # later than any event


class Finding:
    """Reads only; the store it is part of brings the database."""

    _database: Database

    def search(
        self, project_id: int, words: str, *, limit: int = 50, offset: int = 0
    ) -> SearchResult:
        """Documents that hold all the words, in corpus order."""
        page = max(0, min(limit, 10_000)), max(0, offset)
        with self._database.read() as connection:
            find = search.search_texts
            if _searchable(connection, project_id):
                find = search.search_index
            return find(connection, project_id, words, *page)

    def matching(self, project_id: int, words: str, *, unfinished: bool = False) -> np.ndarray:
        """Positions of all documents that hold the words one after the other, in corpus order.

        ``unfinished``: the last word is still being typed, so its beginning is enough.
        """
        with self._database.read() as connection:
            if _searchable(connection, project_id):
                return search.matching_index(connection, project_id, words, unfinished=unfinished)
            return search.matching_texts(connection, project_id, words)

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

    def positions_called(self, project_id: int, document_id: str) -> list[int]:
        """Positions of the documents whose own id this is; ids need not be unique."""
        query = select(documents.c.position).where(
            documents.c.project == project_id, documents.c.id == document_id
        )
        with self._database.read() as connection:
            return list(connection.scalars(query.order_by(documents.c.position)))

    def labels_at(self, project_id: int, position: int, before: int = EVER) -> list[Annotation]:
        """What was said about a document before an event and still stands, oldest first."""
        keys = {"p_project": project_id, "p_position": position, "p_before": before}
        with self._database.read() as connection:
            told = [event_of(row) for row in connection.execute(_LABELS_AT, keys)]
            lineage = read_lineage(connection, project_id) if told else Lineage({})
        said = (annotation_of(event, lineage) for event in told)
        return [each for each in said if each is not None]

    def withdrawn(self, project_id: int) -> set[int]:
        """Documents that are not labelled, though somebody has spoken of them."""
        query = select(annotated.c.position).where(
            annotated.c.project == project_id,
            annotated.c.event.is_not(None),
            ~annotated.c.labelled,
        )
        with self._database.read() as connection:
            return set(connection.scalars(query))

    def note_at(self, project_id: int, position: int) -> str:
        """The last note that stands, also one without a label; an empty string if there is none."""
        keys = {"p_project": project_id, "p_position": position, "p_before": EVER}
        with self._database.read() as connection:
            told = [event_of(row) for row in connection.execute(_LABELS_AT, keys)]
        return str(told[-1].payload["note"]) if told else ""

    def _index(self, project: int) -> None:
        """Piece by piece, so that others can write in between; search works without it too."""
        if not self._database.full_text:
            return
        with self._database.write() as connection:
            search.create_index(connection, project)
            n_docs = connection.scalar(select(projects.c.n_docs).where(projects.c.id == project))
        for start in range(0, n_docs or 0, search.CHUNK):
            with self._database.write() as connection:
                search.fill_index(connection, project, start, start + search.CHUNK)
        ready = update(projects).where(projects.c.id == project).values(searchable=True)
        with self._database.write() as connection:
            connection.execute(ready)


def _searchable(connection: Connection, project: int) -> bool:
    found = connection.scalar(select(projects.c.searchable).where(projects.c.id == project))
    if found is None:
        raise NotFound("There is no such project.")
    return bool(found)
