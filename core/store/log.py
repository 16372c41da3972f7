"""Writing the log: append one event, and bring the derived tables up to it.

Every function works inside a writing transaction of its caller and touches only what the
act is about: one document, or one topic and the documents that name it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BindParameter,
    Connection,
    Row,
    bindparam,
    insert,
    literal,
    literal_column,
    select,
    update,
)

from core.errors import NotFound, StoreError
from core.store import lineage
from core.store.acts import KINDS, Act, Label, Restore, Skip, checked, payload_of
from core.store.checks import checked_name, checked_text, whole
from core.store.label_runs import LabelRun, Step
from core.store.pouring import pour
from core.store.requirements import (
    about_newest,
    prepare_topic,
    require_position,
    require_seen,
    require_topics,
)
from core.store.restanding import (
    Ahead,
    Line,
    is_large,
    line_of,
    look_ahead,
    status_after,
    turn,
)
from core.store.settle import settle_document, settle_label, settle_labels
from core.store.settle_topics import settle_topics
from core.store.standing import USE_RUN
from core.store.tables import BRIEF, NOBODY, acts, as_text, events, microseconds, projects
from core.store.values import Event

AUTHOR_LIMIT = 200
CLIENT_LIMIT = 100
TURNED_WHOLE = ("batch", "restore")  # kinds that many acts turn with


@dataclass(frozen=True, slots=True)
class Origin:
    """Who acts, and the number their browser gave the act so that a resend changes nothing."""

    author: str
    client: str | None = None
    sequence: int | None = None
    time: datetime | None = None  # now, unless a log is read in from elsewhere

    def checked(self) -> Origin:
        author = checked_text(self.author, "An author's name", AUTHOR_LIMIT)
        if not author:
            raise StoreError("Every act has an author.")
        if (self.client is None) != (self.sequence is None):
            raise StoreError("A client and its sequence number come together.")
        if self.client is None or self.sequence is None:
            return Origin(author, time=self.time)
        client = checked_text(self.client, "A client's name", CLIENT_LIMIT)
        return Origin(author, client, whole(self.sequence, "A sequence"), self.time)


_p: BindParameter[int] = bindparam("p_project")
_PROJECT = select(*BRIEF).where(projects.c.id == _p).with_for_update()
_SEEN = select(events).where(
    events.c.project == _p,
    events.c.client == bindparam("p_client"),
    events.c.sequence == bindparam("p_sequence"),
)
_EVENT = select(events).where(events.c.project == _p, events.c.id == bindparam("p_event"))
_ADD_EVENT, _ADD_ACT = insert(events), insert(acts)  # made once: so is what is known of them
_ADVANCE = (
    update(projects)
    .where(projects.c.id == _p)
    .values(revision=bindparam("p_revision"), last_act=bindparam("p_time"))
)
_OWNED = acts.c.author != literal_column(f"'{NOBODY}'")  # as the index says it
_OWN = select(acts).where(
    _OWNED,
    acts.c.project == _p,
    acts.c.author == bindparam("p_author"),
    acts.c.status == bindparam("p_status"),
    acts.c.event > bindparam("p_after"),
)
_LAST_OWN = _OWN.order_by(acts.c.event.desc()).limit(1)
_FIRST_OWN = _OWN.order_by(acts.c.event).limit(1)
_DROP_UNDONE = (
    update(acts)
    .where(_OWNED, acts.c.project == _p, acts.c.author == bindparam("p_author"))
    .where(acts.c.status == "undone")
    .values(status="dropped")
)
_SET_STATUS = (
    update(acts)
    .where(acts.c.project == _p, acts.c.event == bindparam("p_event"))
    .values(status=bindparam("p_status"))
)


def event_of(row: Row[Any] | Mapping[str, Any]) -> Event:
    values = row if isinstance(row, Mapping) else row._mapping
    names = ("id", "project", "kind", "payload", "author", "time", "undoes", "position")
    return Event(**{name: values[name] for name in names})


def open_project(connection: Connection, project: int) -> Row[Any]:
    """The project's row, locked for this writer where the database locks rows."""
    row = connection.execute(_PROJECT, {"p_project": project}).first()
    if row is None or row.deleted is not None:
        raise NotFound("There is no such project.")
    return row


def record(
    connection: Connection,
    project: int,
    act: Act,
    origin: Origin,
    looked_at: int | None = None,
    ahead: Ahead | None = None,
) -> Event:
    """Append an act; a resend of one already on the log returns that one.

    ``looked_at`` is the event of the label that its author saw: a newer one of somebody else's
    is not replaced unseen. ``ahead`` is what a restore was found to change.
    """
    act = checked(act)
    row = open_project(connection, project)
    seen = _seen(connection, project, origin)
    if seen is not None:
        return seen
    if isinstance(act, Label) and looked_at is not None:
        require_seen(connection, project, act, origin.author, looked_at)
    payload = payload_of(act)
    if isinstance(act, Label | Skip):
        require_position(act.position, row)
    if isinstance(act, Label):
        require_topics(connection, project, (*act.permitted, *act.forbidden))
    else:
        payload |= prepare_topic(connection, row, act)
    connection.execute(_DROP_UNDONE, {"p_project": project, "p_author": origin.author})
    position = act.position if isinstance(act, Label | Skip) else None
    event = _append(connection, row, KINDS[type(act)], payload, origin, position=position)
    _stand(connection, event)
    if isinstance(act, Restore):
        turn(connection, project, line_of(event), None, ahead)
    elif isinstance(act, Label):
        settle_label(connection, event)
    else:
        _settle(connection, event.project, event.position, event.kind)
    return event


def record_many(
    connection: Connection,
    project: int,
    steps: Iterable[Step],
    origin: Origin,
    *,
    owner: str | None = None,
) -> range:
    """Several acts in order, made ready; a run of labels goes in at one go. Tells their numbers.

    ``owner`` is who can take the labels of a run back one by one, if not their author.
    """
    done: list[int] = []
    newest: int | None = None  # the topic made last; later acts may be about it
    for step in steps:
        if isinstance(step, LabelRun):
            run = _record_labels(connection, project, step.about(newest), origin, owner)
            done += run[0], run[-1]
            continue
        event = record(connection, project, about_newest(step, newest), origin)
        newest = event.payload["topic"] if event.kind == "create_topic" else newest
        done.append(event.id)
    return range(done[0], done[-1] + 1) if done else range(0)


def record_head(
    connection: Connection, project: int, title: str, count: int, origin: Origin
) -> tuple[Event, bool]:
    """Begin a batch of ``count`` acts; False when this is a resend of one already there."""
    row = open_project(connection, project)
    seen = _seen(connection, project, origin)
    if seen is not None:
        return seen, False
    connection.execute(_DROP_UNDONE, {"p_project": project, "p_author": origin.author})
    head = _append(connection, row, "batch", {"title": title, "count": count}, origin)
    _stand(connection, head)
    return head, True


def note_run(connection: Connection, project: int, title: str, origin: Origin) -> Event:
    """Note that a run was made current; labels and topics are as before, so no undo is about it."""
    row = open_project(connection, project)
    return _append(connection, row, USE_RUN, {"title": checked_name(title, "A run")}, origin)


def _record_labels(
    connection: Connection, project: int, run: LabelRun, origin: Origin, owner: str | None
) -> range:
    row = open_project(connection, project)
    for position in run.positions:
        require_position(position, row)
    named = {topic for each in run.sayings for topic in (*each.permitted, *each.forbidden)}
    require_topics(connection, project, named)
    time = origin.time or datetime.now(UTC)
    numbers = range(row.revision + 1, row.revision + 1 + len(run))
    connection.execute(_DROP_UNDONE, {"p_project": project, "p_author": origin.author})
    said = [as_text(payload_of(each)) for each in run.sayings]
    rows = list(zip(numbers, run.positions, map(said.__getitem__, run.places), strict=True))
    same = {"project": project, "kind": KINDS[Label], "author": origin.author}
    always = {**same, "time": microseconds(time)}
    pour(connection, events, ("id", "position", "payload"), rows, always)
    _stand_all(connection, project, numbers, origin.author if owner is None else owner)
    keys = {"p_project": project, "p_revision": numbers[-1], "p_time": time}
    connection.execute(_ADVANCE, keys)
    settle_labels(connection, project, run, numbers)
    return numbers


def _stand_all(connection: Connection, project: int, numbers: range, owner: str) -> None:
    """Note new labels as in force."""
    told = select(
        events.c.project,
        events.c.id,
        events.c.kind,
        literal(owner),
        events.c.position,
        literal("done"),
    ).where(events.c.project == project, events.c.id.between(numbers[0], numbers[-1]))
    names = ["project", "event", "kind", "author", "position", "status"]
    connection.execute(insert(acts).from_select(names, told))


def undo(
    connection: Connection,
    project: int,
    origin: Origin,
    after: int = 0,
    ahead: Ahead | None = None,
) -> Event | None:
    """Take back the author's last act in force, if it came after event ``after``."""
    return _turn(connection, project, origin, "undo", after, ahead)


def redo(
    connection: Connection, project: int, origin: Origin, ahead: Ahead | None = None
) -> Event | None:
    """Bring back the act the author took back last, unless they have acted since."""
    return _turn(connection, project, origin, "redo", 0, ahead)


def ahead_of_turn(
    connection: Connection, project: int, origin: Origin, kind: str, since: int = 0
) -> Ahead | None:
    """What an undo or redo will change, where that is much; for use in it a moment later."""
    act = _own(connection, project, origin, kind, since)
    if act is None or act.kind not in TURNED_WHOLE or _seen(connection, project, origin):
        return None
    target = line_of(_event(connection, project, act.event))
    line = Line(0, kind, origin.author, target.id, {})
    return look_ahead(connection, project, line, target) if is_large(target) else None


def ahead_of_restore(
    connection: Connection, project: int, act: Restore, origin: Origin
) -> Ahead | None:
    """The same for a restore."""
    if _seen(connection, project, origin):
        return None
    line = Line(0, KINDS[Restore], origin.author, None, payload_of(checked(act)))
    return look_ahead(connection, project, line, None)


def _own(
    connection: Connection, project: int, origin: Origin, kind: str, since: int
) -> Row[Any] | None:
    """The act that an undo or redo of this author is about."""
    status, query = ("done", _LAST_OWN) if kind == "undo" else ("undone", _FIRST_OWN)
    keys = {"p_project": project, "p_author": origin.author, "p_status": status, "p_after": since}
    return connection.execute(query, keys).first()


def _turn(
    connection: Connection,
    project: int,
    origin: Origin,
    kind: str,
    since: int,
    ahead: Ahead | None,
) -> Event | None:
    row = open_project(connection, project)
    seen = _seen(connection, project, origin)
    if seen is not None:
        return seen
    act = _own(connection, project, origin, kind, since)
    if act is None:
        return None
    event = _append(
        connection, row, kind, {"kind": act.kind}, origin, position=act.position, undoes=act.event
    )
    status = status_after(line_of(event))
    keys = {"p_project": project, "p_event": act.event, "p_status": status}
    connection.execute(_SET_STATUS, keys)
    if act.kind in TURNED_WHOLE:
        target = line_of(_event(connection, project, act.event))
        turn(connection, project, line_of(event), target, ahead)
    else:
        _settle(connection, project, act.position, act.kind)
    return event


def _event(connection: Connection, project: int, number: int) -> Event:
    row = connection.execute(_EVENT, {"p_project": project, "p_event": number}).one()
    return event_of(row)


def _seen(connection: Connection, project: int, origin: Origin) -> Event | None:
    if origin.client is None:
        return None
    keys = {"p_project": project, "p_client": origin.client, "p_sequence": origin.sequence}
    row = connection.execute(_SEEN, keys).first()
    return None if row is None else event_of(row)


def _append(
    connection: Connection,
    project: Row[Any],
    kind: str,
    payload: dict[str, Any],
    origin: Origin,
    *,
    position: int | None = None,
    undoes: int | None = None,
) -> Event:
    values = {
        "project": project.id,
        "id": project.revision + 1,
        "kind": kind,
        "position": position,
        "undoes": undoes,
        "payload": payload,
        "author": origin.author,
        "time": origin.time or datetime.now(UTC),
    }
    numbered = {"client": origin.client, "sequence": origin.sequence}
    connection.execute(_ADD_EVENT, {**values, **numbered})
    keys = {"p_project": project.id, "p_revision": values["id"], "p_time": values["time"]}
    connection.execute(_ADVANCE, keys)
    return event_of(values)


def _stand(connection: Connection, event: Event) -> None:
    """Note a new act as in force."""
    connection.execute(_ADD_ACT, _act_row(event))


def _act_row(event: Event) -> dict[str, Any]:
    return {
        "project": event.project,
        "event": event.id,
        "kind": event.kind,
        "author": event.author,
        "position": event.position,
        "topic": event.payload.get("topic"),
        "status": "done",
    }


def _settle(connection: Connection, project: int, position: int | None, kind: str) -> None:
    if position is not None:
        settle_document(connection, project, position)
    if kind in lineage.KINDS:
        settle_topics(connection, project)
