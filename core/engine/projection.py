"""Topic weights of documents on fixed topics, when the loss is the I-divergence."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from core.engine.kernels.projection import project_divergence_rows
from core.engine.kernels.threads import each_part, parts_of
from core.engine.solvers import in_own_scale, solve_documents

START_SHARE = 0.01  # of a document's mean weight, added: steps only multiply
MAX_SWEEPS = 500  # steps at most for one document


def project_documents(X: sp.csr_array, H: np.ndarray, tol: float = 1e-6) -> np.ndarray:
    """argmin over W ≥ 0 of D(X ‖ W H), document by document, from the least-squares solution."""
    X, scale = in_own_scale(X)
    Ht = np.ascontiguousarray(H.T, dtype=X.dtype)
    size = Ht.sum(axis=0, dtype=np.float64).astype(X.dtype)
    W = solve_documents(X, H)
    W += np.maximum(W.mean(axis=1, keepdims=True), X.dtype.type(1e-6)) * X.dtype.type(START_SHARE)

    def work(first: int, last: int) -> None:
        step = np.empty(W.shape[1], W.dtype)
        project_divergence_rows(
            X.indptr,
            X.indices,
            X.data,
            first,
            last,
            Ht,
            size,
            MAX_SWEEPS,
            X.dtype.type(tol),
            W,
            step,
        )

    each_part(work, parts_of(X))
    return W * scale
