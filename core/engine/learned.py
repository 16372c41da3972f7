"""What a model learnt beyond words and documents: labels in terms of topics, and nodes.

SSNMF and supervised vbNMF learn how labels draw on topics (B); PFA with side information learns how
the texts of every node (label, its parent, …) use the topics. It travels with the topics, so that
pages, reports and notebooks can show it long after the fit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from core.engine.gibbs.hierarchy import Hierarchy
from core.supervision import Supervision
from core.values import ArrayValue

LABEL_ARRAY = "label_topic"
NODE_ARRAY = "node_topic"


@dataclass(frozen=True, slots=True, eq=False)
class Nodes(ArrayValue):
    """Nodes by level, from the labels up: names, weights on topics, and who is whose parent."""

    names: tuple[tuple[str, ...], ...]
    weights: tuple[np.ndarray, ...]  # by level, (n_nodes, n_topics): how their texts use topics
    parents: tuple[tuple[tuple[int, ...], ...], ...]  # by level: places in the level above

    def __repr__(self) -> str:
        return f"Nodes({', '.join(f'{len(level)} nodes' for level in self.names)})"

    @property
    def depth(self) -> int:
        return len(self.names)

    def shares(self, level: int = 0) -> np.ndarray:
        """Of a node's weight, the part on each topic."""
        weight = self.weights[level].astype(np.float64)
        total = weight.sum(axis=1, keepdims=True)
        return np.divide(weight, total, out=np.zeros_like(weight), where=total > 0)

    def similarity(self, level: int = 0, other: int | None = None) -> pd.DataFrame:
        """Cosines between the nodes of a level and those of another, or of the same."""
        other = level if other is None else other
        one, two = _unit(self.shares(level)), _unit(self.shares(other))
        values = np.clip(one @ two.T, 0.0, 1.0)
        return pd.DataFrame(values, index=list(self.names[level]), columns=list(self.names[other]))

    def nearest(self, level: int, node: int, n: int = 5) -> list[tuple[int, float]]:
        """The nodes of the same level that use topics most alike, as (place, cosine)."""
        row = self.similarity(level).to_numpy()[node]
        order = [int(i) for i in np.argsort(-row, kind="stable") if i != node]
        return [(i, float(row[i])) for i in order[:n]]

    def main_topics(self, level: int, node: int, n: int = 3) -> list[tuple[int, float]]:
        """The topics that hold most of a node, as (topic, share)."""
        row = self.shares(level)[node]
        order = np.argsort(-row, kind="stable")[:n]
        return [(int(topic), float(row[topic])) for topic in order if row[topic] > 0]


@dataclass(frozen=True, slots=True, eq=False)
class LearnedWeights(ArrayValue):
    """Labels and nodes in terms of topics, as far as the model has them."""

    label_names: tuple[str, ...] = ()
    label_topic: np.ndarray | None = None  # B: (n_labels, n_topics)
    nodes: Nodes | None = None

    def __repr__(self) -> str:
        return f"LearnedWeights({len(self.label_names)} labels, nodes={self.nodes!r})"

    def association(self, topic_names: Sequence[str]) -> pd.DataFrame | None:
        """The learnt B with columns that sum to one, like ``summaries.association``."""
        if self.label_topic is None:
            return None
        weight = np.maximum(self.label_topic.astype(np.float64), 0.0)
        total = weight.sum(axis=0, keepdims=True)
        values = np.divide(weight, total, out=np.zeros_like(weight), where=total > 0)
        return pd.DataFrame(values, index=list(self.label_names), columns=list(topic_names))

    def picked(self, topics: Sequence[int]) -> LearnedWeights:
        """The same about some of the topics, in another order."""
        columns = list(topics)
        nodes = self.nodes
        if nodes is not None:
            weights = tuple(level[:, columns] for level in nodes.weights)
            nodes = Nodes(nodes.names, weights, nodes.parents)
        label_topic = None if self.label_topic is None else self.label_topic[:, columns]
        return LearnedWeights(self.label_names, label_topic, nodes)

    def about(self) -> dict[str, Any]:
        """The words and numbers to save, apart from ``arrays``."""
        saved: dict[str, Any] = {"labels": self.label_names}
        if self.nodes is not None:
            saved |= {"nodes": self.nodes.names, "parents": self.nodes.parents}
        return saved

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays to save."""
        found = {} if self.label_topic is None else {LABEL_ARRAY: self.label_topic}
        if self.nodes is not None:
            found |= {
                f"{NODE_ARRAY}_{level}": each for level, each in enumerate(self.nodes.weights)
            }
        return found

    @classmethod
    def restored(cls, about: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> LearnedWeights:
        """What ``about`` and ``arrays`` gave."""
        nodes = None
        if "nodes" in about:
            names = tuple(map(tuple, about["nodes"]))
            weights = tuple(arrays[f"{NODE_ARRAY}_{level}"] for level in range(len(names)))
            parents = tuple(tuple(map(tuple, level)) for level in about["parents"])
            nodes = Nodes(names, weights, parents)
        label_topic = arrays.get(LABEL_ARRAY)
        return cls(tuple(about["labels"]), label_topic, nodes)


def learned_by(estimator: Any, supervision: Supervision) -> LearnedWeights | None:
    """What a fitted model knows about labels and nodes; None if it knows nothing of the kind."""
    nodes = _nodes(estimator, supervision)
    label_topic = getattr(estimator, "label_topic_", None)
    if label_topic is not None and label_topic.shape[0] != supervision.n_labels:
        label_topic = None
    if nodes is None and label_topic is None:
        return None
    names = supervision.names if label_topic is not None else ()
    return LearnedWeights(tuple(names), label_topic, nodes)


def _nodes(estimator: Any, supervision: Supervision) -> Nodes | None:
    """The nodes of PFA-SSI, by the topic shares that its predictions and similarities use."""
    if not hasattr(estimator, "candidates"):
        return None
    hierarchy = Hierarchy.of(supervision)
    weights = tuple(level.astype(np.float32) for level in estimator.node_shares_)
    parents = tuple(
        tuple(
            tuple(int(j) for j in links.indices[links.indptr[i] : links.indptr[i + 1]])
            for i in range(links.n_below)
        )
        for links in hierarchy.links[1:]
    )
    return Nodes(estimator.node_names_, weights, parents)


def _unit(rows: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(length > 0, length, 1.0))
