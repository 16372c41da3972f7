"""What an analyst can do to topics: pure functions from a project's state to events on its log.

>>> from core import operations
>>> state = store.state(project)
>>> operation = operations.merge(state, (2, 5), name="Water and drains")
>>> event = store.record_batch(project, operation.title, operation.events, author="ann")

Nothing here touches a store or a fit. ``state_after`` tells the state that an operation leads to;
after the refit, ``core.steering.verdicts`` tells how far the model could follow it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import scipy.sparse as sp

from core.errors import NotFound, StoreError
from core.matrix import DocumentTermMatrix
from core.steering.starting_words import START_WORDS, divide_topic, heaviest_words, related_words
from core.store.events.checks import WORDS_LIMIT
from core.store.events.new_events import CreateTopic, DeleteTopic, Label, NewEvent, RenameTopic
from core.store.events.requirements import NEW_TOPIC
from core.store.events.topic_events import (
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
from core.store.state.preview import state_after
from core.store.state.replay import State
from core.store.values import Annotation, Topic
from core.topics import Topics

__all__ = [
    "Operation",
    "add_stop_word",
    "add_word",
    "adopt_free_topic",
    "create_from_documents",
    "create_from_words",
    "delete",
    "drop_stop_word",
    "state_after",
    "lock",
    "merge",
    "move_documents",
    "release_word",
    "remove_word",
    "rename",
    "split",
    "unlock",
]

MAX_DOCUMENTS = 5_000  # documents labelled at one go


@dataclass(frozen=True, slots=True)
class Operation:
    """Events that stand or fall together, and what to call them."""

    title: str
    events: tuple[NewEvent, ...]
    remark: str = ""  # what was asked for and is not in the events, as a sentence


def rename(state: State, topic: int, name: str) -> Operation:
    """The same topic under another name."""
    was = _topic(state, topic).name
    return titled_operation(f"Rename “{was}” to “{name}”", RenameTopic(topic, name))


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
    events: list[NewEvent] = [MergeTopics(tuple(n for n in numbers if n != target), target)]
    if name is not None and name.strip() != _topic(state, target).name:
        events.append(RenameTopic(target, name))
    return titled_operation(f"Merge {_listed(names)}", *events)


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
    rows = divide_topic(topics, column, X, into, seed=seed)
    words = [heaviest_words(row, topics.terms, START_WORDS) for row in rows]
    given = list(names) if names is not None else _child_names(state, was, words)
    if len(given) != into:
        raise StoreError(f"{into} topics need {into} names.")
    children = tuple(Child(name, own) for name, own in zip(given, words, strict=True))
    return titled_operation(f"Split “{was.name}” into {into}", SplitTopic(topic, children))


def create_from_words(
    state: State,
    name: str,
    words: Iterable[str],
    *,
    strength: float = 1.0,
    matrix: DocumentTermMatrix | None = None,
    free_topic: Mapping[str, int] | None = None,
) -> Operation:
    """A new topic that starts from words and is pulled towards them.

    With the ``matrix`` it also starts from the words that stand beside them in the texts;
    ``free_topic`` names one of a run that has them among its first words already.
    """
    given = list(dict.fromkeys(word.strip() for word in words if word.strip()))
    if not given:
        raise StoreError("Name at least one word.")
    start, unknown = dict.fromkeys(given, 1.0), list[str]()
    if matrix is not None:
        known = set(matrix.terms)
        unknown = [word for word in given if word not in known]
        _require_known(unknown, all_of=given)
        given = [word for word in given if word in known]
        start = related_words(matrix, given)
    create = CreateTopic(name, free_topic, start)
    pulls = [AddWord(NEW_TOPIC, word, strength) for word in given]
    operation = titled_operation(f"Create “{name}” from words", create, *pulls)
    remark = f"Left out, because no text that the model reads holds them: {', '.join(unknown)}."
    return replace(operation, remark=remark if unknown else "")


def create_from_documents(state: State, name: str, positions: Sequence[int]) -> Operation:
    """A new topic that some documents may hold, besides what they may hold already."""
    _require_some(positions)
    known = state.annotations
    labels = [also_permitting(known.get(at), at, NEW_TOPIC) for at in dict.fromkeys(positions)]
    title = f"Create “{name}” from {_documents(len(labels))}"
    return titled_operation(title, CreateTopic(name), *labels)


def adopt_free_topic(
    state: State,
    name: str,
    free_topic: Mapping[str, int],
    then: Callable[[State, int], Operation] | None = None,
    *,
    words: Mapping[str, float] | None = None,
) -> Operation:
    """A free topic of a run becomes one of the analyst's, and something is done to it at once.

    ``then`` gets the state with the topic in it, and its number there. One undo takes back both.
    ``words`` are the topic's heaviest: a fit that starts afresh knows nothing else of it.
    """
    create = CreateTopic(name, free_topic, words)
    if then is None:
        return titled_operation(f"Create “{name}”", create)
    mine = Topic(NEW_TOPIC, name, NEW_TOPIC, datetime.now(UTC))
    made = then(replace(state, topics=(*state.topics, mine)), NEW_TOPIC)
    return Operation(made.title, (create, *made.events))


def delete(state: State, topic: int) -> Operation:
    """Take a topic away; its labels are set aside."""
    return titled_operation(f"Delete “{_topic(state, topic).name}”", DeleteTopic(topic))


def lock(state: State, topic: int, *, topics: Topics, column: int) -> Operation:
    """Hold a topic to the words it has in a fit."""
    name = _topic(state, topic).name
    if topic in state.word_rules.topics.held:
        raise StoreError(f"“{name}” is locked already.")
    words = heaviest_words(topics.topic_term[column], topics.terms, WORDS_LIMIT)
    if not words:
        raise StoreError(f"“{name}” has no words yet that could be kept.")
    return titled_operation(f"Lock “{name}”", LockTopic(topic, words))


def unlock(state: State, topic: int) -> Operation:
    """Let a topic's words move again."""
    name = _topic(state, topic).name
    if topic not in state.word_rules.topics.held:
        raise StoreError(f"“{name}” is not locked.")
    return titled_operation(f"Unlock “{name}”", UnlockTopic(topic))


def remove_word(state: State, topic: int, word: str) -> Operation:
    """Keep a word out of a topic; other topics may still use it."""
    name = unlocked_topic(state, topic).name
    if word in state.word_rules.topics.removed.get(topic, ()):
        raise StoreError(f"“{word}” is kept out of “{name}” already.")
    return titled_operation(f"Remove “{word}” from “{name}”", RemoveWord(topic, word))


def add_word(
    state: State,
    topic: int,
    word: str,
    *,
    strength: float = 1.0,
    known: Collection[str] | None = None,
) -> Operation:
    """Pull a word into a topic."""
    name = unlocked_topic(state, topic).name
    if known is not None and word not in known:
        _require_known([word], all_of=[word])
    return titled_operation(f"Add “{word}” to “{name}”", AddWord(topic, word, strength))


def release_word(state: State, topic: int, word: str) -> Operation:
    """Leave a word to the model again."""
    name = _topic(state, topic).name
    rules = state.word_rules.topics
    if word not in (*rules.removed.get(topic, ()), *rules.added.get(topic, {})):
        raise StoreError(f"“{name}” has no rule about “{word}”.")
    return titled_operation(f"Clear the rule about “{word}” in “{name}”", ReleaseWord(topic, word))


def add_stop_word(state: State, word: str) -> Operation:
    """Read the texts as if a word were not there."""
    if word in state.word_rules.stop_words:
        raise StoreError(f"“{word}” is a stop word already.")
    return titled_operation(f"Stop word “{word}”", AddStopWord(word))


def drop_stop_word(state: State, word: str) -> Operation:
    """Read a word again."""
    if word not in state.word_rules.stop_words:
        raise StoreError(f"“{word}” is no stop word of this project.")
    return titled_operation(f"Use “{word}” again", DropStopWord(word))


def move_documents(state: State, positions: Sequence[int], topic: int) -> Operation:
    """Documents may hold this topic and no other."""
    _require_some(positions)
    name = _topic(state, topic).name
    labels = [_only(state.annotations.get(at), at, topic) for at in dict.fromkeys(positions)]
    return titled_operation(f"Move {_documents(len(labels))} to “{name}”", *labels)


def titled_operation(title: str, *events: NewEvent) -> Operation:
    """Events under a title that the log takes."""
    return Operation(title if len(title) <= 120 else f"{title[:119]}…", events)


def _topic(state: State, number: int) -> Topic:
    for topic in state.topics:
        if topic.id == number:
            return topic
    raise NotFound(f"The project has no topic {number}.")


def unlocked_topic(state: State, number: int) -> Topic:
    """A topic whose words may change; an error if it is locked."""
    topic = _topic(state, number)
    if number in state.word_rules.topics.held:
        raise StoreError(f"“{topic.name}” is locked; unlock it to change its words.")
    return topic


def _require_some(positions: Sequence[int]) -> None:
    if not positions:
        raise StoreError("Choose at least one text.")
    if len(positions) > MAX_DOCUMENTS:
        raise StoreError(f"At most {MAX_DOCUMENTS:,} texts at a time.")


def _require_known(unknown: Sequence[str], *, all_of: Sequence[str]) -> None:
    """Words that no text holds cannot steer anything; some of several may be missing."""
    if len(unknown) == len(all_of):
        raise StoreError(f"No text that the model reads holds {_listed(unknown)}.")


def _child_names(state: State, parent: Topic, words: Sequence[Mapping[str, float]]) -> list[str]:
    """“Water: leak”, “Water: bill”: the heaviest word that no other child has as heavy."""
    taken = {topic.name.casefold() for topic in state.topics}
    names: list[str] = []
    for own in words:
        others = [other for other in words if other is not own]
        distinctive = sorted(own, key=lambda w: max(o.get(w, 0.0) for o in others) - own[w])
        options = (f"{parent.name[:80]}: {word[:30]}" for word in distinctive)
        name = next((n for n in options if n.casefold() not in taken), None)
        name = name or f"{parent.name[:80]} {len(names) + 1}"
        taken.add(name.casefold())
        names.append(name)
    return names


def also_permitting(annotation: Annotation | None, position: int, topic: int) -> Label:
    """A document's label with one topic more."""
    if annotation is None:
        return Label(position, (topic,))
    permitted = (*annotation.permitted, topic)
    forbidden = tuple(t for t in annotation.forbidden if t != topic)
    return Label(position, permitted, forbidden, annotation.confidence, note=annotation.note)


def _only(annotation: Annotation | None, position: int, topic: int) -> Label:
    if annotation is None:
        return Label(position, (topic,))
    forbidden = tuple(t for t in annotation.forbidden if t != topic)
    return Label(position, (topic,), forbidden, annotation.confidence, note=annotation.note)


def _documents(n: int) -> str:
    return "1 text" if n == 1 else f"{n:,} texts"


def _listed(names: Sequence[str]) -> str:
    quoted = [f"“{name}”" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
