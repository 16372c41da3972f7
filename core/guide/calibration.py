"""From the guide's scores to probabilities: one logistic curve for all labels (Platt)."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit

MIN_PROBABILITY = 1e-6
CALIBRATION_BINS = 256  # of negative scores
OFFSET_TOLERANCE = 1e-3  # in log odds
MAX_NEWTON_STEPS = 50  # for the two numbers of the curve
CALIBRATION_START = np.array([10.0, -5.5])  # what corpora of news and mail calibrate to
CALIBRATION_PRIOR = np.array([0.1, 0.1])  # how firmly we believe it before any label has been seen


def chances(scores: np.ndarray, slope: float, offset: float) -> np.ndarray:
    return np.maximum(expit(slope * scores + offset), MIN_PROBABILITY).astype(scores.dtype)


def at_most_one_label(scores: np.ndarray, slope: float, offset: float) -> float:
    """The offset, lowered until the chances of a document sum to no more than 1 on average.

    For scores that no labelled document has calibrated, documents × labels. Where many names are
    telling, most would be likely for most documents, and none dear.
    """

    def beyond_one(offset: float) -> float:
        return float(chances(scores, slope, offset).sum(axis=1).mean()) - 1

    if not scores.size or beyond_one(offset) <= 0:
        return offset
    lowest = float(logit(1 / scores.shape[1])) - slope * float(scores.max())
    return float(brentq(beyond_one, lowest, offset, xtol=OFFSET_TOLERANCE))


def calibrate(scores: np.ndarray, targets: np.ndarray) -> tuple[float, float]:
    """Slope and offset of one logistic curve for all labels (Platt), by Newton's method.

    Few labels have few examples, so they share a curve, and without any score the usual one is
    taken. Targets are drawn in from 0 and 1 as Platt does, which keeps the curve finite when the
    scores separate the labels perfectly.
    """
    if not scores.size:
        return float(CALIBRATION_START[0]), float(CALIBRATION_START[1])
    score, target, weight = _condensed(scores.ravel(), targets.ravel() > 0)
    features = np.column_stack([score, np.ones_like(score)])

    def loss(answer: np.ndarray) -> float:
        z = features @ answer
        data = weight @ (np.logaddexp(0, z) - target * z)
        return float(data + 0.5 * CALIBRATION_PRIOR @ (answer - CALIBRATION_START) ** 2)

    answer, now = CALIBRATION_START, loss(CALIBRATION_START)
    for _ in range(MAX_NEWTON_STEPS):
        p = expit(features @ answer)
        gradient = features.T @ (weight * (p - target)) + CALIBRATION_PRIOR * (
            answer - CALIBRATION_START
        )
        curvature = (features * (weight * p * (1 - p))[:, None]).T @ features + np.diag(
            CALIBRATION_PRIOR
        )
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
    counts, edges = np.histogram(score[~positive], bins=CALIBRATION_BINS, range=span)
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
