"""What every model shares: the scikit-learn contract, checked input, topics of one scale."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import validate_data

from core.errors import ModelError, SupervisionError
from core.supervision import Supervision

Matrix = Any  # documents × terms: an array or any SciPy sparse matrix
Factors = tuple[np.ndarray, np.ndarray]
RANGE = {4: (1e-12, 1e8), 8: (1e-15, 1e60)}  # of the largest cell, by bytes; products must fit too


class TopicModel(TransformerMixin, BaseEstimator):
    """X ≈ W H, non-negative; documents in rows.

    A model stores its options in ``__init__`` and does everything else in ``fit``, which leaves
    ``doc_topic_, components_, objective_, trace_, n_iter_`` behind.
    """

    n_topics: int
    max_iter: int
    tol: float
    random_state: Any
    doc_topic_: np.ndarray
    components_: np.ndarray

    labels_own_topics: ClassVar[bool] = False  # topic k belongs to label k, for every label
    takes_limits: ClassVar[bool] = False  # words of a topic can be held, kept out or added
    CHOICES: ClassVar[dict[str, tuple[str, ...]]] = {}  # options with named values

    def fit_transform(self, X: Matrix, y: Any = None, **fit_params: Any) -> np.ndarray:
        return self.fit(X, y, **fit_params).doc_topic_

    def _checked(self, X: Matrix, *, reset: bool) -> sp.csr_array:
        X = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse="csr",
            dtype=(np.float64, np.float32),
            ensure_non_negative=True,
        )
        X = tidy(X)
        check_range(X)
        return X

    def _supervised(self, y: Any, n_docs: int) -> Supervision:
        """What was said about the documents; nothing, if ``y`` is None."""
        supervision = Supervision.none(n_docs) if y is None else Supervision.of(y)
        if supervision.n_docs != n_docs:
            raise SupervisionError(
                f"Labels for {supervision.n_docs} documents, but the matrix has {n_docs}."
            )
        return supervision

    def _check_options(self) -> None:
        for name, choices in self.CHOICES.items():
            if getattr(self, name) not in choices:
                raise ModelError(
                    f"{name} is one of {', '.join(choices)}, not {getattr(self, name)!r}."
                )
        check_count("n_topics", self.n_topics)
        check_count("max_iter", self.max_iter)
        check_number("tol", self.tol)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @property
    def _n_features_out(self) -> int:
        return self.components_.shape[0]


def check_count(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ModelError(f"{name} is a whole number of at least 1, not {value!r}.")


def check_number(name: str, value: Any, least: float = 0.0) -> None:
    wrong = isinstance(value, bool) or not isinstance(value, (int, float, np.number))
    if wrong or not least <= value < np.inf:
        raise ModelError(f"{name} is a number of at least {least:g}, not {value!r}.")


def check_positive(name: str, value: Any) -> None:
    check_number(name, value)
    if value == 0:
        raise ModelError(f"{name} is a number above 0.")


def check_start(*factors: np.ndarray) -> None:
    if not all(np.isfinite(factor).all() and (factor >= 0).all() for factor in factors):
        raise ModelError("A start needs finite weights of at least 0.")


def check_range(X: sp.csr_array) -> None:
    """Refuse cells whose squares would overflow or vanish, before they end in nonsense."""
    least, most = RANGE[X.dtype.itemsize]
    largest = float(X.data.max(initial=0))
    if largest and not least <= largest <= most:
        raise ModelError(
            f"The largest cell of the matrix is {largest:.0e}; scale the matrix so that it lies "
            f"between {least:.0e} and {most:.0e}."
        )


def tidy(X: Any) -> sp.csr_array:
    """CSR with sorted 32-bit indices and no stored zeros; dense input becomes sparse here."""
    given = X
    X = sp.csr_array(X)
    if not X.has_canonical_format or (X.data == 0).any() or not X.has_sorted_indices:
        X = X.copy() if X is given or sp.issparse(given) else X
        X.sum_duplicates()
        X.eliminate_zeros()
    if X.indices.dtype != np.int32 or X.indptr.dtype != np.int32:
        if X.nnz >= np.iinfo(np.int32).max:
            raise ModelError("More than two thousand million non-zero cells in one matrix.")
        X = sp.csr_array(
            (X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)), shape=X.shape
        )
    return X


def unit_topics(W: np.ndarray, H: np.ndarray) -> Factors:
    """The same product with every topic of unit length, so that document weights compare."""
    length = np.sqrt((H.astype(np.float64) ** 2).sum(axis=1))
    scale = np.where(length > 0, length, 1.0)
    return (W * scale).astype(W.dtype), np.ascontiguousarray(H / scale[:, None], dtype=W.dtype)
