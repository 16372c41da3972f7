"""The lineage of topics: which are in force, and which ones those that are gone became.

A label names the topics there were when it was given. A merge or a split changes what these names
mean, and an undo changes it back, so the log keeps the names and they are interpreted here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from core.store.values import Topic

LINEAGE_KINDS = ("create_topic", "rename_topic", "delete_topic", "merge_topics", "split_topic")


class TopicEvent(Protocol):
    """An event in force that creates, renames or ends topics."""

    @property
    def id(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def payload(self) -> Mapping[str, Any]: ...
    @property
    def time(self) -> datetime: ...


class LineageStep(NamedTuple):
    """An event that ended some topics and put others in their place."""

    event: int
    before: tuple[int, ...]
    after: tuple[int, ...]
    merge: bool


@dataclass(frozen=True)
class Lineage:
    """The topics in force, and which of them earlier topics became."""

    topics: Mapping[int, Topic]
    became: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    steps: tuple[LineageStep, ...] = ()
    _heirs: dict[int, tuple[int, ...]] = field(default_factory=dict, repr=False, compare=False)

    def heirs(self, topic: int) -> tuple[int, ...]:
        """The topics in force that a topic became: itself, others, or none."""
        if topic in self.topics:
            return (topic,)
        if topic not in self._heirs:
            self._heirs[topic] = tuple(self._find_heirs(topic))
        return self._heirs[topic]

    def _find_heirs(self, topic: int) -> Iterator[int]:
        """Every topic on the way once: splits and merges in turn double the ways each time."""
        ahead, passed = [topic], set[int]()
        while ahead:
            here = ahead.pop()
            if here in passed:
                continue
            passed.add(here)
            if here in self.topics:
                yield here
            else:
                ahead += reversed(self.became.get(here, ()))

    def names(self) -> dict[int, list[int]]:
        """For each topic in force the numbers by which labels may name it."""
        found = {topic: [topic] for topic in self.topics}
        for topic in self.became:
            for heir in self.heirs(topic):
                found[heir].append(topic)
        return found

    def order(self) -> list[int]:
        """The topics in force by number, the parts of a split where the whole stood."""
        parts = {step.before[0]: step.after for step in self.steps if not step.merge}
        born = {part for after in parts.values() for part in after}
        waiting = sorted((self.topics.keys() | parts.keys()) - born, reverse=True)
        order: dict[int, None] = {}
        while waiting:
            topic = waiting.pop()
            order[topic] = None
            waiting.extend(part for part in reversed(parts.get(topic, ())) if part not in order)
        return [topic for topic in order if topic in self.topics]

    def permitted(self, named: Sequence[int]) -> tuple[int, ...]:
        """The topics in force that a label permits which named these."""
        return tuple(dict.fromkeys(heir for topic in named for heir in self.heirs(topic)))

    def forbidden(self, named: Sequence[int], event: int) -> tuple[int, ...]:
        """The topics in force that a label forbids which named these at ``event``.

        A merged topic is forbidden only if all it was merged from were: a document without one of
        them may well hold the other.
        """
        now = dict.fromkeys(named)
        for step in self.steps:
            later, sources = step.event > event, set(step.before)
            sources |= set(step.after) if step.merge and later else set()
            if not now.keys() & sources:
                continue
            forbidden_too = not step.merge or (later and sources <= now.keys())
            kept = [topic for topic in now if topic not in sources]
            now = dict.fromkeys([*kept, *step.after] if forbidden_too else kept)
        return tuple(topic for topic in now if topic in self.topics)


def lineage_of(events: Iterable[TopicEvent]) -> Lineage:
    """From the events in force, oldest first."""
    reader = _LineageReader()
    for event in events:
        reader.read(event)
    return Lineage(reader.topics, reader.became, tuple(reader.steps))


def topics_in_order(lineage: Lineage) -> list[Topic]:
    """Topics by their place, with different names: an undo can bring back a name now used again."""
    taken: set[str] = set()
    copies: defaultdict[str, int] = defaultdict(lambda: 1)  # the last number that a name got
    named = []
    for topic in sorted(lineage.topics.values(), key=lambda each: each.id):
        name = topic.name
        while name.casefold() in taken:
            copies[topic.name] += 1
            name = f"{topic.name} ({copies[topic.name]})"
        taken.add(name.casefold())
        named.append(Topic(topic.id, name, topic.colour, topic.created))
    if not lineage.steps:
        return named
    by_number = {topic.id: topic for topic in named}
    return [by_number[number] for number in lineage.order()]


class _LineageReader:
    """Reads events one by one."""

    def __init__(self) -> None:
        self.topics: dict[int, Topic] = {}
        self.became: dict[int, tuple[int, ...]] = {}
        self.steps: list[LineageStep] = []

    def read(self, event: TopicEvent) -> None:
        if event.kind == "create_topic":
            self._create(
                event, event.payload["topic"], event.payload["name"], event.payload["colour"]
            )
        elif event.kind == "rename_topic":
            self._rename(event.payload["topic"], event.payload["name"])
        elif event.kind == "delete_topic":
            self._end(event, (event.payload["topic"],), (), merge=False)
        elif event.kind == "merge_topics":
            self._merge(event)
        elif event.kind == "split_topic":
            self._split(event)

    def _create(self, event: TopicEvent, number: int, name: str, colour: int) -> None:
        self.topics[number] = Topic(number, name, colour, event.time)

    def _rename(self, number: int, name: str) -> None:
        if number in self.topics:
            old = self.topics[number]
            self.topics[number] = Topic(old.id, name, old.colour, old.created)

    def _split(self, event: TopicEvent) -> None:
        children = event.payload["children"]
        for child in children:
            self._create(event, child["topic"], child["name"], child["colour"])
        numbers = tuple(child["topic"] for child in children)
        self._end(event, (event.payload["topic"],), numbers, merge=False)

    def _merge(self, event: TopicEvent) -> None:
        there = [topic for topic in event.payload["topics"] if topic in self.topics]
        into = self._present(event.payload["topic"]) if there else ()
        if into:
            sources = tuple(topic for topic in there if topic not in into)
            self._end(event, sources, into, merge=True)

    def _end(
        self, event: TopicEvent, topics: tuple[int, ...], heirs: tuple[int, ...], *, merge: bool
    ) -> None:
        """Topics that an earlier event has ended are left as that one left them."""
        ended = tuple(topic for topic in topics if topic in self.topics)
        for topic in ended:
            del self.topics[topic]
            self.became[topic] = heirs
        if ended and heirs:
            self.steps.append(LineageStep(event.id, ended, heirs, merge))

    def _present(self, topic: int) -> tuple[int, ...]:
        """What a topic is now; kept, so that no long way is gone twice."""
        now = Lineage(self.topics, self.became).heirs(topic)
        if topic in self.became:
            self.became[topic] = now
        return now
