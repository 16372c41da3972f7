"""What people did, summed up from the log of acts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from core.disagreement import Agreement, reading

WORDS = {
    "label": "labels given or changed",
    "skip": "texts skipped",
    "create_topic": "topics created",
    "rename_topic": "topics renamed",
    "delete_topic": "topics deleted",
    "merge_topics": "topics merged",
    "split_topic": "topics split",
    "lock_topic": "topics locked",
    "unlock_topic": "topics unlocked",
    "add_word": "words added to topics",
    "remove_word": "words kept out of topics",
    "release_word": "words left to the model again",
    "add_stop_word": "stop words added",
    "drop_stop_word": "stop words dropped",
    "edit_codebook": "codebook entries written",
    "batch": "imports and bulk labels",
    "restore": "returns to an earlier point",
    "use_run": "models made current",
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
    agreement: str = ""  # how well they agree, in a sentence; empty where only one labelled


def work_of(
    events: Iterable[Act],
    annotations: Mapping[int, Note] | None = None,
    *,
    agreement: Agreement | None = None,
) -> People:
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
        agreement=_agreement(agreement),
    )


def _agreement(found: Agreement | None) -> str:
    if found is None or not found.shared:
        return ""
    alpha = "" if math.isnan(found.alpha) else f" (Krippendorff’s alpha {found.alpha:.2f})"
    documents = "text was" if found.shared == 1 else "texts were"
    return (
        f"{found.shared:,} {documents} labelled by two people or more, {found.alike:,} of them "
        f"alike{alpha}. {reading(found)}"
    )
