"""Write added and updated texts, and take them back, inside a caller's transaction.

Texts, project and full-text index change together, so nobody ever sees a half of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from core.corpus import Corpus, CorpusDigest
from core.errors import StoreError
from core.store.coding.assignments import ASSIGN_TEXTS
from core.store.events.added_texts import AddedTexts
from core.store.events.append import append_in_force, open_project, repeated_event
from core.store.events.codebook import EDIT_CODEBOOK
from core.store.events.event_rows import EVENTS, read_events
from core.store.events.in_force import ADD_TEXTS, DONE
from core.store.events.origin import Origin
from core.store.events.report_fields import EDIT_REPORT
from core.store.projects import documents as document_table
from core.store.projects import full_text
from core.store.tables import documents, event_status, events, projects, replaced_documents
from core.store.values import Event

ROWS_AT_ONCE = 2_000
COPIED_COLUMNS = ("position", "id", "text", "date", "labels", "side")
TEXTS_CHANGED = "Somebody has changed the texts meanwhile. Look at the preview again."


@dataclass(frozen=True, slots=True, kw_only=True)
class TextChanges:
    """Texts to add and to update, as they were planned for a project."""

    about: AddedTexts
    corpus: Corpus  # all texts as they will be
    updated: tuple[int, ...]  # places of texts that have changed
    texts_revision: int  # of the project when this was planned


def add_texts(connection: Connection, project: int, new: TextChanges, origin: Origin) -> Event:
    """Put the addition on the log and its texts into the tables."""
    about = new.about.checked()
    row = open_project(connection, project)
    repeated = repeated_event(connection, project, origin)
    if repeated is not None:
        return repeated
    if (row.n_docs, row.texts_revision) != (about.first, new.texts_revision):
        raise StoreError(TEXTS_CHANGED)
    event = append_in_force(connection, row, ADD_TEXTS, about.payload(), origin)
    _keep_replaced(connection, event, new.updated)
    for place in new.updated:
        _rewrite(connection, row, document_table.document_row(project, place, new.corpus[place]))
    for start in range(about.first, len(new.corpus), ROWS_AT_ONCE):
        rows = document_table.document_rows(project, new.corpus, start, start + ROWS_AT_ONCE)
        document_table.insert_rows(connection, rows, start)
    if row.searchable:
        full_text.index_of(connection, project).fill(about.first, len(new.corpus))
    settings = {**row.settings, "vocabulary_texts": about.vocabulary_texts}
    _set_project(
        connection,
        project,
        n_docs=len(new.corpus),
        fingerprint=new.corpus.fingerprint,
        texts_revision=event.id,
        settings=settings,
    )
    return event


def read_additions(connection: Connection, project: int) -> list[Event]:
    """The additions that were not taken back, oldest first."""
    there = select(event_status.c.event).where(
        event_status.c.project == project,
        event_status.c.kind == ADD_TEXTS,
        event_status.c.status == DONE,
    )
    query = EVENTS.where(events.c.project == project, events.c.id.in_(there))
    return read_events(connection, query.order_by(events.c.id))


def can_take_back(connection: Connection, project: int, event: int, payload: Any) -> bool:
    """Whether nothing names one of the new texts, and no texts were added after them."""
    first = int(payload["first"])
    later = select(event_status.c.event).where(
        event_status.c.project == project,
        event_status.c.kind == ADD_TEXTS,
        event_status.c.status == DONE,
        event_status.c.event > event,
    )
    named = select(event_status.c.event).where(
        event_status.c.project == project, event_status.c.position >= first
    )
    if any(connection.scalar(each.limit(1)) is not None for each in (later, named)):
        return False
    return not _named_by_words(connection, project, event, first)


def _named_by_words(connection: Connection, project: int, event: int, first: int) -> bool:
    """Whether a text is an example of the codebook, a quote of the report, or was assigned."""
    query = select(events.c.kind, events.c.payload).where(
        events.c.project == project,
        events.c.id > event,
        events.c.kind.in_((EDIT_CODEBOOK, EDIT_REPORT, ASSIGN_TEXTS)),
    )
    rows = connection.execute(query)
    return any(place >= first for row in rows for place in _places(row.kind, row.payload))


def _places(kind: str, payload: Any) -> list[int]:
    if kind != EDIT_REPORT:
        return list(payload["examples" if kind == EDIT_CODEBOOK else "positions"])
    chosen = (text for name, text in payload["fields"].items() if name.startswith("chosen:"))
    return [int(place) for text in chosen for place in text.split()]


def take_back(connection: Connection, row: Row[Any], added: Event, undone_by: int) -> None:
    """Remove the texts of an addition and bring back those it updated."""
    about = AddedTexts.read(added.payload)
    if row.searchable:
        full_text.index_of(connection, row.id).clear(about.first, row.n_docs)
    gone = (documents.c.project == row.id, documents.c.position >= about.first)
    connection.execute(delete(documents).where(*gone))
    here = (replaced_documents.c.project == row.id, replaced_documents.c.event == added.id)
    for each in connection.execute(select(replaced_documents).where(*here)).all():
        values = {name: each._mapping[name] for name in COPIED_COLUMNS}
        _rewrite(connection, row, {"project": row.id, **values})
    connection.execute(delete(replaced_documents).where(*here))
    before = {"vocabulary_texts": about.vocabulary_texts_before}
    _set_project(
        connection,
        row.id,
        n_docs=about.first,
        fingerprint=_fingerprint(connection, row.id),
        texts_revision=undone_by,
        settings={**row.settings, **before},
    )


def _keep_replaced(connection: Connection, event: Event, places: Sequence[int]) -> None:
    columns = [documents.c[name] for name in COPIED_COLUMNS]
    for start in range(0, len(places), ROWS_AT_ONCE):
        query = select(*columns).where(
            documents.c.project == event.project,
            documents.c.position.in_(places[start : start + ROWS_AT_ONCE]),
        )
        same = {"project": event.project, "event": event.id}
        rows = [{**same, **row._mapping} for row in connection.execute(query)]
        connection.execute(insert(replaced_documents), rows)


def _rewrite(connection: Connection, project: Row[Any], row: dict[str, Any]) -> None:
    """Put another document into a place."""
    place = (documents.c.project == project.id, documents.c.position == row["position"])
    index = full_text.index_of(connection, project.id)
    at = row["position"], row["position"] + 1
    if project.searchable:
        index.clear(*at)
    connection.execute(update(documents).where(*place).values(**row))
    if project.searchable:
        index.fill(*at)


def _fingerprint(connection: Connection, project: int) -> str:
    """Of all texts as they are in the table now."""
    digest = CorpusDigest()
    columns = select(documents.c.id, documents.c.text, documents.c.labels)
    query = columns.where(documents.c.project == project).order_by(documents.c.position)
    for row in connection.execute(query.execution_options(yield_per=ROWS_AT_ONCE)):
        digest.add(row.id, row.text, row.labels or ())
    return digest.fingerprint


def _set_project(connection: Connection, project: int, **values: Any) -> None:
    connection.execute(update(projects).where(projects.c.id == project).values(**values))
