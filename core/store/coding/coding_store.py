"""The part of the store that serves people who code together."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, select

from core.errors import StoreError
from core.store.coding.assignments import ASSIGN_TEXTS, Assignments, assignments_of
from core.store.coding.blind_labels import (
    WaitingLabels,
    in_double_coding,
    read_double_coding,
    read_waiting,
    read_waiting_at,
)
from core.store.coding.double_coding import DoubleCoding
from core.store.coding.events_of_kind import read_in_force_of
from core.store.coding.highlights import (
    DROP_HIGHLIGHT,
    HIGHLIGHT,
    HighlightInForce,
    highlights_of,
)
from core.store.database import Database
from core.store.events import batches, log
from core.store.events.bulk_labels import group_labels
from core.store.events.new_events import Label, checked
from core.store.events.origin import Origin
from core.store.history.hidden_labels import hidden_texts
from core.store.state.topics import read_lineage
from core.store.tables import annotated
from core.store.values import Event

RELEASED_TITLE = "Used labels without a second person"


class CodingStore:
    """Double coding and assignments; the store it is part of brings the database."""

    _database: Database

    def record_label(
        self,
        project_id: int,
        label: Label,
        *,
        author: str,
        client: str | None = None,
        sequence: int | None = None,
        seen: int | None = None,
        spoken: bool = False,
    ) -> Event:
        """Record a label as ``record`` does, but by the rules of double coding.

        ``spoken``: the label is confirmed; both people of a doubled text have to.
        """
        origin, plain = Origin(author, client, sequence).checked(), checked(label)
        assert isinstance(plain, Label)
        with self._database.write() as connection:
            new = in_double_coding(connection, project_id, plain, origin.author, spoken=spoken)
            return log.record(connection, project_id, new, origin, seen)

    def release_labels(self, project_id: int, *, author: str) -> Event:
        """Make an author's labels that wait for a second person ordinary ones; one undo."""
        origin = Origin(author).checked()
        with self._database.write() as connection:
            labelled = _labelled_positions(connection, project_id)
            waiting = read_waiting(connection, project_id, labelled)
            own = [each[author] for each in waiting.values() if author in each]
            notes = [each.annotation for each in own if each.spoken]
            if not notes:
                raise StoreError("None of your labels waits for a second person.")
            labels = [
                Label(n.position, n.permitted, n.forbidden, n.confidence, n.nothing_fits, n.note)
                for n in notes
            ]
            grouped = group_labels(labels)
            return batches.record_batch(connection, project_id, RELEASED_TITLE, grouped, origin)

    def double_coding(self, project_id: int) -> DoubleCoding | None:
        """Which texts two people label; None if that was never asked for."""
        with self._database.read() as connection:
            return read_double_coding(connection, project_id)

    def waiting_labels(
        self, project_id: int, besides: Collection[int] = ()
    ) -> dict[int, WaitingLabels]:
        """Labels that wait for a second person, by position and author.

        ``besides``: positions that have a label in force, where nothing waits any more.
        """
        with self._database.read() as connection:
            return read_waiting(connection, project_id, besides)

    def assignments(self, project_id: int) -> Assignments:
        """Who is to label which texts."""
        with self._database.read() as connection:
            return assignments_of(read_in_force_of(connection, project_id, ASSIGN_TEXTS))

    def highlights(self, project_id: int) -> dict[int, tuple[HighlightInForce, ...]]:
        """Words that say why, by position."""
        with self._database.read() as connection:
            found = read_in_force_of(connection, project_id, HIGHLIGHT)
            dropped = read_in_force_of(connection, project_id, DROP_HIGHLIGHT) if found else []
            lineage = read_lineage(connection, project_id)
        return highlights_of(sorted([*found, *dropped], key=lambda event: event.id), lineage)

    def shared_highlights(self, project_id: int) -> dict[int, tuple[HighlightInForce, ...]]:
        """Those that everybody may read: not of texts that two people are still to label blind."""
        found = self.highlights(project_id)
        with self._database.read() as connection:
            hidden = hidden_texts(connection, project_id, set(found))
        return {position: each for position, each in found.items() if position not in hidden}

    def waiting_labels_at(self, project_id: int, position: int) -> WaitingLabels:
        """The same of one text, whether or not it has a label in force."""
        with self._database.read() as connection:
            return read_waiting_at(connection, project_id, position)


def _labelled_positions(connection: Connection, project: int) -> set[int]:
    query = select(annotated.c.position).where(annotated.c.project == project)
    return set(connection.scalars(query.where(annotated.c.event.is_not(None))))
