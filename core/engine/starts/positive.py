"""Starts for steps that only multiply: what is zero at the start would be zero for ever.

A topic that starts from three labelled documents knows only their words. Here every word that the
corpus uses gets a grain in every topic, so that unlabelled documents can still teach it others.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from core.engine.checks import checked_start
from core.engine.estimator import Factors, FitInputs
from core.engine.starts.topics import (
    START_SHARE,
    Init,
    labels_with_topics,
    start_topics,
    start_weights,
)

START_WEIGHT = 1e-8  # what a zero weight of an earlier fit becomes


def positive_start(inputs: FitInputs, n_topics: int, init: Init) -> Factors:
    """W and H, positive wherever the corpus has words; from an earlier fit, if there is one.

    Topics need not match labels here: with fewer topics than labels the labels are not used.
    """
    X, supervision, rng = inputs.X, inputs.supervision, inputs.rng
    if inputs.start is not None:
        W, H = checked_start(inputs.start, X, n_topics)
        return W + X.dtype.type(START_WEIGHT), with_every_word(H, X)
    used = labels_with_topics(supervision, n_topics)
    H = with_every_word(start_topics(X, used, n_topics, init, rng), X)
    everywhere = np.ones((X.shape[0], n_topics), dtype=bool)
    return start_weights(X, H, everywhere, init, rng).astype(X.dtype), H


def with_every_word(H: np.ndarray, X: sp.csr_array) -> np.ndarray:
    """H with a grain of each word's mean where it was zero."""
    grain = (START_SHARE * np.asarray(X.mean(axis=0)).ravel()).astype(H.dtype)
    return np.where(H > 0, H, grain)
