"""How often the likeliest label of a document is right, where nobody has said what is right.

Labelled documents are no fair sample: a queue asks for hard ones, so their share of right labels
is too low for the rest. What carries over is how often a likeliest label is right *given how sure
the guide is of it*; so this is learnt from labelled documents and averaged over the others.
"""

from __future__ import annotations

import numpy as np
from scipy.special import logit
from sklearn.linear_model import LogisticRegression

PENALTY = 5.0  # C of the logistic regression: a few labels shall not make a step of it
MOST_SURE = 1e-4  # chances are held this far from 0 and 1


def expected_share_right(chances: np.ndarray, right: np.ndarray, others: np.ndarray) -> float:
    """The share of other documents whose likeliest label is right.

    ``chances`` of each label, documents x labels, for documents of which ``right`` says whether the
    likeliest label is, judged without them; ``others`` are the chances of the rest.
    """
    if not len(others):
        return float(np.mean(right))
    seen = _how_sure(chances)
    middle = seen.mean(axis=0)
    # One right and one wrong document in the middle, so that there are always both.
    features = np.vstack([seen - middle, np.zeros((2, seen.shape[1]))])
    model = LogisticRegression(C=PENALTY).fit(features, np.append(right > 0, [True, False]))
    return float(model.predict_proba(_how_sure(others) - middle)[:, 1].mean())


def _how_sure(chances: np.ndarray) -> np.ndarray:
    """The log odds of the likeliest label, and how far those of the second are below."""
    two = np.sort(np.asarray(chances, np.float64), axis=1)[:, -2:]
    odds = logit(np.clip(two, MOST_SURE, 1 - MOST_SURE))
    return np.column_stack([odds[:, -1], odds[:, -1] - odds[:, 0]])
