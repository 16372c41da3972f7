"""What people did, summed up from the log of acts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

WORDS = {
    "label": "labels given or changed",
    "skip": "documents skipped",
    "create_topic": "topics created",
    "rename_topic": "topics renamed",
    "delete_topic": "topics deleted",
    "undo": "acts undone",
    "redo": "acts redone",
}


class Act(Protocol):
    """A line of the log, as far as this module reads it."""

    @property
    def kind(self) -> str: ...
    @property
    def author(self) -> str: ...
    @property
    def time(self) -> datetime: ...


class Note(Protocol):
    """What is known of one labelled document, as far as this module reads it."""

    @property
    def author(self) -> str: ...
    @property
    def labelled(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class People:
    """Who labelled how much, what else was done, and when."""

    n_labelled: int = 0
    authors: tuple[tuple[str, int], ...] = ()  # labels in force by author, most first
    acts: tuple[tuple[str, int], ...] = ()  # in words, most frequent first
    first: datetime | None = None
    last: datetime | None = None


def work_of(events: Iterable[Act], annotations: Mapping[int, Note] | None = None) -> People:
    """Sum up the log; ``annotations`` are the labels in force."""
    log = list(events)
    notes: list[Any] = [note for note in (annotations or {}).values() if note.labelled]
    kinds = Counter(event.kind for event in log)
    return People(
        n_labelled=len(notes),
        authors=tuple(Counter(note.author for note in notes).most_common()),
        acts=tuple((WORDS.get(kind, kind), n) for kind, n in kinds.most_common()),
        first=min((event.time for event in log), default=None),
        last=max((event.time for event in log), default=None),
    )
