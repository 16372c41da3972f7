"""Free topics that an analyst adopts: found again where they were shown, their words on the log.

A full fit starts afresh, so it knows of an adopted topic only what the log says: its heaviest words
go there with the event that names it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from core.errors import NotFound
from core.steering.starting_words import START_WORDS, heaviest_words
from core.store import CreateTopic, Run, Store
from core.store.events.new_events import checked
from core.supervision import TopicKey
from core.topics import Topics
from core.workspace.results import newest_fit, topics_of_run


class ShownFreeTopic(NamedTuple):
    """A free topic as a page shows it; its run may be replaced before a button is pressed."""

    run: int
    column: int
    key: TopicKey


@dataclass(frozen=True, slots=True)
class FreeTopic:
    """A free topic of a run that is still kept."""

    run: Run
    topics: Topics
    column: int

    @property
    def reference(self) -> dict[str, int]:
        """What the event that adopts it says of its origin."""
        return {"run": self.run.id, "topic": self.column}

    @property
    def words(self) -> dict[str, float]:
        """Its heaviest words, from which the adopted topic starts."""
        return heaviest_words(self.topics.topic_term[self.column], self.topics.terms, START_WORDS)


def shown_free_topic(
    store: Store, project: int, free_topic: Mapping[str, int], key: TopicKey | None = None
) -> FreeTopic | None:
    """The free topic that a page showed as column ``topic`` of a ``run``.

    If that run was a preview and is gone, the topic of the same ``key`` in the current run.
    """
    try:
        run = store.run(project, free_topic["run"])
        shown = FreeTopic(run, topics_of_run(store, run), free_topic["topic"])
    except NotFound:
        newest = newest_fit(store, project)
        column = None if newest is None or key is None else newest[1].column(key)
        if newest is None or column is None:
            return None
        shown = FreeTopic(*newest, column)
    is_free = shown.topics.n_supervised <= shown.column < len(shown.topics)
    return shown if is_free else None


def require_free_topic(store: Store, project: int, shown: ShownFreeTopic) -> FreeTopic:
    """The free topic that a page showed; a refusal if the model no longer has it."""
    reference = {"run": shown.run, "topic": shown.column}
    free = shown_free_topic(store, project, reference, shown.key)
    if free is None:
        raise NotFound("The model no longer has this topic; choose another.")
    return free


def with_words_of_free_topic(
    store: Store, project: int, create: CreateTopic, key: TopicKey | None = None
) -> CreateTopic:
    """The event with the words of the free topic it adopts; without an origin if that is gone."""
    given = checked(create)
    assert isinstance(given, CreateTopic)
    if given.free_topic is None or given.words is not None:
        return given
    shown = shown_free_topic(store, project, given.free_topic, key)
    if shown is None:
        return replace(given, free_topic=None)
    return replace(given, free_topic=shown.reference, words=shown.words or None)
