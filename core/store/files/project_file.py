"""A project as one file: a ZIP of JSON lines and factors, with no pickle in it.

::

    project.json      name, settings, how the corpus was read
    documents.jsonl   one document per line
    replaced.jsonl    what documents were before added texts updated them, if any were
    events.jsonl      the log, oldest first
    run.json          the last run that is no preview, if there is one of these documents
    factors.npz       its factors
    comparisons.jsonl what was compared and found, oldest first, if anything was
    scores.jsonl      what earlier fits scored, oldest first, if any were scored
    reports.jsonl     what earlier reports showed, oldest first, if any were made
    vectors.npz       the analyst's own document vectors, if there are any

``project_import`` reads it.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from core.corpus import Corpus
from core.errors import StoreError
from core.loading.project_parts import (
    COMPARISONS_PART,
    DOCUMENTS_PART,
    EVENTS_PART,
    FACTORS_PART,
    PROJECT_PART,
    REPLACED_PART,
    REPORTS_PART,
    RUN_PART,
    SCORES_PART,
)
from core.store.projects import documents, own_vectors
from core.store.runs import comparisons, factors, issued_reports, score_lines
from core.store.tables import events, projects, replaced_documents
from core.values import whole_file

PROJECT_FILE_FORMAT = 1
LOG_FIELDS = ("id", "kind", "position", "undoes", "payload", "author")


def write_project(connection: Connection, home: Path, project: int, path: Path) -> Path:
    """Write the file whole or not at all, into a folder that is there."""
    if not path.parent.is_dir():
        raise StoreError(f"The file cannot be written: there is no folder {path.parent}.")
    try:
        with (
            whole_file(path) as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle,
        ):
            _write_parts(connection, home, project, bundle)
    except OSError as error:
        raise StoreError(f"The file cannot be written: {error.strerror}.") from error
    return path


def _write_parts(connection: Connection, home: Path, project: int, bundle: zipfile.ZipFile) -> None:
    row = connection.execute(select(projects).where(projects.c.id == project)).one()
    corpus = documents.read_corpus(connection, project)
    about = {
        "format": PROJECT_FILE_FORMAT,
        "name": row.name,
        "author": row.author,
        "settings": row.settings,
    }
    about |= {"reading": asdict(documents.reading_of(row.reading)), "side": row.side}
    bundle.writestr(PROJECT_PART, _json(about))
    _write_lines(bundle, DOCUMENTS_PART, (_document_line(corpus, i) for i in range(len(corpus))))
    if replaced := list(_replaced_lines(connection, project, len(corpus.side))):
        _write_lines(bundle, REPLACED_PART, iter(replaced))
    log_rows = connection.execute(
        select(events).where(events.c.project == project).order_by(events.c.id)
    )
    _write_lines(bundle, EVENTS_PART, (_event_line(each) for each in log_rows))
    newest = factors.read_runs(connection, home, project, limit=1)
    of_these = bool(newest) and newest[0].revision >= row.texts_revision
    if of_these and newest[0].factors.exists():
        bundle.writestr(RUN_PART, _json(_run_line(newest[0])))
        bundle.write(newest[0].factors, FACTORS_PART)
    if compared := list(comparisons.export_lines(home, project, row.n_docs)):
        _write_lines(bundle, COMPARISONS_PART, iter(compared))
    if scored := list(score_lines.export_lines(home, project, row.n_docs)):
        _write_lines(bundle, SCORES_PART, iter(scored))
    if made := issued_reports.issued(home, project):
        _write_lines(bundle, REPORTS_PART, (each.to_dict() for each in made))
    own_vectors.export(home, project, bundle, row.n_docs)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _write_lines(bundle: zipfile.ZipFile, name: str, lines: Iterator[dict[str, Any]]) -> None:
    with bundle.open(name, "w", force_zip64=True) as part:
        for line in lines:
            part.write(_json(line).encode("utf-8") + b"\n")


def _document_line(corpus: Corpus, position: int) -> dict[str, Any]:
    document = corpus[position]
    return {
        "id": document.id,
        "text": document.text,
        "labels": list(document.labels),
        "date": document.date.isoformat() if document.date else None,
        "side": list(document.side.values()),
    }


def _replaced_lines(connection: Connection, project: int, n_side: int) -> Iterator[dict[str, Any]]:
    columns = replaced_documents.c
    query = select(replaced_documents).where(columns.project == project)
    for row in connection.execute(query.order_by(columns.event, columns.position)):
        lists = {"labels": row.labels or [], "side": row.side or [""] * n_side}
        names = ("event", "position", "id", "text", "date")
        yield {**{name: row._mapping[name] for name in names}, **lists}


def _event_line(row: Any) -> dict[str, Any]:
    line = {name: row._mapping[name] for name in LOG_FIELDS}
    return {**line, "time": row.time.isoformat()}


def _run_line(run: Any) -> dict[str, Any]:
    return {
        "id": run.id,
        "revision": run.revision,
        "spec": run.spec.to_dict(),
        "settings": run.settings,
        "topic_ids": list(run.topic_ids),
        "scores": run.outcome.to_dict(),
        "seconds": run.seconds,
        "finished": run.finished.isoformat(),
        "automatic": run.automatic,
    }
