"""What topics cost a document: the more the guide doubts a topic, the dearer it is.

A topic of a label is as likely as the guide says, a free topic as that no label covers the document
(``core.guide.uncovered``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy.sparse as sp

from core.engine.kernels.threads import each_part, row_blocks
from core.guide.calibration import MIN_PROBABILITY
from core.guide.classifier import Guide
from core.guide.latent import lengths
from core.guide.uncovered import CoverEvidence, UncoveredChance, cover_evidence

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


def _shortness(X: sp.csr_array) -> np.ndarray:
    """How far a single word of each document can mislead: it falls slowly with their number.

    A square root, the share of one word in the document's length, left long texts without guidance.
    """
    n_words = np.maximum(np.diff(X.indptr), 1)
    return np.asarray((USUAL_WORDS / n_words) ** SHORTNESS_EXPONENT)


@dataclass(frozen=True)
class TopicChances:
    """How likely each topic is for each document; of a label the guide knows nothing of: not at
    all, and no label is likelier than that any label covers the document.

    Worked out for some documents at a time: of all at once they would be one more array of the
    size of W.
    """

    by_label: np.ndarray  # the guide's probabilities, documents × labels
    taught: np.ndarray | None  # the labels that it knows something of; None: all
    evidence: CoverEvidence  # of these labels
    uncovered: UncoveredChance
    n_topics: int

    @classmethod
    def of(
        cls,
        guide: Guide,
        uncovered: UncoveredChance,
        by_label: np.ndarray,
        n_topics: int,
        evidence: CoverEvidence | None = None,
    ) -> TopicChances:
        taught = taught_labels(guide)
        evidence = cover_evidence(by_label, taught) if evidence is None else evidence
        return cls(by_label, taught, evidence, uncovered, n_topics)

    def whole(self) -> np.ndarray:
        """(n_docs, n_topics)"""
        likely = np.empty((len(self.by_label), self.n_topics), self.by_label.dtype)

        def work(first: int, last: int) -> None:
            self._write(first, last, likely[first:last])

        each_part(work, row_blocks(len(likely)))
        return likely

    def prices(self, X: sp.csr_array, guide: Guide, guidance: Guidance) -> np.ndarray:
        """β ‖x‖ log(p* / p): how far a topic's chance lies below that of the likeliest one."""
        scale = guidance_strength(guidance, guide) * PRICE_PER_DOUBT * lengths(X) * _shortness(X)
        prices = np.empty((len(self.by_label), self.n_topics), X.dtype)

        def work(first: int, last: int) -> None:
            rows = np.empty((last - first, self.n_topics), self.by_label.dtype)
            self._write(first, last, rows)
            np.divide(rows.max(axis=1, keepdims=True), rows, out=rows)
            np.log(rows, out=rows)
            prices[first:last] = rows * scale[first:last, None].astype(X.dtype)

        each_part(work, row_blocks(len(prices)))
        return prices

    def _write(self, first: int, last: int, out: np.ndarray) -> None:
        """The chances of some documents."""
        n_labels = self.by_label.shape[1]
        columns = slice(n_labels) if self.taught is None else self.taught
        given = self.by_label[first:last, columns]
        if self.taught is not None:
            out[:, :n_labels] = MIN_PROBABILITY
        if self.n_topics > n_labels:
            evidence = self.evidence.at(slice(first, last))
            expected, free = self.uncovered.of(evidence)
            most = np.maximum(evidence.best, MIN_PROBABILITY)
            given = given * np.minimum((1 - expected) / most, 1)[:, None].astype(out.dtype)
            out[:, n_labels:] = np.maximum(free, MIN_PROBABILITY)[:, None]
        out[:, columns] = np.maximum(given, MIN_PROBABILITY)


def taught_labels(guide: Guide) -> np.ndarray | None:
    """The labels that the guide knows something of; None: it does of all."""
    return None if guide.taught.all() else np.flatnonzero(guide.taught)
