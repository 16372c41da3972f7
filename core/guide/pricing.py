"""What topics cost a document: the more the guide doubts a topic, the dearer it is.

A topic of a label is as likely as the guide says, a free topic as that no label covers the document
(``core.guide.uncovered``).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import scipy.sparse as sp

from core.engine.kernels.threads import each_part, row_blocks
from core.guide.calibration import MIN_PROBABILITY
from core.guide.classifier import Guide
from core.guide.latent import lengths
from core.guide.uncovered import UncoveredChance

Guidance = float | Literal["auto"]

PRICE_PER_DOUBT = 0.4  # price of guidance 1, per unit of log(p* / p) and of a document's length
USUAL_WORDS = 10  # of a document; a shorter one pays more, because one word tells less
SHORTNESS_EXPONENT = 0.25
AUTO_GUIDANCE = (0.25, 0.3, 2.0)  # least, gain at even odds of being right, most


def guidance_strength(guidance: Guidance, guide: Guide) -> float:
    """A guide is trusted by its odds of being right about documents it has not seen."""
    if guidance != "auto":
        return float(guidance)
    least, per_odds, most = AUTO_GUIDANCE
    return min(least + per_odds * guide.skill / max(1 - guide.skill, 1e-9), most)


def topic_prices(
    X: sp.csr_array, guide: Guide, likely: np.ndarray, guidance: Guidance
) -> np.ndarray:
    """β ‖x‖ log(p* / p): how far a topic's chance lies below that of the likeliest one.

    ``likely`` are the ``topic_chances`` of the documents.
    """
    scale = guidance_strength(guidance, guide) * PRICE_PER_DOUBT * lengths(X) * _shortness(X)
    prices = np.empty(likely.shape, X.dtype)

    def work(first: int, last: int) -> None:
        rows, out = likely[first:last], prices[first:last]
        np.divide(rows.max(axis=1, keepdims=True), rows, out=out)
        np.log(out, out=out)
        out *= scale[first:last, None].astype(X.dtype)

    each_part(work, row_blocks(len(likely)))
    return prices


def _shortness(X: sp.csr_array) -> np.ndarray:
    """How far a single word of each document can mislead: it falls slowly with their number.

    A square root, the share of one word in the document's length, left long texts without guidance.
    """
    n_words = np.maximum(np.diff(X.indptr), 1)
    return np.asarray((USUAL_WORDS / n_words) ** SHORTNESS_EXPONENT)


def topic_chances(
    guide: Guide, uncovered: UncoveredChance, by_label: np.ndarray, n_topics: int
) -> np.ndarray:
    """How likely each topic is, documents × topics. Of a label it knows nothing of: not at all.

    No label is likelier than that any label covers the document.
    """
    columns, n_labels = np.flatnonzero(guide.taught), guide.taught.size
    likely = np.full((len(by_label), n_topics), MIN_PROBABILITY, by_label.dtype)

    def work(first: int, last: int) -> None:
        taught, out = by_label[first:last, columns], likely[first:last]
        if n_topics > n_labels:
            expected, free = uncovered.of(taught)
            most = np.maximum(taught.max(axis=1, initial=0), MIN_PROBABILITY)
            taught *= np.minimum((1 - expected) / most, 1)[:, None].astype(likely.dtype)
            out[:, n_labels:] = np.maximum(free, MIN_PROBABILITY)[:, None]
        out[:, columns] = np.maximum(taught, MIN_PROBABILITY)

    each_part(work, row_blocks(len(by_label)))
    return likely
