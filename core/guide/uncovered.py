"""The chance that no label covers what a document is about; free topics are for that.

The guide finds a label for everything, because it has seen nothing else. Two things tell how much
is left uncovered. The labels given so far: a labelled document would be uncovered without its own
label if no other carries one of its labels, and the next document is like these (Good and Turing);
less what is named already and only waits for its first document (the number of such labels against
Chao's estimate of the unseen ones). And, once there are enough labels, the documents themselves
(``core.guide.novelty``).

Good and Turing count on documents drawn by chance, but people and queues look for topics that have
no label yet. So five documents of five topics, which are all there is, would leave everything
uncovered; therefore the guide's own doubts limit it, the more closely the more it has seen.

The guide's own chance that none of its labels applies is then shifted on the logistic scale until
its mean over the unlabelled documents is that share.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from core.engine.kernels.threads import each_part, row_blocks
from core.guide.novelty import Novelty, novelty_of

ASSUMED_UNCOVERED = (0.125, 0.5)  # uncovered documents, of so many, that are assumed beforehand
MAX_PROBABILITY = 0.999  # no chance of a label counts for more
MAX_SHIFT = 30.0  # on the logistic scale: as good as never or always
MIN_SHARE = 1e-4
LIMIT_OF_DOUBT = (0.5, 4.0)  # a + b / n times what the guide doubts, after n labelled documents


@dataclass(frozen=True)
class CoverEvidence:
    """What the chances of labels say of whether any of them covers a document."""

    logit_of_none: np.ndarray  # (n_docs,) that none does, if each were a matter of its own
    best: np.ndarray  # (n_docs,) the chance of the likeliest

    def at(self, rows: slice | np.ndarray) -> CoverEvidence:
        return CoverEvidence(self.logit_of_none[rows], self.best[rows])


def cover_evidence(chances: np.ndarray, labels: np.ndarray | None = None) -> CoverEvidence:
    """From chances, documents × labels; of some of the ``labels``, if not of all."""
    n_docs = len(chances)
    logit, best = np.empty(n_docs), np.empty(n_docs, chances.dtype)

    def work(first: int, last: int) -> None:
        rows = chances[first:last] if labels is None else chances[first:last, labels]
        logit[first:last] = _logit_of_none(rows)
        best[first:last] = rows.max(axis=1, initial=0)

    each_part(work, row_blocks(n_docs))
    return CoverEvidence(logit, best)


@dataclass(frozen=True)
class UncoveredChance:
    """For any document, from the chances of the labels."""

    shift: float
    novelty: Novelty

    def of(self, evidence: CoverEvidence) -> tuple[np.ndarray, np.ndarray]:
        """As the labels given let expect, and as the documents tell besides: (n_docs,) each.

        ``evidence`` is that of the labels that the guide knows something of. What the documents
        tell is sure but rough: it says nothing against a label that is likely all the same.
        """
        expected = expit(evidence.logit_of_none + self.shift)
        return expected, np.maximum(expected, self.novelty.of(evidence.best))


def uncovered_chance(
    share: float, left_out: CoverEvidence, others: CoverEvidence
) -> UncoveredChance:
    """``share`` of the documents is expected to be uncovered; evidence of labelled documents as if
    left out, and of unlabelled documents."""
    share = min(share, _most_uncovered(others.logit_of_none, left_out.best.size))
    shift = _shift(others.logit_of_none, share)
    return UncoveredChance(shift, novelty_of(left_out.best, others.best))


def _most_uncovered(logits: np.ndarray, n_labelled: int) -> float:
    """A part of what the guide doubts; more of it while it has seen little of what there is."""
    if not logits.size or not n_labelled:
        return 1.0
    least, first = LIMIT_OF_DOUBT
    return float(expit(logits).mean()) * (least + first / n_labelled)


def uncovered_share(labels: np.ndarray, n_waiting: int) -> float:
    """The share of documents that no label covers, by what labelled ones were about.

    ``labels`` is 1 where a labelled document carries a label; ``n_waiting`` labels have a
    description and no document yet. Documents to which nothing fits are counted as they are.
    """
    counts = labels.sum(axis=0)
    once, twice = int((counts == 1).sum()), int((counts == 2).sum())
    unseen = once * (once - 1) / (2 * (twice + 1))  # Chao, without bias
    seen_elsewhere = (labels * (counts > 1)).any(axis=1)
    nothing_fits = ~labels.any(axis=1)
    alone = int((~seen_elsewhere & ~nothing_fits).sum())
    surprises = alone * max(0.0, 1 - n_waiting / max(unseen, 1.0))
    assumed, of = ASSUMED_UNCOVERED
    return float(min((surprises + nothing_fits.sum() + assumed) / (len(labels) + of), 1.0))


def _logit_of_none(chances: np.ndarray) -> np.ndarray:
    """log(Π(1 − p) / (1 − Π(1 − p)))"""
    log_none = np.log1p(-np.minimum(chances, MAX_PROBABILITY)).sum(axis=1, dtype=np.float64)
    return log_none - np.log(-np.expm1(np.minimum(log_none, -1e-12)))


def _shift(logits: np.ndarray, share: float) -> float:
    """By how much to shift, so that the mean chance is the share."""
    if not logits.size or share <= MIN_SHARE:
        return -MAX_SHIFT
    if share >= 1 - MIN_SHARE:
        return MAX_SHIFT

    def too_much(shift: float) -> float:
        return float(expit(logits + shift).mean()) - share

    low, high = -MAX_SHIFT - float(logits.max()), MAX_SHIFT - float(logits.min())
    return float(brentq(too_much, low, high, xtol=1e-6))
