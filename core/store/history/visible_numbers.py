"""Which events are lines of the history: a batch is one line, its events are shown on request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, select, text

from core.store.events.event_rows import ParsedPayloads
from core.store.history.some_events import payloads_of
from core.store.tables import NO_LABELS, event_status


class Batch(NamedTuple):
    """The head of a batch, and its events."""

    head: int
    members: range


def read_batches(connection: Connection, project: int) -> list[Batch]:
    """All batches of a project, oldest first."""
    heads = select(event_status.c.event).where(
        event_status.c.project == project, text(NO_LABELS), event_status.c.kind == "batch"
    )
    payloads = ParsedPayloads()
    found = payloads_of(connection, project, list(connection.scalars(heads)))
    return [
        Batch(head, range(head + 1, head + 1 + int(payloads[payload]["count"])))
        for head, payload in sorted(found)
    ]


class VisibleNumbers:
    """The numbers of the lines of a log: all events, without those of batches.

    Numbers follow one another without a gap, so that no event has to be read to count them.
    """

    def __init__(self, last: int, batches: Sequence[Batch], within: range | None = None) -> None:
        self._ranges = [within] if within is not None else list(_between(last, batches))

    def __len__(self) -> int:
        return sum(map(len, self._ranges))

    def newest(self, limit: int, offset: int) -> list[int]:
        """So many, newest first, after the ``offset`` newest."""
        found: list[int] = []
        for each in reversed(self._ranges):
            backwards = each[::-1]
            found += backwards[offset : offset + limit - len(found)]
            offset = max(0, offset - len(each))
            if len(found) == limit:
                break
        return found


def _between(last: int, batches: Sequence[Batch]) -> Iterator[range]:
    begin = 1
    for head, members in batches:
        yield range(begin, head + 1)
        begin = members.stop
    yield range(begin, last + 1)
