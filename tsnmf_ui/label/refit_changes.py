"""What a refit changed, topic by topic, for whoever asks: words in and out, texts that moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from core.errors import NotFound
from core.insight import summaries
from core.store import Event, Run, Store, Topic
from core.supervision import TopicKey
from core.topics import Topics
from tsnmf_ui.label import selections
from tsnmf_ui.theme import style

COMPARED_WORDS = 10  # words of a topic that are compared, here and in the line about a refit
MAX_SHOWN_WORDS = 6  # gained or lost, per topic
MAX_FLOWS = 6  # from topic to topic
MAX_EVENTS = 200  # read from the log
NOT_UNDOABLE = ("undo", "redo", "use_run")  # kinds that no undo takes back

Answer = dict[str, Any]
Load = Callable[[Run, tuple[str, ...]], Topics]


def changes(store: Store, load: Load, project: int, number: int, author: str) -> Answer:
    """A run against the last full fit before it, and the author's events between the two."""
    run, before = _pair(store, project, number)
    named = store.topics(project)
    names = tuple(topic.name for topic in named)
    old, new = load(before, names), load(run, names)
    found = summaries.compare(old, new, words=COMPARED_WORDS)
    events = _events_between(store, project, before.revision, run.revision)
    touched = _touched_topics(events)
    moved = selections.Selection.of(project, "Moved by the last refit", found.moved)
    return {
        "run": run.id,
        "since": before.revision,
        "first": COMPARED_WORDS,
        "topics": [
            _topic(each, named, touched) | {"kept": _kept_words(each, old)} for each in found.topics
        ],
        "added": list(found.added),
        "removed": list(found.removed),
        "moved": len(found.moved),
        "flows": _flows(old, new, found.moved),
        "documents": selections.save(store.home, moved) if found.moved else "",
        "yours": sum(event.author == author for event in events),
        "others": sum(event.author != author for event in events),
    }


def _pair(store: Store, project: int, number: int) -> tuple[Run, Run]:
    """A run and the resting one before it whose factors are still there.

    In the place of a preview that is gone stands the run that replaced it.
    """
    try:
        later: Run | None = store.run(project, number)
    except NotFound:
        later = store.current_run(project)
    runs = [] if later is None else [run for run in store.runs(project) if run.id < later.id]
    earlier = [run for run in runs if run.factors.is_file()]
    if later is None or not later.factors.is_file() or not earlier:
        raise NotFound("There is no earlier run to compare with.")
    return later, earlier[0]


def _topic(change: summaries.TopicChange, named: Sequence[Topic], touched: set[int]) -> Answer:
    colour: dict[TopicKey, str] = {topic.id: style.topic_colour(topic.colour) for topic in named}
    return {
        "name": change.name,
        "colour": colour.get(change.key),
        "gained": _first_words(change.gained),
        "lost": _first_words(change.lost),
        "stability": change.stability,
        "touched": change.key in touched,
    }


def _kept_words(change: summaries.TopicChange, old: Topics) -> list[int]:
    """How many of the first words are still among them, of how many: told beside those lost."""
    had = len(old.top_terms(change.before, COMPARED_WORDS))
    return [had - len(change.lost), had]


def _first_words(words: Sequence[str]) -> list[str]:
    """The first ones, and how many more there are."""
    more = len(words) - MAX_SHOWN_WORDS
    return [*words[:MAX_SHOWN_WORDS], *([f"{more} more"] if more > 0 else [])]


def _events_between(store: Store, project: int, after: int, until: int) -> list[Event]:
    """Events that a refit followed, taken back or not, but not undo and redo themselves."""
    events = islice(store.shown_events(project, after=after), MAX_EVENTS)
    return [e for e in events if e.id <= until and e.kind not in NOT_UNDOABLE]


def _touched_topics(events: Sequence[Event]) -> set[int]:
    return {topic for event in events for topic in _topics_in(event.payload)}


def _topics_in(payload: Mapping[str, Any]) -> set[int]:
    named = {*payload.get("permitted", ()), *payload.get("forbidden", ())}
    return named | {payload["topic"]} if isinstance(payload.get("topic"), int) else named


def _flows(old: Topics, new: Topics, moved: Sequence[int]) -> list[Answer]:
    """From which topic to which, most first."""
    rows = np.asarray(moved, dtype=np.intp)
    if not len(rows):
        return []
    origin, goal = old.doc_topic[rows].argmax(axis=1), new.doc_topic[rows].argmax(axis=1)
    counted = Counter(zip(origin.tolist(), goal.tolist(), strict=True)).most_common(MAX_FLOWS)
    return [{"from": old.names[a], "to": new.names[b], "texts": n} for (a, b), n in counted]
