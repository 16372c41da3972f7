"""The store: everything a person ever did, on disk before the call returns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from sqlalchemy import Connection, and_, select, update

from core.corpus import Corpus, Document
from core.errors import NotFound, StoreError
from core.store import arrival, batches, copying, log, portable, shelf, topic_log
from core.store.acts import Act, Restore
from core.store.checks import checked_name
from core.store.chronicle import Chronicle
from core.store.codebook import Codebook
from core.store.database import Database, database_url, home_folder
from core.store.finding import Finding
from core.store.fold import State, annotations_of
from core.store.label_runs import steps_of
from core.store.lineage import Lineage
from core.store.log import Origin
from core.store.patience import patiently
from core.store.reading import EVENTS, read_events
from core.store.run_shelf import Runs
from core.store.tables import annotated, events, projects
from core.store.values import Annotation, Event, Project, ProjectSettings, Topic
from core.store.wording import Wording

_LABEL_EVENTS = EVENTS.join(
    annotated,
    and_(annotated.c.project == events.c.project, annotated.c.event == events.c.id),
)


class Store(Finding, Chronicle, Runs):
    """Projects, documents, the log of acts and the runs; safe for threads and processes."""

    def __init__(self, home: Path, database: Database) -> None:
        self.home = home
        self._database = database

    @classmethod
    def open(cls, url: str | None = None, home: Path | str | None = None) -> Store:
        """Open or make the store; see ``database`` for the variables that say where."""
        folder = home_folder(home)
        return cls(folder, Database(database_url(folder, url)))

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Projects

    def create_project(
        self,
        name: str,
        corpus: Corpus,
        settings: ProjectSettings | None = None,
        *,
        author: str,
        acts: Iterable[tuple[Act, str]] = (),
    ) -> Project:
        """A new project with its documents and, if given, its first acts and their authors."""
        name, author = checked_name(name, "A project"), Origin(author).checked().author
        if not len(corpus):
            raise StoreError("A project needs at least one document.")

        first = [
            (Origin(actor).checked(), steps_of(act for act, _ in run))
            for actor, run in groupby(acts, lambda pair: pair[1])
        ]

        def begin(connection: Connection, number: int) -> None:
            for origin, run in first:
                log.record_many(connection, number, run, origin)

        chosen = settings or ProjectSettings()
        number = arrival.bring_in(self._database, name, corpus, chosen, author, begin)
        self._index(number)
        return self.project(number)

    def projects(self, *, deleted: bool = False) -> list[Project]:
        """Projects by their last act, newest first; or those that wait to be restored."""
        with self._database.read() as connection:
            return shelf.read_projects(connection, deleted=deleted)

    def project(self, project_id: int) -> Project:
        with self._database.read() as connection:
            return shelf.read_project(connection, project_id)

    def rename_project(self, project_id: int, name: str) -> Project:
        name = checked_name(name, "A project")
        with self._database.write() as connection:
            log.open_project(connection, project_id)
            self._update(connection, project_id, name=name)
        return self.project(project_id)

    def update_settings(self, project_id: int, settings: ProjectSettings) -> Project:
        with self._database.write() as connection:
            log.open_project(connection, project_id)
            self._update(connection, project_id, settings=settings.to_dict())
        return self.project(project_id)

    def delete_project(self, project_id: int) -> None:
        """Put a project aside; nothing of it is lost until it is restored."""
        with self._database.write() as connection:
            log.open_project(connection, project_id)
            self._update(connection, project_id, deleted=datetime.now(UTC))

    def restore_project(self, project_id: int) -> Project:
        with self._database.write() as connection:
            self._update(connection, project_id, deleted=None)
        return self.project(project_id)

    def duplicate_project(self, project_id: int, name: str | None = None) -> Project:
        """A copy with its whole history; what is done to one does not touch the other."""
        with self._database.write() as connection:
            original = log.open_project(connection, project_id)
            taken = set(connection.scalars(select(projects.c.name)))
            title = checked_name(name or copying.copy_name(original.name, taken), "A project")
            number = copying.copy_project(connection, self.home, project_id, title)
        self._index(number)
        return self.project(number)

    def export_project(self, project_id: int, path: Path | str) -> Path:
        """The project as one file: settings, documents, log, and the factors of the last run."""
        with self._database.read() as connection:
            shelf.read_project(connection, project_id)
            return portable.write_project(connection, self.home, project_id, Path(path))

    def import_project(self, source: Path | str | BinaryIO) -> Project:
        """A project from a file that ``export_project`` wrote, checked line by line."""
        with portable.opened(source) as bundle, self._database.write() as connection:
            number = portable.read_project(connection, self.home, bundle)
        self._index(number)
        return self.project(number)

    @staticmethod
    def _update(connection: Connection, project: int, **values: Any) -> None:
        connection.execute(update(projects).where(projects.c.id == project).values(**values))

    # Documents

    def documents(self, project_id: int, positions: Sequence[int]) -> list[Document]:
        with self._database.read() as connection:
            return shelf.read_documents(connection, project_id, positions)

    def document(self, project_id: int, position: int) -> Document:
        return self.documents(project_id, [position])[0]

    def corpus(self, project_id: int, *, texts: bool = True) -> Corpus:
        """All documents; without their texts (all empty) a large corpus is there much sooner."""
        with self._database.read() as connection:
            return shelf.read_corpus(connection, project_id, texts=texts)

    # Acts

    def record(
        self,
        project_id: int,
        act: Act,
        *,
        author: str,
        client: str | None = None,
        sequence: int | None = None,
        seen: int | None = None,
    ) -> Event:
        """Put an act on the log. It is on disk when this returns.

        ``seen`` is the event of the label its author looked at, 0 for none: a newer label of
        somebody else's raises Conflict instead of being replaced.
        """
        origin = Origin(author, client, sequence).checked()
        if isinstance(act, Restore):
            return self._restore(project_id, act, origin)
        with self._database.write() as connection:
            return log.record(connection, project_id, act, origin, seen)

    def _restore(self, project: int, act: Restore, origin: Origin) -> Event:
        return patiently(
            self._database,
            project,
            lambda read: log.ahead_of_restore(read, project, act, origin),
            lambda write, ahead: log.record(write, project, act, origin, ahead=ahead),
        )

    def record_all(self, project_id: int, acts: Iterable[Act], *, author: str) -> list[Event]:
        """Several acts or none of them, in one transaction."""
        origin, steps = Origin(author).checked(), steps_of(acts)
        with self._database.write() as connection:
            done = log.record_many(connection, project_id, steps, origin)
            which = events.c.id.between(done.start, done.stop - 1)
            query = EVENTS.where(events.c.project == project_id, which)
            return read_events(connection, query.order_by(events.c.id))

    def record_batch(
        self,
        project_id: int,
        title: str,
        acts: Sequence[Act],
        *,
        author: str,
        client: str | None = None,
        sequence: int | None = None,
        at: int | None = None,
    ) -> Event:
        """Several acts as one, which one undo takes back; returns the head of the batch.

        Refused if the log has moved on from revision ``at``, where that is given.
        """
        origin, steps = Origin(author, client, sequence).checked(), steps_of(acts)
        with self._database.write() as connection:
            return batches.record_batch(connection, project_id, title, steps, origin, at=at)

    def note_run(self, project_id: int, title: str, *, author: str) -> Event:
        """Note on the log that a run was made current; the way back is to make another current."""
        origin = Origin(author).checked()
        with self._database.write() as connection:
            return log.note_run(connection, project_id, title, origin)

    def undo(
        self,
        project_id: int,
        *,
        author: str,
        client: str | None = None,
        sequence: int | None = None,
        after: int = 0,
    ) -> Event | None:
        """Take back the author's last act in force; None when there is none after ``after``."""
        origin = Origin(author, client, sequence).checked()
        return patiently(
            self._database,
            project_id,
            lambda read: log.ahead_of_turn(read, project_id, origin, "undo", after),
            lambda write, ahead: log.undo(write, project_id, origin, after, ahead),
        )

    def redo(
        self,
        project_id: int,
        *,
        author: str,
        client: str | None = None,
        sequence: int | None = None,
    ) -> Event | None:
        """Bring back what the author took back last; None after a new act of theirs."""
        origin = Origin(author, client, sequence).checked()
        return patiently(
            self._database,
            project_id,
            lambda read: log.ahead_of_turn(read, project_id, origin, "redo"),
            lambda write, ahead: log.redo(write, project_id, origin, ahead),
        )

    # What the log amounts to

    def events(
        self,
        project_id: int,
        *,
        after: int = 0,
        limit: int | None = None,
        newest_first: bool = False,
    ) -> list[Event]:
        order = events.c.id.desc() if newest_first else events.c.id
        query = EVENTS.where(events.c.project == project_id, events.c.id > after)
        with self._database.read() as connection:
            return read_events(connection, query.order_by(order).limit(limit))

    def revision(self, project_id: int) -> int:
        """The number of the last event; 0 before the first."""
        return int(self._value(project_id, projects.c.revision))

    def _value(self, project_id: int, column: Any) -> Any:
        with self._database.read() as connection:
            value = connection.scalar(select(column).where(projects.c.id == project_id))
        if value is None:
            raise NotFound("There is no such project.")
        return value

    def topics(self, project_id: int) -> list[Topic]:
        with self._database.read() as connection:
            return topic_log.read_topics(connection, project_id)

    def annotations(self, project_id: int) -> dict[int, Annotation]:
        """The label in force of every document that has one, by position."""
        query = _LABEL_EVENTS.where(annotated.c.project == project_id)
        return self._annotations(project_id, query.order_by(annotated.c.position))

    def annotation(self, project_id: int, position: int) -> Annotation | None:
        query = _LABEL_EVENTS.where(
            annotated.c.project == project_id, annotated.c.position == position
        )
        return self._annotations(project_id, query).get(position)

    def _annotations(self, project: int, query: Any) -> dict[int, Annotation]:
        with self._database.read() as connection:
            lineage = topic_log.read_lineage(connection, project)
            labels = read_events(connection, query)
        return annotations_of(labels, lineage)

    def skipped(self, project_id: int) -> set[int]:
        query = select(annotated.c.position).where(
            annotated.c.project == project_id, annotated.c.skipped
        )
        with self._database.read() as connection:
            return set(connection.scalars(query))

    def label_counts(self, project_id: int) -> dict[int, int]:
        """How many documents each topic is permitted in, by topic id."""
        with self._database.read() as connection:
            return topic_log.label_counts(connection, project_id)

    def codebook(self, project_id: int) -> dict[int, Codebook]:
        """What the topics mean, by topic id; topics nobody has described are left out."""
        with self._database.read() as connection:
            return topic_log.read_codebook(connection, project_id)

    def lineage(self, project_id: int) -> Lineage:
        """The topics in force, and what earlier ones stand for now."""
        with self._database.read() as connection:
            return topic_log.read_lineage(connection, project_id)

    def state(self, project_id: int, positions: Iterable[int] | None = None) -> State:
        """What the log amounts to, for ``core.operations``; labels of some documents or of all."""
        if positions is None:
            said, skipped = self.annotations(project_id), self.skipped(project_id)
        else:
            found = {at: self.annotation(project_id, at) for at in positions}
            said, skipped = {at: each for at, each in found.items() if each is not None}, set()
        return State(
            tuple(self.topics(project_id)), said, frozenset(skipped), self.wording(project_id)
        )

    def wording(self, project_id: int) -> Wording:
        """What people said about words: locks, added and removed words, stop words."""
        with self._database.read() as connection:
            return topic_log.read_wording(connection, project_id)
