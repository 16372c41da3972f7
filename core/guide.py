"""A guide: what the labelled documents say about all the others.

One linear classifier per label, by ridge regression on the words of a document and on what they are
about (``core.latent``), which carries a handful of labels to texts that share no word with them. It
is solved over the labelled documents, so one small inverse serves every label, gives each labelled
document's score *as if it had been left out*, and follows one more label by a rank-one update. The
left-out scores are honest, so they calibrate the probabilities, tell how good the guide is, and
point at labels that look wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sp
from scipy.linalg import lapack
from scipy.special import expit

from core.latent import Kept, Latent, latent_of, lengths, unit_rows
from core.supervision import Supervision

RIDGE = 0.3  # weight of the squared coefficients
BIAS = 0.1  # square of the constant feature that every document carries
FEW_CHANGES = 24  # labels added or removed that are followed one by one
EVEN = 0.1  # how far rare labels are raised: 0 not at all
ALIKE = 0.2  # how much every labelled document counts whatever it stands for
MOST = 2000  # labelled documents the guide learns from; beyond, a sample of them
LEAST_CHANCE = 1e-6
BINS = 256  # of negative scores, when the guide is calibrated
NEWTON = 50  # steps at most for the two numbers of the calibration


@dataclass(frozen=True)
class Guide:
    """Calibrated label probabilities for any document over the same terms."""

    coefficients: np.ndarray  # (n_terms, n_labels), for words
    matter: np.ndarray  # (n_directions, n_labels), for what a document is about
    constant: np.ndarray  # (n_labels,)
    slope: float  # of the logistic curve from scores to probabilities
    offset: float
    positions: np.ndarray  # labelled documents it learnt from
    left_out: np.ndarray  # (n_positions, n_labels) probabilities of each, left out
    examples: np.ndarray  # (n_labels,) documents that teach each label
    skill: float  # how often the likeliest label is right, judged on documents left out
    latent: Latent = field(repr=False)
    inverse: np.ndarray = field(repr=False)  # of the ridge system; follows further labels
    kept: Kept = field(default_factory=Kept, repr=False, compare=False)

    def probabilities(self, X: sp.csr_array) -> np.ndarray:
        """How likely each label is for each document: (n_docs, n_labels), not summing to one."""
        return self.kept.of(X, self._probabilities)

    def _probabilities(self, X: sp.csr_array) -> np.ndarray:
        scores = np.asarray(X @ self.coefficients)
        scores /= np.maximum(lengths(X), 1e-30)[:, None]
        scores += self.latent.places(X) @ self.matter
        scores += self.constant
        return chances(scores, self.slope, self.offset)


def fit_guide(
    X: sp.csr_array, supervision: Supervision, earlier: Guide | None = None
) -> Guide | None:
    """Learn from the labelled documents; None if nothing is labelled.

    ``earlier``, a guide for the same matrix, saves the inverse when few labels have changed since.
    """
    positions = _teachers(supervision)
    if not positions.size:
        return None
    latent = latent_of(X) if earlier is None else earlier.latent
    labels = supervision.indicator()[positions].toarray()
    targets = labels * _evened(labels.sum(axis=0))
    inverse = _inverse(X, positions, latent, earlier)
    dual = inverse @ targets
    left_out = targets - dual / np.maximum(np.diag(inverse), 1e-12)[:, None]
    slope, offset = calibrate(left_out, labels)
    taught = X[positions]
    return Guide(
        coefficients=np.asarray(unit_rows(taught).T @ dual).astype(X.dtype),
        matter=(latent.places(taught).T @ dual).astype(X.dtype),
        constant=(BIAS * dual.sum(axis=0)).astype(X.dtype),
        slope=slope,
        offset=offset,
        positions=positions,
        left_out=chances(left_out, slope, offset),
        examples=labels.sum(axis=0).astype(np.intp),
        skill=_skill(left_out, labels, latent, latent.places(taught)),
        latent=latent,
        inverse=inverse,
    )


def _skill(left_out: np.ndarray, labels: np.ndarray, latent: Latent, places: np.ndarray) -> float:
    """Share of right first labels, each labelled document counting for those that resemble it.

    A queue asks about the hard documents, so a plain mean would think too little of the guide.
    """
    count = np.full(len(labels), ALIKE * len(latent.corpus) / len(labels) + 1e-9)
    if len(latent.corpus):
        count += _shared(latent.corpus @ places.T).sum(axis=0)
    right = (_shared(left_out) * labels).sum(axis=1)
    return float(right @ count / count.sum())


def _shared(values: np.ndarray) -> np.ndarray:
    """One for each row's largest value; equals share it, so that their order decides nothing."""
    largest = values >= values.max(axis=1, keepdims=True) - TIE
    return largest / largest.sum(axis=1, keepdims=True, dtype=values.dtype)


def _evened(counts: np.ndarray) -> np.ndarray:
    """Factors that let labels with few examples speak up a little."""
    told = counts > 0
    mean = counts[told].mean() if told.any() else 1.0
    return np.where(told, (mean / np.maximum(counts, 1)) ** EVEN, 1.0)


TIE = 1e-6  # values this near are the same but for rounding
START = np.array([10.0, -4.0])  # what corpora of news and mail calibrate to
PRIOR = np.array([0.1, 0.1])  # how firmly we believe it before any label has been seen


def calibrate(scores: np.ndarray, targets: np.ndarray) -> tuple[float, float]:
    """Slope and offset of one logistic curve for all labels (Platt), by Newton's method.

    Few labels have few examples, so they share a curve; targets are drawn in from 0 and 1 as Platt
    does, which keeps the curve finite when the scores separate the labels perfectly.
    """
    score, target, weight = _condensed(scores.ravel(), targets.ravel() > 0)
    features = np.column_stack([score, np.ones_like(score)])

    def loss(answer: np.ndarray) -> float:
        z = features @ answer
        data = weight @ (np.logaddexp(0, z) - target * z)
        return float(data + 0.5 * PRIOR @ (answer - START) ** 2)

    answer, now = START, loss(START)
    for _ in range(NEWTON):
        p = expit(features @ answer)
        gradient = features.T @ (weight * (p - target)) + PRIOR * (answer - START)
        curvature = (features * (weight * p * (1 - p))[:, None]).T @ features + np.diag(PRIOR)
        step = np.linalg.solve(curvature, gradient)
        while (then := loss(answer - step)) > now and np.abs(step).max() > 1e-9:
            step = step / 2
        if now - then <= 1e-9 * abs(now):
            break
        answer, now = answer - step, then
    return max(float(answer[0]), 0.0), float(answer[1])


def _condensed(
    score: np.ndarray, positive: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores, softened targets and weights; the many negatives are counted in bins."""
    n_positive, n_negative = int(positive.sum()), int((~positive).sum())
    span = (float(score.min()) - 1e-3, float(score.max()) + 1e-3)
    counts, edges = np.histogram(score[~positive], bins=BINS, range=span)
    used = counts > 0
    middle = (edges[:-1] + edges[1:])[used] / 2
    target = np.concatenate(
        [
            np.full(n_positive, (n_positive + 1) / (n_positive + 2)),
            np.full(middle.size, 1 / (n_negative + 2)),
        ]
    )
    weight = np.concatenate([np.ones(n_positive), counts[used]])
    return np.concatenate([score[positive], middle]), target, weight


def chances(scores: np.ndarray, slope: float, offset: float) -> np.ndarray:
    return np.maximum(expit(slope * scores + offset), LEAST_CHANCE).astype(scores.dtype)


def _teachers(supervision: Supervision) -> np.ndarray:
    """Labelled documents, a steady sample of them if there are very many.

    Every position has its fixed rank, so one more label changes at most one place of the sample.
    """
    positions = np.flatnonzero(supervision.labelled)
    if positions.size > MOST:
        rank = (positions.astype(np.uint64) * np.uint64(2654435761)) % np.uint64(2**32)
        positions = np.sort(positions[np.argsort(rank, kind="stable")[:MOST]])
    return positions


def kernel(left: sp.csr_array, right: sp.csr_array, latent: Latent) -> np.ndarray:
    """How alike documents are: by their words, by what they are about, and by being documents."""
    words = np.asarray((unit_rows(left) @ unit_rows(right).T).toarray())
    matter = latent.places(left).astype(np.float64) @ latent.places(right).astype(np.float64).T
    return words + matter + BIAS


def _inverse(
    X: sp.csr_array, positions: np.ndarray, latent: Latent, earlier: Guide | None
) -> np.ndarray:
    """Inverse of (kernel + ridge) over the labelled documents, in the order of ``positions``."""
    if earlier is not None:
        gone = np.setdiff1d(earlier.positions, positions)
        new = np.setdiff1d(positions, earlier.positions)
        if gone.size + new.size <= min(FEW_CHANGES, positions.size // 2):
            return _followed(X, positions, earlier, gone, new)
    taught = X[positions]
    return _inverted(kernel(taught, taught, latent) + RIDGE * np.eye(positions.size))


def _inverted(matrix: np.ndarray) -> np.ndarray:
    """Inverse of a positive definite matrix by Cholesky."""
    factor, bad = lapack.dpotrf(np.asfortranarray(matrix), lower=1)
    inverse, worse = lapack.dpotri(factor, lower=1)
    if bad or worse:
        return np.linalg.inv(matrix)
    lower = np.tril(inverse)
    return lower + np.tril(lower, -1).T


def _followed(
    X: sp.csr_array, positions: np.ndarray, earlier: Guide, gone: np.ndarray, new: np.ndarray
) -> np.ndarray:
    """The earlier inverse without the rows that are gone and bordered by the new ones."""
    known, inverse = earlier.positions, earlier.inverse
    for position in gone:
        at = int(np.flatnonzero(known == position)[0])
        column = inverse[:, at]
        inverse = inverse - np.outer(column, column) / column[at]
        inverse = np.delete(np.delete(inverse, at, 0), at, 1)
        known = np.delete(known, at)
    for position in new:
        inverse = _bordered(X, known, inverse, int(position), earlier.latent)
        known = np.append(known, position)
    order = np.argsort(known)
    return np.ascontiguousarray(inverse[np.ix_(order, order)])


def _bordered(
    X: sp.csr_array, known: np.ndarray, inverse: np.ndarray, position: int, latent: Latent
) -> np.ndarray:
    one = X[[position]]
    column = kernel(X[known], one, latent).ravel()
    corner = float(kernel(one, one, latent)[0, 0]) + RIDGE
    moved = inverse @ column
    rest = corner - float(column @ moved)
    size = known.size
    out = np.empty((size + 1, size + 1))
    np.multiply.outer(moved, moved / rest, out=out[:size, :size])  # no copies: it is large
    out[:size, :size] += inverse
    out[:size, size] = out[size, :size] = -moved / rest
    out[size, size] = 1 / rest
    return out
