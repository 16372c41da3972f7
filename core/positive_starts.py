"""Starts for steps that only multiply: what is zero at the start would be zero for ever.

A topic that starts from three labelled documents knows only their words. Here every word that the
corpus uses gets a grain in every topic, so that unlabelled documents can still teach it others.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from core.errors import ModelError
from core.estimator import Factors, check_start
from core.starts import TOUCH, Init, start_topics, start_weights
from core.supervision import Supervision

LIFT = 1e-8  # what a zero weight of an earlier fit becomes


def positive_start(
    X: sp.csr_array,
    supervision: Supervision,
    n_topics: int,
    init: Init,
    rng: np.random.Generator,
    start: Factors | None = None,
) -> Factors:
    """W and H, positive wherever the corpus has words; from an earlier fit, if there is one.

    Topics need not match labels here: with fewer topics than labels the labels are not used.
    """
    if start is not None:
        W, H = checked_start(start, X, n_topics)
        return W + X.dtype.type(LIFT), lifted(H, X)
    fits = n_topics >= supervision.n_labels
    told = supervision if fits else Supervision.none(supervision.n_docs)
    H = lifted(start_topics(X, told, n_topics, init, rng), X)
    everywhere = np.ones((X.shape[0], n_topics), dtype=bool)
    return start_weights(X, H, everywhere, init, rng).astype(X.dtype), H


def lifted(H: np.ndarray, X: sp.csr_array) -> np.ndarray:
    """H with a grain of each word's mean where it was zero."""
    grain = (TOUCH * np.asarray(X.mean(axis=0)).ravel()).astype(H.dtype)
    return np.where(H > 0, H, grain)


def checked_start(start: Factors, X: sp.csr_array, n_topics: int) -> Factors:
    W = np.array(start[0], dtype=X.dtype, order="C")
    H = np.array(start[1], dtype=X.dtype)
    if W.shape != (X.shape[0], n_topics) or H.shape != (n_topics, X.shape[1]):
        raise ModelError(
            f"A start of shapes {W.shape} and {H.shape} does not fit {X.shape[0]} documents, "
            f"{n_topics} topics and {X.shape[1]} terms."
        )
    check_start(W, H)
    return W, H
