"""The log, read from the beginning: the state that every other table only copies.

An undo takes one act out of force and a redo brings it back; the state is what the acts
in force say, in the order in which they were first done. That makes undo exact however
the acts of several authors are interleaved. ``standing`` tells which acts are in force.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from core.store.codebook import Codebook, codebook_of
from core.store.lineage import Lineage, lineage_of
from core.store.standing import DONE, standing
from core.store.values import Annotation, Event, Topic
from core.store.wording import Wording, wording_of


@dataclass(frozen=True, slots=True)
class State:
    """What a project's log amounts to."""

    topics: tuple[Topic, ...]
    annotations: dict[int, Annotation]
    skipped: frozenset[int]
    wording: Wording = field(default_factory=Wording)  # what people said about words
    codebook: dict[int, Codebook] = field(default_factory=dict)  # by topic


def replay(events: Iterable[Event]) -> State:
    """Fold a project's whole log, oldest event first."""
    acts = in_force(events)
    lineage = lineage_of(acts)
    last = {act.position: act for act in acts if act.position is not None}
    labels = {act.position: act for act in acts if act.kind == "label"}
    return State(
        topics=tuple(topics_of(lineage)),
        annotations=annotations_of(labels.values(), lineage),
        skipped=frozenset(p for p, act in last.items() if act.kind == "skip"),
        wording=wording_of(acts, lineage),
        codebook=codebook_of(acts, lineage.topics),
    )


def in_force(events: Iterable[Event]) -> list[Event]:
    """The acts that stand after every undo, redo and restore."""
    log = list(events)
    status = standing(log)
    return [act for act in log if status.get(act.id) == DONE]


def topics_of(lineage: Lineage) -> list[Topic]:
    """The topics in force, in the order in which they were made."""
    return distinct(lineage.topics[number] for number in sorted(lineage.topics))


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


def annotation_of(event: Event, lineage: Lineage) -> Annotation | None:
    """A label event in the light of the topics there are; None when nothing is left of it."""
    return next(iter(annotations_of([event], lineage).values()), None)


def annotations_of(labels: Iterable[Event], lineage: Lineage) -> dict[int, Annotation]:
    """The labels of different documents by position, those of which nothing is left left out."""
    permits: dict[tuple[int, ...], tuple[int, ...]] = {}  # many labels permit the same topics
    found = {}
    for event in labels:
        assert event.position is not None
        said = event.payload
        named = tuple(said["permitted"])
        if named not in permits:
            permits[named] = lineage.permitted(named)
        permitted = permits[named]
        forbidden = said["forbidden"] and _barred(event, lineage, permitted)
        if permitted or forbidden or said["nothing_fits"]:
            found[event.position] = Annotation(
                position=event.position,
                permitted=permitted,
                forbidden=forbidden or (),
                confidence=said["confidence"],
                nothing_fits=said["nothing_fits"],
                note=said["note"],
                author=event.author,
                time=event.time,
                event=event.id,
            )
    return found


def new_annotation(event: Event, topics: Iterable[Topic]) -> Annotation | None:
    """The same for a label just given, which can name none but the topics in force."""
    return annotation_of(event, Lineage({topic.id: topic for topic in topics}))


def _barred(event: Event, lineage: Lineage, permitted: Collection[int]) -> tuple[int, ...]:
    barred = lineage.forbidden(event.payload["forbidden"], event.id)
    return tuple(topic for topic in barred if topic not in permitted)
