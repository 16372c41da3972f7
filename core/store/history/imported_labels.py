"""Which labels came from a file or a column: they are nobody's judgement of a text here.

They carry the name of whoever imported them, because somebody has to be able to undo them.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.store.events.in_force import batch_members
from core.store.values import Event

IMPORT_TITLE = "Import of "  # begins the title of a batch of imported labels


def imported_events(events: Iterable[Event], from_file_until: int = 0) -> frozenset[int]:
    """The events up to ``from_file_until``, which came with the corpus, and those of imports."""
    heads = (event for event in events if event.kind == "batch")
    batches = (batch_members(head) for head in heads if _is_import(head))
    return frozenset(range(1, from_file_until + 1)).union(*batches)


def _is_import(head: Event) -> bool:
    return str(head.payload["title"]).startswith(IMPORT_TITLE)
