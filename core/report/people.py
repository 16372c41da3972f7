"""What people did: labels and other events of the log, counted."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.store.history.disagreement import Agreement, agreement_sentence
from core.supervision import Supervision
from core.values import count

EVENT_PHRASES = {
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
    "remove_word": "words removed from topics",
    "release_word": "words released to the model",
    "add_stop_word": "stop words added",
    "drop_stop_word": "stop words dropped",
    "edit_codebook": "codebook entries written",
    "report": "changes to the wording of the report",
    "batch": "imports and bulk labels",
    "restore": "returns to an earlier point",
    "use_run": "models made current",
    "undo": "changes undone",
    "redo": "changes redone",
}


class LoggedEvent(Protocol):
    """The attributes of an event that this module reads."""

    @property
    def id(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def author(self) -> str: ...
    @property
    def time(self) -> datetime: ...


class LabelledDocument(Protocol):
    """The attributes of an annotation that this module reads."""

    @property
    def author(self) -> str: ...
    @property
    def event(self) -> int: ...
    @property
    def labelled(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class People:
    """Who labelled how many documents, which other events there are, and when."""

    n_labelled: int = 0  # documents
    from_file: int = 0  # of them, with a label that came with the corpus
    authors: tuple[tuple[str, int], ...] = ()  # other labels in force by author, most first
    events: tuple[tuple[str, int], ...] = ()  # kinds in words, most frequent first
    first: datetime | None = None
    last: datetime | None = None
    agreement: str = ""  # between people, as a sentence; empty if only one person labelled

    @property
    def by_whom(self) -> str:
        """“in the file”, “by 2 people”, or both with their numbers; empty without labels."""
        authors = len(self.authors)
        people = f"by {authors} people" if authors > 1 else "by one person"
        by_people = self.n_labelled - self.from_file
        if self.from_file and by_people:
            return f"{self.from_file:,} in the file, {by_people:,} {people}"
        if self.from_file:
            return "in the file"
        return people if self.n_labelled else ""

    @property
    def labelled_sentence(self) -> str:
        """How many texts are labelled and by whom, as a sentence without its full stop."""
        labelled = count(self.n_labelled, "text is labelled", "texts are labelled")
        both = self.from_file and self.n_labelled > self.from_file
        return f"{labelled}{':' if both else ''} {self.by_whom}".strip()


def labels_of_file(supervision: Supervision) -> People:
    """Nobody but the file labelled: what the command line fits."""
    n = int(supervision.labelled.sum())
    return People(n_labelled=n, from_file=n)


def summarise_people(
    events: Iterable[LoggedEvent],
    annotations: Mapping[int, LabelledDocument] | None = None,
    *,
    agreement: Agreement | None = None,
    from_file_until: int = 0,
) -> People:
    """Count the events of a log; ``annotations`` are the labels in force.

    Labels up to the event ``from_file_until`` came with the corpus, whoever had it read.
    """
    logged = list(events)
    labelled = [annotation for annotation in (annotations or {}).values() if annotation.labelled]
    by_people = [annotation for annotation in labelled if annotation.event > from_file_until]
    kinds = Counter(
        event.kind for event in logged if event.kind != "label" or event.id > from_file_until
    )
    return People(
        n_labelled=len(labelled),
        from_file=len(labelled) - len(by_people),
        authors=tuple(Counter(annotation.author for annotation in by_people).most_common()),
        events=tuple((EVENT_PHRASES.get(kind, kind), n) for kind, n in kinds.most_common()),
        first=min((event.time for event in logged), default=None),
        last=max((event.time for event in logged), default=None),
        agreement=_agreement(agreement),
    )


def _agreement(found: Agreement | None) -> str:
    if found is None or not found.shared:
        return ""
    alpha = "" if math.isnan(found.alpha) else f" (Krippendorff’s alpha {found.alpha:.2f})"
    documents = "text was" if found.shared == 1 else "texts were"
    return (
        f"{found.shared:,} {documents} labelled by two people or more, {found.alike:,} of them "
        f"in the same way{alpha}. {agreement_sentence(found)}"
    )
