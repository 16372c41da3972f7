"""Answers searches in a project, and remembers what the answers were made from."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import numpy as np

from core.errors import QueryError
from core.search import (
    SECONDS_PER_SEARCH,
    AnnotationArrays,
    LikeFilter,
    Pattern,
    SearchColumn,
    SearchData,
    SearchHits,
    Similarity,
    Words,
    find_documents,
    kept_columns,
    matches_of,
    parse,
)
from core.store import Annotation, Project, Store
from core.topics import Topics
from core.workspace.caches.corpora import corpus_of
from core.workspace.caches.matrices import matrix_key_of
from core.workspace.caches.measures import facts_of
from core.workspace.caches.vectors import vectors_name, vectors_of
from core.workspace.results import topics_of
from core.workspace.searches import similar

MAX_CACHED_ANSWERS = 64  # of each kind of thing remembered
TEXTS_PER_READ = 2_000  # that a pattern is looked for in
EXAMPLE_VALUES = 3  # of a column, for whoever asks which filters there are
ANOTHER_PATTERN = "Another search of yours by a pattern is still running. Search again."
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SearchScope:
    """A project as a search finds it: its topics and its labels."""

    project: Project
    topics: Topics | None  # of the newest run
    labels: Mapping[int, str]  # names of the analyst's topics by id
    annotations: Mapping[int, Annotation]
    skipped: Collection[int]
    revision: int  # of annotations and skipped

    @classmethod
    def of(cls, store: Store, project: Project) -> SearchScope:
        """The project as it is now."""
        number = project.id
        return cls(
            project,
            topics_of(store, number),
            {topic.id: topic.name for topic in store.topics(number)},
            store.annotations(number),
            store.skipped(number),
            project.revision,
        )


class DocumentSearch:
    """Finds documents. What holds which words is looked up once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._cache: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()
        self._reading: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()

    def find(self, scope: SearchScope, search: str, author: str = "") -> SearchHits:
        """The documents a search asks for; QueryError says what cannot be understood."""
        columns = self.columns(scope.project)
        return find_documents(parse(search, columns), self._data(scope, columns, author))

    def prepare(self, project: Project) -> None:
        """Read dates and columns before anybody asks for them: that takes longest."""
        self._dates(project)
        self.columns(project)

    def columns(self, project: Project) -> dict[str, SearchColumn]:
        """The columns that were kept with the texts, by their names in a search."""
        return self._cached(
            ("columns", *_corpus_key(project)),
            lambda: kept_columns(corpus_of(self._store, project.id, texts=False).side),
        )

    def _data(
        self, scope: SearchScope, columns: Mapping[str, SearchColumn], author: str
    ) -> SearchData:
        project, topics = scope.project, scope.topics
        deadline = time.monotonic() + SECONDS_PER_SEARCH
        return SearchData(
            n_docs=project.n_docs,
            matching=partial(self._matching, project),
            annotations=partial(self._annotations, scope),
            labels=scope.labels,
            topics=() if topics is None else topics.names,
            shares=None if topics is None else topics.shares(),
            dates=partial(self._dates, project),
            ids=partial(self._store.positions_with_id, project.id),
            similarity=partial(self._similarity, project),
            patterns=partial(self._with_pattern, project, self._turn_of(author), deadline),
            columns=columns,
            author=author,
        )

    def _matching(self, project: Project, words: Words) -> np.ndarray:
        key = ("words", *_corpus_key(project), words.text, words.open)
        return self._cached(
            key, lambda: self._store.matching(project.id, words.text, unfinished=words.open)
        )

    def _turn_of(self, author: str) -> threading.Lock:
        """Held while a pattern is looked for: one of each person at a time."""
        with self._lock:
            return self._reading.setdefault(author, threading.Lock())

    def _with_pattern(
        self,
        project: Project,
        turn: threading.Lock,
        deadline: float,
        pattern: Pattern,
        among: np.ndarray,
    ) -> np.ndarray:
        """Which of these documents match, reading those that were not read for it before."""
        key = ("pattern", *_corpus_key(project), pattern.text)
        read, found = self._cached(key, lambda: (np.zeros_like(among), np.zeros_like(among)))
        if not turn.acquire(timeout=max(deadline - time.monotonic(), 0.0)):
            raise QueryError(ANOTHER_PATTERN)
        try:
            for start in range(0, len(among), TEXTS_PER_READ):
                stop = start + TEXTS_PER_READ
                wanted = start + np.flatnonzero(among[start:stop] & ~read[start:stop])
                if len(wanted):
                    texts = self._store.texts_between(project.id, start, stop)
                    some = (texts[at - start] for at in wanted)
                    found[wanted] = list(matches_of(pattern.text, some, deadline))
                    read[wanted] = True
        finally:
            turn.release()
        return found & among

    def _similarity(self, project: Project, asked: LikeFilter) -> Similarity:
        """Similar texts, the ones of a large corpus too, while somebody types."""
        read = (matrix_key_of(project), vectors_name(self._store, project))
        ready = vectors_of(self._store, project) is not None
        key = ("like", *_corpus_key(project), asked, read, ready)
        return self._cached(key, lambda: self._similar(project, asked))

    def _similar(self, project: Project, asked: LikeFilter) -> Similarity:
        if not asked.document_id:
            return similar.similar_to_text(self._store, project, asked.sentence)
        positions = self._store.positions_with_id(project.id, asked.document_id)
        if not positions:
            raise QueryError(f"No text has the id “{asked.document_id}”.")
        return similar.similar_to_document(self._store, project, positions[0])

    def _annotations(self, scope: SearchScope) -> AnnotationArrays:
        return self._cached(
            ("annotations", scope.project.id, scope.revision),
            lambda: AnnotationArrays.of(scope.annotations, scope.skipped),
        )

    def _dates(self, project: Project) -> np.ndarray:
        key = ("dates", *_corpus_key(project), project.settings.column_in("date"))
        return self._cached(key, lambda: _ordinals(facts_of(self._store, project).days))

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


def _ordinals(days: np.ndarray) -> np.ndarray:
    """Days counted from the year 1; 0 where there is none."""
    counted = days.astype("i8") + date(1970, 1, 1).toordinal()
    ordinals: np.ndarray = np.where(np.isnat(days), 0, counted).astype(np.int32)
    return ordinals


def _corpus_key(project: Project) -> tuple[Hashable, ...]:
    """What words, columns and dates depend on."""
    return project.id, project.texts_revision, project.fingerprint


def find_in_project(store: Store, project: Project, search: str, author: str = "") -> SearchHits:
    """The documents a search asks for, in the project as it is now."""
    return DocumentSearch(store).find(SearchScope.of(store, project), search, author)


def column_examples(
    columns: Mapping[str, SearchColumn],
) -> list[tuple[str, str, list[str]]]:
    """A project's own filters: name in a search, column, and its most frequent values."""
    return [(name, column.title, _frequent(column)) for name, column in columns.items()]


def _frequent(column: SearchColumn) -> list[str]:
    order = np.argsort(-np.bincount(column.codes, minlength=len(column.values)), kind="stable")
    values = (column.values[place] for place in order)
    return [value for value in values if value.strip()][:EXAMPLE_VALUES]
