"""What the guide says about every document, in the few numbers that the queue needs.

A probability for each document and label is too much to pass from process to process after every
label. The queue needs the two likeliest labels, the entropy, and the labels that the guide doubts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from core.engine.kernels.threads import each_part, row_blocks
from core.values import ArrayValue, whole_file

if TYPE_CHECKING:
    from core.guide.classifier import Guide
    from core.supervision import Supervision

MIN_PROBABILITY = 1e-12  # keeps logarithms and quotients finite


@dataclass(frozen=True, eq=False, repr=False)
class Hints(ArrayValue):
    """Documents in rows; columns are topics, the analyst's labels first."""

    likely: np.ndarray  # (n_docs, 2) the two likeliest columns; −1 where there is none
    chance: np.ndarray  # (n_docs, 2) their shares of the weight of all topics
    entropy: np.ndarray  # (n_docs,) of all shares: 0 is certain, 1 is every topic alike
    judged: np.ndarray  # (n_judged,) labelled documents, each judged by all the others
    own: np.ndarray  # (n_judged,) share of the labels it carries
    rival: np.ndarray  # (n_judged,) the likeliest column it does not carry; −1 if none
    rival_chance: np.ndarray  # (n_judged,) its share

    @classmethod
    def of(cls, weights: np.ndarray) -> Hints:
        """From the weight of each topic in each document: probabilities, shares or factors."""
        n_docs, none = len(weights), np.empty(0)
        likely, chance = np.empty((n_docs, 2), np.int32), np.empty((n_docs, 2), np.float32)
        entropy, where = np.empty(n_docs, np.float32), none.astype(np.int32)

        def work(first: int, last: int) -> None:
            rows = slice(first, last)
            shares, total = _shares(weights[rows])
            likely[rows], chance[rows] = _two_largest(shares)
            entropy[rows] = _entropy(shares, total > 0)

        each_part(work, row_blocks(n_docs))
        return cls(likely, chance, entropy, where, none, where, none)

    @classmethod
    def from_guide(
        cls,
        guide: Guide,
        X: sp.csr_array,
        supervision: Supervision,
        vectors: np.ndarray | None = None,
    ) -> Hints:
        """The guide's probabilities, and its doubts about the documents it was trained on."""
        hints = cls.of(guide.probabilities(X, vectors))
        carried = supervision.permitted[guide.positions].toarray().astype(bool)
        shares, _ = _shares(guide.left_out)
        others = np.where(carried, -1.0, shares)
        rival = others.argmax(axis=1) if shares.shape[1] else np.zeros(len(shares), np.intp)
        best = others.max(axis=1, initial=-1.0)
        return cls(
            hints.likely,
            hints.chance,
            hints.entropy,
            judged=guide.positions.astype(np.int32),
            own=(shares * carried).sum(axis=1),
            rival=np.where(best > 0, rival, -1).astype(np.int32),
            rival_chance=np.maximum(best, 0.0),
        )

    def in_columns(self, columns: Sequence[int]) -> Hints:
        """The same about topics that stand elsewhere: ``columns`` are their new places."""
        places = np.array([*columns, -1], dtype=np.int32)  # −1 stays what it is
        return replace(self, likely=places[self.likely], rival=places[self.rival])

    def save(self, path: Path | str) -> None:
        """Write one npz file, whole or not at all."""
        with whole_file(path) as file:
            np.savez(file, **{each.name: getattr(self, each.name) for each in fields(self)})

    @classmethod
    def load(cls, path: Path | str) -> Hints:
        with np.load(path, allow_pickle=False) as arrays:
            return cls(**{each.name: arrays[each.name] for each in fields(cls)})


def _shares(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    total = weights.sum(axis=1)
    return weights / np.maximum(total, MIN_PROBABILITY)[:, None].astype(weights.dtype), total


def _two_largest(shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Columns and values of the two largest shares; a share of zero has no column."""
    n_docs, n_topics = shares.shape
    likely = np.full((n_docs, 2), -1, dtype=np.int32)
    chance = np.zeros((n_docs, 2), dtype=np.float32)
    rest, rows = shares.copy(), np.arange(n_docs)
    for rank in range(min(2, n_topics)):
        best = rest.argmax(axis=1)
        value = rest[rows, best]
        likely[:, rank] = np.where(value > 0, best, -1)
        chance[:, rank] = np.maximum(value, 0)
        rest[rows, best] = -1
    return likely, chance


def _entropy(shares: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Entropy divided by its maximum; 0 for a document without any weight."""
    logs = np.log(np.maximum(shares, MIN_PROBABILITY))
    logs *= shares
    entropy = -logs.sum(axis=1) / np.log(max(shares.shape[1], 2))
    return np.where(known, np.maximum(entropy, 0), 0).astype(np.float32)
