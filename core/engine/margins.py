"""Linear classifiers between labels: in dual form what NMF-α keeps, in primal form what predicts.

A linear support vector machine with squared hinge has the normal ``Σ α_i y_i x_i`` with
``α_i = 2 C_i max(0, 1 − y_i f(x_i))``: at the optimum the derivative of its loss vanishes. So the
dual coefficients follow from the margins of a primal solution and no kernel matrix is needed.
``C_i`` is the cost times the confidence in the document's labels.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from core.engine.kernels.perceptron import count_mistakes
from core.supervision import Supervision
from core.values import ArrayValue

Machines = Literal["auto", "pairs", "labels"]
Learner = Literal["auto", "svm", "perceptron"]
Side = tuple[np.ndarray, np.ndarray]  # documents of one machine, and +1 or −1 for each

MAX_SVM_READS = 200_000_000  # non-zeros that all machines read in one pass; beyond it, perceptrons
PERCEPTRON_PASSES = 10  # over its documents, at most, for a perceptron
DUAL_MAX_ITER = 1000  # passes of the dual solver before the primal one takes over
SVM_TOLERANCE = 1e-6  # of a machine's gradient; the dual coefficients inherit it


def dual_coefficients(
    X: sp.csr_array,
    supervision: Supervision,
    *,
    machines: Machines = "auto",
    learner: Learner = "auto",
    cost: float = 1.0,
    rng: np.random.Generator,
) -> sp.csr_array:
    """S of NMF-α, eq. (17): n_docs × 2p, one pair of non-negative columns per machine.

    The first p columns hold the positive sides, the last p the negative ones. Rows of documents
    without a label are zero.
    """
    sides = list(machine_sides(supervision, machines))
    quick = learner == "perceptron" or (learner == "auto" and _reading(X, sides) > MAX_SVM_READS)
    columns = [
        _mistakes(X, rows, sign, rng)
        if quick
        else _margin_violations(X, rows, sign, cost, supervision.confidence[rows])
        for rows, sign in sides
    ]
    halves = [
        (rows[sign == side], alpha[sign == side])
        for side in (1, -1)
        for (rows, sign), alpha in zip(sides, columns, strict=True)
    ]
    return _stacked(halves, X.shape[0], X.dtype)


def machine_sides(supervision: Supervision, machines: Machines = "auto") -> Iterator[Side]:
    """Which documents each machine tells apart.

    Labels that exclude one another are told apart pair by pair (for two labels that is one
    machine); where documents carry several labels, each label is told from all that lack it.
    """
    carried = sp.csc_array(supervision.permitted)
    members = np.split(carried.indices, carried.indptr[1:-1]) if carried.shape[1] else []
    if machines == "auto":
        machines = "pairs" if is_exclusive(supervision) else "labels"
    labelled = np.flatnonzero(supervision.labelled)
    if machines == "pairs":
        for first, second in combinations([m for m in members if m.size], 2):
            yield from _side(np.setdiff1d(first, second), np.setdiff1d(second, first))
    else:
        for positive in members:
            yield from _side(np.sort(positive), np.setdiff1d(labelled, positive))


def is_exclusive(supervision: Supervision) -> bool:
    """No document carries more than one label."""
    return bool((np.diff(supervision.permitted.indptr) <= 1).all())


@dataclass(frozen=True, eq=False, repr=False)
class LabelMachines(ArrayValue):
    """One linear machine per label on a small space; ``scores`` are its margins."""

    coefficients: np.ndarray  # (n_labels, n_columns)
    intercept: np.ndarray  # (n_labels,)

    @classmethod
    def fit(
        cls, Z: np.ndarray, carried: np.ndarray, cost: float, weight: np.ndarray
    ) -> LabelMachines:
        """``carried`` (n_docs × n_labels, bool); a label that all or none carry is constant."""
        coefficients = np.zeros((carried.shape[1], Z.shape[1]))
        intercept = np.where(carried.all(axis=0), 1.0, -1.0)
        for label in np.flatnonzero(carried.any(axis=0) & ~carried.all(axis=0)):
            machine = _machine(Z, np.where(carried[:, label], 1, -1), cost, weight)
            coefficients[label], intercept[label] = machine.coef_[0], machine.intercept_[0]
        return cls(coefficients, intercept)

    @classmethod
    def constant(cls, n_labels: int, n_columns: int) -> LabelMachines:
        """Machines that give no label to any document."""
        return cls(np.zeros((n_labels, n_columns)), np.full(n_labels, -1.0))

    def scores(self, Z: np.ndarray) -> np.ndarray:
        return Z @ self.coefficients.T + self.intercept


def _side(positive: np.ndarray, negative: np.ndarray) -> Iterator[Side]:
    if positive.size and negative.size:
        rows = np.concatenate([positive, negative])
        yield rows, np.repeat([1, -1], [positive.size, negative.size])


def _margin_violations(
    X: sp.csr_array, rows: np.ndarray, sign: np.ndarray, cost: float, weight: np.ndarray
) -> np.ndarray:
    part = sp.csr_array(X[rows]).astype(np.float64)
    machine = _machine(part, sign, cost, weight)
    return 2 * cost * weight * np.maximum(0, 1 - sign * machine.decision_function(part))


def _machine(features: Any, sign: np.ndarray, cost: float, weight: np.ndarray) -> LinearSVC:
    """By the dual solver, ten times faster on texts; by the primal one where that stalls.

    On counts in the thousands neither comes as near as asked; the best that was found will do.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        if features.shape[0] < features.shape[1]:
            machine = LinearSVC(
                C=cost, dual=True, tol=SVM_TOLERANCE, max_iter=DUAL_MAX_ITER, random_state=0
            )
            if machine.fit(features, sign, sample_weight=weight).n_iter_ < DUAL_MAX_ITER:
                return machine
        machine = LinearSVC(C=cost, dual=False, tol=SVM_TOLERANCE, max_iter=10_000)
        return machine.fit(features, sign, sample_weight=weight)


def _mistakes(
    X: sp.csr_array, rows: np.ndarray, sign: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    order = rng.permutation(rows.size)
    alpha = np.zeros(rows.size)
    alpha[order] = count_mistakes(
        X.indptr, X.indices, X.data, rows[order], sign[order], PERCEPTRON_PASSES, X.shape[1]
    )
    return alpha


def _reading(X: sp.csr_array, sides: list[Side]) -> int:
    length = np.diff(X.indptr).astype(np.int64)
    return sum(int(length[rows].sum()) for rows, _ in sides)


def _stacked(
    halves: list[tuple[np.ndarray, np.ndarray]], n_docs: int, dtype: np.dtype[Any]
) -> sp.csr_array:
    if not halves:
        return sp.csr_array((n_docs, 0), dtype=dtype)
    rows = np.concatenate([rows for rows, _ in halves])
    columns = np.repeat(np.arange(len(halves)), [rows.size for rows, _ in halves])
    values = np.concatenate([alpha for _, alpha in halves]).astype(dtype)
    stacked = sp.csr_array((values, (rows, columns)), shape=(n_docs, len(halves)))
    stacked.eliminate_zeros()
    return stacked
