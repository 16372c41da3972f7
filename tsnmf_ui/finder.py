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
from core.search import Found, Grounds, Query, Said, Words, answer, parse
from core.store import Store
from tsnmf_ui.snapshot import Fitted

KEPT = 64  # of each kind of thing remembered
T = TypeVar("T")
_BEFORE, _AFTER = r"(?<![^\W_])", r"(?![^\W_])"


class Finder:
    """Finds documents. A corpus never changes, so what holds which words is looked up once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, fitted: Fitted, search: str, author: str = "") -> Found:
        """The documents a search asks for; QueryError says what cannot be understood."""
        return answer(parse(search), self._grounds(fitted, author))

    def prepare(self, project: int) -> None:
        """Read the dates before anybody asks for them: that takes longest."""
        self._dates(project)

    def _grounds(self, fitted: Fitted, author: str) -> Grounds:
        project, topics = fitted.project.id, fitted.topics
        return Grounds(
            n_docs=fitted.project.n_docs,
            matching=partial(self._matching, project),
            said=partial(self._said, fitted),
            labels={topic.id: topic.name for topic in fitted.snapshot.topics},
            columns=() if topics is None else topics.names,
            shares=None if topics is None else topics.shares(),
            dates=partial(self._dates, project),
            ids=partial(self._store.positions_called, project),
            author=author,
        )

    def _matching(self, project: int, words: Words) -> np.ndarray:
        key = ("words", project, words.text, words.open)
        return self._remember(
            key, lambda: self._store.matching(project, words.text, unfinished=words.open)
        )

    def _said(self, fitted: Fitted) -> Said:
        snapshot = fitted.snapshot
        key = ("said", fitted.project.id, snapshot.revision)
        return self._remember(key, lambda: Said.of(snapshot.annotations, snapshot.skipped))

    def _dates(self, project: int) -> np.ndarray:
        return self._remember(("dates", project), lambda: self._store.dates(project))

    def _remember(self, key: Hashable, make: Callable[[], T]) -> T:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                known: T = self._kept[key]
                return known
        made = make()
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return made


def hits(text: str, search: str) -> list[tuple[int, int]]:
    """Where the words of a search stand in a text; a search that makes no sense is nowhere."""
    pattern = _pattern(search)
    return [] if pattern is None else [match.span() for match in pattern.finditer(text)]


def _pattern(search: str) -> re.Pattern[str] | None:
    query = _understood(search)
    parts = [_words_pattern(words) for words in query.words if not words.negated]
    return re.compile("|".join(filter(None, parts)), re.IGNORECASE) if any(parts) else None


def _understood(search: str) -> Query:
    try:
        return parse(search)
    except QueryError:
        return Query()


def _words_pattern(words: Words) -> str:
    found = [re.escape(word) for word in re.findall(r"[^\W_]+", words.text)]
    end = r"[^\W_]*" if words.open else ""
    return _BEFORE + r"[\W_]+".join(found) + end + _AFTER if found else ""
