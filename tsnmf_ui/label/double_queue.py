"""The queue of one person where some texts are labelled by two people, mixed in among the others.

A text that somebody else has labelled looks the same as one that nobody has labelled yet.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.queue import QueueItem
from tsnmf_ui.label.snapshot import Snapshot

SECOND_EVERY = 4  # every so many texts comes one that waits for a second person
DOUBLED = "double"  # the kind of reason
DOUBLED_REASON = "Two people label this text"


def queue_for(queue: Sequence[QueueItem], snapshot: Snapshot, author: str) -> list[QueueItem]:
    """Without texts that this person has labelled; those that wait for a second come in turn."""
    mine = snapshot.spoken_by(author)
    others = snapshot.spoken_by_others(author) - mine - snapshot.skipped
    first = [
        _marked(item, snapshot)
        for item in queue
        if item.position not in mine and item.position not in others
    ]
    second = [QueueItem(position, DOUBLED, DOUBLED_REASON) for position in sorted(others)]
    turn = len(snapshot.labelled) + len(snapshot.skipped) + len(mine)
    return _in_turn(first, second, SECOND_EVERY - 1 - turn % SECOND_EVERY)


def _in_turn(
    first: Sequence[QueueItem], second: Sequence[QueueItem], until: int
) -> list[QueueItem]:
    """One of the second after ``until`` of the first, then one at regular distances."""
    found: list[QueueItem] = list(first[:until])
    start = until
    for item in second:
        found += [item, *first[start : start + SECOND_EVERY - 1]]
        start += SECOND_EVERY - 1
    return found + list(first[start:])


def _marked(item: QueueItem, snapshot: Snapshot) -> QueueItem:
    if not snapshot.is_doubled(item.position):
        return item
    return QueueItem(item.position, DOUBLED, DOUBLED_REASON, item.value)
