"""Several events in one transaction, each on its own: as a new project's first events are."""

from __future__ import annotations

from collections.abc import Iterable

from core.store import Event, NewEvent, Store
from core.store.events import log
from core.store.events.bulk_labels import group_labels
from core.store.events.origin import Origin


def record_several(
    store: Store, project: int, several: Iterable[NewEvent], *, author: str
) -> list[Event]:
    """All of them or none."""
    origin, grouped = Origin(author).checked(), group_labels(several)
    with store._database.write() as connection:
        numbers = log.record_many(connection, project, grouped, origin)
    return store.events(project, after=numbers.start - 1, limit=len(numbers))
