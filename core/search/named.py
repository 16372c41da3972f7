"""Documents by names: of labels, states, authors and ids."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np

from core.errors import QueryError
from core.search.data import SearchData
from core.search.names import NO_VALUE, matching_names
from core.search.parts import NameFilter
from core.store.events.new_events import CONFIDENCES

CONFIDENCE_OF_WEIGHT = {"half": "unsure", "normal": "sure", "double": "expert"}  # after is:


def named_documents(names: NameFilter, data: SearchData) -> np.ndarray:
    """Positions that match any value of a filter."""
    parts = [_FILTERS[names.kind](value, data) for value in names.values]
    return np.concatenate([np.asarray(part, dtype=np.intp) for part in parts])


def topics_called(values: Collection[str], topics: Sequence[str]) -> list[int]:
    """Columns of the model's topics that go by these names."""
    named = dict(enumerate(topics))
    return [column for value in values for column in _topics(value, named)]


def _topics(value: str, names: dict[int, str]) -> list[int]:
    found = matching_names(value, names)
    if not found:
        raise QueryError(f"No topic is called “{value}”.")
    return found


def _labelled_with(value: str, data: SearchData) -> np.ndarray:
    annotations, labels = data.annotations(), dict(data.labels)
    if value.casefold() == NO_VALUE and not matching_names(value, labels, whole=True):
        return _state("unlabelled", data)
    return annotations.with_topics(annotations.permitted, _topics(value, labels))


def _forbidding(value: str, data: SearchData) -> np.ndarray:
    annotations = data.annotations()
    return annotations.with_topics(annotations.forbidden, _topics(value, dict(data.labels)))


def _state(value: str, data: SearchData) -> np.ndarray:
    annotations = data.annotations()
    labelled = annotations.positions[annotations.labelled]
    if value == "unlabelled":
        return np.setdiff1d(np.arange(data.n_docs), labelled, assume_unique=True)
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
