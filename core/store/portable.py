"""A project as one file: a ZIP of JSON lines and factors, with no pickle in it.

::

    project.json      name, settings, how the corpus was read
    documents.jsonl   one document per line
    events.jsonl      the log, oldest first
    run.json          the last run, if there is one
    factors.npz       its factors
    comparisons.jsonl what was compared and found, oldest first, if anything was
    scores.jsonl      what earlier fits scored, oldest first, if any were scored

Reading one in trusts nothing: sizes are capped, only these names are opened, and the log is
done again act by act, so whatever it claims is checked as if a person had done it.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import date, datetime
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import Connection, insert, select, update

from core.corpus import Corpus
from core.errors import CorpusError, StoreError
from core.fitting import ModelSpec
from core.store import batches, comparisons, factors, log, score_lines, shelf
from core.store.acts import KINDS, Act, act_of
from core.store.checks import checked_name
from core.store.label_runs import steps_of
from core.store.log import Origin
from core.store.standing import USE_RUN
from core.store.tables import events, projects, runs
from core.store.values import Event, ProjectSettings
from core.topics import Topics

FORMAT = 1
COMPARED = "comparisons.jsonl"
SCORED = "scores.jsonl"
PARTS = {
    *("project.json", "documents.jsonl", "events.jsonl", "run.json", "factors.npz"),
    *(COMPARED, SCORED),
}
LARGEST = 4 * 2**30  # bytes of a part
RATIO = 200  # unpacked to packed, beyond which a part is no honest text
SMALL = 50 * 2**20  # bytes that may be packed any way they like
DAMAGED = "This file is not a project of the Studio, or it is damaged."
LOG_FIELDS = ("id", "kind", "position", "undoes", "payload", "author")


def write_project(connection: Connection, home: Path, project: int, path: Path) -> Path:
    """Write the file whole or not at all."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as bundle:
            _write_parts(connection, home, project, bundle)
        os.replace(partial, path)
    except OSError as error:
        raise StoreError(f"The file cannot be written: {error.strerror}.") from error
    finally:
        partial.unlink(missing_ok=True)
    return path


def _write_parts(connection: Connection, home: Path, project: int, bundle: zipfile.ZipFile) -> None:
    row = connection.execute(select(projects).where(projects.c.id == project)).one()
    corpus = shelf.read_corpus(connection, project)
    about = {"format": FORMAT, "name": row.name, "author": row.author, "settings": row.settings}
    about |= {"reading": asdict(corpus.reading), "side": row.side}
    bundle.writestr("project.json", _json(about))
    _write_lines(bundle, "documents.jsonl", (_document_line(corpus, i) for i in range(len(corpus))))
    log_rows = connection.execute(
        select(events).where(events.c.project == project).order_by(events.c.id)
    )
    _write_lines(bundle, "events.jsonl", (_event_line(each) for each in log_rows))
    newest = factors.read_runs(connection, home, project, limit=1)
    if newest and newest[0].factors.exists():
        bundle.writestr("run.json", _json(_run_line(newest[0])))
        bundle.write(newest[0].factors, "factors.npz")
    if comparisons.listed(home, project):
        _write_lines(bundle, COMPARED, comparisons.lines(home, project))
    if scored := list(score_lines.lines(home, project)):
        _write_lines(bundle, SCORED, iter(scored))


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
        "scores": run.scores,
        "seconds": run.seconds,
        "finished": run.finished.isoformat(),
        "automatic": run.automatic,
    }


@contextmanager
def opened(source: Path | str | BinaryIO) -> Iterator[zipfile.ZipFile]:
    """A file whose parts are known by name and of honest size; any damage is one sentence."""
    try:
        with zipfile.ZipFile(source) as bundle:
            _check_parts(bundle)
            yield bundle
    except StoreError:
        raise
    except (OSError, zipfile.BadZipFile, ValueError, KeyError, TypeError, EOFError) as error:
        raise StoreError(DAMAGED) from error
    except (AttributeError, IndexError, NotImplementedError, RuntimeError, CorpusError) as error:
        raise StoreError(DAMAGED) from error


def _check_parts(bundle: zipfile.ZipFile) -> None:
    entries = bundle.infolist()
    names = [entry.filename for entry in entries]
    if not set(names) <= PARTS or len(set(names)) < len(names) or "project.json" not in names:
        raise StoreError(DAMAGED)
    for entry in entries:
        packed_honestly = entry.file_size <= max(SMALL, RATIO * entry.compress_size)
        if entry.file_size > LARGEST or not packed_honestly:
            raise StoreError("This file unpacks to more than a project can hold.")


def read_project(connection: Connection, home: Path, bundle: zipfile.ZipFile) -> int:
    """Put a project from a file on the shelf and do its log again."""
    about = json.loads(bundle.read("project.json"))
    if about["format"] > FORMAT:
        raise StoreError("This project was saved by a newer version of the Studio.")
    corpus = _read_corpus(bundle, about)
    settings = ProjectSettings.from_dict(about["settings"])
    name, author = checked_name(about["name"], "A project"), Origin(about["author"]).checked()
    project = shelf.insert_project(connection, name, corpus, settings, author.author)
    lines = _lines(bundle, "events.jsonl")
    for line in lines:
        _do_again(connection, project, line, lines)
    newest = 0
    if "run.json" in bundle.namelist():
        newest = _read_run(connection, home, project, corpus, bundle)
    compared = _lines(bundle, COMPARED) if COMPARED in bundle.namelist() else ()
    comparisons.adopt(home, project, compared, len(corpus))
    scored = _lines(bundle, SCORED) if SCORED in bundle.namelist() else ()
    score_lines.adopt(home, project, scored, before=newest, n_docs=len(corpus))
    return project


def _lines(bundle: zipfile.ZipFile, name: str) -> Iterator[dict[str, Any]]:
    with bundle.open(name) as part:
        for line in part:
            yield json.loads(line)


def _read_corpus(bundle: zipfile.ZipFile, about: dict[str, Any]) -> Corpus:
    lines = list(_lines(bundle, "documents.jsonl"))
    if not lines:
        raise StoreError("A project needs at least one document.")
    side = {
        str(name): tuple(str(line["side"][i]) for line in lines)
        for i, name in enumerate(about["side"])
    }
    return Corpus(
        ids=tuple(str(line["id"]) for line in lines),
        texts=tuple(str(line["text"]) for line in lines),
        labels=tuple(tuple(map(str, line["labels"])) for line in lines),
        dates=tuple(date.fromisoformat(d) if (d := line["date"]) else None for line in lines),
        side=side,
        reading=shelf.reading_of(about["reading"]),
    )


def _do_again(
    connection: Connection, project: int, line: dict[str, Any], rest: Iterator[dict[str, Any]]
) -> None:
    """One line; the head of a batch takes the lines of its acts from the ``rest``."""
    time = datetime.fromisoformat(line["time"])
    if time.tzinfo is None:
        raise StoreError(DAMAGED)
    origin = Origin(line["author"], time=time).checked()
    done: Event | None
    if line["kind"] in ("undo", "redo"):
        move = log.undo if line["kind"] == "undo" else log.redo
        done = move(connection, project, origin)
    elif line["kind"] == "batch":
        done = _batch_again(connection, project, line, rest, origin)
    elif line["kind"] == USE_RUN:
        done = log.note_run(connection, project, line["payload"]["title"], origin)
    else:
        done = log.record(connection, project, _act(line), origin)
    _check_line(done, line)


def _batch_again(
    connection: Connection,
    project: int,
    line: dict[str, Any],
    rest: Iterator[dict[str, Any]],
    origin: Origin,
) -> Event:
    several = list(islice(rest, line["payload"]["count"]))
    acts = [_act(each) for each in several]
    title = line["payload"]["title"]
    head = batches.record_batch(connection, project, title, steps_of(acts), origin)
    after = select(events).where(events.c.project == project, events.c.id > head.id)
    done = connection.execute(after.order_by(events.c.id)).all()
    for row, each in zip(done, several, strict=True):
        _check_line(log.event_of(row), each)
    return head


def _check_line(done: Event | None, line: dict[str, Any]) -> None:
    if done is None or any(getattr(done, name) != line[name] for name in LOG_FIELDS):
        raise StoreError("The log in this file contradicts itself.")


def _act(line: dict[str, Any]) -> Act:
    if line["kind"] not in KINDS.values():
        raise StoreError(DAMAGED)
    return act_of(line["kind"], line["position"], line["payload"])


def _read_run(
    connection: Connection, home: Path, project: int, corpus: Corpus, bundle: zipfile.ZipFile
) -> int:
    """Put the last run beside its project; its number."""
    line = json.loads(bundle.read("run.json"))
    path = factors.factors_path(home, project, int(line["id"]))
    topics = _read_factors(bundle, path)
    if topics.doc_ids != corpus.ids or len(line["topic_ids"]) > len(topics):
        path.unlink(missing_ok=True)
        raise StoreError("The factors in this file belong to other documents.")
    values = {
        **{name: line[name] for name in ("revision", "settings", "scores", "automatic")},
        "project": project,
        "id": int(line["id"]),
        "spec": ModelSpec.from_dict(line["spec"]).to_dict(),
        "topic_ids": [int(topic) for topic in line["topic_ids"]],
        "seconds": float(line["seconds"]),
        "finished": datetime.fromisoformat(line["finished"]),
    }
    connection.execute(insert(runs), values)
    numbered = update(projects).where(projects.c.id == project).values(last_run=values["id"])
    connection.execute(numbered)
    return int(values["id"])


def _read_factors(bundle: zipfile.ZipFile, path: Path) -> Topics:
    """Factors are read before they are kept, and kept only as we would have written them."""
    with bundle.open("factors.npz") as part, zipfile.ZipFile(part) as arrays:
        if sum(entry.file_size for entry in arrays.infolist()) > LARGEST:
            raise StoreError("This file unpacks to more than a project can hold.")
    partial = path.with_suffix(".partial")
    partial.parent.mkdir(parents=True, exist_ok=True)
    try:
        partial.write_bytes(bundle.read("factors.npz"))
        topics = Topics.load(partial)
        topics.save(path)
    finally:
        partial.unlink(missing_ok=True)
    return topics
