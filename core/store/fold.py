"""The log, read from the beginning: the state that every other table only copies.

An undo takes one act out of force and a redo brings it back; the state is what the acts
in force say, in the order in which they were first done. That makes undo exact however
the acts of several authors are interleaved. ``standing`` tells which acts are in force.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass

from core.store.standing import DONE, standing
from core.store.values import Annotation, Event, Topic


@dataclass(frozen=True, slots=True)
class State:
    """What a project's log amounts to."""

    topics: tuple[Topic, ...]
    annotations: dict[int, Annotation]
    skipped: frozenset[int]


def replay(events: Iterable[Event]) -> State:
    """Fold a project's whole log, oldest event first."""
    acts = in_force(events)
    topics = _topics(acts)
    alive = {topic.id for topic in topics}
    last = {act.position: act for act in acts if act.position is not None}
    labels = {act.position: act for act in acts if act.kind == "label"}
    found = (annotation_of(act, alive) for act in labels.values())
    return State(
        topics=tuple(topics),
        annotations={each.position: each for each in found if each is not None},
        skipped=frozenset(p for p, act in last.items() if act.kind == "skip"),
    )


def in_force(events: Iterable[Event]) -> list[Event]:
    """The acts that stand after every undo, redo and restore."""
    log = list(events)
    status = standing(log)
    return [act for act in log if status.get(act.id) == DONE]


def _topics(acts: list[Event]) -> list[Topic]:
    topics: dict[int, Topic] = {}
    for act in acts:
        if act.kind == "create_topic":
            payload = act.payload
            topics[payload["topic"]] = Topic(
                payload["topic"], payload["name"], payload["colour"], act.time
            )
    for act in acts:
        number = act.payload.get("topic", 0)
        if act.kind == "rename_topic" and number in topics:
            old = topics[number]
            topics[number] = Topic(old.id, act.payload["name"], old.colour, old.created)
        elif act.kind == "delete_topic":
            topics.pop(number, None)
    return distinct(topics[number] for number in sorted(topics))


def distinct(topics: Iterable[Topic]) -> list[Topic]:
    """Undo can bring back a name that was given away meanwhile: the later topic is numbered."""
    taken: set[str] = set()
    named = []
    for topic in topics:
        name, copy = topic.name, 1
        while name.casefold() in taken:
            copy += 1
            name = f"{topic.name} ({copy})"
        taken.add(name.casefold())
        named.append(Topic(topic.id, name, topic.colour, topic.created))
    return named


def annotation_of(event: Event, alive: Container[int]) -> Annotation | None:
    """A label event in the light of the topics there are; None when nothing is left of it."""
    assert event.position is not None
    permitted = tuple(t for t in event.payload["permitted"] if t in alive)
    forbidden = tuple(t for t in event.payload["forbidden"] if t in alive)
    if not permitted and not forbidden and not event.payload["nothing_fits"]:
        return None
    return Annotation(
        position=event.position,
        permitted=permitted,
        forbidden=forbidden,
        confidence=event.payload["confidence"],
        nothing_fits=event.payload["nothing_fits"],
        note=event.payload["note"],
        author=event.author,
        time=event.time,
        event=event.id,
    )
