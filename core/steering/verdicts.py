"""How far a fit could follow an operation: fully, partly or not, and why.

A pure comparison of the topics before and after. The sentences are for the analyst; none of them
promises more than what was looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from core.steering.operation_case import FIRST_WORDS, FittedTopics, OperationCase, verdict_on
from core.store.runs.outcome import OperationVerdict
from core.store.values import Event
from core.supervision import TopicKey
from core.topics import Topics

NEAR_WORDS = 50  # words among which an added one counts as on its way
SAME_COSINE = 0.9  # cosine of two topics that say the same
MIN_KEPT_SHARE = 0.5  # share of documents that must stay with a merged topic
NO_TOPIC = -1  # the topic of an event that is about none
WEIGHT_TOLERANCE = 1e-4  # difference of weights that is no difference


def judge_operation(
    event: Event,
    after: FittedTopics,
    before: FittedTopics | None = None,
    *,
    held: frozenset[int] = frozenset(),
) -> OperationVerdict | None:
    """The verdict on one event; None for one that asks nothing of a fit, as a single label does."""
    judge = OPERATION_JUDGES.get(event.kind)
    if judge is None or not _concerns(event, after.names):
        return None
    # A model whose topics are not the labels' own cannot be given their words either.
    takes_word_rules = after.topics.spec.labels_own_topics
    case = OperationCase(event=event, after=after, before=before, held=held, words=takes_word_rules)
    return judge(case)


def _concerns(event: Event, names: Mapping[int, str]) -> bool:
    """Whether the topics an event is about are still there; a later one may have ended them."""
    if event.kind == "split_topic":
        return sum(child["topic"] in names for child in event.payload["children"]) > 1
    topic = event.payload.get("topic", NO_TOPIC)
    return event.kind == "delete_topic" or topic in {*names, NO_TOPIC}


def judge_labels(
    batch: Event, labels: Sequence[Event], after: FittedTopics
) -> OperationVerdict | None:
    """The verdict on labels given together, as when documents are moved."""
    topics, weights = after.topics, after.topics.doc_topic
    kept = 0
    for event in labels:
        permitted = [topics.column(key) for key in event.payload["permitted"]]
        row = weights[event.position]
        kept += bool(row.any()) and int(row.argmax()) in permitted
    if not labels:
        return None
    outcome = f"{kept:,} of {_documents(len(labels))} hold mainly what they were labelled with"
    if kept == len(labels):
        return verdict_on(batch, "fully", f"{outcome}.")
    others = "the other has" if len(labels) - kept == 1 else "the others have"
    why = f"{others} no words the model reads" if topics.spec.labels_own_topics else NOT_RULES
    return verdict_on(batch, "partly" if kept else "not", f"{outcome}; {why}.")


NOT_RULES = "for this model labels are hints, not rules"
NOT_STEERED = "model does not follow operations on topics"
ONLY_TSNMF_CAN = f"This {NOT_STEERED}; only TS-NMF can"


def _merged(case: OperationCase) -> OperationVerdict:
    names = case.name
    if case.column is None:
        why = f"this {NOT_STEERED}; only TS-NMF can merge topics"
        return case.partly_done(f"The labels are one now, but {why}.")
    if case.before is None:
        return case.done(f"{names} takes the place of the merged topics.")
    columns = [case.before.topics.column(t) for t in (case.topic, *case.payload["topics"])]
    were = [case.before.mainly(c) for c in columns if c is not None]
    all_were = np.unique(np.concatenate(were)) if were else np.empty(0, int)
    stayed = np.intersect1d(all_were, case.after.mainly(case.column)).size
    if not all_were.size:
        return case.done(f"{names} takes their place; no text was mainly about any of them.")
    outcome = f"{stayed:,} of their {_documents(all_were.size)} are mainly in {names} now"
    if stayed < MIN_KEPT_SHARE * all_were.size:
        return case.partly_done(f"One topic, but only {outcome}; labelling some more will help.")
    return case.done(f"One topic: {outcome}.")


def _split(case: OperationCase) -> OperationVerdict:
    if not case.after.topics.spec.labels_own_topics:
        return case.not_done(f"{ONLY_TSNMF_CAN} split one.")
    columns = (case.after.topics.column(child["topic"]) for child in case.payload["children"])
    found = [column for column in columns if column is not None]
    names = [f"“{case.after.titles[c]}”" for c in found]
    sizes = [case.after.mainly(c).size for c in found]
    outcome = _listed([f"{_documents(n)} in {name}" for n, name in zip(sizes, names, strict=True)])
    empty = [name for n, name in zip(sizes, names, strict=True) if not n]
    if len(empty) >= len(found) - 1:
        return case.not_done(f"All stayed together: {outcome}. Label some of each part.")
    if empty:
        return case.partly_done(f"No text is mainly about {_listed(empty)}: {outcome}.")
    if (cosine := _max_cosine(case.after.topics, found)) > SAME_COSINE:
        return case.partly_done(f"The parts hardly differ in their words (cosine {cosine:.2f}).")
    return case.done(f"{len(found)} topics in place of one: {outcome}.")


def _created(case: OperationCase) -> OperationVerdict:
    if case.column is None:
        return case.not_done(f"No topic of this model stands for {case.name} yet; label more.")
    n = case.after.mainly(case.column).size
    if not n:
        why = "label some texts with it, or add words"
        return case.partly_done(f"No text is mainly about {case.name}; {why}.")
    return case.done(f"{_documents(n)} {_are(n)} mainly about {case.name}.")


def _deleted(case: OperationCase) -> OperationVerdict:
    gone = None if case.before is None else case.before.topics.column(case.topic)
    if case.before is None or gone is None:
        return case.done("The topic is gone, and its labels are set aside.")
    free = range(case.after.topics.n_supervised, len(case.after.topics))
    row = case.before.topics.topic_term[gone]
    for k in free if row.size == case.after.topics.topic_term.shape[1] else ():
        if float(row @ case.after.topics.topic_term[k]) > SAME_COSINE:
            name = case.after.titles[k]
            return case.partly_done(f"It is gone, but “{name}” found nearly the same words again.")
    return case.done("The topic is gone, and its labels are set aside.")


def _locked(case: OperationCase) -> OperationVerdict:
    if case.column is None or not case.words:
        return case.not_done(f"{ONLY_TSNMF_CAN} keep words.")
    place = {term: t for t, term in enumerate(case.after.topics.terms)}
    wanted: Mapping[str, float] = case.payload["words"]
    known = {word: weight for word, weight in wanted.items() if word in place}
    length = float(np.linalg.norm(list(known.values()))) or 1.0
    row = case.after.topics.topic_term[case.column]
    off = [
        word
        for word, weight in known.items()
        if abs(row[place[word]] - weight / length) > WEIGHT_TOLERANCE
    ]
    lost = [*off, *(word for word in wanted if word not in place)]
    if lost:
        some = _listed([f"“{word}”" for word in lost[:3]])
        return case.partly_done(f"All its words are kept but {len(lost)}, such as {some}.")
    return case.done(f"All {len(known):,} words of {case.name} kept their weights exactly.")


def _unlocked(case: OperationCase) -> OperationVerdict:
    return case.done(f"The words of {case.name} follow the texts again.")


def _removed_word(case: OperationCase) -> OperationVerdict:
    word = case.payload["word"]
    if case.column is None:
        return case.not_done(f"{ONLY_TSNMF_CAN} leave a word out.")
    place = _place(case.after.topics, word)
    if place is not None and case.after.topics.topic_term[case.column, place] > 0:
        return case.not_done(f"“{word}” still has weight in {case.name}; this {NOT_STEERED}.")
    gained = [
        k
        for k in range(len(case.after.topics))
        if k != case.column and word in case.after.first_words(k)
    ]
    if not gained:
        return case.done(f"“{word}” is out of {case.name}.")
    others = _listed([f"“{case.after.titles[k]}”" for k in gained[:3]])
    outcome = f"“{word}” is out of {case.name}, and among the first words of {others}"
    if all(_had_word(case.before, case.after.topics.keys[k], word) for k in gained):
        return case.done(f"{outcome}, as before.")
    return case.partly_done(f"{outcome} now.")


def _had_word(before: FittedTopics | None, key: TopicKey, word: str) -> bool:
    """Whether a topic had a word among its first ones before."""
    column = None if before is None else before.topics.column(key)
    return before is not None and column is not None and word in before.first_words(column)


def _added_word(case: OperationCase) -> OperationVerdict:
    word = case.payload["word"]
    place = _place(case.after.topics, word)
    if place is None:
        return case.not_done(f"No text that the model reads holds “{word}”.")
    if case.column is None:
        return case.not_done(f"{ONLY_TSNMF_CAN} add a word.")
    if case.topic in case.held:
        return case.not_done(f"{case.name} is locked; unlock it to add “{word}”.")
    row = case.after.topics.topic_term[case.column]
    rank = int((row > row[place]).sum()) + 1
    if row[place] > 0 and rank <= FIRST_WORDS:
        return case.done(f"“{word}” is word {rank} of {case.name}.")
    if row[place] > 0 and rank <= NEAR_WORDS:
        why = "add it again with more strength"
        return case.partly_done(f"“{word}” reached place {rank} in {case.name}; {why}.")
    return case.not_done(f"“{word}” did not come near the first words of {case.name}.")


def _stopped(case: OperationCase) -> OperationVerdict:
    word, titles = case.payload["word"], case.after.titles
    place = _place(case.after.topics, word)
    if place is None:
        return case.done(f"“{word}” is a stop word; no text the model reads held it.")
    seen = [name for k, name in enumerate(titles) if word in case.after.first_words(k)]
    if seen:
        return case.not_done(f"“{word}” is still among the first words of “{seen[0]}”.")
    return case.done(f"“{word}” is a stop word now: no topic uses it.")


def _read_again(case: OperationCase) -> OperationVerdict:
    return case.done(f"“{case.payload['word']}” counts as a word again.")


def _renamed(case: OperationCase) -> OperationVerdict:
    return case.done(f"The topic is called {case.name} now.")


def _released(case: OperationCase) -> OperationVerdict:
    return case.done(f"“{case.payload['word']}” in {case.name} has no rule any more.")


OPERATION_JUDGES: Mapping[str, Callable[[OperationCase], OperationVerdict]] = {
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


def _max_cosine(topics: Topics, columns: Sequence[int]) -> float:
    rows = topics.topic_term[list(columns)]
    cosines = rows @ rows.T - 2 * np.eye(len(rows))
    return float(cosines.max(initial=-1.0))


def _place(topics: Topics, word: str) -> int | None:
    return topics.terms.index(word) if word in topics.terms else None


def _documents(n: int) -> str:
    return "1 text" if n == 1 else f"{n:,} texts"


def _are(n: int) -> str:
    return "is" if n == 1 else "are"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
