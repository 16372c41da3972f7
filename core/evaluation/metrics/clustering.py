"""Do topics match known subgroups? Score P of Haddock et al., appendix C.

For a topic's document weights ŝ and a subgroup's documents m, the share of the subgroup that the
topic holds is ``‖ŝ ∘ m‖₁ / ‖m‖₁``; P is the largest over the subgroups. *Hard*: each document
belongs to its strongest topic alone. *Soft*: each document's topic weights sum to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
import scipy.sparse as sp

from core.errors import ModelError
from core.values import ArrayValue

ClusterKind = Literal["hard", "soft"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScoreP(ArrayValue):
    """``table`` has one row per topic: topic, subgroup (its name), score."""

    table: pd.DataFrame
    mean: float


def score_p(
    doc_topic: np.ndarray,
    subgroups: Any,
    *,
    names: Sequence[str] | None = None,
    kind: ClusterKind = "hard",
) -> ScoreP:
    """Score P of every topic with the subgroup it picks.

    ``subgroups`` is one name or number per document, or an indicator matrix (documents × subgroups,
    ``names`` for its columns). A subgroup without documents cannot be picked; of equals, the first.
    """
    members, names = _members(subgroups, names)
    if members.shape[0] != doc_topic.shape[0]:
        raise ModelError(
            f"The topics describe {doc_topic.shape[0]} documents, the subgroups {members.shape[0]}."
        )
    held = np.asarray(members.T @ _assigned(doc_topic, kind))  # subgroups × topics
    size = np.asarray(members.sum(axis=0)).ravel()[:, None]
    share = np.divide(held, size, out=np.full(held.shape, -1.0), where=size > 0)
    best = share.argmax(axis=0)
    scores = np.maximum(share[best, np.arange(share.shape[1])], 0.0)
    table = pd.DataFrame(
        {
            "topic": np.arange(scores.size),
            "subgroup": [names[group] for group in best],
            "score": scores,
        }
    )
    return ScoreP(table, float(scores.mean()))


def _assigned(doc_topic: np.ndarray, kind: ClusterKind) -> np.ndarray:
    """Ŝ; a document without weight belongs to no topic."""
    weights = np.asarray(doc_topic, dtype=np.float64)
    total = weights.sum(axis=1, keepdims=True)
    if kind == "soft":
        return np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
    if kind != "hard":
        raise ModelError(f"Score P is hard or soft, not {kind!r}.")
    chosen = np.zeros_like(weights)
    chosen[np.arange(len(weights)), weights.argmax(axis=1)] = total.ravel() > 0
    return chosen


def _members(subgroups: Any, names: Sequence[str] | None) -> tuple[sp.csr_array, list[str]]:
    if sp.issparse(subgroups) or np.ndim(subgroups) == 2:
        members = sp.csr_array(subgroups).astype(np.float64)
        found = [str(column + 1) for column in range(members.shape[1])]
    else:
        values, column = np.unique(np.asarray(subgroups), return_inverse=True)
        found = [str(value) for value in values]
        rows = np.arange(column.size)
        members = sp.csr_array((np.ones(column.size), (rows, column)))
    if not members.shape[1] or (names is not None and len(names) != members.shape[1]):
        raise ModelError(f"{len(names or ())} names for {members.shape[1]} subgroups.")
    return members, list(names) if names is not None else found
