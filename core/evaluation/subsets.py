"""Parts of a corpus to evaluate on: some documents, or all documents without some labels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from core.matrix import DocumentTermMatrix
from core.supervision import Supervision


def matrix_rows(matrix: DocumentTermMatrix, rows: np.ndarray) -> DocumentTermMatrix:
    """The matrix of some documents; the terms stay as they are."""
    if rows.size == len(matrix.doc_ids):
        return matrix
    X = sp.csr_array(matrix.X[rows])
    return replace(
        matrix,
        X=X,
        doc_ids=tuple(matrix.doc_ids[row] for row in rows),
        document_frequency=np.bincount(X.indices, minlength=X.shape[1]),
        fingerprint=f"{matrix.fingerprint}-{rows.size}",
        empty=tuple(int(row) for row in np.flatnonzero(np.diff(X.indptr) == 0)),
    )


def supervision_rows(supervision: Supervision, rows: np.ndarray) -> Supervision:
    """The annotations of some documents."""
    if rows.size == supervision.n_docs:
        return supervision
    return replace(
        supervision,
        permitted=sp.csr_array(supervision.permitted[rows]),
        forbidden=sp.csr_array(supervision.forbidden[rows]),
        nothing_fits=supervision.nothing_fits[rows],
        confidence=supervision.confidence[rows],
        targets=None if supervision.targets is None else supervision.targets[rows],
    )


def without_labels(supervision: Supervision, rows: np.ndarray) -> Supervision:
    """All documents, but without the annotations of these rows."""
    keep = np.ones(supervision.n_docs, dtype=bool)
    keep[rows] = False
    selector = sp.diags_array(keep.astype(float))
    return replace(
        supervision,
        permitted=_select(selector, supervision.permitted),
        forbidden=_select(selector, supervision.forbidden),
        nothing_fits=supervision.nothing_fits & keep,
        confidence=np.where(keep, supervision.confidence, 1.0),
    )


def _select(selector: sp.dia_array, marks: sp.csr_array) -> sp.csr_array:
    left = sp.csr_array(selector @ marks.astype(float))
    left.eliminate_zeros()
    return left.astype(bool)
