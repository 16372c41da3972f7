"""One operation with the topics before and after the fit that should follow it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from core.insight.topic_titles import topic_titles
from core.store.runs.outcome import Degree, OperationVerdict
from core.store.values import Event
from core.topics import Topics

FIRST_WORDS = 10  # words that people see


@dataclass(frozen=True, kw_only=True)
class FittedTopics:
    """A fit, and what the project's topics are called today."""

    topics: Topics
    names: Mapping[int, str]  # of the topics in force

    def mainly(self, column: int) -> np.ndarray:
        """Positions of the documents that hold more of this topic than of any other."""
        weights = self.topics.doc_topic
        used = weights.max(axis=1, initial=0) > 0
        return np.flatnonzero(used & (weights.argmax(axis=1) == column))

    def first_words(self, column: int, n: int = FIRST_WORDS) -> list[str]:
        return [term for term, _ in self.topics.top_terms(column, n)]

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """What people read for each column."""
        return topic_titles(self.topics)

    def name(self, topic: int) -> str:
        return f"“{self.names.get(topic, 'a topic that is gone')}”"


@dataclass(frozen=True, kw_only=True)
class OperationCase:
    """An operation with the topics before and after it."""

    event: Event
    after: FittedTopics
    before: FittedTopics | None = None
    held: frozenset[int] = field(default_factory=frozenset)  # topics locked now
    words: bool = True  # the model can be told which words a topic has

    @property
    def payload(self) -> Mapping[str, Any]:
        return self.event.payload

    @property
    def topic(self) -> int:
        return int(self.payload["topic"])

    @property
    def column(self) -> int | None:
        return self.after.topics.column(self.topic)

    @property
    def name(self) -> str:
        return self.after.name(self.topic)

    def done(self, sentence: str) -> OperationVerdict:
        return verdict_on(self.event, "fully", sentence)

    def partly_done(self, sentence: str) -> OperationVerdict:
        return verdict_on(self.event, "partly", sentence)

    def not_done(self, sentence: str) -> OperationVerdict:
        return verdict_on(self.event, "not", sentence)


def verdict_on(event: Event, degree: Degree, sentence: str) -> OperationVerdict:
    return OperationVerdict(event=event.id, kind=event.kind, degree=degree, sentence=sentence)
