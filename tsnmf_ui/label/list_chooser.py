"""Which list of documents a visitor works through: search results, a selection, or the queue."""

from __future__ import annotations

import numpy as np

from core.errors import QueryError
from core.search import SearchHits
from core.store import Store
from tsnmf_ui.label import selections
from tsnmf_ui.label.document_lists import DocumentList, FoundList
from tsnmf_ui.label.document_search import DocumentSearch
from tsnmf_ui.label.place import Place
from tsnmf_ui.label.queue_cache import QueueCache
from tsnmf_ui.label.snapshot import Fitted


class ListChooser:
    """Finds the list a visitor works through: search results, a selection, or the queue."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._search = DocumentSearch(store)
        self._queues = QueueCache(store)

    def listing(self, fitted: Fitted, place: Place, author: str) -> DocumentList:
        """The list of a place; QueryError says why there is none."""
        if place.search.strip():
            found = self._search.find(fitted, place.search, author)
            if not place.documents:
                title = "Similar texts" if found.note else "Search results"
                return FoundList(found, "search", title)
            chosen = self._selected(place)
            within = chosen.positions[np.isin(chosen.positions, found.positions)]
            return FoundList(SearchHits(within, chosen=True), "search", "Results in the selection")
        if place.documents:
            return FoundList(self._selected(place), "selection", self._selection(place).title)
        return self._queues.waiting_documents(fitted, place.mode)

    def listing_or_problem(
        self, fitted: Fitted, place: Place, author: str
    ) -> tuple[DocumentList, str]:
        """The list, or an empty one and the sentence that says why."""
        try:
            return self.listing(fitted, place, author), ""
        except QueryError as error:
            return FoundList(SearchHits(np.empty(0, np.intp)), "search", "Search results"), str(
                error
            )

    def mark_reviewed(self, project: int, position: int | None) -> None:
        """Somebody has moved on from a document: its label is confirmed."""
        self._queues.mark_reviewed(project, position)

    def prepare(self, fitted: Fitted) -> None:
        """After a fit: build the queues and read what searches need, before anybody asks."""
        self._queues.rebuild(fitted)
        self._search.prepare(fitted.project.id)

    def _selection(self, place: Place) -> selections.Selection:
        found = selections.load(self._store.home, place.project, place.documents)
        if found is None:
            raise QueryError("This selection no longer exists. Choose the texts again.")
        return found

    def _selected(self, place: Place) -> SearchHits:
        positions = np.array(self._selection(place).positions, dtype=np.intp)
        n_docs = self._store.project(place.project).n_docs
        return SearchHits(positions[positions < n_docs], chosen=True)
