"""Labels that wait for a second person: how they are recorded, and who has spoken.

As long as one person alone has labelled a doubled text, the label is an event of a kind of its own,
which nothing derives a label in force from: no fit, no count, no list and no other person hears of
it. Whoever speaks second leaves an ordinary label, and with it both are there for all to see. A
person has spoken when the label was confirmed; what was clicked before is a draft, on disk like
every other event.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from sqlalchemy import BindParameter, Connection, bindparam, select

from core.store.coding.double_coding import SET_DOUBLE_CODING, DoubleCoding
from core.store.coding.events_of_kind import read_in_force_of
from core.store.events.in_force import DONE
from core.store.events.new_events import BLIND_LABEL, BlindLabel, Label, NewEvent
from core.store.events.requirements import label_at
from core.store.history.some_events import read_some
from core.store.state.labels_in_force import annotation_of
from core.store.state.lineage import Lineage
from core.store.state.topics import read_lineage
from core.store.tables import event_status
from core.store.values import Annotation, Event

_p: BindParameter[int] = bindparam("p_project")
_at: BindParameter[int] = bindparam("p_position")
_BLIND_AT = (
    select(event_status.c.event)
    .where(event_status.c.project == _p, event_status.c.position == _at)
    .where(event_status.c.kind == BLIND_LABEL, event_status.c.status == DONE)
)
_EVER_LABELLED = (
    select(event_status.c.event)
    .where(event_status.c.project == _p, event_status.c.position == _at)
    .where(event_status.c.kind == "label")
    .limit(1)
)


@dataclass(frozen=True, slots=True)
class WaitingLabel:
    """One person's label of a text that waits for a second person."""

    annotation: Annotation
    spoken: bool  # confirmed; else a draft


WaitingLabels = Mapping[str, WaitingLabel]  # of one text, by author


def read_double_coding(connection: Connection, project: int) -> DoubleCoding | None:
    """The setting in force; None if there never was one."""
    found = read_in_force_of(connection, project, SET_DOUBLE_CODING)
    return DoubleCoding.read(found[-1].payload) if found else None


def read_waiting(
    connection: Connection, project: int, besides: Collection[int] = ()
) -> dict[int, WaitingLabels]:
    """Labels that wait, by position; not of texts ``besides``, which have a label in force."""
    found = read_in_force_of(connection, project, BLIND_LABEL)
    return _by_position([each for each in found if each.position not in besides], connection)


def read_waiting_at(connection: Connection, project: int, position: int) -> WaitingLabels:
    """The same of one text."""
    numbers = connection.scalars(_BLIND_AT, {"p_project": project, "p_position": position})
    found = read_some(connection, project, list(numbers))
    return _by_position(found, connection).get(position, {})


def in_double_coding(
    connection: Connection, project: int, label: Label, author: str, *, spoken: bool
) -> NewEvent:
    """The event that a label of this person is: a waiting one on a text that is still hidden.

    ``blind`` marks the label of the second person if the text never had one for all to see.
    """
    setting = read_double_coding(connection, project)
    waiting = read_waiting_at(connection, project, label.position)
    others = any(each.spoken for name, each in waiting.items() if name != author)
    chosen = setting is not None and setting.chooses(label.position)
    if not (chosen or waiting) or _is_labelled(connection, project, label.position):
        return label
    says_something = bool(label.permitted or label.forbidden or label.nothing_fits)
    if not (spoken and says_something and others):
        return BlindLabel(label, spoken and says_something)
    keys = {"p_project": project, "p_position": label.position}
    return replace(label, blind=connection.scalar(_EVER_LABELLED, keys) is None)


def _is_labelled(connection: Connection, project: int, position: int) -> bool:
    found = label_at(connection, project, position)
    if found is None:
        return False
    return annotation_of(found, read_lineage(connection, project)) is not None


def _by_position(found: Collection[Event], connection: Connection) -> dict[int, WaitingLabels]:
    """The last label of each person; one that was emptied again is none."""
    waiting: dict[int, dict[str, WaitingLabel]] = {}
    lineage = read_lineage(connection, next(iter(found)).project) if found else Lineage({})
    for event in found:
        assert event.position is not None
        here = waiting.setdefault(event.position, {})
        annotation = annotation_of(event, lineage)
        here.pop(event.author, None)
        if annotation is not None:
            here[event.author] = WaitingLabel(annotation, event.payload["spoken"])
    return {position: here for position, here in waiting.items() if here}
