"""The acts of an analyst, checked before they reach the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.errors import StoreError
from core.store.checks import checked_name, checked_text, checked_words, whole
from core.store.topic_acts import TOPIC_ACTS, TopicAct

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


@dataclass(frozen=True, slots=True)
class Skip:
    """Leave a document for later without saying anything about it."""

    position: int


@dataclass(frozen=True, slots=True)
class CreateTopic:
    """A new topic; ``found`` tells the free topic of a run it was recognised in.

    ``words`` are words it starts from where nothing else is known of it.
    """

    name: str
    found: Mapping[str, int] | None = None
    words: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class RenameTopic:
    """The same topic under another name."""

    topic: int
    name: str


@dataclass(frozen=True, slots=True)
class DeleteTopic:
    """Take a topic away; labels forget it until the deletion is undone."""

    topic: int


@dataclass(frozen=True, slots=True)
class Restore:
    """Put everything back to how it stood after event ``to``; 0 is the beginning."""

    to: int


Act = Label | Skip | CreateTopic | RenameTopic | DeleteTopic | Restore | TopicAct

KINDS: dict[type[Act], str] = {
    Label: "label",
    Skip: "skip",
    CreateTopic: "create_topic",
    RenameTopic: "rename_topic",
    DeleteTopic: "delete_topic",
    Restore: "restore",
    **{each: each.kind for each in TOPIC_ACTS},
}


def checked(act: Act) -> Act:
    """The act in its plain form, or a sentence that says what is wrong with it."""
    if isinstance(act, Label):
        return _checked_label(act)
    if isinstance(act, Skip):
        return Skip(whole(act.position, "A position"))
    if isinstance(act, CreateTopic):
        words = None if act.words is None else checked_words(act.words)
        return CreateTopic(checked_name(act.name), _checked_found(act.found), words)
    if isinstance(act, RenameTopic):
        return RenameTopic(whole(act.topic, "A topic"), checked_name(act.name))
    if isinstance(act, DeleteTopic):
        return DeleteTopic(whole(act.topic, "A topic"))
    if isinstance(act, Restore):
        return Restore(whole(act.to, "A point of the history"))
    if isinstance(act, TopicAct):
        return act.checked()
    raise StoreError(f"“{type(act).__name__}” is not an act the log knows.")


def _checked_label(act: Label) -> Label:
    permitted, forbidden = _topic_ids(act.permitted), _topic_ids(act.forbidden)
    if set(permitted) & set(forbidden):
        raise StoreError("A topic cannot be permitted and forbidden in the same document.")
    if act.confidence not in CONFIDENCES:
        raise StoreError("Confidence is one of sure, unsure and expert.")
    if not isinstance(act.nothing_fits, bool):
        raise StoreError("“Nothing fits” is either true or false.")
    if act.nothing_fits and permitted:
        raise StoreError("A document for which nothing fits cannot permit a topic.")
    return replace(
        act,
        position=whole(act.position, "A position"),
        permitted=permitted,
        forbidden=forbidden,
        note=checked_text(act.note, "A note", NOTE_LIMIT),
    )


def _topic_ids(values: Iterable[int]) -> tuple[int, ...]:
    ids = tuple(dict.fromkeys(whole(value, "A topic") for value in values))
    if len(ids) > TOPICS_LIMIT:
        raise StoreError(f"A label names at most {TOPICS_LIMIT:,} topics.")
    return ids


def _checked_found(found: Mapping[str, int] | None) -> dict[str, int] | None:
    if found is None:
        return None
    if not isinstance(found, Mapping) or set(found) != {"run", "topic"}:
        raise StoreError("Where a topic was found is told by a run and a topic of it.")
    return {name: whole(found[name], f"A {name}") for name in ("run", "topic")}


def payload_of(act: Act) -> dict[str, Any]:
    """What the log keeps besides kind and position."""
    if isinstance(act, Label):
        return {
            "permitted": list(act.permitted),
            "forbidden": list(act.forbidden),
            "confidence": act.confidence,
            "nothing_fits": act.nothing_fits,
            "note": act.note,
        }
    if isinstance(act, CreateTopic):
        found = None if act.found is None else dict(act.found)
        words = {} if act.words is None else {"words": dict(act.words)}
        return {"name": act.name, "found": found, **words}
    if isinstance(act, RenameTopic):
        return {"topic": act.topic, "name": act.name}
    if isinstance(act, DeleteTopic):
        return {"topic": act.topic}
    if isinstance(act, Restore):
        return {"to": act.to}
    if isinstance(act, TopicAct):
        return act.payload()
    return {}


def act_of(kind: str, position: int | None, payload: Mapping[str, Any]) -> Act:
    """The act that left this on the log; numbers that the log gave out are left aside."""
    reader = {each.kind: each.read for each in TOPIC_ACTS}.get(kind)
    if reader is not None:
        return reader(payload)
    if kind == "label" and position is not None:
        lists = {name: tuple(payload[name]) for name in ("permitted", "forbidden")}
        return Label(position, **{**payload, **lists})
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
    raise StoreError(f"“{kind}” is not an act the log knows.")
