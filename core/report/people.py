"""What people did: labels and other events of the log, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from core.report.privacy import PersonNames
from core.store import Event
from core.store.history.agreement_sentences import (
    agreement_sentence,
    alpha_words,
    counted_sentence,
)
from core.store.history.disagreement import Agreement
from core.store.history.imported_labels import imported_events
from core.supervision import Supervision
from core.values import count

EVENT_PHRASES = {
    "label": "labels given or changed",
    "blind_label": "labels given or changed in double coding",
    "double_coding": "settings of double coding",
    "assign_texts": "assignments of texts",
    "highlight": "words highlighted",
    "drop_highlight": "highlights removed",
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
    "edit_codebook": "edits of the codebook",
    "report": "changes to the report",
    "memo": "memos written",
    "add_texts": "files of texts added",
    "save_search": "searches saved, changed or removed",
    "batch": "several changes at once, such as imports and bulk labels",
    "restore": "returns to an earlier point",
    "use_run": "models made current",
    "undo": "changes undone",
    "redo": "changes redone",
}


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
    from_file: int = 0  # of them, with a label that was imported, with the corpus or later
    authors: tuple[tuple[str, int], ...] = ()  # other labels in force by author, most first
    events: tuple[tuple[str, int], ...] = ()  # kinds in words, most frequent first
    first: datetime | None = None
    last: datetime | None = None
    agreement: str = ""  # between people, in sentences; empty if only one person labelled
    pairs: tuple[tuple[str, str, int, int], ...] = ()  # two people, texts of both, judged alike
    agreement_by_topic: tuple[tuple[str, int, int, str], ...] = ()
    # topic, texts that one of the two gave it to, texts that both did, alpha with its interval
    n_people: int = 0  # that labelled, also where they are not told one by one

    def shown_as(self, names: PersonNames) -> People:
        """With people as a report calls them, or without them."""
        if not names.shown:
            return replace(self, authors=(), pairs=(), n_people=self.n_people)
        return replace(
            self,
            authors=tuple((names.name(author), n) for author, n in self.authors),
            pairs=tuple((names.name(a), names.name(b), n, m) for a, b, n, m in self.pairs),
        )

    @property
    def by_whom(self) -> str:
        """“from a file”, “by 2 people”, or both with their numbers; empty without labels."""
        authors = self.n_people or len(self.authors)
        people = f"by {authors} people" if authors > 1 else "by one person"
        by_people = self.n_labelled - self.from_file
        if self.from_file and by_people:
            return f"{self.from_file:,} from a file, {by_people:,} {people}"
        if self.from_file:
            return "from a file"
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
    events: Iterable[Event],
    annotations: Mapping[int, LabelledDocument] | None = None,
    *,
    agreement: Agreement | None = None,
    topic_names: Mapping[int, str] | None = None,
    from_file_until: int = 0,
) -> People:
    """Count the events of a log; ``annotations`` are the labels in force.

    Labels up to the event ``from_file_until`` came with the corpus, whoever had it read; those
    imported later are nobody's work here, either.
    ``topic_names``: of the topics that may be told.
    """
    logged = list(events)
    labelled = [annotation for annotation in (annotations or {}).values() if annotation.labelled]
    imported = imported_events(logged, from_file_until)
    by_people = [annotation for annotation in labelled if annotation.event not in imported]
    kinds = Counter(
        event.kind for event in logged if event.kind != "label" or event.id not in imported
    )
    authors = Counter(annotation.author for annotation in by_people).most_common()
    return People(
        n_labelled=len(labelled),
        from_file=len(labelled) - len(by_people),
        authors=tuple(authors),
        n_people=len(authors),
        events=tuple((EVENT_PHRASES.get(kind, kind), n) for kind, n in kinds.most_common()),
        first=min((event.time for event in logged), default=None),
        last=max((event.time for event in logged), default=None),
        agreement=_agreement(agreement),
        pairs=() if agreement is None else _pairs(agreement),
        agreement_by_topic=() if agreement is None else _by_topic(agreement, topic_names or {}),
    )


def _agreement(found: Agreement | None) -> str:
    if found is None or not (found.shared or found.in_sight):
        return ""
    if not found.shared:
        return f"{agreement_sentence(found)} {counted_sentence(found)}"
    alpha = alpha_words(found.alpha, found.interval)
    documents = "text was" if found.shared == 1 else "texts were"
    return (
        f"{found.shared:,} {documents} labelled by two people, {found.alike:,} of them in the same "
        f"way. Krippendorff’s alpha: {alpha}. {agreement_sentence(found)} {counted_sentence(found)}"
    )


def _by_topic(found: Agreement, names: Mapping[int, str]) -> tuple[tuple[str, int, int, str], ...]:
    return tuple(
        (names[each.topic], each.texts, each.both, alpha_words(each.alpha, each.interval))
        for each in found.by_topic
        if each.topic in names
    )


def _pairs(found: Agreement) -> tuple[tuple[str, str, int, int], ...]:
    return tuple((pair.first, pair.second, pair.shared, pair.alike) for pair in found.pairs)
