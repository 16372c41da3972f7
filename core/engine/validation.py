"""Options chosen by what they predict for labels that were held back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone

from core.engine.descent import Callback, Progress
from core.engine.margins import is_exclusive
from core.evaluation.metrics.prediction import accuracy, f1_macro, f1_micro
from core.supervision import Supervision

HELD_BACK_SHARE = 0.25  # of the labelled documents, held back
MIN_LABELLED = 8  # labelled documents without which nothing is held back


def choose_options(
    model: Any,
    X: sp.csr_array,
    supervision: Supervision,
    grid: Mapping[str, Sequence[Any]],
    *,
    share: float = HELD_BACK_SHARE,
    callback: Callback | None = None,
) -> dict[str, Any]:
    """The point of ``grid`` whose model predicts best; the first of equals; {} with few labels.

    A share of the labelled documents keep their words and lose their labels. The score is accuracy,
    or the mean of micro and macro F1 where documents carry several labels.
    """
    rng = np.random.default_rng(model.random_state)
    kept, hidden = hold_back(supervision, share, rng)
    points = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    if not hidden.size:
        return {}
    scores = []
    for point in points:
        candidate = clone(model).set_params(**point).fit(X, kept, callback=callback)
        if candidate.trace_.stopped == "cancelled":
            return point
        scores.append(_score(candidate.predict(X[hidden]), supervision, hidden))
    return points[int(np.argmax(scores))]


def hold_back(
    supervision: Supervision, share: float, rng: np.random.Generator
) -> tuple[Supervision, np.ndarray]:
    """The supervision without the labels of some documents, and which; each label keeps one."""
    carries = np.flatnonzero(np.diff(supervision.permitted.indptr) > 0)
    if carries.size < MIN_LABELLED:
        return supervision, carries[:0]
    left = supervision.permitted.sum(axis=0)
    hidden: list[int] = []
    for document in rng.permutation(carries):
        labels = supervision.permitted.indices[slice(*supervision.permitted.indptr[document:][:2])]
        if len(hidden) < share * carries.size and (left[labels] > 1).all():
            left[labels] -= 1
            hidden.append(int(document))
    return _without(supervision, np.sort(hidden).astype(np.intp)), np.sort(hidden).astype(np.intp)


class CancelOnce:
    """A callback that, having cancelled once, cancels whatever else is still to be fitted."""

    def __init__(self, callback: Callback) -> None:
        self.callback, self.cancelled = callback, False

    def __call__(self, progress: Progress) -> bool:
        self.cancelled = self.cancelled or bool(self.callback(progress))
        return self.cancelled


def _without(supervision: Supervision, hidden: np.ndarray) -> Supervision:
    keep = np.ones(supervision.n_docs, dtype=bool)
    keep[hidden] = False
    permitted = sp.csr_array(supervision.permitted.multiply(keep[:, None]))
    permitted.eliminate_zeros()
    return replace(supervision, permitted=permitted)


def _score(predicted: np.ndarray, supervision: Supervision, hidden: np.ndarray) -> float:
    truth = supervision.permitted[hidden].toarray()
    if predicted.ndim == 1:  # one label each, by name
        predicted = predicted[:, None] == np.array(supervision.names, dtype=object)
    if is_exclusive(supervision):
        return accuracy(truth, predicted)
    return (f1_micro(truth, predicted) + f1_macro(truth, predicted)) / 2
