"""The log of a project as a report shows it: topics that are hidden stay hidden."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping

from core.report import HistoryRow
from core.store import Event, Store
from core.store.history.sentences import describe_kind, describe_label, event_sentence

HIDDEN_TOPIC = "a hidden topic"
ABOUT_HIDDEN_TOPIC = "Something about a hidden topic"


def history_rows(store: Store, project: int, hidden: Collection[str]) -> Iterator[HistoryRow]:
    """Oldest event first; ``hidden``: the keys of topics that the report does not show."""
    secret = {int(key) for key in hidden if key.isdecimal()}
    names = store.topic_names(project) | dict.fromkeys(secret, HIDDEN_TOPIC)
    hide = _hider(_names_ever(store, project, secret) if secret else set())
    for event in store.shown_events(project):
        about = event.payload.get("topic") in secret
        what = ABOUT_HIDDEN_TOPIC if about else hide(_sentence(event, names))
        yield HistoryRow(event.id, event.time, event.author, describe_kind(event.kind), what)


def _sentence(event: Event, names: Mapping[int, str]) -> str:
    parts = [event_sentence(event, names)]
    if event.kind == "label":
        parts.append(describe_label(event.payload, names))
    where = "" if event.position is None else f" (row {event.position + 1})"
    return ": ".join(parts) + where


def _names_ever(store: Store, project: int, topics: Collection[int]) -> set[str]:
    """What these topics are called, and were called before."""
    found = set()
    for event in store.events(project):
        given = [event.payload, *event.payload.get("children", ())]
        found |= {each["name"] for each in given if each.get("topic") in topics and "name" in each}
    return found


def _hider(names: Collection[str]) -> Callable[[str], str]:
    """Puts a plain word in the place of every one of these names."""
    if not names:
        return lambda text: text
    longest_first = sorted(names, key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.I)
    return lambda text: pattern.sub(HIDDEN_TOPIC, text)
