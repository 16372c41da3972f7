"""Kinds of new events, checked before they reach the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.errors import StoreError
from core.store.coding.assignments import AssignTexts
from core.store.coding.double_coding import DoubleCoding
from core.store.coding.highlights import DropHighlight, Highlight
from core.store.events.checks import checked_name, checked_text, checked_words, whole
from core.store.events.topic_events import TOPIC_EVENT_TYPES, NewTopicEvent

BLIND_LABEL = "blind_label"
CONFIDENCES = ("sure", "unsure", "expert")
NOTE_LIMIT = 4_000
TOPICS_LIMIT = 1_000  # permitted or forbidden topics of one label


@dataclass(frozen=True, slots=True)
class Label:
    """The topics a document may and may not use; an empty one clears the document's label."""

    position: int
    permitted: tuple[int, ...] = ()
    forbidden: tuple[int, ...] = ()
    confidence: str = "sure"
    nothing_fits: bool = False
    note: str = ""
    blind: bool = False  # the second label of a text in double coding, given without seeing another


@dataclass(frozen=True, slots=True)
class BlindLabel:
    """A label in double coding that waits for a second person; a draft until it is ``spoken``."""

    label: Label
    spoken: bool = False

    @property
    def position(self) -> int:
        return self.label.position


@dataclass(frozen=True, slots=True)
class Skip:
    """Leave a document for later without saying anything about it."""

    position: int


@dataclass(frozen=True, slots=True)
class CreateTopic:
    """A new topic; ``free_topic`` names the run and the topic of it that this one was made from.

    ``words`` are words to start from, with their weights; of a free topic its heaviest ones.
    """

    name: str
    free_topic: Mapping[str, int] | None = None
    words: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class RenameTopic:
    """The same topic under another name."""

    topic: int
    name: str


@dataclass(frozen=True, slots=True)
class DeleteTopic:
    """Delete a topic; labels do not count it until the deletion is undone."""

    topic: int


@dataclass(frozen=True, slots=True)
class Restore:
    """Restore labels, topics and words as they were after event ``to``; 0 is the beginning."""

    to: int


NewHighlightEvent = Highlight | DropHighlight
HIGHLIGHT_EVENT_TYPES: tuple[type[NewHighlightEvent], ...] = (Highlight, DropHighlight)
NewCodingEvent = DoubleCoding | AssignTexts
CODING_EVENT_TYPES: tuple[type[NewCodingEvent], ...] = (DoubleCoding, AssignTexts)
NewEvent = (
    Label
    | BlindLabel
    | Skip
    | CreateTopic
    | RenameTopic
    | DeleteTopic
    | Restore
    | NewCodingEvent
    | NewHighlightEvent
    | NewTopicEvent
)

KIND_BY_TYPE: dict[type[NewEvent], str] = {
    Label: "label",
    BlindLabel: BLIND_LABEL,
    Skip: "skip",
    CreateTopic: "create_topic",
    RenameTopic: "rename_topic",
    DeleteTopic: "delete_topic",
    Restore: "restore",
    **{each: each.kind for each in TOPIC_EVENT_TYPES},
    **{each: each.kind for each in CODING_EVENT_TYPES},
    **{each: each.kind for each in HIGHLIGHT_EVENT_TYPES},
}


def checked(event: NewEvent) -> NewEvent:
    """The event with plain values; anything wrong with it is an error in one sentence."""
    if isinstance(event, Label):
        return _checked_label(event)
    if isinstance(event, BlindLabel):
        return BlindLabel(_checked_label(event.label), _yes_or_no(event.spoken, "“Spoken”"))
    if isinstance(event, Skip):
        return Skip(whole(event.position, "A position"))
    if isinstance(event, CreateTopic):
        words = None if event.words is None else checked_words(event.words)
        return CreateTopic(checked_name(event.name), _checked_free_topic(event.free_topic), words)
    if isinstance(event, RenameTopic):
        return RenameTopic(whole(event.topic, "A topic"), checked_name(event.name))
    if isinstance(event, DeleteTopic):
        return DeleteTopic(whole(event.topic, "A topic"))
    if isinstance(event, Restore):
        return Restore(whole(event.to, "A point of the history"))
    if isinstance(event, NewTopicEvent | NewCodingEvent | NewHighlightEvent):
        return event.checked()
    raise StoreError(f"“{type(event).__name__}” is not a kind of event.")


def _checked_label(event: Label) -> Label:
    permitted, forbidden = _topic_ids(event.permitted), _topic_ids(event.forbidden)
    if set(permitted) & set(forbidden):
        raise StoreError("A topic cannot be both allowed and forbidden in a text.")
    if event.confidence not in CONFIDENCES:
        raise StoreError("Confidence is one of sure, unsure and expert.")
    _yes_or_no(event.nothing_fits, "“Nothing fits”")
    if event.nothing_fits and permitted:
        raise StoreError("A text for which nothing fits cannot have a topic.")
    return replace(
        event,
        position=whole(event.position, "A position"),
        permitted=permitted,
        forbidden=forbidden,
        note=checked_text(event.note, "A note", NOTE_LIMIT),
        blind=_yes_or_no(event.blind, "“Blind”"),
    )


def _yes_or_no(value: bool, what: str) -> bool:
    if not isinstance(value, bool):
        raise StoreError(f"{what} is either true or false.")
    return value


def _topic_ids(values: Iterable[int]) -> tuple[int, ...]:
    ids = tuple(dict.fromkeys(whole(value, "A topic") for value in values))
    if len(ids) > TOPICS_LIMIT:
        raise StoreError(f"A label names at most {TOPICS_LIMIT:,} topics.")
    return ids


def _checked_free_topic(free_topic: Mapping[str, int] | None) -> dict[str, int] | None:
    if free_topic is None:
        return None
    if not isinstance(free_topic, Mapping) or set(free_topic) != {"run", "topic"}:
        raise StoreError("The origin of a topic is a run and one of its topics.")
    return {name: whole(free_topic[name], f"A {name}") for name in ("run", "topic")}


def payload_of(event: NewEvent) -> dict[str, Any]:
    """What the log stores besides kind and position."""
    if isinstance(event, Label):
        return _label_payload(event)
    if isinstance(event, BlindLabel):
        return {**_label_payload(event.label), "spoken": event.spoken}
    if isinstance(event, CreateTopic):
        free_topic = None if event.free_topic is None else dict(event.free_topic)
        words = {} if event.words is None else {"words": dict(event.words)}
        return {"name": event.name, "found": free_topic, **words}
    if isinstance(event, RenameTopic):
        return {"topic": event.topic, "name": event.name}
    if isinstance(event, DeleteTopic):
        return {"topic": event.topic}
    if isinstance(event, Restore):
        return {"to": event.to}
    if isinstance(event, NewTopicEvent | NewCodingEvent | NewHighlightEvent):
        return event.payload()
    return {}


def _label_payload(label: Label) -> dict[str, Any]:
    return {
        "permitted": list(label.permitted),
        "forbidden": list(label.forbidden),
        "confidence": label.confidence,
        "nothing_fits": label.nothing_fits,
        "note": label.note,
        **({"blind": True} if label.blind else {}),
    }


def new_event_of(kind: str, position: int | None, payload: Mapping[str, Any]) -> NewEvent:
    """The new event that left this on the log; numbers given by the log are left out."""
    types: tuple[type[NewTopicEvent | NewCodingEvent], ...]
    types = (*TOPIC_EVENT_TYPES, *CODING_EVENT_TYPES)
    reader = {each.kind: each.read for each in types}.get(kind)
    if reader is not None:
        return reader(payload)
    if kind == "label" and position is not None:
        return _label_of(position, payload)
    of_text = {each.kind: each.read for each in HIGHLIGHT_EVENT_TYPES}.get(kind)
    if of_text is not None and position is not None:
        return of_text(position, payload)
    if kind == BLIND_LABEL and position is not None:
        label = {name: value for name, value in payload.items() if name != "spoken"}
        return BlindLabel(_label_of(position, label), payload["spoken"])
    if kind == "skip" and position is not None:
        return Skip(position)
    if kind == "create_topic":
        return CreateTopic(payload["name"], payload["found"], payload.get("words"))
    if kind == "rename_topic":
        return RenameTopic(payload["topic"], payload["name"])
    if kind == "delete_topic":
        return DeleteTopic(payload["topic"])
    if kind == "restore":
        return Restore(payload["to"])
    raise StoreError(f"“{kind}” is not a kind of event.")


def _label_of(position: int, payload: Mapping[str, Any]) -> Label:
    lists = {name: tuple(payload[name]) for name in ("permitted", "forbidden")}
    return Label(position, **{**payload, **lists})
