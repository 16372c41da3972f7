"""The part of the store that reads the state of a project from the derived tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Select, and_, bindparam, select

from core.store.database import Database
from core.store.events.codebook import Codebook
from core.store.events.event_rows import EVENTS, read_events
from core.store.events.memos import Memo
from core.store.events.new_events import BLIND_LABEL
from core.store.events.report_fields import ReportField
from core.store.events.saved_searches import SavedSearch
from core.store.state import topics
from core.store.state.labels_in_force import (
    LabelInForce,
    annotation_of,
    annotations_of,
    labels_in_force,
)
from core.store.state.lineage import Lineage
from core.store.state.replay import State
from core.store.state.word_rules import WordRules
from core.store.tables import annotated, event_status, events
from core.store.values import Annotation, Topic

_LABEL_EVENTS = EVENTS.join(
    annotated,
    and_(annotated.c.project == events.c.project, annotated.c.event == events.c.id),
)
_EVENTS_AT = (
    EVENTS.join(
        event_status,
        and_(
            event_status.c.project == events.c.project,
            event_status.c.event == events.c.id,
        ),
    )
    .where(event_status.c.project == bindparam("p_project"))
    .where(event_status.c.position == bindparam("p_position"))
    .where(event_status.c.status == "done")
    .order_by(events.c.id)
)


class StateReader:
    """Reads only; the store it is part of brings the database."""

    _database: Database

    def topics(self, project_id: int) -> list[Topic]:
        with self._database.read() as connection:
            return topics.read_topics(connection, project_id)

    def annotations(self, project_id: int) -> dict[int, Annotation]:
        """The label in force of every document that has one, by position."""
        query = _LABEL_EVENTS.where(annotated.c.project == project_id)
        return self._annotations(project_id, query.order_by(annotated.c.position))

    def annotation(self, project_id: int, position: int) -> Annotation | None:
        query = _LABEL_EVENTS.where(
            annotated.c.project == project_id, annotated.c.position == position
        )
        return self._annotations(project_id, query).get(position)

    def _annotations(self, project: int, query: Select[Any]) -> dict[int, Annotation]:
        with self._database.read() as connection:
            lineage = topics.read_lineage(connection, project)
            labels = read_events(connection, query)
        return annotations_of(labels, lineage)

    def label_in_force(self, project_id: int, position: int) -> LabelInForce[Annotation]:
        """One document's annotation, if any, and whether it was skipped since."""
        keys = {"p_project": project_id, "p_position": position}
        with self._database.read() as connection:
            found = read_events(connection, _EVENTS_AT.params(keys))
            lineage = topics.read_lineage(connection, project_id) if found else Lineage({})
        labels = labels_in_force((position, event.kind, event) for event in found)
        label, skipped = labels.get(position, LabelInForce())
        return LabelInForce(None if label is None else annotation_of(label, lineage), skipped)

    def labels_at(
        self, project_id: int, position: int, before: int | None = None
    ) -> list[Annotation]:
        """All labels of a document in force, oldest first; those before an event, if given.

        With those that waited for a second person: only for a document that has a label in force.
        """
        kinds = ("label", BLIND_LABEL)
        query = self._label_events_at(project_id, position, before, kinds)
        with self._database.read() as connection:
            found = read_events(connection, query)
            lineage = topics.read_lineage(connection, project_id) if found else Lineage({})
        if before is None and all(event.kind == BLIND_LABEL for event in found):
            return []  # nobody is shown a label that waits for a second person
        spoken = (event for event in found if event.payload.get("spoken", True))
        annotations = (annotation_of(event, lineage) for event in spoken)
        return [each for each in annotations if each is not None]

    def note_at(self, project_id: int, position: int) -> str:
        """The note of the label in force, even an empty label's; an empty string without one."""
        with self._database.read() as connection:
            found = read_events(connection, self._label_events_at(project_id, position, None))
        labels = labels_in_force((position, event.kind, event) for event in found)
        label = labels.get(position, LabelInForce()).label
        return "" if label is None else str(label.payload["note"])

    @staticmethod
    def _label_events_at(
        project: int, position: int, before: int | None, kinds: Iterable[str] = ("label",)
    ) -> Select[Any]:
        query = _EVENTS_AT.where(event_status.c.kind.in_(tuple(kinds)))
        if before is not None:
            query = query.where(event_status.c.event < before)
        return query.params(p_project=project, p_position=position)

    def skipped(self, project_id: int) -> set[int]:
        query = select(annotated.c.position).where(
            annotated.c.project == project_id, annotated.c.skipped
        )
        with self._database.read() as connection:
            return set(connection.scalars(query))

    def withdrawn(self, project_id: int) -> set[int]:
        """Documents that have a label event in force and do not count as labelled."""
        query = select(annotated.c.position).where(
            annotated.c.project == project_id,
            annotated.c.event.is_not(None),
            ~annotated.c.labelled,
        )
        with self._database.read() as connection:
            return set(connection.scalars(query))

    def label_counts(self, project_id: int) -> dict[int, int]:
        """How many documents each topic is permitted in, by topic id."""
        with self._database.read() as connection:
            return topics.label_counts(connection, project_id)

    def codebook(self, project_id: int) -> dict[int, Codebook]:
        """Codebook entries by topic id; topics without one are left out."""
        with self._database.read() as connection:
            return topics.read_codebook(connection, project_id)

    def report_fields(self, project_id: int) -> dict[str, ReportField]:
        """What analysts wrote in the report, by field; fields left to the report are not there."""
        with self._database.read() as connection:
            return topics.read_report_fields(connection, project_id)

    def memos(self, project_id: int) -> tuple[Memo, ...]:
        """Memos on the project and on topics in force, oldest first."""
        with self._database.read() as connection:
            alive = topics.read_lineage(connection, project_id).topics
            found = topics.read_memos(connection, project_id)
        return tuple(each for each in found if each.topic is None or each.topic in alive)

    def saved_searches(self, project_id: int) -> tuple[SavedSearch, ...]:
        """Searches under a name, in the order of the names."""
        with self._database.read() as connection:
            return topics.read_saved_searches(connection, project_id)

    def lineage(self, project_id: int) -> Lineage:
        """The topics in force, and which of them earlier topics became."""
        with self._database.read() as connection:
            return topics.read_lineage(connection, project_id)

    def word_rules(self, project_id: int) -> WordRules:
        """Locks, added and removed words, and stop words."""
        with self._database.read() as connection:
            return topics.read_word_rules(connection, project_id)

    def state(self, project_id: int, positions: Iterable[int] | None = None) -> State:
        """The state of a project; with the labels of some documents or of all."""
        if positions is None:
            found, skipped = self.annotations(project_id), self.skipped(project_id)
        else:
            some = {at: self.annotation(project_id, at) for at in positions}
            found, skipped = {at: each for at, each in some.items() if each is not None}, set()
        return State(
            tuple(self.topics(project_id)), found, frozenset(skipped), self.word_rules(project_id)
        )
