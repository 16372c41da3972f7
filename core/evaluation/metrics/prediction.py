"""How well labels, and cells that were held out, are predicted.

``truth`` and ``predicted`` are whole numbers, one label per document, or indicator matrices with a
column per label. Higher is better everywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.special import gammaln
from scipy.stats import rankdata

from core.errors import ModelError


def accuracy(truth: Any, predicted: Any) -> float:
    """Share of documents whose label, or whole set of labels, is right."""
    truth, predicted = _pair(truth, predicted)
    same = truth == predicted
    return float(np.mean(same if same.ndim == 1 else same.all(axis=1))) if len(same) else 0.0


def accuracy_by_label(truth: Any, predicted: Any) -> np.ndarray:
    """For each label, the share of its documents that were given it; nan where nobody has it."""
    truth, predicted = _indicators(truth, predicted)
    carried = truth.sum(axis=0)
    found = (truth & predicted).sum(axis=0)
    return np.divide(found, carried, out=np.full(carried.size, np.nan), where=carried > 0)


def averaged_accuracy(truth: Any, predicted: Any) -> float:
    """The mean over labels, so that a rare label counts as much as a common one."""
    by_label = accuracy_by_label(truth, predicted)
    known = by_label[~np.isnan(by_label)]
    return float(known.mean()) if known.size else 0.0


def f1_micro(truth: Any, predicted: Any) -> float:
    """2 · hits / (given + true), over all labels together."""
    truth, predicted = _indicators(truth, predicted)
    total = int(truth.sum()) + int(predicted.sum())
    return 2 * int((truth & predicted).sum()) / total if total else 0.0


def f1_macro(truth: Any, predicted: Any) -> float:
    """The mean F1 over the labels that are true or given somewhere."""
    truth, predicted = _indicators(truth, predicted)
    total = truth.sum(axis=0) + predicted.sum(axis=0)
    hits = (truth & predicted).sum(axis=0)
    seen = total > 0
    return float((2 * hits[seen] / total[seen]).mean()) if seen.any() else 0.0


def auc(truth: Any, scores: Any) -> float:
    """Chance that a true cell scores above a false one; ties count half."""
    true, scores = _cells(truth, scores)
    n_true = int(true.sum())
    above = rankdata(scores)[true].sum() - n_true * (n_true + 1) / 2
    return float(above / (n_true * (true.size - n_true)))


def auc_pr(truth: Any, scores: Any) -> float:
    """Area under precision against recall, as a sum of steps (average precision)."""
    true, scores = _cells(truth, scores)
    order = np.argsort(-scores, kind="stable")
    last = np.append(np.diff(scores[order]) != 0, True)  # equal scores are reached together
    hits = np.cumsum(true[order])[last]
    precision = hits / (np.flatnonzero(last) + 1)
    return float(np.diff(hits, prepend=0) @ precision / true.sum())


def held_out_log_likelihood(
    held_out: Any, W: np.ndarray, H: np.ndarray, *, binary: bool = False
) -> float:
    """Σ log Poisson(x | (WH)_nm) over the stored cells of ``held_out``, stored zeros included.

    ``binary``: x says whether a Poisson count is at least one. The rate is computed at those cells
    alone, in pieces, so nothing of size n_docs × n_terms is formed.
    """
    cells = sp.coo_array(held_out)
    rate = np.maximum(rates_at(cells.row, cells.col, W, H), 1e-300)
    counts = cells.data.astype(np.float64)
    if binary:
        return float(np.where(counts > 0, np.log(-np.expm1(-rate)), -rate).sum())
    return float((counts * np.log(rate) - rate - gammaln(counts + 1)).sum())


def rates_at(
    rows: np.ndarray, columns: np.ndarray, W: np.ndarray, H: np.ndarray, piece: int = 1 << 18
) -> np.ndarray:
    """(WH) at the given cells."""
    Ht = np.ascontiguousarray(H.T)
    rate = np.empty(rows.size)
    for begin in range(0, rows.size, piece):
        part = slice(begin, begin + piece)
        np.einsum("ck,ck->c", W[rows[part]], Ht[columns[part]], out=rate[part], casting="same_kind")
    return rate


def _pair(truth: Any, predicted: Any) -> tuple[np.ndarray, np.ndarray]:
    first, second = _dense(truth), _dense(predicted)
    if first.shape != second.shape:
        raise ModelError(
            f"Truth of shape {first.shape} cannot be held against {second.shape} predictions."
        )
    return first, second


def _indicators(truth: Any, predicted: Any) -> tuple[np.ndarray, np.ndarray]:
    first, second = _pair(truth, predicted)
    if first.ndim == 2:
        return first.astype(bool), second.astype(bool)
    labels = np.unique(np.concatenate([first, second]))
    return first[:, None] == labels, second[:, None] == labels


def _cells(truth: Any, scores: Any) -> tuple[np.ndarray, np.ndarray]:
    first, second = _pair(truth, scores)
    first = first.ravel() > 0
    if first.all() or not first.any():
        raise ModelError("A curve needs at least one true and one false cell.")
    return first, second.ravel()


def _dense(values: Any) -> np.ndarray:
    dense: Any = values.toarray if hasattr(values, "toarray") else lambda: values
    return np.asarray(dense())
