"""Which topics there are, and what those that are gone stand for now.

A label names the topics there were when it was given. A merge or a split changes what these names
mean, and an undo changes it back, so the log keeps the names and they are read here anew each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from core.store.values import Topic

KINDS = ("create_topic", "rename_topic", "delete_topic", "merge_topics", "split_topic")


class TopicEvent(Protocol):
    """An act in force that makes, names or ends topics."""

    @property
    def id(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def payload(self) -> Mapping[str, Any]: ...
    @property
    def time(self) -> datetime: ...


class Step(NamedTuple):
    """An event after which the first topics stand for the second ones."""

    event: int
    before: tuple[int, ...]
    after: tuple[int, ...]
    merge: bool


@dataclass(frozen=True)
class Lineage:
    """The topics in force, and the way from older ones to them."""

    topics: Mapping[int, Topic]
    became: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()

    def heirs(self, topic: int) -> tuple[int, ...]:
        """The topics in force that a topic stands for: itself, others, or none."""
        if topic in self.topics:
            return (topic,)
        later = (heir for next_ in self.became.get(topic, ()) for heir in self.heirs(next_))
        return tuple(dict.fromkeys(later))

    @cached_property
    def reaching(self) -> frozenset[int]:
        """Topics that stand for at least one in force."""
        return frozenset(self.topics) | {topic for topic in self.became if self.heirs(topic)}

    def names(self) -> dict[int, list[int]]:
        """For each topic in force the numbers that labels may know it by."""
        found = {topic: [topic] for topic in self.topics}
        for topic in self.became:
            for heir in self.heirs(topic):
                found[heir].append(topic)
        return found

    def permitted(self, named: Sequence[int]) -> tuple[int, ...]:
        """What a label that permits these topics permits now."""
        return tuple(dict.fromkeys(heir for topic in named for heir in self.heirs(topic)))

    def forbidden(self, named: Sequence[int], event: int) -> tuple[int, ...]:
        """What a label given at ``event`` forbids now.

        A merged topic is forbidden only if all it was merged from were: a document without one of
        them may well hold the other.
        """
        now = dict.fromkeys(named)
        for step in self.steps:
            later, sources = step.event > event, set(step.before)
            sources |= set(step.after) if step.merge and later else set()
            if not now.keys() & sources:
                continue
            barred = not step.merge or (later and sources <= now.keys())
            kept = [topic for topic in now if topic not in sources]
            now = dict.fromkeys([*kept, *step.after] if barred else kept)
        return tuple(topic for topic in now if topic in self.topics)


def lineage_of(acts: Iterable[TopicEvent]) -> Lineage:
    """Fold the acts in force, oldest first."""
    fold = _Fold()
    for act in acts:
        fold.take(act)
    return Lineage(fold.topics, fold.became, tuple(fold.steps))


class _Fold:
    """The acts read one by one."""

    def __init__(self) -> None:
        self.topics: dict[int, Topic] = {}
        self.became: dict[int, tuple[int, ...]] = {}
        self.steps: list[Step] = []

    def take(self, act: TopicEvent) -> None:
        if act.kind == "create_topic":
            self._create(act, act.payload["topic"], act.payload["name"], act.payload["colour"])
        elif act.kind == "rename_topic":
            self._rename(act.payload["topic"], act.payload["name"])
        elif act.kind == "delete_topic":
            self._end(act, (act.payload["topic"],), (), merge=False)
        elif act.kind == "merge_topics":
            into = self._present(act.payload["topic"])
            sources = tuple(topic for topic in act.payload["topics"] if topic not in into)
            if into:
                self._end(act, sources, into, merge=True)
        elif act.kind == "split_topic":
            self._split(act)

    def _create(self, act: TopicEvent, number: int, name: str, colour: int) -> None:
        self.topics[number] = Topic(number, name, colour, act.time)

    def _rename(self, number: int, name: str) -> None:
        if number in self.topics:
            old = self.topics[number]
            self.topics[number] = Topic(old.id, name, old.colour, old.created)

    def _split(self, act: TopicEvent) -> None:
        children = act.payload["children"]
        for child in children:
            self._create(act, child["topic"], child["name"], child["colour"])
        numbers = tuple(child["topic"] for child in children)
        self._end(act, (act.payload["topic"],), numbers, merge=False)

    def _end(
        self, act: TopicEvent, topics: tuple[int, ...], heirs: tuple[int, ...], *, merge: bool
    ) -> None:
        """Topics that another act has ended before are left as that one left them."""
        ended = tuple(topic for topic in topics if topic in self.topics)
        for topic in ended:
            del self.topics[topic]
            self.became[topic] = heirs
        if ended and heirs:
            self.steps.append(Step(act.id, ended, heirs, merge))

    def _present(self, topic: int) -> tuple[int, ...]:
        return Lineage(self.topics, self.became).heirs(topic)
