"""Would teach most: the documents whose labels leave the guide least in doubt about all others.

The guide is a ridge regression, so what a label would teach can be told before it is given: how
far it lowers the variance of the guide's scores over the corpus (transductive experimental design,
Yu, Bi & Tresp 2006), here over the landmarks, those of which the guide is unsure counting more. A
document that resembles many others which no label reaches lowers it most. Each one offered counts
as labelled for the next, so a line does not ask the same thing twice.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.queue.influential import KIND, reason
from core.queue.view import QueueItem, View, smallest

RIDGE = 0.3  # doubt that a label leaves about its own document, as in the guide
EVEN = 0.1  # what a landmark counts of which the guide is sure
AHEAD = 4000  # documents looked at again after each one offered
SAMPLE = 20_000  # documents looked at in all: in a larger corpus each has its like among them


def line(view: View) -> Iterator[QueueItem]:
    """Each document teaches most after those before it."""
    if view.outline is None or view.outline.places is None or not view.labels:
        return
    rows = smallest(np.where(view.open, view.key, np.inf), SAMPLE)
    places = view.outline.places[rows].astype(np.float32)
    moved = places @ _doubt(view)
    felt = moved @ _root(view)
    own = np.einsum("ij,ij->i", moved, places)
    gain = np.einsum("ij,ij->i", felt, felt) / (own + RIDGE)
    best = smallest(-gain, AHEAD)
    for place, worth in _offered(places[best], moved[best], felt[best], own[best], view.limit):
        row = int(rows[best[place]])
        yield QueueItem(row, KIND, reason(view.outline, row), worth)


def _doubt(view: View) -> np.ndarray:
    """Covariance of the guide's coefficients, given which documents are labelled."""
    assert view.outline is not None
    assert view.outline.places is not None
    told = view.outline.places[np.fromiter(view.labels, dtype=np.intp)].astype(np.float64)
    size = told.shape[1]
    return np.linalg.inv(told.T @ told / RIDGE + np.eye(size)).astype(np.float32)


def _root(view: View) -> np.ndarray:
    """A square root of the landmarks' second moments: where doubt matters."""
    assert view.outline is not None
    assert view.outline.places is not None
    marks = view.outline.landmarks
    places = view.outline.places[marks].astype(np.float64)
    weight = EVEN + view.hinted.torn[marks].astype(np.float64)
    moments = (places * weight[:, None]).T @ places / max(float(weight.sum()), 1e-12)
    return np.linalg.cholesky(moments + 1e-9 * np.eye(len(moments))).astype(np.float32)


def _offered(
    places: np.ndarray, moved: np.ndarray, felt: np.ndarray, own: np.ndarray, limit: int
) -> Iterator[tuple[int, float]]:
    """Greedily; every choice takes what it teaches from the others by a rank-one step."""
    left = np.ones(len(places), dtype=bool)
    for _ in range(min(limit, len(places))):
        gain = np.where(left, np.einsum("ij,ij->i", felt, felt) / (own + RIDGE), -1)
        best = int(gain.argmax())
        left[best] = False
        yield best, float(gain[best])
        shared = moved @ places[best]
        share = shared / (RIDGE + own[best])
        own = own - share * shared
        felt = felt - np.outer(share, felt[best])
        moved = moved - np.outer(share, moved[best])
