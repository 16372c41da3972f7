"""Labels known by documents and labels known by a name alone, on an equal footing.

A document resembles other documents more than it resembles a name. So a label that has its first
document scores higher all over the corpus, and takes documents of labels that have none. Here each
label's scores are moved so that all have the same mean over unlabelled documents, and stretched
towards the same spread. In a corpus where few labels cover nearly all documents that would be
wrong; how far to go is learnt from the labelled documents, each scored as if it had been left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.guide.linear import LinearScores

SHARPNESS = 20.0  # of the softmax that turns scores into shares: what scores are worth in log odds
SHIFTS = (0.0, 0.5, 1.0)  # how far means are made equal
STRETCHES = (0.0, 0.25, 0.5, 0.75, 1.0)  # how far spreads are, as an exponent
ASSUMED_SHIFT, ASSUMED_STRETCH = 1.0, 0.25  # before any document says so
ASSUMED_PRECISION = 5.0  # how firmly these are believed
MAX_STRETCH = 3.0  # factor between a label's spread and the usual one that is made up for
MAX_JUDGED = 300  # labelled documents that it is learnt from
MIN_SPREAD = 1e-9


@dataclass(frozen=True)
class Balance:
    """What each label's scores are multiplied by, and then raised by."""

    scale: np.ndarray  # (n_labels,)
    shift: np.ndarray  # (n_labels,)

    @classmethod
    def none(cls, n_labels: int) -> Balance:
        return cls(np.ones(n_labels), np.zeros(n_labels))

    def of(self, linear: LinearScores) -> LinearScores:
        meaning = None if linear.meaning is None else linear.meaning * self.scale
        return LinearScores(
            linear.words * self.scale,
            linear.places * self.scale,
            meaning,
            linear.constant * self.scale + self.shift,
        )


class Footing(NamedTuple):
    """How far labels are put on an equal footing."""

    shift: float  # 1: their scores get the same mean
    stretch: float  # 1: and the same spread

    @property
    def doubt(self) -> float:
        """What speaks against it before any document is judged."""
        away = (self.shift - ASSUMED_SHIFT) ** 2 + (self.stretch - ASSUMED_STRETCH) ** 2
        return ASSUMED_PRECISION * away


USUAL_FOOTING = Footing(ASSUMED_SHIFT, ASSUMED_STRETCH)


def balance_of(scores: np.ndarray, taught: np.ndarray, footing: Footing) -> Balance:
    """``scores`` of unlabelled documents, a column for each label; only taught ones matter."""
    return _balance(*score_moments(scores), taught, footing)


def score_moments(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and spread of each label's scores over the documents."""
    return scores.mean(axis=0), scores.std(axis=0) + MIN_SPREAD


def _balance(mean: np.ndarray, spread: np.ndarray, taught: np.ndarray, footing: Footing) -> Balance:
    found = Balance.none(taught.size)
    if not taught.any():
        return found
    mean, spread = mean[taught], spread[taught]
    usual = np.clip(np.median(spread) / spread, 1 / MAX_STRETCH, MAX_STRETCH)
    scale = usual**footing.stretch
    found.scale[taught] = scale
    found.shift[taught] = -footing.shift * (mean * scale - (mean * scale).mean())
    return found


def choose_footing(scores: np.ndarray, labels: np.ndarray, left_out: np.ndarray) -> Footing:
    """The footing that suits labelled documents best.

    ``scores`` of unlabelled documents, ``left_out`` those of labelled ones as if left out, with
    their ``labels``; a column for each label that is taught.
    """
    judged = judged_documents(labels)
    share = labels[judged] / labels[judged].sum(axis=1, keepdims=True)
    theirs, taught = left_out[judged], np.ones(labels.shape[1], bool)
    mean, spread = score_moments(scores)

    def loss(footing: Footing) -> float:
        balance = _balance(mean, spread, taught, footing)
        return footing.doubt - log_likelihood(theirs * balance.scale + balance.shift, share)

    return min((Footing(shift, by) for shift in SHIFTS for by in STRETCHES), key=loss)


def log_likelihood(scores: np.ndarray, share: np.ndarray) -> float:
    """Of the labels of documents, ``share`` each, if scores are what labels are worth."""
    worth = SHARPNESS * scores
    worth -= worth.max(axis=1, keepdims=True, initial=-np.inf)
    total = np.log(np.exp(worth).sum(axis=1))
    return float((share * worth).sum() - (share.sum(axis=1) * total).sum())


def judged_documents(labels: np.ndarray) -> np.ndarray:
    """Labelled documents that carry a label, a steady sample where they are many."""
    carries = np.flatnonzero(labels.any(axis=1))
    return carries[:: max(1, carries.size // MAX_JUDGED)]
