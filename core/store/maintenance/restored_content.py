"""A store made anew from the content of a backup, which may be a stranger's.

No byte of the backup is taken over: the database is a new one with the Studio's own tables, into
which rows go that were checked as those of a project's file are, and whatever follows from the log
is found anew. The files beside it are read by child processes, checked and written again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import URL, Connection, Engine, create_engine, event, insert, update
from sqlalchemy.exc import IntegrityError

from core.errors import StoreError
from core.loading.backup_parts import NO_BACKUP
from core.store.bulk import insert_many
from core.store.column_types import as_text, microseconds
from core.store.events.checks import checked_text, whole
from core.store.events.origin import CLIENT_LIMIT, Origin
from core.store.files.checked_documents import DocumentChecker
from core.store.files.checked_log import LogChecker
from core.store.files.checked_parts import (
    checked_moment,
    checked_project,
    checked_run,
    require_run_of_log,
)
from core.store.files.field_types import require
from core.store.maintenance.backup_database import BackupDatabase
from core.store.maintenance.restored_files import RestoredFiles, RestoredTexts
from core.store.members.roles import Role
from core.store.migrations import migrate
from core.store.private_files import DATABASE, make_private_database
from core.store.projects import added_texts, full_text
from core.store.state.rebuild import derive_tables
from core.store.tables import (
    documents,
    events,
    members,
    projects,
    replaced_documents,
    runs,
)
from core.store.values import MEANING_SETTINGS

EVENT_COLUMNS = (
    *("id", "kind", "position", "undoes", "payload", "author", "time"),
    *("client", "sequence"),
)
UNSEEN_DATABASE_PRAGMAS = ("foreign_keys = ON", "synchronous = OFF", "journal_mode = MEMORY")


class RestoredProject(NamedTuple):
    """A project, and whether it named a folder of models, which no backup may do."""

    name: str
    had_model_folder: bool


def make_content(
    source: BackupDatabase, files: RestoredFiles, target: Path
) -> list[RestoredProject]:
    """Make the database and the files of a store in an empty folder."""
    made = []
    with _new_database(target) as engine:
        for row in chain.from_iterable(source.rows(projects, "id")):
            if row["n_docs"]:  # the others were never complete
                with engine.begin() as connection:
                    _Restoration(connection, source, files).add(row)
                meaning = row["settings"].get("meaning", "auto")
                made.append(RestoredProject(row["name"], meaning not in MEANING_SETTINGS))
    return made


@contextmanager
def _new_database(folder: Path) -> Iterator[Engine]:
    make_private_database(folder)
    engine = create_engine(URL.create("sqlite", database=str(folder / DATABASE)))
    event.listen(engine, "connect", _configure)
    try:
        with engine.begin() as connection:
            migrate(connection)
        yield engine
    except IntegrityError:  # the same number twice
        raise StoreError(NO_BACKUP) from None
    finally:
        engine.dispose()
    with (folder / DATABASE).open("rb+") as file:
        os.fsync(file.fileno())


def _configure(raw: Any, _: Any) -> None:
    for pragma in UNSEEN_DATABASE_PRAGMAS:
        raw.execute(f"PRAGMA {pragma}")


class _Restoration:
    """One project, row by row."""

    def __init__(
        self, connection: Connection, source: BackupDatabase, files: RestoredFiles
    ) -> None:
        self._connection, self._source, self._files = connection, source, files

    def add(self, row: Mapping[str, Any]) -> None:
        own_vectors = self._files.has_vectors(row["id"])
        values = checked_project(row, own_vectors=own_vectors)
        number, texts = values["id"], DocumentChecker(values["side"])
        self._connection.execute(insert(projects), values)
        self._add_documents(number, texts)
        most = self._add_events(number, len(texts.ids))
        derived = derive_tables(self._connection, number)
        for piece in derived.pieces():
            piece.write(self._connection, number)
        self._add_replaced(number, texts)
        self._add_members(number)
        known = derived.project_values
        added = self._add_runs(number, known, own_vectors)
        newest = max([values["last_run"], *added])
        self._complete(number, {**texts.project_values, **known, "last_run": newest})
        restored = RestoredTexts(texts.ids, most, known["texts_revision"])
        self._files.add(number, restored, added)

    def _add_documents(self, project: int, texts: DocumentChecker) -> None:
        for lines in self._source.rows(documents, "position", project=project):
            for place, line in enumerate(lines, start=len(texts.ids)):
                require(line["position"] == place)
            plain = [{**line, **_lists(line, texts)} for line in lines]
            self._connection.execute(insert(documents), texts.rows(plain, project))

    def _add_replaced(self, project: int, texts: DocumentChecker) -> None:
        """Rows are read in the order of one key, so those of one addition at a time."""
        additions = added_texts.read_additions(self._connection, project)
        for added in (each for each in additions if each.payload["updated"]):
            where = {"project": project, "event": added.id}
            for lines in self._source.rows(replaced_documents, "position", **where):
                plain = [{**line, **_lists(line, texts)} for line in lines]
                rows = texts.replaced_rows(plain, project)
                self._connection.execute(insert(replaced_documents), rows)
        texts.require_additions(additions)

    def _add_events(self, project: int, n_docs: int) -> int:
        """The log; how many documents it ever had at most."""
        checker = LogChecker(n_docs)
        for lines in self._source.rows(events, "id", project=project):
            rows = [_event_row(line, checker) for line in lines]
            insert_many(self._connection, events, EVENT_COLUMNS, rows, {"project": project})
        checker.end()
        return checker.most_texts

    def _add_runs(
        self, project: int, known: Mapping[str, int], own_vectors: bool
    ) -> dict[int, dict[str, Any]]:
        """The rows of the runs, by number."""
        found = {}
        for line in chain.from_iterable(self._source.rows(runs, "id", project=project)):
            run = _run_values(line, own_vectors)
            require_run_of_log(run, known["revision"], known["last_topic"])
            self._connection.execute(insert(runs), {**run, "project": project})
            found[run["id"]] = run
        return found

    def _add_members(self, project: int) -> None:
        if not self._source.has(members):
            return  # made before projects had members
        for lines in self._source.rows(members, "id", project=project):
            rows = [{**_member_values(line), "project": project} for line in lines]
            self._connection.execute(insert(members), rows)

    def _complete(self, project: int, values: Mapping[str, Any]) -> None:
        n_docs = values["n_docs"]
        index = full_text.index_of(self._connection, project)
        index.create()
        index.fill(0, n_docs)
        complete = update(projects).where(projects.c.id == project)
        self._connection.execute(complete.values(**values, searchable=True))


def _lists(line: Mapping[str, Any], texts: DocumentChecker) -> dict[str, Any]:
    """Empty lists are not stored; a document whose cells are all gone has empty ones."""
    side = line["side"] or [""] * len(texts.side)
    return {"labels": line["labels"] or [], "side": side}


def _event_row(line: Mapping[str, Any], checker: LogChecker) -> tuple[Any, ...]:
    own, time = checker.checked(line), microseconds(checked_moment(line["time"]))
    values = (own["id"], own["kind"], own["position"], own["undoes"], as_text(own["payload"]))
    return (*values, own["author"], time, *_receipt(line))


def _receipt(line: Mapping[str, Any]) -> tuple[str | None, int | None]:
    """The client and the number of a request, so that one repeated after a restore is known."""
    client, sequence = line["client"], line["sequence"]
    require((client is None) == (sequence is None))
    if client is None:
        return None, None
    require(type(sequence) is int and 0 <= sequence < 2**63)
    return checked_text(client, "A client's name", CLIENT_LIMIT), sequence


def _member_values(line: Mapping[str, Any]) -> dict[str, Any]:
    names = {key: Origin(line[key]).checked().author for key in ("person", "changed_by")}
    require(line["role"] in Role.__members__)
    number, changed = whole(line["id"], "A member"), checked_moment(line["changed"])
    return {**names, "role": line["role"], "id": number, "changed": changed}


def _run_values(line: Mapping[str, Any], own_vectors: bool) -> dict[str, Any]:
    flags = {name: line.get(name, 0) for name in ("automatic", "preview")}
    require(all(type(flag) is int and flag in (0, 1) for flag in flags.values()))
    finished = checked_moment(line["finished"]).isoformat()
    plain = {**line, "finished": finished, "automatic": bool(flags["automatic"])}
    return {**checked_run(plain, own_vectors=own_vectors), "preview": bool(flags["preview"])}
