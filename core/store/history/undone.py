"""Which revisions of a project stood on something that has been undone since.

A run is fitted to what was in force at its revision. If any of that has been taken back, by an undo
or by restoring an earlier point, the run describes work that nobody did in the end. A label that
was replaced by a later one is no such case: correcting labels is how they become better.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import Connection, select

from core.store.events.effects import KINDS_WITHOUT_EFFECT
from core.store.events.in_force import ADD_TEXTS, DONE, LogEntry, batch_members, status_of_events
from core.store.state.log_lines import read_log_lines
from core.store.tables import event_status


def undone_revisions(log: Sequence[LogEntry], revisions: Iterable[int]) -> frozenset[int]:
    """Of these revisions, those at which something was in force that no longer is."""
    wanted = set(revisions)
    of_texts = _with_other_texts(log, wanted)
    lost = _lost(log)
    if not lost:
        return of_texts
    ids, counts = [event.id for event in log], _counts_in_force(log, lost)
    places = ((revision, bisect_right(ids, revision)) for revision in wanted)
    return of_texts | {revision for revision, place in places if place and counts[place - 1]}


def _with_other_texts(log: Sequence[LogEntry], revisions: Collection[int]) -> frozenset[int]:
    """Revisions at which there were texts that have been taken back since."""
    added = {event.id for event in log if event.kind == ADD_TEXTS}
    there = [range(e.undoes, e.id) for e in log if e.undoes is not None and e.undoes in added]
    return frozenset(each for each in revisions if any(each in stretch for stretch in there))


def _lost(log: Sequence[LogEntry]) -> frozenset[int]:
    """Events out of force at the end of a log; the head of a batch stands for all of its events."""
    final = status_of_events(log)
    lost = {
        event.id
        for event in log
        if final.get(event.id, DONE) != DONE
        and event.kind not in (*KINDS_WITHOUT_EFFECT, ADD_TEXTS)
    }
    for event in log:
        if event.id in lost:
            lost.difference_update(batch_members(event))
    return frozenset(lost)


def _counts_in_force(log: Sequence[LogEntry], events: Collection[int]) -> Sequence[int]:
    """After each event of a log: how many of these events are in force then.

    One step for each event: only what is in force can be undone, and a restore brings back the
    number at its point, without restores before it. What is rare looks at the log before it again:
    the undo of a restore, or of a batch of which a restore has taken back a part.
    """
    ids = [event.id for event in log]
    restores = {event.id for event in log if event.kind == "restore"}
    parts = {e.id for e in log if any(number in events for number in batch_members(e))}
    counts, totals = array("q"), array("q")  # without restores, and with them
    now = of_restores = 0
    for place, event in enumerate(log):
        if event.undoes in restores or event.undoes in parts:
            status = status_of_events(log[: place + 1])
            done = {number for number in events if status.get(number) == DONE}
            now, of_restores = len(done - restores), len(done & restores)
        elif event.undoes is not None:
            now += (event.undoes in events) * (1 if event.kind == "redo" else -1)
        elif event.kind == "restore":
            point = bisect_right(ids, int(event.payload["to"]), 0, place)
            now, of_restores = counts[point - 1] if point else 0, int(event.id in events)
        else:
            now += event.id in events
        counts.append(now)
        totals.append(now + of_restores)
    return totals


def read_undone_revisions(
    connection: Connection, project: int, revisions: Iterable[int]
) -> frozenset[int]:
    """The same for a project; its log is read only if anything on it is out of force."""
    anything = select(event_status.c.event).where(
        event_status.c.project == project, event_status.c.status != DONE
    )
    if connection.scalar(anything.limit(1)) is None:
        return frozenset()
    return undone_revisions(read_log_lines(connection, project), revisions)
