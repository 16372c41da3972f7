"""Answers searches for the label desk, and remembers what the answers were made from."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, TypeVar

import numpy as np

from core.errors import QueryError
from core.search import (
    AnnotationArrays,
    LikeFilter,
    Query,
    SearchData,
    SearchHits,
    Similarity,
    Words,
    find_documents,
    parse,
)
from core.store import Project, Store
from core.workspace import similar
from core.workspace.caches.matrices import matrix_key_of
from core.workspace.caches.vectors import vectors_name, vectors_of
from tsnmf_ui.label.snapshot import Fitted

MAX_CACHED_ANSWERS = 64  # of each kind of thing remembered
T = TypeVar("T")
_BEFORE, _AFTER = r"(?<![^\W_])", r"(?![^\W_])"


class DocumentSearch:
    """Finds documents. A corpus never changes, so what holds which words is looked up once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._cache: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, fitted: Fitted, search: str, author: str = "") -> SearchHits:
        """The documents a search asks for; QueryError says what cannot be understood."""
        return find_documents(parse(search), self._grounds(fitted, author))

    def prepare(self, project: int) -> None:
        """Read the dates before anybody asks for them: that takes longest."""
        self._dates(project)

    def _grounds(self, fitted: Fitted, author: str) -> SearchData:
        project, topics = fitted.project.id, fitted.topics
        return SearchData(
            n_docs=fitted.project.n_docs,
            matching=partial(self._matching, project),
            annotations=partial(self._annotations, fitted),
            labels={topic.id: topic.name for topic in fitted.snapshot.topics},
            columns=() if topics is None else topics.names,
            shares=None if topics is None else topics.shares(),
            dates=partial(self._dates, project),
            ids=partial(self._store.positions_with_id, project),
            similarity=partial(self._similarity, fitted.project),
            author=author,
        )

    def _matching(self, project: int, words: Words) -> np.ndarray:
        key = ("words", project, words.text, words.open)
        return self._cached(
            key, lambda: self._store.matching(project, words.text, unfinished=words.open)
        )

    def _similarity(self, project: Project, asked: LikeFilter) -> Similarity:
        """Similar texts, the ones of a large corpus too, while somebody types."""
        read = (matrix_key_of(project), vectors_name(self._store, project))
        ready = vectors_of(self._store, project) is not None
        key = ("like", project.id, asked, read, ready)
        return self._cached(key, lambda: self._similar(project, asked))

    def _similar(self, project: Project, asked: LikeFilter) -> Similarity:
        if not asked.document_id:
            return similar.similar_to_text(self._store, project, asked.sentence)
        positions = self._store.positions_with_id(project.id, asked.document_id)
        if not positions:
            raise QueryError(f"No text has the id “{asked.document_id}”.")
        return similar.similar_to_document(self._store, project, positions[0])

    def _annotations(self, fitted: Fitted) -> AnnotationArrays:
        snapshot = fitted.snapshot
        key = ("annotations", fitted.project.id, snapshot.revision)
        return self._cached(
            key, lambda: AnnotationArrays.of(snapshot.annotations, snapshot.skipped)
        )

    def _dates(self, project: int) -> np.ndarray:
        return self._cached(("dates", project), lambda: self._store.dates(project))

    def _cached(self, key: Hashable, make: Callable[[], T]) -> T:
        with self._lock:
            if key in self._cache:
                self._cache.move_to_end(key)
                known: T = self._cache[key]
                return known
        made = make()
        with self._lock:
            self._cache[key] = made
            while len(self._cache) > MAX_CACHED_ANSWERS:
                self._cache.popitem(last=False)
        return made


def find_matches(text: str, search: str) -> list[tuple[int, int]]:
    """Where the words of a search stand in a text; a search that makes no sense is nowhere."""
    pattern = _pattern(search)
    return [] if pattern is None else [match.span() for match in pattern.finditer(text)]


def _pattern(search: str) -> re.Pattern[str] | None:
    query = _parsed_or_empty(search)
    parts = [_words_pattern(words) for words in query.words if not words.negated]
    return re.compile("|".join(filter(None, parts)), re.IGNORECASE) if any(parts) else None


def _parsed_or_empty(search: str) -> Query:
    try:
        return parse(search)
    except QueryError:
        return Query()


def _words_pattern(words: Words) -> str:
    found = [re.escape(word) for word in re.findall(r"[^\W_]+", words.text)]
    end = r"[^\W_]*" if words.open else ""
    return _BEFORE + r"[\W_]+".join(found) + end + _AFTER if found else ""
