"""Where the parts of a label start: afresh, or from an earlier fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import scipy.sparse as sp

from core.engine.estimator import Factors
from core.engine.groups import Layout, documents_of
from core.engine.kernels.threads import each_part, row_blocks
from core.engine.starts.topics import (
    NOTHING_GIVEN,
    divided_topics,
    label_means,
    labels_with_topics,
    spread_topics,
)
from core.supervision import Supervision

NEW_PART = -1  # in place of the earlier column that a part comes from


def start_parts(
    X: sp.csr_array,
    supervision: Supervision,
    layout: Layout,
    rng: np.random.Generator,
    begun: np.ndarray | None = None,
    given: Mapping[int, np.ndarray] = NOTHING_GIVEN,
) -> np.ndarray:
    """H: a label's documents are divided among its parts; free topics keep clear of them all.

    ``begun`` holds a row for each label; without it labels begin from their documents, and those
    without any like free topics. Columns that are not known otherwise begin as is ``given``.
    """
    supervision = labels_with_topics(supervision, len(layout.sizes))
    H = np.zeros((layout.n_parts, X.shape[1]), X.dtype)
    means, taught = label_means(X, supervision)
    known: list[int] = []
    for label in taught:
        columns = list(layout.columns[label])
        if len(columns) == 1:
            H[columns] = means[label] if begun is None else begun[label]
        else:
            rows = documents_of(supervision, int(label))
            H[columns] = divided_topics(X[rows], len(columns), rng)
        known += columns
    if begun is not None:
        for label in np.setdiff1d(np.arange(supervision.n_labels), taught):
            H[list(layout.columns[label])] = begun[label]
            known += layout.columns[label]
    for column, row in given.items():
        if column not in known or not H[column].any():
            H[column] = row
    known = sorted({*known, *given})
    rest = np.setdiff1d(np.arange(layout.n_parts), known)
    H[rest] = spread_topics(X, rest.size, rng, H[known], ~supervision.labelled)
    return H


def carried_parts(
    earlier: Factors,
    sources: Sequence[Sequence[int]],
    layout: Layout,
    X: sp.csr_array,
    supervision: Supervision,
    rng: np.random.Generator,
) -> Factors:
    """Factors of an earlier fit laid out anew; ``sources`` are each topic's parts then.

    A group that shrinks keeps its most used parts. One that grows adds parts on those of its
    documents that are least like the parts it has. A topic without sources starts afresh.
    """
    before_W, before_H = earlier
    H = np.zeros((layout.n_parts, X.shape[1]), before_H.dtype)
    use = before_W.sum(axis=0)
    origin = np.full(layout.n_parts, NEW_PART)
    fresh: np.ndarray | None = None
    for topic, columns in enumerate(map(list, layout.columns)):
        source = sorted(sorted(sources[topic], key=lambda c: -use[c])[: len(columns)])
        kept, added = columns[: len(source)], columns[len(source) :]
        origin[kept], H[kept] = source, before_H[source]
        if added and kept:
            candidates = _candidates(supervision, topic)
            H[added] = spread_topics(X, len(added), rng, H[kept], candidates)
        elif added:
            fresh = start_parts(X, supervision, layout, rng) if fresh is None else fresh
            H[added] = fresh[added]
    return _columns_from(before_W, origin), H


def _columns_from(before: np.ndarray, origin: np.ndarray) -> np.ndarray:
    """Column j is that of the earlier array which ``origin`` names, or zero if it is new.

    The earlier array itself, where its columns stay in their places.
    """
    if np.array_equal(origin, np.arange(before.shape[1])):
        return before
    kept = np.flatnonzero(origin != NEW_PART)
    out = np.zeros((len(before), origin.size), before.dtype)

    def work(first: int, last: int) -> None:
        out[first:last, kept] = before[first:last, origin[kept]]

    each_part(work, row_blocks(len(before)))
    return out


def _candidates(supervision: Supervision, topic: int) -> np.ndarray:
    """Documents a new part may start from."""
    if topic >= supervision.n_labels:
        return ~supervision.labelled
    chosen = np.zeros(supervision.n_docs, bool)
    chosen[documents_of(supervision, topic)] = True
    return chosen
