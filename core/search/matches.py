"""Find the documents that a query asks for, and order them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.errors import QueryError
from core.search.annotations import AnnotationArrays
from core.search.query import LikeFilter, NameFilter, Query, RangeFilter, Words
from core.store.events.new_events import CONFIDENCES

MAX_SIMILAR = 200  # documents in a list of similar ones
LEAST_OF_BEST = 1 / 3  # less similar than this share of the best is not similar
CONFIDENCE_OF_WEIGHT = {"half": "unsure", "normal": "sure", "double": "expert"}  # after is:
NO_LABEL = "none"  # label:none finds documents without a label


@dataclass(frozen=True)
class Similarity:
    """How similar every document is to what was asked; found are those not far below the best."""

    values: np.ndarray  # (n_docs,) cosines
    note: str = ""  # what it was judged by


def _no_similarity(_asked: LikeFilter) -> Similarity:
    raise QueryError("Texts cannot be compared here.")


@dataclass(frozen=True)
class SearchData:
    """The data of one project that queries are answered from."""

    n_docs: int
    matching: Callable[[Words], np.ndarray]  # positions of the documents that hold words
    annotations: Callable[[], AnnotationArrays]
    labels: Mapping[int, str]  # names of the analyst's topics by id
    columns: Sequence[str] = ()  # names of the model's topics, in the order of its columns
    shares: np.ndarray | None = None  # documents × topics, rows summing to 1
    dates: Callable[[], np.ndarray] = lambda: np.empty(0, np.int32)  # ordinals; 0 without a date
    ids: Callable[[str], Sequence[int]] = lambda given: ()
    similarity: Callable[[LikeFilter], Similarity] = _no_similarity
    author: str = ""  # who asks


@dataclass(frozen=True)
class SearchHits:
    """Positions of the documents found: by score, in corpus order, or in a chosen order."""

    positions: np.ndarray
    scores: np.ndarray | None = None  # share of the topic or similarity, for every document
    chosen: bool = False  # neither by score nor in corpus order
    note: str = ""  # what similar texts were judged by

    def __len__(self) -> int:
        return len(self.positions)

    @cached_property
    def _place(self) -> dict[int, int]:
        return {int(position): i for i, position in enumerate(self.positions)}

    def place_of(self, position: int) -> int:
        """The index of a document in the list, or the index it would have."""
        if self.scores is None and not self.chosen:
            return int(np.searchsorted(self.positions, position))
        if position in self._place or self.scores is None:
            return self._place.get(position, 0)
        along = -self.scores[self.positions]
        return int(np.searchsorted(along, -self.scores[position], side="right"))


def find_documents(query: Query, data: SearchData) -> SearchHits:
    """All parts must hold. By similarity or by share where these are asked for, else in corpus
    order; of similar documents so many at most as somebody would read."""
    keep = np.ones(data.n_docs, dtype=bool)
    columns = [_columns(names, data) for names in query.names if names.kind == "topic"]
    for names in query.names:
        if names.kind != "topic":
            keep &= _mask(data.n_docs, _named(names, data)) ^ names.negated
    scores = _by_share(query, columns, data, keep)
    for span in query.spans:
        if span.kind == "date":
            keep &= _dated(span, data)
    for words in query.words:
        keep &= _mask(data.n_docs, data.matching(words)) ^ words.negated
    if query.like is not None:
        return _most_similar(data.similarity(query.like), keep)
    positions = np.flatnonzero(keep)
    if scores is not None:
        positions = positions[np.argsort(-scores[positions], kind="stable")]
    return SearchHits(positions, scores)


def _most_similar(similarity: Similarity, keep: np.ndarray) -> SearchHits:
    best = similarity.values[keep].max(initial=0.0)
    near = (similarity.values > 0) & (similarity.values >= LEAST_OF_BEST * best)
    positions = np.flatnonzero(keep & near)
    order = np.argsort(-similarity.values[positions], kind="stable")[:MAX_SIMILAR]
    return SearchHits(positions[order], similarity.values, note=similarity.note)


def _mask(n_docs: int, positions: np.ndarray) -> np.ndarray:
    mask = np.zeros(n_docs, dtype=bool)
    mask[positions] = True
    return mask


def _by_share(
    query: Query, columns: list[list[int]], data: SearchData, keep: np.ndarray
) -> np.ndarray | None:
    """Narrow down by the model's shares; the share that was asked about, or None."""
    topics = [names for names in query.names if names.kind == "topic"]
    spans = [span for span in query.spans if span.kind == "score"]
    if not topics and not spans:
        return None
    shares = data.shares
    if shares is None:
        raise QueryError("There is no fit yet to read topics and shares from.")
    largest = shares.max(axis=1, initial=0.0)
    score = largest
    for names, chosen in zip(topics, columns, strict=True):
        share = shares[:, chosen].max(axis=1, initial=0.0)
        if names.negated or not spans:
            keep &= ((share >= largest) & (share > 0)) ^ names.negated
        if not names.negated:
            score = share
    for span in spans:
        keep &= ((score >= span.low) & (score <= span.high) & (score > 0)) ^ span.negated
    return score


def _dated(span: RangeFilter, data: SearchData) -> np.ndarray:
    dates = data.dates()
    if not dates.any():
        raise QueryError("The texts of this project have no dates.")
    within: np.ndarray = (dates >= max(span.low, 1)) & (dates <= span.high)
    return within ^ span.negated


def _columns(names: NameFilter, data: SearchData) -> list[int]:
    return [
        i for value in names.values for i in _matching_names(value, dict(enumerate(data.columns)))
    ]


def _matching_names(value: str, names: Mapping[int, str]) -> list[int]:
    """By name, else by the beginning of it, else by a part of it; case does not matter."""
    wanted = value.casefold()
    plain = {key: name.casefold() for key, name in names.items()}
    tests: tuple[Callable[[str], bool], ...] = (
        lambda name: name == wanted,
        lambda name: name.startswith(wanted),
        lambda name: wanted in name,
    )
    for test in tests:
        if found := [key for key, name in plain.items() if test(name)]:
            return found
    raise QueryError(f"No topic is called “{value}”.")


def _named(names: NameFilter, data: SearchData) -> np.ndarray:
    """Positions that match any value of a filter."""
    parts = [_FILTERS[names.kind](value, data) for value in names.values]
    return np.concatenate([np.asarray(part, dtype=np.intp) for part in parts])


def _labelled_with(value: str, data: SearchData) -> np.ndarray:
    annotations = data.annotations()
    if value.casefold() == NO_LABEL and NO_LABEL not in {
        n.casefold() for n in data.labels.values()
    }:
        return _state("unlabelled", data)
    return annotations.with_topics(annotations.permitted, _matching_names(value, data.labels))


def _forbidding(value: str, data: SearchData) -> np.ndarray:
    annotations = data.annotations()
    return annotations.with_topics(annotations.forbidden, _matching_names(value, data.labels))


def _state(value: str, data: SearchData) -> np.ndarray:
    annotations = data.annotations()
    labelled = annotations.positions[annotations.labelled]
    if value == "unlabelled":
        return np.flatnonzero(~_mask(data.n_docs, labelled))
    if value in CONFIDENCE_OF_WEIGHT:
        wanted = CONFIDENCES.index(CONFIDENCE_OF_WEIGHT[value])
        return annotations.positions[annotations.labelled & (annotations.confidence == wanted)]
    return {
        "labelled": lambda: labelled,
        "skipped": lambda: annotations.skipped,
        "nothing": lambda: annotations.positions[annotations.nothing_fits],
        "noted": lambda: annotations.positions[annotations.noted],
        "mine": lambda: annotations.by([data.author], whole=True),
    }[value]()


def _by_author(value: str, data: SearchData) -> np.ndarray:
    return data.annotations().by([value])


def _with_id(value: str, data: SearchData) -> np.ndarray:
    return np.asarray(data.ids(value), dtype=np.intp)


_FILTERS: dict[str, Callable[[str, SearchData], np.ndarray]] = {
    "label": _labelled_with,
    "not": _forbidding,
    "is": _state,
    "author": _by_author,
    "id": _with_id,
}
