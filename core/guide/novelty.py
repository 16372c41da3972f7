"""Novelty: the probability that no label covers what a document is about.

A guide learns from labelled documents only, so it finds a label for everything. But it has judged
each labelled document as if it had been left out, and those are a fair sample of documents that
some label covers. If more of the other documents than of these look so unlike every label, the
excess is about something else, and free topics are for that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

DOCUMENTS_PER_BIN = 10  # labelled documents at least between two thresholds
MAX_BINS = 20
TIE_TOLERANCE = 1e-3  # relative difference up to which two chances are the same
MIN_STANDARD_ERRORS = 2.0  # standard errors by which there must be more


@dataclass(frozen=True)
class Novelty:
    """The chance that no label covers a document, by the chance of its likeliest label."""

    thresholds: np.ndarray  # rising; between two of them a document has one chance
    chances: np.ndarray  # one more than thresholds, falling

    def of(self, best: np.ndarray) -> np.ndarray:
        """For documents whose likeliest label has the chance ``best``."""
        return self.chances[np.searchsorted(self.thresholds, best, side="right")]


def novelty_of(left_out: np.ndarray, others: np.ndarray) -> Novelty:
    """From the likeliest label's chance: of labelled documents left out, and of all others.

    Of the others below a threshold, the share beyond what the labelled ones lead one to expect, and
    beyond chance.
    """
    n_bins = min(left_out.size // DOCUMENTS_PER_BIN, MAX_BINS)
    if n_bins < 2 or not others.size:
        return Novelty(np.zeros(0), np.zeros(1))
    thresholds = np.quantile(left_out, np.arange(1, n_bins) / n_bins)
    expected = _below(left_out * (1 - TIE_TOLERANCE), thresholds)
    error = np.sqrt(expected * (1 - expected) / left_out.size)
    found = np.maximum(_below(others, thresholds), 1e-9)
    excess = np.maximum(1 - (expected + MIN_STANDARD_ERRORS * error) / found, 0.0)
    return Novelty(thresholds, np.maximum.accumulate(excess[::-1])[::-1])


def _below(values: np.ndarray, thresholds: np.ndarray) -> np.ndarray:
    """Share of values below each threshold, and 1 for all."""
    bins = np.searchsorted(thresholds, values, side="right")
    return np.cumsum(np.bincount(bins, minlength=thresholds.size + 1)) / values.size
