"""What queries are answered from: the data of one project."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.errors import QueryError
from core.search.annotations import AnnotationArrays
from core.search.kept_columns import SearchColumn
from core.search.parts import LikeFilter, Pattern, Words


@dataclass(frozen=True)
class Similarity:
    """How similar every document is to what was asked; found are those not far below the best."""

    values: np.ndarray  # (n_docs,) cosines
    note: str = ""  # what it was judged by


def _no_similarity(_asked: LikeFilter) -> Similarity:
    raise QueryError("Texts cannot be compared here.")


def _no_patterns(_pattern: Pattern, _among: np.ndarray) -> np.ndarray:
    raise QueryError("Texts cannot be searched by a pattern here.")


@dataclass(frozen=True)
class SearchData:
    """The data of one project that queries are answered from."""

    n_docs: int
    matching: Callable[[Words], np.ndarray]  # positions of the documents that hold words
    annotations: Callable[[], AnnotationArrays]
    labels: Mapping[int, str]  # names of the analyst's topics by id
    topics: Sequence[str] = ()  # names of the model's topics, in the order of its columns
    shares: np.ndarray | None = None  # documents × topics, rows summing to 1
    dates: Callable[[], np.ndarray] = lambda: np.empty(0, np.int32)  # ordinals; 0 without a date
    ids: Callable[[str], Sequence[int]] = lambda given: ()
    similarity: Callable[[LikeFilter], Similarity] = _no_similarity
    patterns: Callable[[Pattern, np.ndarray], np.ndarray] = _no_patterns  # who of these matches
    columns: Mapping[str, SearchColumn] = field(default_factory=dict)  # kept, by name in a search
    author: str = ""  # who asks
