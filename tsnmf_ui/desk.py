"""The label desk: what the labelling pane is served, and what it may do.

A plain class without server or browser. ``view`` says what to show; ``act`` writes one act to the
store and says what to show next. Each view brings the next card with it, so a label only has to
be on disk before the pane goes on: its answer is as short as it can be.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.errors import NotFound, QueryError
from core.search import Found
from core.store import Event, Project, Run, Store
from core.topics import Topics
from tsnmf_ui import answers, bulk, cards, changed, requests, selections
from tsnmf_ui.finder import Finder
from tsnmf_ui.lineup import Lineups
from tsnmf_ui.listing import Listing, Results
from tsnmf_ui.snapshot import Fitted, Snapshot, Snapshots

ROWS = 30  # documents in a stretch of the list
AHEAD = 10  # and so many more are drawn up beforehand
SILENT = ("skip", "edit_codebook")  # kinds of acts that change no model
LOOK_BACK = 20  # events looked at before a fit is simply made
KEPT = 8  # projects remembered as they were read last
MOST_UNDONE = 200  # acts taken back at once
SOON, LATER = 0.3, 1.2  # seconds until a refit: after leaving a card, while still on it

Answer = dict[str, Any]
Load = Callable[[Run, tuple[str, ...]], Topics]  # names: what the topics are called now
Refit = Callable[[int, float], None]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a visitor is: project, queue mode, search or selection, and the open document."""

    project: int
    mode: str = "mixed"
    search: str = ""
    document: int | None = None
    documents: str = ""  # key of a selection


@dataclass(frozen=True, slots=True)
class Signature:
    """Who acts, and which act of theirs it is: a repeated one changes nothing."""

    author: str
    client: str | None = None
    sequence: int | None = None


class Desk:
    """Serves the labelling pane of every project in a store."""

    def __init__(
        self,
        store: Store,
        *,
        load: Load | None = None,
        refit: Refit | None = None,
        hasten: Refit | None = None,
    ) -> None:
        self.store = store
        self._load: Load = load or (lambda run, names: store.run_topics(run))
        self._refit = refit or (lambda project, after: None)
        self._hasten = hasten or (lambda project, after: None)  # a refit that is waiting
        self._lineups = Lineups(store)
        self._finder = Finder(store)
        self._cards = cards.Cards(store)
        self._bulk = bulk.Bulk(self._cards)
        self._snapshots = Snapshots(store)
        self._runs: dict[int, Run] = {}
        self._last: OrderedDict[int, Fitted] = OrderedDict()

    def view(self, place: Place, author: str = "") -> Answer:
        """Everything the pane shows, and whether the model has yet to hear of something."""
        return {**self._view(place, author), "stale": self._stale(self.fitted(place.project))}

    def _view(
        self,
        place: Place,
        author: str,
        *,
        onwards: bool = False,
        to: int | None = None,
    ) -> Answer:
        """The same, or what comes after the document that is open now.

        ``to`` is the next document if the pane shows it already. The card after the one that is
        shown comes along, so that the pane can show it the moment it is wanted.
        """
        fitted = self.fitted(place.project)
        if onwards:  # first: a doubt that was passed is not in the list any more
            self._lineups.left(place.project, place.document)
        listing, problem = self._tried(fitted, place, author)
        if onwards:
            place = replace(place, document=listing.after(place.document) if to is None else to)
        position = _position(fitted.project, place, listing)
        upcoming = None if position is None else listing.after(position)
        return {
            **answers.about(fitted),
            **self._rows(fitted, place, listing, 0, ROWS),
            "problem": problem,
            "mode": place.mode,
            "card": self._card(fitted, position, listing, place),
            "upcoming": self._card(fitted, upcoming, listing, place),
        }

    def _card(
        self, fitted: Fitted, position: int | None, listing: Listing, place: Place
    ) -> Answer | None:
        if position is None:
            return None
        return self._cards.card(fitted, position, listing.reason(position), place.search)

    def _stale(self, fitted: Fitted) -> bool:
        """Whether anything was said since the last fit that the model should hear of."""
        if fitted.run is None:
            return True
        if fitted.run.revision >= fitted.snapshot.revision:
            return False
        since = self.store.events(fitted.project.id, after=fitted.run.revision, limit=LOOK_BACK)
        return len(since) == LOOK_BACK or any(event.kind not in SILENT for event in since)

    def rows(self, place: Place, author: str, offset: int, limit: int = ROWS) -> Answer:
        """A stretch of the list alone: while somebody types, or scrolls on."""
        fitted = self.fitted(place.project)
        listing, problem = self._tried(fitted, place, author)
        return {**self._rows(fitted, place, listing, offset, limit), "problem": problem}

    def _rows(
        self, fitted: Fitted, place: Place, listing: Listing, offset: int, limit: int
    ) -> Answer:
        items = listing.items(offset, limit)
        return {
            "queue": self._cards.rows(fitted, items, place.search),
            "offset": offset,
            "waiting": listing.total,
            "list": {"kind": listing.kind, "title": listing.title},
            "search": place.search,
            "documents": place.documents,
        }

    def _tried(self, fitted: Fitted, place: Place, author: str) -> tuple[Listing, str]:
        """The list, or an empty one and the sentence that says why."""
        try:
            return self.listing(fitted, place, author), ""
        except QueryError as error:
            return Results(Found(np.empty(0, np.intp)), "search", "Found texts"), str(error)

    def listing(self, fitted: Fitted, place: Place, author: str) -> Listing:
        """The list a visitor works through: search results, a selection, or the queue."""
        if place.search.strip():
            found = self._finder.find(fitted, place.search, author)
            if not place.documents:
                return Results(found, "search", "Found texts")
            chosen = self._selected(place)
            within = chosen.positions[np.isin(chosen.positions, found.positions)]
            return Results(Found(within, chosen=True), "search", "Found in the selection")
        if place.documents:
            return Results(self._selected(place), "selection", self._selection(place).title)
        return self._lineups.upcoming(fitted, place.mode)

    def _selection(self, place: Place) -> selections.Selection:
        found = selections.find(self.store.home, place.project, place.documents)
        if found is None:
            raise QueryError("This selection is not there any more. Choose the texts again.")
        return found

    def _selected(self, place: Place) -> Found:
        positions = np.array(self._selection(place).positions, dtype=np.intp)
        n_docs = self.store.project(place.project).n_docs
        return Found(positions[positions < n_docs], chosen=True)

    def act(self, place: Place, act: Mapping[str, Any], by: Signature) -> Answer:
        """Write one act, durably, then say what to show: the next card, or the same one."""
        kind = act.get("kind")
        if kind == "next":
            self._hasten(place.project, SOON)
            return self._view(place, by.author, onwards=True, to=requests.to_of(act))
        if kind in ("undo", "redo"):
            return self._back_or_forth(place, act, by)
        if kind == "bulk":
            return self._label_many(place, act, by)
        known = self._snapshots.known(place.project)
        event = self.store.record(
            place.project,
            requests.act_of(act),
            author=by.author,
            client=by.client,
            sequence=by.sequence,
            seen=requests.seen_of(act),
        )
        self._snapshots.follow(event)
        leaves = kind == "skip" or act.get("then") == "next"
        stays = kind == "label" and not leaves
        if kind not in SILENT:
            self._refit(place.project, LATER if stays else SOON)
        view = self._said(event, known) if stays else self._view(place, by.author, onwards=leaves)
        return {**view, "event": event.id}

    def _said(self, event: Event, before: Snapshot | None) -> Answer:
        """What a label changed: what is said of its document, and the counts of topics and texts.

        The list stays as it is until its reader goes on. Nothing is read again that is known.
        """
        position = event.position or 0
        known, last = self._snapshots.known(event.project), self._last.get(event.project)
        if known is None or last is None or known.revision != event.id:
            fitted = self.fitted(event.project)
        else:
            fitted = replace(last, snapshot=known)
        newest = before if before and before.revision + 1 == event.id else None
        first = newest is not None and newest.blank(position)
        said = self._cards.said(fitted, position, first=first)
        return {**answers.about(fitted), "said": said}

    def look_ahead(self, place: Place, author: str) -> None:
        """Draw up what is wanted next while nobody waits: the card after a place, more rows."""
        fitted = self.fitted(place.project)
        listing, _ = self._tried(fitted, place, author)
        self._card(fitted, listing.after(place.document), listing, place)
        self._rows(fitted, place, listing, 0, ROWS + AHEAD)

    def preview(self, place: Place, ask: Mapping[str, Any], author: str) -> Answer:
        """What labelling the whole list would do."""
        fitted = self.fitted(place.project)
        return self._bulk.preview(fitted, self.listing(fitted, place, author), ask)

    def changes(self, project: int, run: int, author: str) -> Answer:
        """What a refit changed."""
        return changed.changes(self.store, self._load, project, run, author)

    def codebook(self, project: int) -> Answer:
        """What the topics mean, with the beginnings of their examples."""
        fitted, book = self.fitted(project), self.store.codebook(project)
        return {"codebook": {t: self._cards.entry(fitted, said) for t, said in book.items()}}

    def prepare(self, project: int, _run: int) -> None:
        """After a fit: read the factors and line up the documents before anybody asks."""
        self._lineups.renew(self.fitted(project))
        self._finder.prepare(project)

    def _label_many(self, place: Place, act: Mapping[str, Any], by: Signature) -> Answer:
        """One label for every document of a preview; one undo takes it all back."""
        fitted = self.fitted(place.project)
        labels, newer = self._bulk.acts(fitted, act, by.author)
        head = self.store.record_batch(
            place.project,
            bulk.title_of(labels, fitted),
            labels,
            author=by.author,
            client=by.client,
            sequence=by.sequence,
        )
        self._refit(place.project, SOON)
        return {
            **self._view(place, by.author),
            "event": head.id,
            "notice": answers.labelled_many(len(labels), newer),
        }

    def _back_or_forth(self, place: Place, act: Mapping[str, Any], by: Signature) -> Answer:
        """Undo or redo, and show the document it was about."""
        kind, since = act["kind"], requests.since_of(act)
        event = self._undo_since(place, by, since) if since else self._turn(place, kind, by)
        if event is None:
            return {**self.view(place, by.author), "notice": f"There is nothing to {kind}."}
        self._snapshots.follow(event)
        self._refit(place.project, SOON)
        there = place if event.position is None else replace(place, document=event.position)
        answer = {**self.view(there, by.author), "event": event.id}
        return {**answer, "notice": answers.turned(event)}

    def _turn(self, place: Place, kind: str, by: Signature) -> Event | None:
        move = self.store.undo if kind == "undo" else self.store.redo
        return move(place.project, author=by.author, client=by.client, sequence=by.sequence)

    def _undo_since(self, place: Place, by: Signature, since: int) -> Event | None:
        """Everything the author did after an event. Doing it twice does nothing more."""
        last = None
        for _ in range(MOST_UNDONE):
            event = self.store.undo(place.project, author=by.author, after=since)
            if event is None:
                break
            last = event
        return last

    def fitted(self, number: int) -> Fitted:
        """A project as it stands, with the topics of its last fit."""
        project = self.store.project(number)
        snapshot = self._snapshots.of(project)
        run = self._run(project)
        names = tuple(topic.name for topic in snapshot.topics)
        topics = None if run is None else self._load(run, names)
        return self._keep(Fitted(project, snapshot, run, topics))

    def _keep(self, fitted: Fitted) -> Fitted:
        self._last.pop(fitted.project.id, None)
        self._last[fitted.project.id] = fitted  # the newest last
        while len(self._last) > KEPT:
            self._last.popitem(last=False)
        return fitted

    def _run(self, project: Project) -> Run | None:
        """The newest run; runs never change, so each is read once."""
        if project.last_run is None:
            return None
        known = self._runs.get(project.id)
        if known is None or known.id != project.last_run.run:
            known = self.store.run(project.id, project.last_run.run)
            self._runs[project.id] = known
        return known


def _position(project: Project, place: Place, listing: Listing) -> int | None:
    if place.document is None:
        first = listing.items(0, 1)
        return first[0].position if first else None
    if not 0 <= place.document < project.n_docs:
        raise NotFound("There is no such text in this project.")
    return place.document
