"""The label desk: what the labelling pane is served, and what it may do.

A plain class without server or browser. ``view`` says what to show; ``handle`` writes one event to
the store and says what to show next. Each view brings the next card with it, so a label only has to
be on disk before the pane goes on: its answer is as short as it can be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from core.errors import NotFound
from core.store import CreateTopic, Event, Highlight, Label, NewEvent, Project, SaveSearch, Store
from core.store.events.new_events import BLIND_LABEL
from core.workspace.adoption import with_words_of_free_topic
from core.workspace.results import topics_of_run
from tsnmf_ui.label import bulk, cards, notices, project_status, refit_changes, requests
from tsnmf_ui.label.assigning import assign_list
from tsnmf_ui.label.document_lists import DocumentList
from tsnmf_ui.label.fitted_projects import FittedProjects, Load
from tsnmf_ui.label.free_topics import keep_free_topic
from tsnmf_ui.label.highlighting import add_seed_words, require_quote
from tsnmf_ui.label.list_chooser import ListChooser, searched_for
from tsnmf_ui.label.place import Place, Signature
from tsnmf_ui.label.snapshot import HIGHLIGHT_KINDS, Fitted, Snapshot, Snapshots

ROWS_PER_REQUEST = 30  # documents in a stretch of the list
PREFETCHED_ROWS = 10  # and so many more are drawn up beforehand
# Kinds of events that change no model.
KINDS_WITHOUT_REFIT = ("skip", "save_search", BLIND_LABEL, *HIGHLIGHT_KINDS)
PREPARED_KINDS = ("bulk", "keep_free", "seed_words")  # about what an earlier answer has shown
MAX_UNDONE_AT_ONCE = 200  # events taken back at once
REFIT_AFTER_LEAVING = 0.3  # seconds until a refit after a card was left
REFIT_WHILE_OPEN = 1.2  # and while it is still open

Answer = dict[str, Any]
Refit = Callable[[int, float], None]


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
        self._load: Load = load or (lambda run, names: topics_of_run(store, run, names))
        self._refit = refit or (lambda project, after: None)
        self._hasten = hasten or (lambda project, after: None)  # a refit that is waiting
        self._lists = ListChooser(store)
        self._cards = cards.Cards(store)
        self._bulk = bulk.BulkLabelling(self._cards)
        self._snapshots = Snapshots(store)
        self._projects = FittedProjects(store, self._snapshots, self._load)

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
            self._lists.mark_reviewed(place.project, place.document)
        listing, problem = self._lists.listing_or_problem(fitted, place, author)
        if onwards:
            place = replace(place, document=listing.after(place.document) if to is None else to)
        position = _position(fitted.project, place, listing)
        upcoming = None if position is None else listing.after(position)
        return {
            **project_status.project_status(self.store, fitted, author),
            **self._rows(fitted, place, listing, slice(0, ROWS_PER_REQUEST), author),
            "problem": problem,
            "mode": place.mode,
            "card": self._card(fitted, position, listing, place, author),
            "upcoming": self._card(fitted, upcoming, listing, place, author),
        }

    def _card(
        self,
        fitted: Fitted,
        position: int | None,
        listing: DocumentList,
        place: Place,
        author: str,
    ) -> Answer | None:
        if position is None:
            return None
        search, item = searched_for(fitted, place), listing.reason(position)
        return self._cards.card(fitted, position, item, search, author)

    def _stale(self, fitted: Fitted) -> bool:
        """Whether there are events since the last fit that a refit should follow."""
        if fitted.run is None:
            return True
        if fitted.run.revision >= fitted.snapshot.revision:
            return False
        return self.store.count_changes(fitted.project.id, after=fitted.run.revision) > 0

    def rows(self, place: Place, author: str, offset: int, limit: int = ROWS_PER_REQUEST) -> Answer:
        """A stretch of the list alone: while somebody types, or scrolls on."""
        fitted = self.fitted(place.project)
        listing, problem = self._lists.listing_or_problem(fitted, place, author)
        stretch = slice(offset, offset + limit)
        return {**self._rows(fitted, place, listing, stretch, author), "problem": problem}

    def _rows(
        self, fitted: Fitted, place: Place, listing: DocumentList, stretch: slice, author: str
    ) -> Answer:
        items = listing.items(stretch.start, stretch.stop - stretch.start)
        return {
            "queue": self._cards.rows(fitted, items, searched_for(fitted, place), author),
            "offset": stretch.start,
            "waiting": listing.total,
            "list": {
                "kind": listing.kind,
                "title": listing.title,
                "note": listing.note,
                "copies": listing.copies,
            },
            "search": place.search,
            "documents": place.documents,
        }

    def handle(self, place: Place, request: Mapping[str, Any], by: Signature) -> Answer:
        """Write one event, durably, then say what to show: the next card, or the same one."""
        kind = request.get("kind")
        if kind == "next":
            self._hasten(place.project, REFIT_AFTER_LEAVING)
            return self._view(place, by.author, onwards=True, to=requests.to_of(request))
        if kind in ("undo", "redo"):
            return self._undo_or_redo(place, request, by)
        if kind in PREPARED_KINDS:
            return self._recorded_batch(place, by) or self._record_batch(place, request, by)
        if kind == "assign":
            return self._assign(place, request, by)
        known = self._snapshots.known(place.project)
        event = self._record(place.project, request, by)
        self._snapshots.follow(event)
        leaves = kind == "skip" or request.get("then") == "next"
        stays = kind == "label" and not leaves
        if event.kind not in KINDS_WITHOUT_REFIT:
            self._refit(place.project, REFIT_WHILE_OPEN if stays else REFIT_AFTER_LEAVING)
        view = (
            self._labelled(event, known, by.author)
            if stays
            else self._view(place, by.author, onwards=leaves)
        )
        return {
            **view,
            "event": event.id,
            "hidden": self._is_hidden(event),
            **notices.event_notice(event),
        }

    def _is_hidden(self, event: Event) -> bool:
        """Whether others are not told of an event: of a text that two people are labelling."""
        if event.kind in (BLIND_LABEL, *HIGHLIGHT_KINDS) and event.position is not None:
            return self.fitted(event.project).snapshot.is_doubled(event.position)
        return False

    def _record(self, project: int, request: Mapping[str, Any], by: Signature) -> Event:
        """Put what a request asks for on the log; a label by the rules of double coding."""
        new, known = self._event_of(project, request), self._snapshots.known(project)
        alone = known is not None and known.double_coding is None and not known.waiting
        record: Callable[..., Event] = self.store.record
        if isinstance(new, Label) and not alone:
            record = partial(self.store.record_label, spoken=request.get("spoken") is True)
        return record(
            project,
            new,
            author=by.author,
            client=by.client,
            sequence=by.sequence,
            seen=requests.seen_of(request),
        )

    def _event_of(self, project: int, request: Mapping[str, Any]) -> NewEvent:
        """What a request asks for; a topic that is adopted brings its words along."""
        event = requests.event_of(request)
        if isinstance(event, SaveSearch):
            self._lists.require_search(self.fitted(project), event.checked().search)
        if isinstance(event, Highlight):
            require_quote(self.store.document(project, requests.position_of(request)), event)
        if not isinstance(event, CreateTopic):
            return event
        return with_words_of_free_topic(
            self.store, project, event, requests.free_topic_key_of(request)
        )

    def _labelled(self, event: Event, before: Snapshot | None, author: str) -> Answer:
        """What a label changed: its document's labels, and the counts of topics and texts.

        The list stays as it is until its reader goes on. Nothing is read again that is known.
        """
        position = event.position or 0
        known, last = self._snapshots.known(event.project), self._projects.last(event.project)
        if known is None or last is None or known.revision != event.id:
            fitted = self.fitted(event.project)
        else:
            fitted = replace(last, snapshot=known)
        newest = before if before and before.revision + 1 == event.id else None
        first = newest is not None and newest.blank(position)
        label_state = self._cards.label_fields(fitted, position, author, first=first)
        status = project_status.project_status(self.store, fitted, author)
        return {**status, "label_state": label_state}

    def look_ahead(self, place: Place, author: str) -> None:
        """Draw up what is wanted next while nobody waits: the card after a place, more rows."""
        fitted = self.fitted(place.project)
        listing, _ = self._lists.listing_or_problem(fitted, place, author)
        self._card(fitted, listing.after(place.document), listing, place, author)
        stretch = slice(0, ROWS_PER_REQUEST + PREFETCHED_ROWS)
        self._rows(fitted, place, listing, stretch, author)

    def preview(self, place: Place, ask: Mapping[str, Any], author: str) -> Answer:
        """What labelling the whole list would do."""
        fitted = self.fitted(place.project)
        return self._bulk.preview(fitted, self._lists.listing(fitted, place, author), ask)

    def filters(self, project: int) -> Answer:
        """What can be searched for."""
        return self._lists.filters(self.store.project(project))

    def saved_searches(self, project: int, author: str) -> Answer:
        """The saved searches, and how many texts are left of each."""
        return {"saved": self._lists.saved_searches(self.fitted(project), author)}

    def changes(self, project: int, run: int, author: str) -> Answer:
        """What a refit changed."""
        return refit_changes.changes(self.store, self._load, project, run, author)

    def codebook(self, project: int) -> Answer:
        """What the topics mean, with the beginnings of their examples."""
        fitted, book = self.fitted(project), self.store.codebook(project)
        return {
            "codebook": {t: self._cards.codebook_entry(fitted, entry) for t, entry in book.items()}
        }

    def prepare(self, project: int, _result: object) -> None:
        """After a fit: read the factors and line up the documents before anybody asks."""
        self._lists.prepare(self.fitted(project))

    def _recorded_batch(self, place: Place, by: Signature) -> Answer | None:
        """A request whose answer was lost, as by a restart: what it was about may be gone."""
        head = self.store.recorded(
            place.project, author=by.author, client=by.client, sequence=by.sequence
        )
        if head is None:
            return None
        self._refit(place.project, REFIT_AFTER_LEAVING)
        notice = notices.batch_notice(head)
        return {**self._view(place, by.author), "event": head.id, "notice": notice}

    def _record_batch(self, place: Place, request: Mapping[str, Any], by: Signature) -> Answer:
        if request["kind"] == "bulk":
            return self._label_many(place, request, by)
        record = keep_free_topic if request["kind"] == "keep_free" else add_seed_words
        head, notice = record(self.store, self.fitted(place.project), request, by)
        self._refit(place.project, REFIT_AFTER_LEAVING)
        return {**self._view(place, by.author), "event": head.id, "notice": notice}

    def _label_many(self, place: Place, request: Mapping[str, Any], by: Signature) -> Answer:
        """One label for every document of a preview; one undo takes it all back."""
        fitted = self.fitted(place.project)
        labels, newer = self._bulk.labels_of(fitted, request, by.author)
        head = self.store.record_batch(
            place.project,
            bulk.bulk_title(labels, fitted),
            labels,
            author=by.author,
            client=by.client,
            sequence=by.sequence,
        )
        self._refit(place.project, REFIT_AFTER_LEAVING)
        return {
            **self._view(place, by.author),
            "event": head.id,
            "notice": notices.bulk_notice(len(labels), newer),
        }

    def _assign(self, place: Place, request: Mapping[str, Any], by: Signature) -> Answer:
        """Every text of the list is given to a person."""
        listing = self._lists.listing(self.fitted(place.project), place, by.author)
        event, notice = assign_list(self.store, place.project, listing, request, by)
        return {**self._view(place, by.author), "event": event.id, "notice": notice}

    def _undo_or_redo(self, place: Place, request: Mapping[str, Any], by: Signature) -> Answer:
        """Undo or redo, and show the document it was about."""
        kind, since = request["kind"], requests.since_of(request)
        event = self._undo_since(place, by, since) if since else self._undo_once(place, kind, by)
        if event is None:
            return {**self.view(place, by.author), "notice": f"There is nothing to {kind}."}
        self._snapshots.follow(event)
        self._refit(place.project, REFIT_AFTER_LEAVING)
        there = place if event.position is None else replace(place, document=event.position)
        answer = {**self.view(there, by.author), "event": event.id}
        return {**answer, "notice": notices.undo_notice(event)}

    def _undo_once(self, place: Place, kind: str, by: Signature) -> Event | None:
        move = self.store.undo if kind == "undo" else self.store.redo
        return move(place.project, author=by.author, client=by.client, sequence=by.sequence)

    def _undo_since(self, place: Place, by: Signature, since: int) -> Event | None:
        """Everything the author did after an event. Doing it twice does nothing more."""
        last = None
        for _ in range(MAX_UNDONE_AT_ONCE):
            event = self.store.undo(place.project, author=by.author, after=since)
            if event is None:
                break
            last = event
        return last

    def fitted(self, number: int) -> Fitted:
        """A project as it stands, with the topics of its newest run."""
        return self._projects.of(number)


def _position(project: Project, place: Place, listing: DocumentList) -> int | None:
    if place.document is None:
        first = listing.items(0, 1)
        return first[0].position if first else None
    if not 0 <= place.document < project.n_docs:
        raise NotFound("There is no such text in this project.")
    return place.document
