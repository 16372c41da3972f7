"""How every model predicts labels: in the caller's own labels, with probabilities and a score.

``predict`` answers as scikit-learn's classifiers do: with whole numbers if ``y`` held whole
numbers, whichever they were, with names if it held names. Where some document carried several
labels, or ``y`` was an indicator matrix, it gives an indicator matrix: documents × ``classes_``,
1 where a label applies. A model fitted without any label raises a ``ModelError``.

A model has a score for each label and document (``_label_scores``). By default it is the cosine
between a document's topic weights and a label's: topics that are used alike.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import scipy.sparse as sp

from core.engine.kernels.threads import one_blas_thread
from core.errors import ModelError
from core.supervision import Supervision
from core.values.label_forms import is_indicator, is_numbered, label_numbers, whole_numbers

SHARE_OF_BEST = 0.5  # of the best label's score: what another label of a document needs by default


class LabelPrediction(ABC):
    """``predict``, ``predict_proba`` and ``score`` of a topic model.

    Attributes
    ----------
    classes_ : ndarray of shape (n_labels,), the labels as the caller writes them
    class_count_ : ndarray of shape (n_labels,), how many documents carried each
    label_names_ : the labels by name
    multilabel_ : whether ``predict`` gives an indicator matrix
    label_profiles_ : of a model that uses no labels, ndarray of shape (n_labels, n_topics): the
        mean topic shares of each label's documents
    """

    classes_: np.ndarray | None  # None where a model was fitted to real numbers
    class_count_: np.ndarray
    label_names_: tuple[str, ...]
    multilabel_: bool
    label_profiles_: np.ndarray

    def predict(self, X: Any) -> np.ndarray:
        """The label of each document, or an indicator matrix where documents carry several."""
        return self._answers(self._scores_of(X))

    def predict_proba(self, X: Any) -> np.ndarray:
        """How likely each label is to be a document's main one; rows sum to 1.

        Columns are ``classes_``. Where all scores are zero, all labels are equally likely.
        """
        return row_shares(self._probability_weights(self._scores_of(X)))

    def score(self, X: Any, y: Any) -> float:
        """Accuracy of ``predict`` on the documents that carry a label in ``y``.

        As in scikit-learn, all labels of a document must be right where it may carry several.
        """
        scores = self._scores_of(X)
        if self.multilabel_:
            given = self._labels_given(scores)
        else:
            given = np.eye(scores.shape[1], dtype=bool)[scores.argmax(axis=1)]
        return accuracy_of(given, self._truth(y, scores.shape[0]), self.label_names_)

    def _answers(self, scores: np.ndarray) -> np.ndarray:
        """The caller's labels with the best scores, or an indicator matrix."""
        if self.multilabel_ or self.classes_ is None:
            return self._labels_given(scores).astype(np.intp)
        return self.classes_[scores.argmax(axis=1)]

    def _scores_of(self, X: Any) -> np.ndarray:
        X = self._checked_new(X)
        self._require_labels()
        with one_blas_thread():
            return self._label_scores(X)

    def _label_scores(self, X: sp.csr_array) -> np.ndarray:
        """A number for each document and label; the largest in a row is predicted."""
        return cosines(self._weights_of(X), self._label_rows()) * (self.class_count_ > 0)

    def _label_rows(self) -> np.ndarray:
        """n_labels × n_topics: the topic weights that are typical of each label."""
        return self.label_profiles_

    def _labels_given(self, scores: np.ndarray) -> np.ndarray:
        """Which labels a document gets where it may carry several."""
        best = scores.max(axis=1, keepdims=True, initial=0)
        return (scores >= SHARE_OF_BEST * best) & (scores > 0)

    def _probability_weights(self, scores: np.ndarray) -> np.ndarray:
        """Scores as numbers of at least 0 that are proportional to probabilities."""
        return scores

    def _set_classes(self, y: Any, labels: Supervision) -> None:
        self.label_names_ = labels.names
        self.class_count_ = np.bincount(labels.permitted.indices, minlength=labels.n_labels)
        self.classes_ = caller_labels(y, labels)
        several = bool((np.diff(labels.permitted.indptr) > 1).any())
        self.multilabel_ = several or is_indicator(y)

    def _require_labels(self) -> None:
        if not self.class_count_.any():
            raise ModelError(
                "No document carried a label, so the model was fitted without labels and has "
                "no label to predict."
            )

    def _truth(self, y: Any, n_docs: int) -> Supervision:
        """``y`` as a Supervision whose labels have the names they had in the fit.

        Numbers and columns stand for the labels in order if the fit had no numbers.
        """
        fitted_to_numbers = self.classes_ is not None and self.classes_.dtype != object
        if is_numbered(y) and fitted_to_numbers:
            truth = supervision_of_caller(y)
        else:
            by_place = is_numbered(y) or (is_indicator(y) and not hasattr(y, "columns"))
            truth = Supervision.of(y, self.label_names_ if by_place else None)
        if truth.n_docs != n_docs:
            raise ModelError(f"{n_docs} documents, but labels for {truth.n_docs}.")
        return truth

    @abstractmethod
    def _checked_new(self, X: Any) -> sp.csr_array:
        """New documents for a fitted model."""

    @abstractmethod
    def _weights_of(self, X: sp.csr_array) -> np.ndarray:
        """Topic weights of new documents."""


def supervision_of_caller(y: Any) -> Supervision:
    """Whatever ``Supervision.of`` takes; of whole numbers, only those that occur are labels."""
    if not is_numbered(y):
        return Supervision.of(y)
    values, numbers = whole_numbers(y), label_numbers(y)
    places = np.where(values >= 0, np.searchsorted(numbers, values), values)
    return Supervision.of(places, [f"label {number + 1}" for number in numbers])


def caller_labels(y: Any, labels: Supervision) -> np.ndarray:
    """The labels in order, as the caller writes them: truth values, whole numbers or names."""
    if not labels.n_labels or not is_numbered(y):
        return np.array(labels.names, dtype=object)
    numbers = label_numbers(y)
    return numbers.astype(bool) if np.asarray(y).dtype == bool else numbers


def label_profiles(doc_topic: np.ndarray, labels: Supervision) -> np.ndarray:
    """n_labels × n_topics: the mean topic shares of the documents of each label."""
    shares = row_shares(doc_topic.astype(np.float64))
    groups = labels.groups(unlabelled_group=False)
    total = np.asarray(groups.sum(axis=0)).ravel()
    return np.asarray(groups.T @ shares) / np.maximum(total, 1e-30)[:, None]


def row_shares(values: np.ndarray) -> np.ndarray:
    """Rows that sum to 1; a row of zeros becomes equal shares."""
    total = values.sum(axis=1, keepdims=True)
    equal = np.full_like(values, 1 / max(values.shape[1], 1))
    return np.divide(values, total, out=equal, where=total > 0)


def cosines(rows: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Cosines between the rows of two matrices; zero where a row is zero."""
    return _unit_rows(rows) @ _unit_rows(others).T


def _unit_rows(matrix: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(matrix / np.where(length > 0, length, 1))


def accuracy_of(given: np.ndarray, truth: Supervision, names: tuple[str, ...]) -> float:
    """Share of the documents labelled in ``truth`` that were given exactly their labels.

    ``given`` has a column for each of ``names``; a label that is not among them is always missed.
    """
    place = {name: column for column, name in enumerate(names)}
    expected = np.zeros((given.shape[0], len(names) + 1), dtype=bool)
    carried = truth.permitted.tocoo()
    columns = np.array([place.get(name, len(names)) for name in truth.names], dtype=np.intp)
    expected[carried.row, columns[carried.col]] = True
    labelled = expected.any(axis=1)
    if not labelled.any():
        raise ModelError("No document carries a label in y, so there is nothing to score.")
    right = (expected[:, :-1] == given).all(axis=1) & ~expected[:, -1]
    return float(right[labelled].mean())
