"""Memos: short notes of the analysts on a topic or on the whole project.

What there is to note about one text is the note of its label. A memo that replaces another takes
its place; an empty one only removes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar, Self

from core.errors import StoreError
from core.store.events.checks import checked_text, whole
from core.store.events.in_force import EventInForce

WRITE_MEMO = "memo"
MEMO_LIMIT = 4_000  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Memo:
    """What somebody noted; ``topic`` is None for a memo on the project."""

    event: int
    topic: int | None
    text: str
    author: str
    time: datetime


@dataclass(frozen=True, slots=True)
class WriteMemo:
    """Write a memo on a topic or on the project, or in place of an earlier one."""

    kind: ClassVar[str] = WRITE_MEMO
    text: str
    topic: int | None = None
    replaces: int | None = None  # the event that wrote the earlier one

    def checked(self) -> Self:
        text = checked_text(self.text, "A memo", MEMO_LIMIT)
        if not text and self.replaces is None:
            raise StoreError("A memo needs some words.")
        topic = None if self.topic is None else whole(self.topic, "A topic")
        replaces = None if self.replaces is None else whole(self.replaces, "A memo")
        return replace(self, text=text, topic=topic, replaces=replaces)

    def payload(self) -> dict[str, Any]:
        about = {} if self.topic is None else {"topic": self.topic}
        return {**about, "text": self.text, "replaces": self.replaces}

    @classmethod
    def read(cls, payload: Mapping[str, Any]) -> Self:
        return cls(payload["text"], payload.get("topic"), payload["replaces"])


def memos_of(events: Iterable[EventInForce]) -> tuple[Memo, ...]:
    """The memos there are, oldest first, from the events in force."""
    found: dict[int, Memo] = {}
    for event in events:
        if event.kind != WRITE_MEMO:
            continue
        written = WriteMemo.read(event.payload)
        found.pop(written.replaces or 0, None)
        if written.text:
            found[event.id] = Memo(
                event=event.id,
                topic=written.topic,
                text=written.text,
                author=event.author,
                time=event.time,
            )
    return tuple(found.values())
