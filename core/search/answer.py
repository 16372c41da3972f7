"""The documents a query asks for, and in which order they are offered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.errors import QueryError
from core.search.query import Names, Query, Span, Words
from core.search.said import CONFIDENCES, Said

NONE = "none"  # label:none is what nobody has labelled
MAIN = -1  # stands for the largest share, whichever topic it is


@dataclass(frozen=True)
class Grounds:
    """What a query is answered from, for one project at one moment."""

    n_docs: int
    matching: Callable[[Words], np.ndarray]  # positions of the documents that hold words
    said: Callable[[], Said]
    labels: Mapping[int, str]  # names of the analyst's topics by id
    columns: Sequence[str] = ()  # names of the model's topics, in the order of its columns
    shares: np.ndarray | None = None  # documents × topics, rows summing to 1
    dates: Callable[[], np.ndarray] = lambda: np.empty(0, np.int32)  # ordinals; 0 without a date
    ids: Callable[[str], Sequence[int]] = lambda given: ()
    author: str = ""  # who asks


@dataclass(frozen=True)
class Found:
    """Positions, first come first: by share, in corpus order, or as somebody chose them."""

    positions: np.ndarray
    scores: np.ndarray | None = None  # share of the topic asked for, for every document
    chosen: bool = False  # neither by share nor in corpus order

    def __len__(self) -> int:
        return len(self.positions)

    @cached_property
    def _place(self) -> dict[int, int]:
        return {int(position): i for i, position in enumerate(self.positions)}

    def place_of(self, position: int) -> int:
        """Where a document is in the list, or where it would be: the first that comes after."""
        if self.scores is None and not self.chosen:
            return int(np.searchsorted(self.positions, position))
        if position in self._place or self.scores is None:
            return self._place.get(position, 0)
        along = -self.scores[self.positions]
        return int(np.searchsorted(along, -self.scores[position], side="right"))


def answer(query: Query, grounds: Grounds) -> Found:
    """All parts must hold. By share where topics or shares are asked for, else in corpus order."""
    keep = np.ones(grounds.n_docs, dtype=bool)
    columns = [_columns(names, grounds) for names in query.names if names.kind == "topic"]
    for names in query.names:
        if names.kind != "topic":
            keep &= _mask(grounds.n_docs, _named(names, grounds)) ^ names.negated
    scores = _by_share(query, columns, grounds, keep)
    for span in query.spans:
        if span.kind == "date":
            keep &= _dated(span, grounds)
    for words in query.words:
        keep &= _mask(grounds.n_docs, grounds.matching(words)) ^ words.negated
    positions = np.flatnonzero(keep)
    if scores is not None:
        positions = positions[np.argsort(-scores[positions], kind="stable")]
    return Found(positions, scores)


def _mask(n_docs: int, positions: np.ndarray) -> np.ndarray:
    mask = np.zeros(n_docs, dtype=bool)
    mask[positions] = True
    return mask


def _by_share(
    query: Query, columns: list[list[int]], grounds: Grounds, keep: np.ndarray
) -> np.ndarray | None:
    """Narrow down by the model's shares; the share that was asked about, or None."""
    topics = [names for names in query.names if names.kind == "topic"]
    spans = [span for span in query.spans if span.kind == "score"]
    if not topics and not spans:
        return None
    shares = grounds.shares
    if shares is None:
        raise QueryError("There is no fit yet to read topics and shares from.")
    largest = shares.max(axis=1, initial=0.0)
    score = largest
    for names, chosen in zip(topics, columns, strict=True):
        mine = shares[:, chosen].max(axis=1, initial=0.0)
        if names.negated or not spans:
            keep &= ((mine >= largest) & (mine > 0)) ^ names.negated
        if not names.negated:
            score = mine
    for span in spans:
        keep &= ((score >= span.low) & (score <= span.high) & (score > 0)) ^ span.negated
    return score


def _dated(span: Span, grounds: Grounds) -> np.ndarray:
    dates = grounds.dates()
    if not dates.any():
        raise QueryError("The texts of this project have no dates.")
    within: np.ndarray = (dates >= max(span.low, 1)) & (dates <= span.high)
    return within ^ span.negated


def _columns(names: Names, grounds: Grounds) -> list[int]:
    return [i for value in names.values for i in _called(value, dict(enumerate(grounds.columns)))]


def _called(value: str, names: Mapping[int, str]) -> list[int]:
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


def _named(names: Names, grounds: Grounds) -> np.ndarray:
    """Positions that any of the values of a filter stands for."""
    parts = [_FILTERS[names.kind](value, grounds) for value in names.values]
    return np.concatenate([np.asarray(part, dtype=np.intp) for part in parts])


def _labelled_with(value: str, grounds: Grounds) -> np.ndarray:
    said = grounds.said()
    if value.casefold() == NONE and NONE not in {n.casefold() for n in grounds.labels.values()}:
        return _state("unlabelled", grounds)
    return said.with_topics(said.permitted, _called(value, grounds.labels))


def _forbidding(value: str, grounds: Grounds) -> np.ndarray:
    said = grounds.said()
    return said.with_topics(said.forbidden, _called(value, grounds.labels))


def _state(value: str, grounds: Grounds) -> np.ndarray:
    said = grounds.said()
    labelled = said.positions[said.labelled]
    if value == "unlabelled":
        return np.flatnonzero(~_mask(grounds.n_docs, labelled))
    if value in CONFIDENCES:
        return said.positions[said.labelled & (said.confidence == CONFIDENCES.index(value))]
    return {
        "labelled": lambda: labelled,
        "skipped": lambda: said.skipped,
        "nothing": lambda: said.positions[said.nothing_fits],
        "noted": lambda: said.positions[said.noted],
        "mine": lambda: said.by([grounds.author], whole=True),
    }[value]()


def _by(value: str, grounds: Grounds) -> np.ndarray:
    return grounds.said().by([value])


def _with_id(value: str, grounds: Grounds) -> np.ndarray:
    return np.asarray(grounds.ids(value), dtype=np.intp)


_FILTERS: dict[str, Callable[[str, Grounds], np.ndarray]] = {
    "label": _labelled_with,
    "not": _forbidding,
    "is": _state,
    "author": _by,
    "id": _with_id,
}
