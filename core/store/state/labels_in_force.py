"""The label in force of a document: the one definition that every other module calls.

Given the events in force about a document, in order: its last label is the label in force, and a
skip counts until the next label. A label that waits for a second person (``coding``) is not in
force. A label names the topics there were when it was given; what it
permits and forbids now follows from the lineage of the topics.

The replay of a log, the update of one document, the bulk update of many (``bulk_update``) and the
label page's snapshot all use these functions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from core.store.state.lineage import Lineage
from core.store.values import Annotation, Event, Topic, counts_as_labelled

# Kinds of events about one document; highlights leave its label as it is.
DOCUMENT_KINDS = ("label", "blind_label", "skip", "highlight", "drop_highlight")

Given = TypeVar("Given")  # a label as the caller has it: event, number or annotation


class LabelInForce(NamedTuple, Generic[Given]):
    """One document: the label in force, if any, and whether it was skipped since."""

    label: Given | None = None
    skipped: bool = False

    def after(self, kind: str, label: Given | None) -> LabelInForce[Given]:
        """The same after one more event in force about the document."""
        if kind == "label":
            return LabelInForce(label, False)
        return LabelInForce(self.label, True) if kind == "skip" else self


def labels_in_force(
    events: Iterable[tuple[int, str, Given]],
) -> dict[int, LabelInForce[Given]]:
    """By position, from (position, kind, label) of the events in force, oldest first."""
    found: dict[int, LabelInForce[Given]] = {}
    nothing: LabelInForce[Given] = LabelInForce()
    for position, kind, label in events:
        found[position] = found.get(position, nothing).after(kind, label)
    return found


def annotations_of(labels: Iterable[Event], lineage: Lineage) -> dict[int, Annotation]:
    """What labels of different documents say now, by position; empty ones are left out."""
    permits: dict[tuple[int, ...], tuple[int, ...]] = {}  # many labels permit the same topics
    found = {}
    for event in labels:
        assert event.position is not None
        payload, named = event.payload, tuple(event.payload["permitted"])
        if named not in permits:
            permits[named] = lineage.permitted(named)
        permitted = permits[named]
        forbidden = payload["forbidden"] and _forbidden(event, lineage, permitted)
        if permitted or forbidden or payload["nothing_fits"]:
            found[event.position] = Annotation(
                position=event.position,
                permitted=permitted,
                forbidden=forbidden or (),
                confidence=payload["confidence"],
                nothing_fits=payload["nothing_fits"],
                note=payload["note"],
                author=event.author,
                time=event.time,
                event=event.id,
            )
    return found


def annotation_of(event: Event, lineage: Lineage) -> Annotation | None:
    """What one label says now; None if all topics it names are gone, or if it is empty."""
    return next(iter(annotations_of([event], lineage).values()), None)


def new_annotation(event: Event, topics: Iterable[Topic]) -> Annotation | None:
    """The annotation of a label just given, which can name only topics in force."""
    return annotation_of(event, Lineage({topic.id: topic for topic in topics}))


def labels_its_document(payload: Mapping[str, Any], lineage: Lineage) -> bool:
    """Whether a document with this label counts as labelled now."""
    return counts_as_labelled(lineage.permitted(payload["permitted"]), payload["nothing_fits"])


def named_topics(payload: Mapping[str, Any]) -> tuple[tuple[int, bool], ...]:
    """The topics a label names, each with whether it permits it."""
    permitted = tuple((topic, True) for topic in payload["permitted"])
    return permitted + tuple((topic, False) for topic in payload["forbidden"])


def _forbidden(event: Event, lineage: Lineage, permitted: Collection[int]) -> tuple[int, ...]:
    forbidden = lineage.forbidden(event.payload["forbidden"], event.id)
    return tuple(topic for topic in forbidden if topic not in permitted)
