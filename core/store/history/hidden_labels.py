"""Labels and highlights in double coding that nobody may read yet: without what they say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, select

from core.store.coding.blind_labels import read_double_coding, read_waiting_at
from core.store.coding.highlights import HIGHLIGHT
from core.store.events.new_events import BLIND_LABEL, Label, payload_of
from core.store.tables import annotated
from core.store.values import Event

_EMPTY_LABEL: dict[str, Any] = {**payload_of(Label(0)), "hidden": True}


def without_hidden(connection: Connection, project: int, shown: Iterable[Event]) -> list[Event]:
    """The events; what waits for a second person says nothing but that it was given.

    The first label in force of a text is the second person's, so a text that has one hides nothing.
    """
    events = list(shown)
    places = {e.position for e in events if e.kind in (BLIND_LABEL, HIGHLIGHT)} - {None}
    hidden = hidden_texts(connection, project, {each for each in places if each is not None})
    return [_without_content(each) if each.position in hidden else each for each in events]


def _without_content(event: Event) -> Event:
    if event.kind == HIGHLIGHT:
        return replace(event, payload={"hidden": True})
    if event.kind == BLIND_LABEL:
        return replace(event, payload={**_EMPTY_LABEL, "spoken": event.payload["spoken"]})
    return event


def hidden_texts(connection: Connection, project: int, places: set[int]) -> set[int]:
    """Of these texts, those that two people are to label and have not yet."""
    if not places:
        return places
    query = select(annotated.c.position).where(annotated.c.project == project)
    seen = query.where(annotated.c.position.in_(places), annotated.c.event.is_not(None))
    setting = read_double_coding(connection, project)
    return {
        place
        for place in places - set(connection.scalars(seen))
        if (setting is not None and setting.chooses(place))
        or read_waiting_at(connection, project, place)
    }
