"""The label desk: what the labelling pane is served, and what it may do.

A plain class without server or browser. ``view`` says what to show; ``act`` writes one act to the
store and says what to show next, so that a key press and the next card are one round trip.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from core import store as stores
from core.errors import NotFound, StudioError
from core.store import Project, Run, Store
from core.topics import Topics
from tsnmf_ui import cards, keys, theme
from tsnmf_ui.lineup import Lineups, Upcoming
from tsnmf_ui.snapshot import Fitted, Snapshot, Snapshots

QUEUE = 30  # documents listed as coming next
WORDS = 8  # keywords shown for a topic
SOON, LATER = 0.3, 1.2  # seconds until a refit: after leaving a card, while still on it

Answer = dict[str, Any]
Load = Callable[[Run, tuple[str, ...]], Topics]  # names: what the topics are called now
Refit = Callable[[int, float], None]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a visitor is: project, queue mode, search words, and the open document."""

    project: int
    mode: str = "mixed"
    search: str = ""
    document: int | None = None


@dataclass(frozen=True, slots=True)
class Signature:
    """Who acts, and which act of theirs it is: a repeated one changes nothing."""

    author: str
    client: str | None = None
    sequence: int | None = None


class Desk:
    """Serves the labelling pane of every project in a store."""

    def __init__(self, store: Store, *, load: Load | None = None, refit: Refit | None = None):
        self.store = store
        self._load: Load = load or (lambda run, names: store.run_topics(run))
        self._refit = refit or (lambda project, after: None)
        self._lineups = Lineups(store)
        self._cards = cards.Cards(store)
        self._snapshots = Snapshots(store)
        self._runs: dict[int, Run] = {}

    def view(self, place: Place) -> Answer:
        """Everything the pane shows."""
        return self._view(place)

    def _view(self, place: Place, *, onwards: bool = False) -> Answer:
        """The same, or what comes after the document that is open now."""
        fitted = self._fitted(place.project)
        snapshot = fitted.snapshot
        upcoming = self._lineups.upcoming(fitted, place.mode, place.search)
        if onwards:
            self._lineups.left(place.project, place.document)
            place = replace(place, document=upcoming.after(place.document))
        position = _position(fitted.project, place, upcoming)
        return {
            "project": _about(fitted.project, snapshot),
            "revision": snapshot.revision,
            "mode": place.mode,
            "search": place.search,
            "topics": _named(fitted),
            "found": _found(fitted),
            "obeys": fitted.project.settings.spec.obeys,
            "queue": self._cards.rows(fitted.project, upcoming.items[:QUEUE]),
            "waiting": upcoming.total,
            "card": None
            if position is None
            else self._cards.card(fitted, position, upcoming.reason(position)),
            "refit": _refit_line(fitted.run),
            "stale": fitted.run is None or fitted.run.revision < snapshot.revision,
        }

    def act(self, place: Place, act: Mapping[str, Any], by: Signature) -> Answer:
        """Write one act, durably, then say what to show: the next card, or the same one."""
        kind = act.get("kind")
        if kind == "next":
            return self._view(place, onwards=True)
        if kind in ("undo", "redo"):
            return self._back_or_forth(place, str(kind), by)
        event = self.store.record(
            place.project,
            _parsed(act),
            author=by.author,
            client=by.client,
            sequence=by.sequence,
        )
        self._snapshots.follow(event)
        leaves = kind == "skip" or act.get("then") == "next"
        self._refit(place.project, SOON if leaves or kind != "label" else LATER)
        return {**self._view(place, onwards=leaves), "event": event.id}

    def prepare(self, project: int, _run: int) -> None:
        """After a fit: read the factors and line up the documents before anybody asks."""
        self._lineups.renew(self._fitted(project))

    def _back_or_forth(self, place: Place, kind: str, by: Signature) -> Answer:
        """Undo or redo, and show the document it was about."""
        move = self.store.undo if kind == "undo" else self.store.redo
        event = move(place.project, author=by.author, client=by.client, sequence=by.sequence)
        if event is None:
            return {**self.view(place), "notice": f"There is nothing to {kind}."}
        self._refit(place.project, SOON)
        there = place if event.position is None else replace(place, document=event.position)
        return {**self.view(there), "event": event.id}

    def _fitted(self, number: int) -> Fitted:
        project = self.store.project(number)
        snapshot = self._snapshots.of(project)
        run = self._run(project)
        names = tuple(topic.name for topic in snapshot.topics)
        topics = None if run is None else self._load(run, names)
        return Fitted(project, snapshot, run, topics)

    def _run(self, project: Project) -> Run | None:
        """The newest run; runs never change, so each is read once."""
        if project.last_run is None:
            return None
        known = self._runs.get(project.id)
        if known is None or known.id != project.last_run.run:
            known = self.store.run(project.id, project.last_run.run)
            self._runs[project.id] = known
        return known


def _position(project: Project, place: Place, upcoming: Upcoming) -> int | None:
    if place.document is None:
        return upcoming.items[0].position if upcoming.items else None
    if not 0 <= place.document < project.n_docs:
        raise NotFound("There is no such text in this project.")
    return place.document


def _about(project: Project, snapshot: Snapshot) -> Answer:
    return {
        "id": project.id,
        "name": project.name,
        "documents": project.n_docs,
        "labelled": len(snapshot.labelled),
        "skipped": len(snapshot.skipped),
    }


def _named(fitted: Fitted) -> list[Answer]:
    """The analyst's topics, with the words the model has for them."""
    snapshot, run = fitted.snapshot, fitted.run
    column = {} if run is None else {topic: i for i, topic in enumerate(run.topic_ids)}
    codes = keys.codes(len(snapshot.topics))
    return [
        {
            "id": topic.id,
            "name": topic.name,
            "colour": theme.topic_colour(topic.colour),
            "key": codes[i],
            "labelled": snapshot.counts.get(topic.id, 0),
            "words": _words(fitted.topics, column.get(topic.id)),
        }
        for i, topic in enumerate(snapshot.topics)
    ]


def _found(fitted: Fitted) -> list[Answer]:
    """Free topics of the current run; those adopted since then are named ones by now."""
    run, topics = fitted.run, fitted.topics
    if run is None or topics is None:
        return []
    return [
        {"run": run.id, "topic": column, "name": topics.names[column], "words": words}
        for column in range(len(run.topic_ids), len(topics))
        if (words := _words(topics, column))
    ]


def _words(topics: Topics | None, column: int | None) -> list[str]:
    if topics is None or column is None:
        return []
    return [term for term, _ in topics.top_terms(column, WORDS)]


def _refit_line(run: Run | None) -> Answer | None:
    """What the last fit did, for the quiet line."""
    if run is None:
        return None
    return {
        "run": run.id,
        "seconds": run.seconds,
        "finished": run.finished.isoformat(),
        "adherence": run.scores.get("adherence"),
        "labelled": run.scores.get("n_labelled"),
        "change": run.scores.get("change"),
    }


def _parsed(act: Mapping[str, Any]) -> stores.Act:
    """The act a request asks for; the store checks it and says what is wrong with it."""
    makers: dict[str, Callable[[Mapping[str, Any]], stores.Act]] = {
        "label": _label,
        "skip": lambda a: stores.Skip(a["position"]),
        "create_topic": lambda a: stores.CreateTopic(a["name"], a.get("found")),
        "rename_topic": lambda a: stores.RenameTopic(a["topic"], a["name"]),
        "delete_topic": lambda a: stores.DeleteTopic(a["topic"]),
    }
    try:
        return makers[act["kind"]](act)
    except (KeyError, TypeError):
        raise StudioError("This act is not complete.") from None


def _label(act: Mapping[str, Any]) -> stores.Label:
    return stores.Label(
        position=act["position"],
        permitted=tuple(act.get("permitted", ())),
        forbidden=tuple(act.get("forbidden", ())),
        confidence=act.get("confidence", "sure"),
        nothing_fits=act.get("nothing_fits", False),
        note=act.get("note", ""),
    )
