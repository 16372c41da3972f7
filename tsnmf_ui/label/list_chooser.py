"""Which list of documents a visitor works through: search results, a selection, or a queue."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.errors import QueryError
from core.search import SearchHits, parse
from core.store import Project, SavedSearch, Store
from core.workspace.searches import DocumentSearch, SearchScope
from tsnmf_ui.label import selections
from tsnmf_ui.label.document_lists import DocumentList, FoundList
from tsnmf_ui.label.place import Place
from tsnmf_ui.label.queue_cache import QueueCache
from tsnmf_ui.label.search_filters import list_filters
from tsnmf_ui.label.snapshot import Fitted


def searched_for(fitted: Fitted, place: Place) -> str:
    """What was searched for, also by a saved search that is worked through."""
    if place.search or place.saved is None:
        return place.search
    saved = fitted.snapshot.saved_search(place.saved)
    return "" if saved is None else saved.search


class ListChooser:
    """Finds the list a visitor works through: search results, a selection, or a queue."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._search = DocumentSearch(store)
        self._queues = QueueCache(store)

    def listing(self, fitted: Fitted, place: Place, author: str) -> DocumentList:
        """The list of a place; QueryError says why there is none."""
        if place.search.strip():
            found = self._find(fitted, place.search, author)
            if not place.documents:
                title = "Similar texts" if found.note else "Search results"
                return FoundList(found, "search", title)
            chosen = self._selected(place)
            within = chosen.positions[np.isin(chosen.positions, found.positions)]
            return FoundList(SearchHits(within, chosen=True), "search", "Results in the selection")
        if place.documents:
            return FoundList(self._selected(place), "selection", self._selection(place).title)
        if place.saved is not None:
            saved = fitted.snapshot.saved_search(place.saved)
            if saved is None:
                raise QueryError(f"There is no saved search “{place.saved}” any more.")
            left = self._left(fitted, saved, author)
            return FoundList(left, "saved", saved.name, about=saved.search)
        return self._queues.waiting_documents(fitted, place.mode, author)

    def listing_or_problem(
        self, fitted: Fitted, place: Place, author: str
    ) -> tuple[DocumentList, str]:
        """The list, or an empty one and the sentence that says why."""
        try:
            return self.listing(fitted, place, author), ""
        except QueryError as error:
            nothing = SearchHits(np.empty(0, np.intp))
            if place.search.strip() or place.saved is None:
                return FoundList(nothing, "search", "Search results"), str(error)
            return FoundList(nothing, "saved", place.saved), str(error)

    def require_search(self, fitted: Fitted, search: str) -> None:
        """QueryError where a search that is to be saved cannot be understood."""
        parse(search, self._search.columns(fitted.project))

    def filters(self, project: Project) -> dict[str, Any]:
        """What can be searched for, with the project's own columns."""
        return list_filters(self._search.columns(project))

    def saved_searches(self, fitted: Fitted, author: str) -> list[dict[str, Any]]:
        """The saved searches, each with how many texts are left or why it finds none."""
        return [self._saved(fitted, saved, author) for saved in fitted.snapshot.saved]

    def _saved(self, fitted: Fitted, saved: SavedSearch, author: str) -> dict[str, Any]:
        about = {"name": saved.name, "search": saved.search, "author": saved.author}
        try:
            return {**about, "left": len(self._left(fitted, saved, author)), "problem": ""}
        except QueryError as error:
            return {**about, "left": None, "problem": str(error)}

    def _left(self, fitted: Fitted, saved: SavedSearch, author: str) -> SearchHits:
        """What a saved search finds, without what was labelled or skipped; all of it where the
        search itself says which labels are meant."""
        found = self._find(fitted, saved.search, author)
        if parse(saved.search, self._search.columns(fitted.project)).about_labels:
            return found
        done = np.zeros(fitted.project.n_docs, bool)
        done[list(fitted.snapshot.labelled | fitted.snapshot.skipped)] = True
        return found.without(done)

    def _find(self, fitted: Fitted, search: str, author: str) -> SearchHits:
        snapshot = fitted.snapshot
        scope = SearchScope(
            project=fitted.project,
            topics=fitted.topics,
            labels={topic.id: topic.name for topic in snapshot.topics},
            annotations=snapshot.annotations,
            skipped=snapshot.skipped,
            revision=snapshot.revision,
        )
        return self._search.find(scope, search, author)

    def mark_reviewed(self, project: int, position: int | None) -> None:
        """Somebody has moved on from a document: its label is confirmed."""
        self._queues.mark_reviewed(project, position)

    def prepare(self, fitted: Fitted) -> None:
        """After a fit: build the queues and read what searches need, before anybody asks."""
        self._queues.rebuild(fitted)
        self._search.prepare(fitted.project)

    def _selection(self, place: Place) -> selections.Selection:
        found = selections.load(self._store.home, place.project, place.documents)
        if found is None:
            raise QueryError("This selection no longer exists. Choose the texts again.")
        return found

    def _selected(self, place: Place) -> SearchHits:
        positions = np.array(self._selection(place).positions, dtype=np.intp)
        n_docs = self._store.project(place.project).n_docs
        return SearchHits(positions[positions < n_docs], chosen=True)
