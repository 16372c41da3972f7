"""What acts would lead to, without a database: the fold over a log that is longer by them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from core.store.acts import KINDS, Act, CreateTopic, Label, Skip, checked, payload_of
from core.store.fold import State, replay
from core.store.requirements import about_newest
from core.store.topic_acts import SplitTopic
from core.store.values import Event


def foreseen(log: Sequence[Event], acts: Iterable[Act], *, author: str = "analyst") -> State:
    """The state after these acts; numbers are given as the store would give them."""
    longer, newest = list(log), None
    for act in acts:
        event = _event(longer, checked(about_newest(act, newest)), author)
        newest = event.payload["topic"] if event.kind == "create_topic" else newest
        longer.append(event)
    return replay(longer)


def _event(log: Sequence[Event], act: Act, author: str) -> Event:
    return Event(
        id=log[-1].id + 1 if log else 1,
        project=log[-1].project if log else 0,
        kind=KINDS[type(act)],
        payload=payload_of(act) | _numbers(log, act),
        author=author,
        time=datetime.now(UTC),
        position=act.position if isinstance(act, Label | Skip) else None,
    )


def _numbers(log: Sequence[Event], act: Act) -> dict[str, Any]:
    first = max((number for event in log for number in _made(event)), default=0) + 1
    if isinstance(act, CreateTopic):
        return {"topic": first, "colour": first - 1}
    if isinstance(act, SplitTopic):
        told = enumerate(act.payload()["children"], first)
        return {"children": [{**child, "topic": n, "colour": n - 1} for n, child in told]}
    return {}


def _made(event: Event) -> list[int]:
    """Numbers of the topics that an event made."""
    if event.kind == "create_topic":
        return [event.payload["topic"]]
    return [child["topic"] for child in event.payload.get("children", ())]
