"""Where the topics of labels begin in a guided fit: from the documents that the guide gives them.

A topic that begins from its labelled documents alone knows only their words, and a text that shares
none with it can never be explained by it, however sure the guide is. So a topic begins as the sum
of its labelled documents and of the others, each as far as the guide thinks it is about the topic,
and of what was written about the label.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from core.guide.classifier import Guide

LABELLED_SHARE = 0.5  # of a topic's beginning that comes from its labelled documents, if it has any


def guided_topics(
    X: sp.csr_array, guide: Guide | None, likely: np.ndarray, labels: sp.csr_array
) -> np.ndarray:
    """A row for each label; zeros for one that nothing tells of.

    ``likely`` are the chances of all topics in all documents, ``labels`` who carries which label.
    """
    n_labels = labels.shape[1]
    if guide is None:
        return np.zeros((n_labels, X.shape[1]), X.dtype)
    share = likely[:, :n_labels] / likely.sum(axis=1, keepdims=True)
    best = sp.csr_array(np.where(share >= share.max(axis=1, keepdims=True), share, 0))
    rows = _unit(np.asarray((best.T @ X).toarray()))
    taught = np.asarray((labels.astype(X.dtype).T @ X).toarray())
    rows = (1 - LABELLED_SHARE) * rows + LABELLED_SHARE * _unit(taught)
    if guide.descriptions is not None:
        weight = 1 / (1 + guide.examples[:, None])
        rows += 0.5 * weight * _unit(guide.descriptions.rows.toarray())
    rows[~guide.taught] = 0
    return rows.astype(X.dtype)


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-30)
