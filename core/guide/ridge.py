"""The inverse of the ridge system over the teachers: computed, or updated from an earlier one."""

from __future__ import annotations

import numpy as np
from scipy.linalg import lapack

from core.guide.teachers import Teachers
from core.guide.views import Features

RIDGE_PENALTY = 0.3  # weight of the squared coefficients
MAX_INCREMENTAL_CHANGES = 24  # teachers added, removed or reweighted that are followed one by one


def inverse_of(features: Features, weight: np.ndarray) -> np.ndarray:
    """Inverse of (similarity + ridge / weight), in the order of the teachers."""
    return _inverted(features.similarity(features) + np.diag(RIDGE_PENALTY / weight))


def updated_inverse(
    teachers: Teachers, features: Features, earlier: Teachers, inverse: np.ndarray
) -> np.ndarray | None:
    """The earlier inverse brought up to date; None where beginning anew costs less."""
    gone = np.setdiff1d(earlier.numbers, teachers.numbers)
    new = np.setdiff1d(teachers.numbers, earlier.numbers)
    kept = np.setdiff1d(teachers.numbers, new)
    before = earlier.weight[np.searchsorted(earlier.numbers, kept)]
    now = teachers.weight[np.searchsorted(teachers.numbers, kept)]
    moved = np.flatnonzero(before != now)
    if gone.size + new.size + moved.size > min(MAX_INCREMENTAL_CHANGES, len(teachers) // 2):
        return None
    inverse = _without(inverse, np.searchsorted(earlier.numbers, gone))
    for at in moved:
        inverse = _reweighted(
            inverse, int(at), RIDGE_PENALTY / now[at] - RIDGE_PENALTY / before[at]
        )
    known = kept
    for number in new:
        inverse = _bordered(inverse, known, int(number), teachers, features)
        known = np.insert(known, np.searchsorted(known, number), number)
    return inverse


def _inverted(matrix: np.ndarray) -> np.ndarray:
    """Inverse of a positive definite matrix by Cholesky."""
    factor, bad = lapack.dpotrf(np.asfortranarray(matrix), lower=1)
    inverse, worse = lapack.dpotri(factor, lower=1)
    if bad or worse:
        return np.linalg.inv(matrix)
    lower = np.tril(inverse)
    return lower + np.tril(lower, -1).T


def _without(inverse: np.ndarray, places: np.ndarray) -> np.ndarray:
    """The inverse for a system without some of its rows."""
    for at in sorted(places.tolist(), reverse=True):
        column = inverse[:, at]
        inverse = inverse - np.outer(column, column) / column[at]
        inverse = np.delete(np.delete(inverse, at, 0), at, 1)
    return inverse


def _reweighted(inverse: np.ndarray, at: int, more: float) -> np.ndarray:
    """The inverse for a system with another number on its diagonal (Sherman and Morrison)."""
    column = inverse[:, at]
    return inverse - np.outer(column, column) * (more / (1 + more * column[at]))


def _bordered(
    inverse: np.ndarray, known: np.ndarray, number: int, teachers: Teachers, features: Features
) -> np.ndarray:
    """The inverse for a system with one row more, which has its place in the order of numbers."""
    others, own = (
        np.searchsorted(teachers.numbers, known),
        np.searchsorted(teachers.numbers, [number]),
    )
    one = features.at(own)
    column = features.at(others).similarity(one).ravel()
    corner = float(one.similarity(one)[0, 0]) + RIDGE_PENALTY / teachers.weight[own[0]]
    moved = inverse @ column
    rest = corner - float(column @ moved)
    at = int(np.searchsorted(known, number))
    border = np.insert(moved, at, -1.0)
    out = np.multiply.outer(border, border / rest)
    out[:at, :at] += inverse[:at, :at]  # block by block, without a copy: it is large
    out[:at, at + 1 :] += inverse[:at, at:]
    out[at + 1 :, :at] += inverse[at:, :at]
    out[at + 1 :, at + 1 :] += inverse[at:, at:]
    return out
