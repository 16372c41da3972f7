"""The part of the store that reads the history: pages, authors, the preview of a restore."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlalchemy import select

from core.store.database import Database
from core.store.events.event_rows import EVENTS, read_events
from core.store.garbage_collection import without_garbage_collection
from core.store.history.deciding_events import read_deciding
from core.store.history.hidden_labels import without_hidden
from core.store.history.pages import (
    HistoryFilter,
    HistoryPage,
    read_authors,
    read_in_force,
    read_kinds,
    read_page,
    read_topic_names,
)
from core.store.history.undone import read_undone_revisions
from core.store.state.difference import StateDifference, difference
from core.store.state.lineage import Lineage
from core.store.state.log_lines import read_log_lines
from core.store.state.replay import replay
from core.store.state.topics import read_lineage
from core.store.tables import documents, events, projects
from core.store.values import Event

EVENTS_READ_AT_ONCE = 1_000


class HistoryReader:
    """Reads only; the store it is part of brings the database."""

    _database: Database

    def history(
        self,
        project_id: int,
        wanted: HistoryFilter | None = None,
        *,
        limit: int = 50,
        offset: int = 0,
    ) -> HistoryPage:
        """The log in pages, newest first, each line with what it changed."""
        with self._database.read() as connection:
            return read_page(connection, project_id, wanted or HistoryFilter(), limit, offset)

    def shown_events(self, project_id: int, *, after: int = 0) -> Iterator[Event]:
        """The log, oldest first; what nobody may read before both have labelled is left out."""
        while True:
            query = EVENTS.where(events.c.project == project_id, events.c.id > after)
            with self._database.read() as connection:
                piece = read_events(
                    connection, query.order_by(events.c.id).limit(EVENTS_READ_AT_ONCE)
                )
                shown = without_hidden(connection, project_id, piece)
            if not piece:
                return
            yield from shown
            after = piece[-1].id

    @without_garbage_collection()
    def difference_to(self, project_id: int, event: int) -> StateDifference:
        """What restoring the point after ``event`` would change now."""
        with self._database.read() as connection:
            lines = read_log_lines(connection, project_id)
            then, now = (
                replay(read_deciding(connection, project_id, lines[:until]))
                for until in (event, len(lines))
            )
        return difference(now, then)

    def in_force(self, project_id: int) -> tuple[list[Event], Lineage]:
        """The labels and batches in force, oldest first, and the lineage of topics."""
        with self._database.read() as connection:
            return read_in_force(connection, project_id), read_lineage(connection, project_id)

    def authors(self, project_id: int) -> list[str]:
        """All authors of a project's events."""
        with self._database.read() as connection:
            return read_authors(connection, project_id)

    def kinds(self, project_id: int) -> list[str]:
        """The kinds of events that a project's log holds."""
        with self._database.read() as connection:
            return read_kinds(connection, project_id)

    def undone_revisions(self, project_id: int, revisions: Iterable[int]) -> frozenset[int]:
        """Of these revisions, those that stood on something that has been undone since."""
        with self._database.read() as connection:
            return read_undone_revisions(connection, project_id, revisions)

    def document_ids(self, project_id: int) -> list[str]:
        """The users' own ids, in the order of the corpus."""
        query = select(documents.c.id).where(documents.c.project == project_id)
        with self._database.read() as connection:
            return list(connection.scalars(query.order_by(documents.c.position)))

    def last_topic(self, project_id: int) -> int:
        """The highest number ever given to a topic."""
        query = select(projects.c.last_topic).where(projects.c.id == project_id)
        with self._database.read() as connection:
            return int(connection.scalar(query) or 0)

    def topic_names(self, project_id: int) -> dict[int, str]:
        """The last name of every topic there ever was, deleted ones too."""
        with self._database.read() as connection:
            return read_topic_names(connection, project_id)
