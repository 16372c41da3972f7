"""How much each source of a label's score counts.

Four sources speak for a label: how alike a document is to the texts that carry it (the ridge
score), how alike it is to the label's likeliest unlabelled documents, what names and codebook alone
would say, and how large the label seems. Which of them to trust differs from corpus to corpus: a
single post of a newsgroup says less of its topic than the topic's name, the name of a commodity
less than one news item about it. The weights are those of a logistic regression over all labels
(conditional logit), learnt from the labelled documents, each scored as if it had been left out, and
held near what is usual while these are few.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import Bounds, minimize

# In this order: ridge score, likeliest documents, descriptions, size; all in log odds.
USUAL_WEIGHTS = np.array([20.0, 12.0, 7.5, 1.0])
WEIGHT_SPREADS = np.array([5.0, 2.0, 2.0, 0.7])  # how far from usual they are expected to be
LEAST_WEIGHTS = np.array([5.0, 0.0, 0.0, 0.0])
LARGEST_WEIGHTS = np.array([np.inf, np.inf, np.inf, 4.0])
# Searched so near to the end that the order of documents does not show.
LEAST_GAIN, LEAST_SLOPE = 1e-14, 1e-7


class SourceWeights(NamedTuple):
    """Of each source beside the ridge score, which counts once."""

    likeliest: float
    descriptions: float
    size: float

    @classmethod
    def from_log_odds(cls, weights: np.ndarray) -> SourceWeights:
        likeliest, descriptions, size = (float(weight) for weight in weights[1:] / weights[0])
        return cls(likeliest, descriptions, size)


USUAL = SourceWeights.from_log_odds(USUAL_WEIGHTS)


def source_weights(sources: Sequence[np.ndarray], labels: np.ndarray) -> SourceWeights:
    """The weights that suit the labelled documents best.

    ``sources`` in the order of ``USUAL_WEIGHTS``, each documents × labels, scored as if the
    document had been left out; ``labels`` is 1 where a document carries a label.
    """
    carries = labels.any(axis=1)
    if not carries.any():
        return USUAL
    share = labels[carries] / labels[carries].sum(axis=1, keepdims=True)
    flat = np.stack([source[carries].ravel() for source in sources])

    def loss(away: np.ndarray) -> tuple[float, np.ndarray]:
        """Minus the log posterior, and its slope; ``away`` from usual, in spreads."""
        worth = ((USUAL_WEIGHTS + WEIGHT_SPREADS * away) @ flat).reshape(share.shape)
        worth -= worth.max(axis=1, keepdims=True)
        odds = np.exp(worth)
        total = odds.sum(axis=1, keepdims=True)
        value = np.log(total).sum() - (share * worth).sum() + away @ away / 2
        slope = WEIGHT_SPREADS * (flat @ (odds / total - share).ravel()) + away
        return float(value), slope

    least, largest = (
        (bound - USUAL_WEIGHTS) / WEIGHT_SPREADS for bound in (LEAST_WEIGHTS, LARGEST_WEIGHTS)
    )
    found = minimize(
        loss,
        np.zeros(USUAL_WEIGHTS.size),
        jac=True,
        method="L-BFGS-B",
        bounds=Bounds(least, largest),
        options={"ftol": LEAST_GAIN, "gtol": LEAST_SLOPE},
    )
    return SourceWeights.from_log_odds(USUAL_WEIGHTS + WEIGHT_SPREADS * found.x)
