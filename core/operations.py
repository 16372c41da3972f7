"""What an analyst can do to topics: pure functions from a project's state to acts on its log.

>>> from core import operations
>>> state = store.state(project)
>>> operation = operations.merge(state, (2, 5), name="Water and drains")
>>> store.record_batch(project, operation.title, operation.acts, author="ann")

Nothing here touches a store or a fit. ``foreseen`` tells the state that an operation leads to;
after the refit, ``core.honoured`` tells how far the model could follow it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np
import scipy.sparse as sp

from core.errors import NotFound, StoreError
from core.matrix import DocumentTermMatrix
from core.starts import divided_topics
from core.store.acts import Act, CreateTopic, DeleteTopic, Label, RenameTopic
from core.store.checks import WORDS_LIMIT
from core.store.fold import State
from core.store.foresight import foreseen
from core.store.requirements import NEW
from core.store.topic_acts import (
    AddStopWord,
    AddWord,
    Child,
    DropStopWord,
    LockTopic,
    MergeTopics,
    ReleaseWord,
    RemoveWord,
    SplitTopic,
    UnlockTopic,
)
from core.store.values import Annotation, Topic
from core.topics import Topics

__all__ = [
    "Operation",
    "add_stop_word",
    "add_word",
    "adopted",
    "akin",
    "create_from_documents",
    "create_from_words",
    "delete",
    "drop_stop_word",
    "foreseen",
    "lock",
    "merge",
    "move_documents",
    "release_word",
    "remove_word",
    "rename",
    "speaking_of",
    "split",
    "unlock",
]

CHILD_WORDS = 60  # words that a child of a split starts from
LEAST = 0.2  # share of a topic in a document that takes part in a split
SEEN = 20  # words of a free topic among which the words of a new one are looked for
MANY = 5_000  # documents labelled at one go


@dataclass(frozen=True, slots=True)
class Operation:
    """Acts that stand or fall together, and what to call them."""

    title: str
    acts: tuple[Act, ...]


def rename(state: State, topic: int, name: str) -> Operation:
    """The same topic under another name."""
    was = _topic(state, topic).name
    return _named(f"Rename “{was}” to “{name}”", RenameTopic(topic, name))


def merge(
    state: State, topics: Sequence[int], *, into: int | None = None, name: str | None = None
) -> Operation:
    """Several topics become one, in the place of the first or of ``into``."""
    numbers = list(dict.fromkeys(topics))
    if len(numbers) < 2:
        raise StoreError("A merge takes at least two topics.")
    names = [_topic(state, number).name for number in numbers]
    target = numbers[0] if into is None else into
    if target not in numbers:
        raise StoreError("Topics are merged into one of them.")
    acts: list[Act] = [MergeTopics(tuple(n for n in numbers if n != target), target)]
    if name is not None and name.strip() != _topic(state, target).name:
        acts.append(RenameTopic(target, name))
    return _named(f"Merge {_listed(names)}", *acts)


def split(
    state: State,
    topic: int,
    into: int,
    *,
    topics: Topics,
    column: int,
    X: sp.csr_array,
    names: Sequence[str] | None = None,
    seed: int = 0,
) -> Operation:
    """A topic gives way to ``into`` topics, each begun from a part of its documents.

    ``topics`` is a fit, ``column`` the topic's place in it, ``X`` the matrix it was fitted to. The
    topic's documents, as far as they are about it, are divided by their words.
    """
    was = _topic(state, topic)
    if into < 2:
        raise StoreError("A topic is split into at least two.")
    rows = divided(topics, column, X, into, seed=seed)
    words = [_heaviest(row, topics.terms, CHILD_WORDS) for row in rows]
    given = list(names) if names is not None else _child_names(state, was, words)
    if len(given) != into:
        raise StoreError(f"{into} topics need {into} names.")
    children = tuple(Child(name, own) for name, own in zip(given, words, strict=True))
    return _named(f"Split “{was.name}” into {into}", SplitTopic(topic, children))


def divided(topics: Topics, column: int, X: sp.csr_array, n: int, *, seed: int = 0) -> np.ndarray:
    """Words of ``n`` parts of a topic: its documents, as heavy as they are about it, divided."""
    share = topics.shares()[:, column]
    chosen = np.flatnonzero(share >= LEAST)
    if chosen.size < n:
        chosen = np.flatnonzero(share > 0)
    if chosen.size < n:
        raise StoreError(f"The topic has {chosen.size} texts; that is too few to split it.")
    about = X[chosen].multiply(topics.topic_term[column] > 0)
    weighted = sp.csr_array(sp.diags_array(share[chosen]) @ about).astype(X.dtype)
    weighted.eliminate_zeros()
    filled = np.flatnonzero(np.diff(weighted.indptr) > 0)
    if filled.size < n:
        raise StoreError("The topic's texts share too few words to split it.")
    return divided_topics(weighted[filled], n, np.random.default_rng(seed))


def create_from_words(
    state: State,
    name: str,
    words: Iterable[str],
    *,
    strength: float = 1.0,
    matrix: DocumentTermMatrix | None = None,
    found: Mapping[str, int] | None = None,
) -> Operation:
    """A new topic that starts from words and is pulled towards them.

    With the ``matrix`` it also starts from the words that stand beside them in the texts; ``found``
    names a free topic of a run that speaks of them already (see ``speaking_of``).
    """
    given = list(dict.fromkeys(word.strip() for word in words if word.strip()))
    if not given:
        raise StoreError("Name at least one word.")
    start = dict.fromkeys(given, 1.0)
    if matrix is not None:
        known = set(matrix.terms)
        _require_known([word for word in given if word not in known], all_of=given)
        given = [word for word in given if word in known]
        start = akin(matrix, given)
    create = CreateTopic(name, found, start)
    pulls = [AddWord(NEW, word, strength) for word in given]
    return _named(f"Create “{name}” from words", create, *pulls)


def akin(matrix: DocumentTermMatrix, words: Collection[str]) -> dict[str, float]:
    """The words that stand in the same texts as these, the heaviest, with their weights."""
    asked = np.array([term in words for term in matrix.terms], matrix.X.dtype)
    holding = np.asarray(matrix.X @ asked)
    row = np.asarray(matrix.X.T @ holding)
    row[asked > 0] = np.maximum(row[asked > 0], row.max(initial=0) or 1)
    return _heaviest(row / row.max(), matrix.terms, CHILD_WORDS)


def speaking_of(topics: Topics, words: Collection[str], *, first: int) -> int | None:
    """The free topic (from column ``first`` on) that has most of the words among its first ones."""
    shared = {
        k: len({term for term, _ in topics.top_terms(k, SEEN)} & set(words))
        for k in range(first, len(topics))
    }
    best = max(shared, key=lambda k: shared[k], default=None)
    return best if best is not None and 2 * shared[best] > len(words) else None


def create_from_documents(state: State, name: str, positions: Sequence[int]) -> Operation:
    """A new topic that some documents may hold, besides what they may hold already."""
    _require_some(positions)
    labels = [_also(state.annotations.get(at), at, NEW) for at in dict.fromkeys(positions)]
    return _named(f"Create “{name}” from {_documents(len(labels))}", CreateTopic(name), *labels)


def adopted(
    state: State,
    name: str,
    found: Mapping[str, int],
    then: Callable[[State, int], Operation] | None = None,
) -> Operation:
    """A free topic of a run becomes one of the analyst's, and something is done to it at once.

    ``then`` is told the state with the topic in it, and its number there. One undo takes back both.
    """
    create = CreateTopic(name, found)
    if then is None:
        return _named(f"Create “{name}”", create)
    mine = Topic(NEW, name, NEW, datetime.now(UTC))
    made = then(replace(state, topics=(*state.topics, mine)), NEW)
    return Operation(made.title, (create, *made.acts))


def delete(state: State, topic: int) -> Operation:
    """Take a topic away; its labels are set aside."""
    return _named(f"Delete “{_topic(state, topic).name}”", DeleteTopic(topic))


def lock(state: State, topic: int, *, topics: Topics, column: int) -> Operation:
    """Hold a topic to the words it has in a fit."""
    name = _topic(state, topic).name
    if topic in state.wording.topics.held:
        raise StoreError(f"“{name}” is locked already.")
    words = _heaviest(topics.topic_term[column], topics.terms, WORDS_LIMIT)
    if not words:
        raise StoreError(f"“{name}” has no words yet that could be kept.")
    return _named(f"Lock “{name}”", LockTopic(topic, words))


def unlock(state: State, topic: int) -> Operation:
    """Let a topic's words move again."""
    name = _topic(state, topic).name
    if topic not in state.wording.topics.held:
        raise StoreError(f"“{name}” is not locked.")
    return _named(f"Unlock “{name}”", UnlockTopic(topic))


def remove_word(state: State, topic: int, word: str) -> Operation:
    """Keep a word out of a topic; other topics may still use it."""
    name = _unlocked(state, topic).name
    if word in state.wording.topics.removed.get(topic, ()):
        raise StoreError(f"“{word}” is kept out of “{name}” already.")
    return _named(f"Remove “{word}” from “{name}”", RemoveWord(topic, word))


def add_word(
    state: State,
    topic: int,
    word: str,
    *,
    strength: float = 1.0,
    known: Collection[str] | None = None,
) -> Operation:
    """Pull a word into a topic."""
    name = _unlocked(state, topic).name
    if known is not None and word not in known:
        _require_known([word], all_of=[word])
    return _named(f"Add “{word}” to “{name}”", AddWord(topic, word, strength))


def release_word(state: State, topic: int, word: str) -> Operation:
    """Leave a word to the model again."""
    name = _topic(state, topic).name
    said = state.wording.topics
    if word not in (*said.removed.get(topic, ()), *said.added.get(topic, {})):
        raise StoreError(f"Nothing was said about “{word}” in “{name}”.")
    return _named(f"Leave “{word}” in “{name}” to the model", ReleaseWord(topic, word))


def add_stop_word(state: State, word: str) -> Operation:
    """Read the texts as if a word were not there."""
    if word in state.wording.stop_words:
        raise StoreError(f"“{word}” is a stop word already.")
    return _named(f"Stop word “{word}”", AddStopWord(word))


def drop_stop_word(state: State, word: str) -> Operation:
    """Read a word again."""
    if word not in state.wording.stop_words:
        raise StoreError(f"“{word}” is no stop word of this project.")
    return _named(f"Read “{word}” again", DropStopWord(word))


def move_documents(state: State, positions: Sequence[int], topic: int) -> Operation:
    """Documents may hold this topic and no other."""
    _require_some(positions)
    name = _topic(state, topic).name
    labels = [_only(state.annotations.get(at), at, topic) for at in dict.fromkeys(positions)]
    return _named(f"Move {_documents(len(labels))} to “{name}”", *labels)


def _named(title: str, *acts: Act) -> Operation:
    return Operation(title if len(title) <= 120 else f"{title[:119]}…", acts)


def _topic(state: State, number: int) -> Topic:
    for topic in state.topics:
        if topic.id == number:
            return topic
    raise NotFound(f"The project has no topic {number}.")


def _unlocked(state: State, number: int) -> Topic:
    topic = _topic(state, number)
    if number in state.wording.topics.held:
        raise StoreError(f"“{topic.name}” is locked; unlock it to change its words.")
    return topic


def _require_some(positions: Sequence[int]) -> None:
    if not positions:
        raise StoreError("Choose at least one text.")
    if len(positions) > MANY:
        raise StoreError(f"At most {MANY:,} texts at a time.")


def _require_known(unknown: Sequence[str], *, all_of: Sequence[str]) -> None:
    """Words that no text holds cannot steer anything; some of several may be missing."""
    if len(unknown) == len(all_of):
        raise StoreError(f"No text that the model reads holds {_listed(unknown)}.")


def _heaviest(row: np.ndarray, terms: Sequence[str], n: int) -> dict[str, float]:
    """The n heaviest words of a row, rounded as the log keeps them."""
    order = np.argsort(-row, kind="stable")[:n]
    rounded = {terms[t]: float(f"{row[t]:.6g}") for t in order if row[t] > 0}
    return {word: weight for word, weight in rounded.items() if weight > 0}


def _child_names(state: State, parent: Topic, words: Sequence[Mapping[str, float]]) -> list[str]:
    """“Water: leak”, “Water: bill”: the heaviest word that no other child has as heavy."""
    taken = {topic.name.casefold() for topic in state.topics}
    names: list[str] = []
    for own in words:
        others = [other for other in words if other is not own]
        telling = sorted(own, key=lambda w: max(o.get(w, 0.0) for o in others) - own[w])
        options = (f"{parent.name[:80]}: {word[:30]}" for word in telling)
        name = next((n for n in options if n.casefold() not in taken), None)
        name = name or f"{parent.name[:80]} {len(names) + 1}"
        taken.add(name.casefold())
        names.append(name)
    return names


def _also(said: Annotation | None, position: int, topic: int) -> Label:
    """The document's label with one topic more."""
    if said is None:
        return Label(position, (topic,))
    permitted = (*said.permitted, topic)
    forbidden = tuple(t for t in said.forbidden if t != topic)
    return Label(position, permitted, forbidden, said.confidence, note=said.note)


def _only(said: Annotation | None, position: int, topic: int) -> Label:
    if said is None:
        return Label(position, (topic,))
    forbidden = tuple(t for t in said.forbidden if t != topic)
    return Label(position, (topic,), forbidden, said.confidence, note=said.note)


def _documents(n: int) -> str:
    return "1 text" if n == 1 else f"{n:,} texts"


def _listed(names: Sequence[str]) -> str:
    quoted = [f"“{name}”" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
