"""Sparsity by Hoyer's measure: 0 for equal entries, 1 for a single one."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from core.errors import ModelError


def hoyer(values: Any, axis: int | None = None) -> Any:
    """(√n − ‖x‖₁/‖x‖₂) / (√n − 1), of all entries or along an axis; nan for zeros or one entry."""
    x = np.abs(np.asarray(values, dtype=np.float64))
    x = x.ravel() if axis is None else np.moveaxis(x, axis, -1)
    root = np.sqrt(x.shape[-1])
    largest = x.max(axis=-1, keepdims=True, initial=0.0)
    x = np.divide(x, largest, out=np.zeros_like(x), where=largest > 0)  # squares stay in range
    length = np.sqrt((x**2).sum(axis=-1))
    ratio = np.divide(x.sum(axis=-1), length, out=np.full(length.shape, np.nan), where=length > 0)
    sparsity = (root - ratio) / (root - 1) if root > 1 else np.full(length.shape, np.nan)
    return float(sparsity) if axis is None else sparsity


def inter_label_sparsity(doc_topic: np.ndarray, indicator: Any) -> float:
    """Hoyer's measure of the labels' summed topic weights (Ivek): do labels share few topics?

    A document with several labels is divided among them. Labels without documents do not count.
    """
    labels = sp.csr_array(indicator).astype(np.float64)
    if labels.shape[0] != len(doc_topic):
        raise ModelError(
            f"The topics describe {len(doc_topic)} documents, the labels {labels.shape[0]}."
        )
    total = np.asarray(labels.sum(axis=1)).ravel()
    parts = sp.diags_array(np.divide(1, total, out=np.zeros_like(total), where=total > 0)) @ labels
    by_label = np.asarray(parts.T @ np.asarray(doc_topic, dtype=np.float64))
    return hoyer(by_label[np.asarray(labels.sum(axis=0)).ravel() > 0])
