"""How far a fit could follow an operation: fully, partly or not, and why.

A pure comparison of the topics before and after. The sentences are for the analyst; none of them
promises more than what was looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np

from core.store.values import Event
from core.topics import Topics

Degree = Literal["fully", "partly", "not"]
FIRST = 10  # words that people see
NEAR = 50  # words among which an added one counts as on its way
SAME = 0.9  # cosine of two topics that say the same
KEPT = 0.5  # share of documents that must stay with a merged topic
NOBODY = -1  # the topic of an act that is about none
CLOSE = 1e-4  # difference of weights that is no difference


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one operation."""

    degree: Degree
    sentence: str

    def to_dict(self) -> dict[str, str]:
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class Fitted:
    """A fit, and which of its columns are which topics of the project."""

    topics: Topics
    columns: Mapping[int, int]  # by topic number
    names: Mapping[int, str]  # of the topics in force

    def mainly(self, column: int) -> np.ndarray:
        """Positions of the documents that hold more of this topic than of any other."""
        weights = self.topics.doc_topic
        used = weights.max(axis=1, initial=0) > 0
        return np.flatnonzero(used & (weights.argmax(axis=1) == column))

    def first_words(self, column: int, n: int = FIRST) -> list[str]:
        return [term for term, _ in self.topics.top_terms(column, n)]

    def name(self, topic: int) -> str:
        return f"“{self.names.get(topic, 'a topic that is gone')}”"


@dataclass(frozen=True, kw_only=True)
class Case:
    """An act with what it met and what came of it."""

    payload: Mapping[str, Any]
    after: Fitted
    before: Fitted | None = None
    held: frozenset[int] = field(default_factory=frozenset)  # topics locked now
    words: bool = True  # the model can be told which words a topic has

    @property
    def topic(self) -> int:
        return int(self.payload["topic"])

    @property
    def column(self) -> int | None:
        return self.after.columns.get(self.topic)

    @property
    def name(self) -> str:
        return self.after.name(self.topic)


def judged(
    event: Event,
    after: Fitted,
    before: Fitted | None = None,
    *,
    held: frozenset[int] = frozenset(),
) -> Verdict | None:
    """The verdict on one act; None for acts that ask nothing of a fit, as a single label does."""
    judge = JUDGES.get(event.kind)
    if judge is None or not _concerns(event, after.names):
        return None
    # A model whose topics are not the labels' own cannot be told their words either.
    told = after.topics.spec.obeys
    case = Case(payload=event.payload, after=after, before=before, held=held, words=told)
    return judge(case)


def _concerns(event: Event, names: Mapping[int, str]) -> bool:
    """Whether the topics an act is about are still there; a later act may have ended them."""
    if event.kind == "split_topic":
        return sum(child["topic"] in names for child in event.payload["children"]) > 1
    return event.kind == "delete_topic" or event.payload.get("topic", NOBODY) in {*names, NOBODY}


def judged_labels(labels: Sequence[Event], after: Fitted) -> Verdict | None:
    """The verdict on labels given together, as when documents are moved."""
    topics, weights = after.topics, after.topics.doc_topic
    kept = 0
    for event in labels:
        permitted = [after.columns[t] for t in event.payload["permitted"] if t in after.columns]
        row = weights[event.position]
        kept += bool(row.any()) and int(row.argmax()) in permitted
    if not labels:
        return None
    told = f"{kept:,} of {_documents(len(labels))} hold mainly what they were labelled with"
    if kept == len(labels):
        return Verdict("fully", f"{told}.")
    why = "the others have no words the model reads" if topics.spec.obeys else NOT_RULES
    return Verdict("partly" if kept else "not", f"{told}; {why}.")


NOT_RULES = "for this model labels are hints, not rules"
BY_ITSELF = "model finds its topics by itself"
OWN_TOPICS = f"This {BY_ITSELF}; only TS-NMF can be told"


def _merged(case: Case) -> Verdict:
    names = case.name
    if case.column is None:
        why = f"this {BY_ITSELF}; only TS-NMF can be told to merge topics"
        return Verdict("partly", f"The labels are one now, but {why}.")
    if case.before is None:
        return Verdict("fully", f"{names} takes the place of the merged topics.")
    columns = [case.before.columns.get(t) for t in (case.topic, *case.payload["topics"])]
    were = [case.before.mainly(c) for c in columns if c is not None]
    all_were = np.unique(np.concatenate(were)) if were else np.empty(0, int)
    stayed = np.intersect1d(all_were, case.after.mainly(case.column)).size
    told = f"{stayed:,} of their {_documents(all_were.size)} are mainly in {names} now"
    if all_were.size and stayed < KEPT * all_were.size:
        return Verdict("partly", f"One topic, but only {told}; labelling some more will help.")
    return Verdict("fully", f"One topic: {told}.")


def _split(case: Case) -> Verdict:
    if not case.after.topics.spec.obeys:
        return Verdict("not", f"{OWN_TOPICS} to split one.")
    children = [child["topic"] for child in case.payload["children"]]
    found = [case.after.columns[child] for child in children if child in case.after.columns]
    names = [f"“{case.after.topics.names[c]}”" for c in found]
    sizes = [case.after.mainly(c).size for c in found]
    told = _listed([f"{_documents(n)} in {name}" for n, name in zip(sizes, names, strict=True)])
    empty = [name for n, name in zip(sizes, names, strict=True) if not n]
    if len(empty) >= len(found) - 1:
        return Verdict("not", f"All stayed together: {told}. Label some of each part.")
    if empty:
        return Verdict("partly", f"No text is mainly about {_listed(empty)}: {told}.")
    if (alike := _most_alike(case.after.topics, found)) > SAME:
        return Verdict("partly", f"The parts hardly differ in their words (cosine {alike:.2f}).")
    return Verdict("fully", f"It came apart: {told}.")


def _created(case: Case) -> Verdict:
    if case.column is None:
        return Verdict("not", f"No topic of this model stands for {case.name} yet; label more.")
    n = case.after.mainly(case.column).size
    if not n:
        why = "label some texts with it, or add words"
        return Verdict("partly", f"No text is mainly about {case.name}; {why}.")
    return Verdict("fully", f"{_documents(n)} {_are(n)} mainly about {case.name}.")


def _deleted(case: Case) -> Verdict:
    gone = None if case.before is None else case.before.columns.get(case.topic)
    if case.before is None or gone is None:
        return Verdict("fully", "The topic is gone, and its labels are set aside.")
    free = [k for k in range(len(case.after.topics)) if k not in case.after.columns.values()]
    row = case.before.topics.topic_term[gone]
    for k in free if row.size == case.after.topics.topic_term.shape[1] else ():
        if float(row @ case.after.topics.topic_term[k]) > SAME:
            name = case.after.topics.names[k]
            return Verdict("partly", f"It is gone, but “{name}” found nearly the same words again.")
    return Verdict("fully", "The topic is gone, and its labels are set aside.")


def _locked(case: Case) -> Verdict:
    if case.column is None or not case.words:
        return Verdict("not", f"{OWN_TOPICS} to keep words.")
    place = {term: t for t, term in enumerate(case.after.topics.terms)}
    wanted: Mapping[str, float] = case.payload["words"]
    known = {word: weight for word, weight in wanted.items() if word in place}
    length = float(np.linalg.norm(list(known.values()))) or 1.0
    row = case.after.topics.topic_term[case.column]
    off = [w for w, weight in known.items() if abs(row[place[w]] - weight / length) > CLOSE]
    lost = [*off, *(word for word in wanted if word not in place)]
    if lost:
        some = _listed([f"“{word}”" for word in lost[:3]])
        return Verdict("partly", f"All its words are kept but {len(lost)}, such as {some}.")
    return Verdict("fully", f"All {len(known):,} words of {case.name} kept their weights exactly.")


def _unlocked(case: Case) -> Verdict:
    return Verdict("fully", f"The words of {case.name} follow the texts again.")


def _removed_word(case: Case) -> Verdict:
    word = case.payload["word"]
    if case.column is None:
        return Verdict("not", f"{OWN_TOPICS} to leave a word out.")
    place = _place(case.after.topics, word)
    if place is not None and case.after.topics.topic_term[case.column, place] > 0:
        return Verdict("not", f"“{word}” still has weight in {case.name}; this {BY_ITSELF}.")
    gained = [
        k
        for k in range(len(case.after.topics))
        if k != case.column and word in case.after.first_words(k)
    ]
    if not gained:
        return Verdict("fully", f"“{word}” is out of {case.name}.")
    others = _listed([f"“{case.after.topics.names[k]}”" for k in gained[:3]])
    told = f"“{word}” is out of {case.name}, and among the first words of {others}"
    was = case.before is not None and all(
        word in case.before.first_words(k) for k in gained if k < len(case.before.topics)
    )
    return Verdict("fully", f"{told}, as before.") if was else Verdict("partly", f"{told} now.")


def _added_word(case: Case) -> Verdict:
    word = case.payload["word"]
    place = _place(case.after.topics, word)
    if place is None:
        return Verdict("not", f"No text that the model reads holds “{word}”.")
    if case.column is None:
        return Verdict("not", f"{OWN_TOPICS} to add a word.")
    if case.topic in case.held:
        return Verdict("not", f"{case.name} is locked; unlock it to add “{word}”.")
    row = case.after.topics.topic_term[case.column]
    rank = int((row > row[place]).sum()) + 1
    if row[place] > 0 and rank <= FIRST:
        return Verdict("fully", f"“{word}” is word {rank} of {case.name}.")
    if row[place] > 0 and rank <= NEAR:
        why = "add it again with more strength"
        return Verdict("partly", f"“{word}” reached place {rank} in {case.name}; {why}.")
    return Verdict("not", f"“{word}” did not come near the first words of {case.name}.")


def _stopped(case: Case) -> Verdict:
    word, topics = case.payload["word"], case.after.topics
    place = _place(topics, word)
    if place is None:
        return Verdict("fully", f"“{word}” is not read; no text the model reads held it.")
    seen = [name for k, name in enumerate(topics.names) if word in case.after.first_words(k)]
    if seen:
        return Verdict("not", f"“{word}” is still among the first words of “{seen[0]}”.")
    return Verdict("fully", f"“{word}” is not read any more.")


def _read_again(case: Case) -> Verdict:
    return Verdict("fully", f"“{case.payload['word']}” is read again.")


def _renamed(case: Case) -> Verdict:
    return Verdict("fully", f"The topic is called {case.name} now.")


def _released(case: Case) -> Verdict:
    return Verdict("fully", f"“{case.payload['word']}” in {case.name} is left to the model again.")


JUDGES: Mapping[str, Callable[[Case], Verdict]] = {
    "create_topic": _created,
    "rename_topic": _renamed,
    "delete_topic": _deleted,
    "merge_topics": _merged,
    "split_topic": _split,
    "lock_topic": _locked,
    "unlock_topic": _unlocked,
    "add_word": _added_word,
    "remove_word": _removed_word,
    "release_word": _released,
    "add_stop_word": _stopped,
    "drop_stop_word": _read_again,
}


def _most_alike(topics: Topics, columns: Sequence[int]) -> float:
    rows = topics.topic_term[list(columns)]
    likeness = rows @ rows.T - 2 * np.eye(len(rows))
    return float(likeness.max(initial=-1.0))


def _place(topics: Topics, word: str) -> int | None:
    return topics.terms.index(word) if word in topics.terms else None


def _documents(n: int) -> str:
    return "1 text" if n == 1 else f"{n:,} texts"


def _are(n: int) -> str:
    return "is" if n == 1 else "are"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
