"""The part of the store that records events, undoes and redoes them, and reads the log."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from core.errors import NotFound
from core.store.database import Database
from core.store.events import batches, effects, log, undo
from core.store.events.append import repeated_event
from core.store.events.bulk_labels import group_labels
from core.store.events.event_rows import EVENTS, read_events
from core.store.events.new_events import NewEvent, Restore
from core.store.events.origin import Origin
from core.store.retry import retry_when_stale
from core.store.tables import events, projects
from core.store.values import Event


class EventStore:
    """Writes the log; the store it is part of brings the database."""

    _database: Database

    def record(
        self,
        project_id: int,
        event: NewEvent,
        *,
        author: str,
        client: str | None = None,
        sequence: int | None = None,
        seen: int | None = None,
    ) -> Event:
        """Put an event on the log. It is on disk when this returns.

        ``seen`` is the event of the label its author looked at, 0 for none: a newer label of
        somebody else raises Conflict instead of being replaced.
        """
        origin = Origin(author, client, sequence).checked()
        if isinstance(event, Restore):
            return self._restore(project_id, event, origin)
        with self._database.write() as connection:
            return log.record(connection, project_id, event, origin, seen)

    def _restore(self, project: int, new: Restore, origin: Origin) -> Event:
        return retry_when_stale(
            self._database,
            project,
            lambda read: undo.plan_restore(read, project, new, origin),
            lambda write, planned: log.record(write, project, new, origin, planned=planned),
        )

    def record_batch(
        self,
        project_id: int,
        title: str,
        several: Sequence[NewEvent],
        *,
        author: str,
        client: str | None = None,
        sequence: int | None = None,
        at: int | None = None,
    ) -> Event:
        """Several events that one undo takes back; returns the head of the batch.

        Refused if the log has moved on from revision ``at``, where that is given.
        """
        origin, grouped = Origin(author, client, sequence).checked(), group_labels(several)
        with self._database.write() as connection:
            return batches.record_batch(connection, project_id, title, grouped, origin, at=at)

    def recorded(
        self, project_id: int, *, author: str, client: str | None, sequence: int | None
    ) -> Event | None:
        """The event that an earlier attempt of the same request has left; None if there is none."""
        origin = Origin(author, client, sequence).checked()
        with self._database.read() as connection:
            return repeated_event(connection, project_id, origin)

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
        """Undo the author's last event in force; None when there is none after ``after``."""
        origin = Origin(author, client, sequence).checked()
        return retry_when_stale(
            self._database,
            project_id,
            lambda read: undo.plan_undo_or_redo(read, project_id, origin, "undo", after),
            lambda write, planned: undo.undo(write, project_id, origin, after, planned),
        )

    def redo(
        self,
        project_id: int,
        *,
        author: str,
        client: str | None = None,
        sequence: int | None = None,
    ) -> Event | None:
        """Redo what the author undid last; None if they have recorded another event since."""
        origin = Origin(author, client, sequence).checked()
        return retry_when_stale(
            self._database,
            project_id,
            lambda read: undo.plan_undo_or_redo(read, project_id, origin, "redo"),
            lambda write, planned: undo.redo(write, project_id, origin, planned),
        )

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

    def count_changes(self, project_id: int, *, after: int) -> int:
        """Events after one of them that change what a fit is made from."""
        with self._database.read() as connection:
            return effects.count_changes(connection, project_id, after)

    def revision(self, project_id: int) -> int:
        """The number of the last event; 0 before the first."""
        with self._database.read() as connection:
            query = select(projects.c.revision).where(projects.c.id == project_id)
            revision = connection.scalar(query)
        if revision is None:
            raise NotFound("There is no such project.")
        return int(revision)
