"""What a refit changed, topic by topic, for whoever asks: words in and out, texts that moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from core import summaries
from core.errors import NotFound
from core.store import Event, Run, Store, Topic
from core.topics import Topics
from tsnmf_ui import selections, theme

FIRST = 10  # words of a topic that are compared, here and in the line about a refit
WORDS = 6  # gained or lost, per topic
FLOWS = 6  # from topic to topic
ACTS = 200  # read from the log
NO_ACTS = ("undo", "redo", "use_run")  # kinds that no undo takes back

Answer = dict[str, Any]
Load = Callable[[Run, tuple[str, ...]], Topics]


def changes(store: Store, load: Load, project: int, number: int, author: str) -> Answer:
    """A run against the one before it, and which acts of the author lie between them."""
    run, before = _pair(store, project, number)
    named = store.topics(project)
    names = tuple(topic.name for topic in named)
    old, new = load(before, names), load(run, names)
    found = summaries.compare(old, new, pairs=_same(before, run, old, new), words=FIRST)
    acts = _between(store, project, before.revision, run.revision)
    touched = _touched(acts)
    moved = selections.Selection.of(project, "Moved by the last refit", found.moved)
    return {
        "run": run.id,
        "since": before.revision,
        "first": FIRST,
        "topics": [
            _topic(each, run, named, touched) | {"kept": _kept(each, old)} for each in found.topics
        ],
        "added": list(found.added),
        "removed": list(found.removed),
        "moved": len(found.moved),
        "flows": _flows(old, new, found.moved),
        "documents": selections.keep(store.home, moved) if found.moved else "",
        "acts": sum(act.author == author for act in acts),
        "others": sum(act.author != author for act in acts),
    }


def _pair(store: Store, project: int, number: int) -> tuple[Run, Run]:
    """A run and the one before it whose factors are still there."""
    runs = store.runs(project)
    later = next((run for run in runs if run.id == number), None)
    earlier = [run for run in runs if run.id < number and run.factors.is_file()]
    if later is None or not later.factors.is_file() or not earlier:
        raise NotFound("There is no earlier fit to compare with.")
    return later, earlier[0]


def _same(before: Run, after: Run, old: Topics, new: Topics) -> list[tuple[int, int]]:
    """Named topics are the same by number, found ones by name."""
    place = {topic: i for i, topic in enumerate(before.topic_ids)}
    pairs = [(place[t], i) for i, t in enumerate(after.topic_ids) if t in place]
    free = {old.names[i]: i for i in range(len(before.topic_ids), len(old))}
    rest = range(len(after.topic_ids), len(new))
    return pairs + [(free[new.names[i]], i) for i in rest if new.names[i] in free]


def _topic(
    change: summaries.TopicChange, run: Run, named: Sequence[Topic], touched: set[int]
) -> Answer:
    number = run.topic_ids[change.after] if change.after < len(run.topic_ids) else None
    colour = {topic.id: theme.topic_colour(topic.colour) for topic in named}
    return {
        "name": change.name,
        "colour": colour.get(number) if number is not None else None,
        "gained": _some(change.gained),
        "lost": _some(change.lost),
        "stability": change.stability,
        "touched": number in touched,
    }


def _kept(change: summaries.TopicChange, old: Topics) -> list[int]:
    """How many of the first words are still among them, of how many: told beside those lost."""
    had = len(old.top_terms(change.before, FIRST))
    return [had - len(change.lost), had]


def _some(words: Sequence[str]) -> list[str]:
    """The first ones, and how many more there are."""
    more = len(words) - WORDS
    return [*words[:WORDS], *([f"{more} more"] if more > 0 else [])]


def _between(store: Store, project: int, after: int, until: int) -> list[Event]:
    """Acts that a refit followed, taken back or not; turns are no acts of their own."""
    events = store.events(project, after=after, limit=ACTS)
    return [e for e in events if e.id <= until and e.kind not in NO_ACTS]


def _touched(acts: Sequence[Event]) -> set[int]:
    return {topic for act in acts for topic in _spoken_of(act.payload)}


def _spoken_of(payload: Mapping[str, Any]) -> set[int]:
    named = {*payload.get("permitted", ()), *payload.get("forbidden", ())}
    return named | {payload["topic"]} if isinstance(payload.get("topic"), int) else named


def _flows(old: Topics, new: Topics, moved: Sequence[int]) -> list[Answer]:
    """From which topic to which, most first."""
    rows = np.asarray(moved, dtype=np.intp)
    if not len(rows):
        return []
    origin, goal = old.doc_topic[rows].argmax(axis=1), new.doc_topic[rows].argmax(axis=1)
    counted = Counter(zip(origin.tolist(), goal.tolist(), strict=True)).most_common(FLOWS)
    return [{"from": old.names[a], "to": new.names[b], "texts": n} for (a, b), n in counted]
