"""The state that new events would lead to, without a database: the replay of a longer log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from core.store.events.new_events import (
    KIND_BY_TYPE,
    CreateTopic,
    NewEvent,
    checked,
    payload_of,
)
from core.store.events.requirements import with_new_topic
from core.store.events.topic_events import SplitTopic
from core.store.state.replay import State, replay
from core.store.values import Event


def state_after(
    log: Sequence[Event], several: Iterable[NewEvent], *, author: str = "analyst"
) -> State:
    """The state after these events; topics get the numbers that the store would give them."""
    longer, newest = list(log), None
    for new in several:
        event = _event(longer, checked(with_new_topic(new, newest)), author)
        newest = event.payload["topic"] if event.kind == "create_topic" else newest
        longer.append(event)
    return replay(longer)


def _event(log: Sequence[Event], new: NewEvent, author: str) -> Event:
    return Event(
        id=log[-1].id + 1 if log else 1,
        project=log[-1].project if log else 0,
        kind=KIND_BY_TYPE[type(new)],
        payload=payload_of(new) | _numbers(log, new),
        author=author,
        time=datetime.now(UTC),
        position=getattr(new, "position", None),
    )


def _numbers(log: Sequence[Event], new: NewEvent) -> dict[str, Any]:
    first = max((number for event in log for number in _created(event)), default=0) + 1
    if isinstance(new, CreateTopic):
        return {"topic": first, "colour": first - 1}
    if isinstance(new, SplitTopic):
        children = enumerate(new.payload()["children"], first)
        return {"children": [{**child, "topic": n, "colour": n - 1} for n, child in children]}
    return {}


def _created(event: Event) -> list[int]:
    """Numbers of the topics that an event created."""
    if event.kind == "create_topic":
        return [event.payload["topic"]]
    return [child["topic"] for child in event.payload.get("children", ())]
