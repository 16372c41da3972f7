"""What the guide thinks of every document, in the few numbers that the queue needs.

A probability for each document and label is too much to hand from process to process after every
label; the two likeliest labels, how torn the guide is, and the labels it does not believe are not.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

if TYPE_CHECKING:
    from core.guide import Guide
    from core.supervision import Supervision

TINY = 1e-12


@dataclass(frozen=True)
class Hints:
    """Documents in rows; columns are topics, the analyst's labels first."""

    likely: np.ndarray  # (n_docs, 2) the two likeliest columns; −1 where there is none
    chance: np.ndarray  # (n_docs, 2) their shares of what speaks for any topic
    torn: np.ndarray  # (n_docs,) entropy of all shares: 0 is sure, 1 is every topic alike
    judged: np.ndarray  # (n_judged,) labelled documents, each judged by all the others
    own: np.ndarray  # (n_judged,) share of the labels it carries
    rival: np.ndarray  # (n_judged,) the likeliest column it does not carry; −1 if none
    rival_chance: np.ndarray  # (n_judged,) its share

    @classmethod
    def of(cls, weights: np.ndarray) -> Hints:
        """From what speaks for each topic in each document: probabilities, shares or weights."""
        shares, total = _shares(weights)
        likely, chance = _two_largest(shares)
        none = np.empty(0)
        where = none.astype(np.int32)
        return cls(likely, chance, _torn(shares, total > 0), where, none, where, none)

    @classmethod
    def from_guide(cls, guide: Guide, X: sp.csr_array, supervision: Supervision) -> Hints:
        """The guide's probabilities, and its doubts about the documents it has learnt from."""
        hints = cls.of(guide.probabilities(X))
        carried = supervision.permitted[guide.positions].toarray().astype(bool)
        shares, _ = _shares(guide.left_out)
        others = np.where(carried, -1.0, shares)
        rival = others.argmax(axis=1) if shares.shape[1] else np.zeros(len(shares), np.intp)
        best = others.max(axis=1, initial=-1.0)
        return cls(
            hints.likely,
            hints.chance,
            hints.torn,
            judged=guide.positions.astype(np.int32),
            own=(shares * carried).sum(axis=1),
            rival=np.where(best > 0, rival, -1).astype(np.int32),
            rival_chance=np.maximum(best, 0.0),
        )

    def save(self, path: Path | str) -> None:
        """One npz file, whole or not at all."""
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
        with open(partial, "wb") as file:
            np.savez(file, **{each.name: getattr(self, each.name) for each in fields(self)})
        os.replace(partial, path)

    @classmethod
    def load(cls, path: Path | str) -> Hints:
        with np.load(path, allow_pickle=False) as arrays:
            return cls(**{each.name: arrays[each.name] for each in fields(cls)})


def _shares(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    total = weights.sum(axis=1)
    return weights / np.maximum(total, TINY)[:, None].astype(weights.dtype), total


def _two_largest(shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Columns and values of the two largest shares; a share of nothing has no column."""
    n_docs, n_topics = shares.shape
    likely = np.full((n_docs, 2), -1, dtype=np.int32)
    chance = np.zeros((n_docs, 2), dtype=np.float32)
    rest, rows = shares.copy(), np.arange(n_docs)
    for place in range(min(2, n_topics)):
        best = rest.argmax(axis=1)
        value = rest[rows, best]
        likely[:, place] = np.where(value > 0, best, -1)
        chance[:, place] = np.maximum(value, 0)
        rest[rows, best] = -1
    return likely, chance


def _torn(shares: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Entropy in parts of the largest possible; a document of which nothing is known scores 0."""
    logs = np.log(np.maximum(shares, TINY))
    logs *= shares
    entropy = -logs.sum(axis=1) / np.log(max(shares.shape[1], 2))
    return np.where(known, np.maximum(entropy, 0), 0).astype(np.float32)
