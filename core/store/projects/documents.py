"""Rows of projects and their documents: write a corpus, read documents."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    Select,
    Text,
    and_,
    bindparam,
    func,
    insert,
    select,
    type_coerce,
)

from core.corpus import ColumnRoles, Corpus, Document, DroppedRow, Reading, duplicates
from core.errors import NotFound, StoreError
from core.store.events.added_texts import AddedTexts
from core.store.events.checks import whole
from core.store.events.in_force import ADD_TEXTS, DONE
from core.store.runs.outcome import RunScores
from core.store.tables import SHORT_PROJECT_COLUMNS, documents, event_status, events, projects, runs
from core.store.values import Project, ProjectSettings, RunSummary

DOCUMENTS_PER_STATEMENT = 1_000


def insert_project(connection: Connection, **values: Any) -> int:
    """The row of a project whose documents follow; nobody sees it until then."""
    now = datetime.now(UTC)
    row = {"created": now, "last_act": now, "fingerprint": "", **values, "n_docs": 0}
    project = connection.execute(insert(projects), row).inserted_primary_key
    if project is None:
        raise StoreError("The database did not number the new project.")
    return int(project[0])


def project_values(
    name: str, corpus: Corpus, settings: ProjectSettings, author: str
) -> dict[str, Any]:
    """The row of a project, as far as its corpus and settings say it."""
    return {
        "name": name,
        "author": author,
        "settings": settings.to_dict(),
        "reading": asdict(corpus.reading),
        "side": list(corpus.side),
    }


def document_rows(project: int, corpus: Corpus, start: int, stop: int) -> list[dict[str, Any]]:
    """A range of a corpus as rows."""
    return [document_row(project, at, corpus[at]) for at in range(start, min(stop, len(corpus)))]


def insert_rows(connection: Connection, rows: list[dict[str, Any]], start: int) -> None:
    try:
        connection.execute(insert(documents), rows)
    except UnicodeEncodeError:
        raise StoreError(
            f"One of the texts {start + 1} to {start + len(rows)} holds broken characters."
        ) from None


def document_row(project: int, position: int, document: Document) -> dict[str, Any]:
    """One document as a row."""
    return {
        "project": project,
        "position": position,
        "id": document.id,
        "text": document.text,
        "date": document.date.isoformat() if document.date else None,
        "labels": list(document.labels) or None,
        "side": list(document.side.values()) or None,
    }


def read_documents(
    connection: Connection, project: int, positions: Sequence[int]
) -> list[Document]:
    """Documents in the order of the positions."""
    wanted = [whole(position, "A position") for position in positions]
    names = _side_names(connection, project)
    found: dict[int, Document] = {}
    for start in range(0, len(wanted), DOCUMENTS_PER_STATEMENT):
        part = wanted[start : start + DOCUMENTS_PER_STATEMENT]
        query = select(documents).where(
            documents.c.project == project, documents.c.position.in_(part)
        )
        found |= {row.position: _document(row, names) for row in connection.execute(query)}
    missing = [position for position in wanted if position not in found]
    if missing:
        raise NotFound(f"The project has no text at position {missing[0]}.")
    return [found[position] for position in wanted]


def _side_names(connection: Connection, project: int) -> list[str]:
    names = connection.scalar(select(projects.c.side).where(projects.c.id == project))
    if names is None:
        raise NotFound("There is no such project.")
    return list(names)


def _document(row: Row[Any], names: Sequence[str]) -> Document:
    return Document(
        id=row.id,
        text=row.text,
        labels=tuple(row.labels or ()),
        date=date.fromisoformat(row.date) if row.date else None,
        side=dict(zip(names, row.side or (), strict=False)),
    )


def read_corpus(connection: Connection, project: int, *, texts: bool = True) -> Corpus:
    """The whole corpus; without its texts (all empty) it is read much faster."""
    names = _side_names(connection, project)
    reading = connection.scalar(select(projects.c.reading).where(projects.c.id == project))
    ids, dates, labels, side, *text = _all_columns(connection, project, texts)
    return Corpus(
        ids=ids,
        texts=text[0] if text else ("",) * len(ids),
        labels=tuple(map(_list, labels)),
        dates=tuple(map(_day, dates)),
        side=_side_columns(names, list(map(_list, side))),
        reading=_reading_with_additions(connection, project, reading or {}, text),
    )


def _reading_with_additions(
    connection: Connection,
    project: int,
    reading: Mapping[str, Any],
    texts: Sequence[Sequence[str]],
) -> Reading:
    """How the first file was read, and a note for each file that was added."""
    first = reading_of(reading)
    there = select(event_status.c.event).where(
        event_status.c.project == project,
        event_status.c.kind == ADD_TEXTS,
        event_status.c.status == DONE,
    )
    query = select(events.c.payload, events.c.time).where(
        events.c.project == project, events.c.id.in_(there)
    )
    added = connection.execute(query.order_by(events.c.id)).all()
    if not added:
        return first
    notes = [AddedTexts.read(row.payload).sentence(row.time) for row in added]
    return replace(
        first,
        added=sum(row.payload["added"] for row in added),
        notes=(*first.notes, *notes),
        duplicates=duplicates(texts[0]) if texts else first.duplicates,
    )


def _all_columns(connection: Connection, project: int, texts: bool) -> list[tuple[Any, ...]]:
    """Whole columns; lists stay JSON text, as most documents share theirs."""
    plain = [type_coerce(column, Text) for column in _LISTS]
    columns = [documents.c.id, documents.c.date, *plain, *([documents.c.text] if texts else [])]
    query = select(*columns).where(documents.c.project == project)
    rows = connection.execute(query.order_by(documents.c.position)).all()
    return list(zip(*rows, strict=True)) or [()] * len(columns)


_LISTS = (documents.c.labels, documents.c.side)


@lru_cache(maxsize=4096)
def _list(text: str | None) -> tuple[str, ...]:
    return () if text is None else tuple(json.loads(text))


@lru_cache(maxsize=4096)
def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def _side_columns(names: Sequence[str], rows: list[tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(row[i] for row in rows) for i, name in enumerate(names)}


def reading_of(values: Mapping[str, Any]) -> Reading:
    """A Reading from the plain structure ``asdict`` made of it."""
    if not values:
        return Reading()
    columns = {**values["columns"], "side": tuple(values["columns"]["side"])}
    columns["more_text"] = tuple(columns.get("more_text", ()))
    known = {each.name for each in fields(Reading)}  # earlier versions wrote more
    return Reading(
        **{
            **{name: value for name, value in values.items() if name in known},
            "columns": ColumnRoles(**columns),
            "dropped": tuple(DroppedRow(**each) for each in values["dropped"]),
            "duplicates": tuple((a, b) for a, b in values["duplicates"]),
            "notes": tuple(values["notes"]),
        }
    )


_newer = runs.alias()
_LAST_RUN = (
    select(func.max(_newer.c.id))
    .where(_newer.c.project == projects.c.id)
    .correlate(projects)
    .scalar_subquery()
)
_IS_LAST = and_(runs.c.project == projects.c.id, runs.c.id == _LAST_RUN)
_PROJECTS: Select[Any] = select(
    *SHORT_PROJECT_COLUMNS,
    runs.c.id.label("run_id"),
    runs.c.revision.label("run_revision"),
    runs.c.seconds.label("run_seconds"),
    runs.c.scores.label("run_scores"),
    runs.c.finished.label("run_finished"),
    runs.c.preview.label("run_preview"),
).join_from(projects, runs, _IS_LAST, isouter=True)
_ONE = _PROJECTS.where(projects.c.id == bindparam("p_project"))


def read_projects(connection: Connection, *, deleted: bool = False) -> list[Project]:
    """Projects, the one changed last first."""
    kept = projects.c.deleted.is_not(None) if deleted else projects.c.deleted.is_(None)
    query = _PROJECTS.where(kept, projects.c.n_docs > 0).order_by(
        projects.c.last_act.desc(), projects.c.id.desc()
    )
    return [_project(row) for row in connection.execute(query)]


def read_project(connection: Connection, project: int) -> Project:
    row = connection.execute(_ONE, {"p_project": project}).first()
    if row is None or row.deleted is not None or not row.n_docs:
        raise NotFound("There is no such project.")
    return _project(row)


def _project(row: Row[Any]) -> Project:
    return Project(
        id=row.id,
        name=row.name,
        created=row.created,
        n_docs=row.n_docs,
        n_labelled=row.n_labelled,
        revision=row.revision,
        settings=ProjectSettings.from_dict(row.settings),
        fingerprint=row.fingerprint,
        texts_revision=row.texts_revision,
        last_run=_summary(row),
        deleted=row.deleted,
    )


def _summary(row: Row[Any]) -> RunSummary | None:
    if row.run_id is None:
        return None
    return RunSummary(
        run=row.run_id,
        revision=row.run_revision,
        seconds=row.run_seconds,
        scores=RunScores.from_dict(row.run_scores),
        finished=row.run_finished,
        preview=row.run_preview,
    )
