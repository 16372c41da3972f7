"""What every model shares: one way to fit, scikit-learn's methods, topics of unit length.

A model implements ``_solve`` and, for new documents, ``_weights_of``. Checking
the input, reading the labels, and setting the common attributes are written here, once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_is_fitted, validate_data

from core.engine.checks import canonical_csr, check_count, check_number, check_range
from core.engine.descent import Callback, Trace, descend
from core.engine.documents import DocumentHost
from core.engine.kernels.threads import each_part, one_blas_thread, row_blocks
from core.engine.prediction import LabelPrediction, label_profiles, supervision_of_caller
from core.engine.products import transposed
from core.errors import ModelError, SupervisionError
from core.supervision import Supervision
from core.values.label_forms import is_real_valued

Matrix = Any  # documents × terms: an array or any SciPy sparse matrix
Factors = tuple[np.ndarray, np.ndarray]
Start = tuple[np.ndarray, ...]  # W and H of an earlier fit; SSNMF takes B, too


@dataclass(frozen=True)
class FitInputs:
    """What a fit works on, checked."""

    X: sp.csr_array
    supervision: Supervision  # the labels that shape the topics; none for an unsupervised model
    labels: Supervision  # the labels that ``predict`` answers with
    rng: np.random.Generator
    observed: Any = None
    start: Start | None = None
    callback: Callback | None = None
    host: DocumentHost | None = None  # where the documents are solved; None: here


@dataclass(frozen=True)
class Solution:
    """What a fit found: W, H with rows of unit length, and the objective on the way."""

    doc_topic: np.ndarray
    components: np.ndarray
    trace: Trace
    used: np.ndarray = field(default_factory=lambda: np.ones(0, bool))  # of a solver's topics


class TopicModel(
    LabelPrediction, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator, ABC
):
    """X ≈ W H, non-negative; documents in rows.

    A model stores its options in ``__init__`` and does everything else in ``fit``. Every model
    writes its ``__init__`` out: scikit-learn reads the options from the signature. Every model sets
    ``doc_topic_, components_, objective_, trace_, n_iter_, n_features_in_`` and, for ``predict``,
    ``classes_, class_count_, label_names_, multilabel_``. It keeps no training document.
    """

    n_topics: int
    max_iter: int
    tol: float
    random_state: Any
    doc_topic_: np.ndarray
    components_: np.ndarray
    trace_: Trace

    labels_own_topics: ClassVar[bool] = False  # topic k belongs to label k, for every label
    uses_labels: ClassVar[bool] = True  # labels change the topics
    takes_limits: ClassVar[bool] = False  # words of a topic can be held, kept out or added
    takes_observed: ClassVar[bool] = False  # cells can be left out of the fit
    runs_on_cluster: ClassVar[bool] = False  # documents can be solved on other machines
    rising: ClassVar[bool] = False  # the objective is maximised
    CHOICES: ClassVar[dict[str, tuple[str, ...]]] = {}  # options with named values

    def fit(
        self,
        X: Matrix,
        y: Any = None,
        *,
        observed: Any = None,
        start: Start | None = None,
        callback: Callback | None = None,
    ) -> Self:
        """Fit to a document-term matrix.

        Parameters
        ----------
        X
            Documents × terms, non-negative, dense or sparse.
        y
            A ``Supervision``, or whatever ``Supervision.of`` takes. A model that does not use
            labels finds the same topics without them; they teach ``predict`` all the same.
        observed
            Weights of the cells that do not count once, sparsely (a stored 0: not observed).
        start
            (W, H) of an earlier fit.
        callback
            Called with a ``Progress`` after every pass; the fit ends when it returns True.
        """
        inputs = self._inputs(X, y, observed, start, callback)
        return self._fit_with(self._solve, inputs, y)

    def fit_transform(self, X: Matrix, y: Any = None, **fit_params: Any) -> np.ndarray:
        """Fit, and return the topic weights of the documents fitted."""
        return self.fit(X, y, **fit_params).doc_topic_

    def transform(self, X: Matrix) -> np.ndarray:
        """Topic weights of new documents, n_docs × n_topics, without any labels."""
        X = self._checked_new(X)
        with one_blas_thread():
            return self._weights_of(X)

    @abstractmethod
    def _solve(self, inputs: FitInputs) -> Solution:
        """Find the factors; may set fitted attributes of the model's own."""

    @abstractmethod
    def _weights_of(self, X: sp.csr_array) -> np.ndarray:
        """Topic weights of new documents."""

    def _inputs(
        self,
        X: Matrix,
        y: Any,
        observed: Any,
        start: Start | None,
        callback: Callback | None,
    ) -> FitInputs:
        """Check the options and everything that ``fit`` was given."""
        self._check_options()
        if observed is not None and not self.takes_observed:
            raise ModelError(
                f"{type(self).__name__} cannot weigh cells or leave them unobserved; ssnmf can, "
                'and nmf and tsnmf with solver="mu".'
            )
        X = self._checked(X, reset=True)
        labels = self._read_labels(y, X.shape[0])
        used = labels if self.uses_labels else Supervision.none(X.shape[0])
        rng = np.random.default_rng(self.random_state)
        return FitInputs(X, used, labels, rng, observed, start, callback)

    def _fit_with(self, solve: Callable[[FitInputs], Solution], inputs: FitInputs, y: Any) -> Self:
        """Solve, then set the attributes that all models have."""
        with one_blas_thread():
            solution = solve(inputs)
            self.doc_topic_, self.components_ = solution.doc_topic, solution.components
            self.trace_ = solution.trace
            self.objective_ = self.trace_.objective[-1]
            self.n_iter_ = self.trace_.n_iter
            self._set_classes(y, inputs.labels)
            self._learn_labels(inputs)
        return self

    def _learn_labels(self, inputs: FitInputs) -> None:
        """Set what ``predict`` needs besides the factors."""
        if not self.uses_labels:
            self.label_profiles_ = label_profiles(self.doc_topic_, inputs.labels)

    def _descend(self, step: Callable[[], float], first: float, inputs: FitInputs) -> Trace:
        """Repeat a step until it gains less than ``tol`` or ``max_iter`` is reached."""
        return descend(
            step,
            first,
            max_iter=self.max_iter,
            tol=self.tol,
            rising=self.rising,
            callback=inputs.callback,
        )

    def _checked_new(self, X: Matrix) -> sp.csr_array:
        """New documents for a fitted model."""
        check_is_fitted(self, "components_")
        return self._checked(X, reset=False)

    def _checked(self, X: Matrix, *, reset: bool) -> sp.csr_array:
        X = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse="csr",
            dtype=(np.float64, np.float32),
            ensure_non_negative=True,
        )
        X = canonical_csr(X)
        check_range(X)
        return X

    def _read_labels(self, y: Any, n_docs: int) -> Supervision:
        """``y`` as a Supervision; real numbers are no labels to a model that uses none."""
        if y is None or (not self.uses_labels and is_real_valued(y)):
            return Supervision.none(n_docs)
        supervision = supervision_of_caller(y)
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
        tags.classifier_tags = ClassifierTags()  # it predicts, besides transforming
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @property
    def _n_features_out(self) -> int:
        return self.components_.shape[0]


def unit_topics(W: np.ndarray, H: np.ndarray, *, in_place: bool = False) -> Factors:
    """The same product with every topic of unit length, so that document weights compare.

    ``in_place``: nobody else needs W as it is, and a second array of its size can be spared.
    """
    scale = topic_scale(H)
    scaled = W if in_place else np.empty(W.shape, W.dtype)

    def work(first: int, last: int) -> None:
        scaled[first:last] = W[first:last] * scale  # in double precision, a few rows at a time

    each_part(work, row_blocks(len(W)))
    unit = transposed(H.T).astype(W.dtype, copy=False)
    np.divide(unit, scale[:, None], out=unit, casting="same_kind")
    return scaled, unit


def topic_scale(H: np.ndarray) -> np.ndarray:
    """Length of every topic in double precision; 1 where it has no words."""

    def work(first: int, last: int) -> np.ndarray:
        return np.asarray((H[:, first:last].astype(np.float64) ** 2).sum(axis=1))

    length = np.sqrt(sum(each_part(work, row_blocks(H.shape[1]))))
    return np.where(length > 0, length, 1.0)
