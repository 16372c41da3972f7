"""Which nodes documents hang from, and which those hang from: side information of any depth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from core.errors import SupervisionError
from core.supervision import Supervision

UNLABELLED = "unlabelled"


@dataclass(frozen=True)
class Links:
    """From each thing below to the nodes it hangs from, many to many, laid out like CSR."""

    indptr: np.ndarray  # (n_below + 1,) int32
    indices: np.ndarray  # (n_links,) int32
    n_above: int

    @classmethod
    def of(cls, rows: Sequence[Iterable[int]], n_above: int) -> Links:
        lists = [sorted(set(row)) for row in rows]
        indptr = np.concatenate([[0], np.cumsum([len(row) for row in lists], dtype=np.int64)])
        indices = np.array([j for row in lists for j in row], dtype=np.int32)
        return cls(indptr.astype(np.int32), indices, n_above)

    @property
    def n_below(self) -> int:
        return self.indptr.size - 1

    @property
    def n_links(self) -> int:
        return self.indices.size

    @cached_property
    def children(self) -> np.ndarray:
        """How many hang from each node: |D_l| where documents do."""
        return np.bincount(self.indices, minlength=self.n_above)

    def matrix(self) -> sp.csr_array:
        """1 where a thing below hangs from a node above."""
        shape = (self.n_below, self.n_above)
        return sp.csr_array((np.ones(self.n_links), self.indices, self.indptr), shape=shape)


@dataclass(frozen=True)
class Hierarchy:
    """Documents, then levels of nodes. Every document has a node; a node may be without parents.

    ``names[k]`` are the nodes of level k + 1; ``links[k]`` leads up to them, from the documents for
    k = 0. A last, empty ``Links`` says that the top hangs from nothing.
    """

    names: tuple[tuple[str, ...], ...]
    links: tuple[Links, ...]
    unlabelled: bool = False  # whether the last node of level one holds documents without a label

    @property
    def depth(self) -> int:
        return len(self.names)

    @property
    def n_docs(self) -> int:
        return self.links[0].n_below

    @classmethod
    def plain(cls, n_docs: int) -> Hierarchy:
        """One node shared by all documents: plain Poisson factor analysis."""
        return cls((("all documents",),), (Links.of([[0]] * n_docs, 1), Links.of([[]], 0)))

    @classmethod
    def of(cls, supervision: Supervision) -> Hierarchy:
        """Labels are the nodes of level one; ``supervision.hierarchy`` says what lies above.

        A document without a label hangs from a node of its own kind, which has no parents. A node
        named in the hierarchy alone has no documents; its weights come from its parents.
        """
        names = [_first_level(supervision)]
        carried = _carried(supervision)
        alone = any(not row for row in carried)
        own = UNLABELLED
        while own in names[0]:
            own += "′"
        if alone:
            carried = [row or [len(names[0])] for row in carried]
            names[0] = [*names[0], own]
        links = [Links.of(carried, len(names[0]))]
        for depth, level in enumerate(supervision.hierarchy):
            names.append(_next_level(level, supervision.hierarchy[depth + 1 : depth + 2]))
            links.append(_links_up(level, names[-2], names[-1], depth + 1))
        links.append(Links.of([[]] * len(names[-1]), 0))
        return cls(tuple(map(tuple, names)), tuple(links), alone)


def node_shares(
    hierarchy: Hierarchy, documents: np.ndarray, labels: np.ndarray
) -> tuple[np.ndarray, ...]:
    """By level, how the words of a node's documents are shared among topics, nodes × topics.

    The mean of the documents' shares, then of the children's: each counts once, so that a few
    endless documents do not speak for all. ``documents`` and ``labels`` are the weights of both on
    topics. A document of several labels is divided topic by topic in proportion to the labels'
    weights. A node that nothing hangs from has the mean of its parents' shares.
    """
    ups = [links.matrix() for links in hierarchy.links[:-1]]
    divisor = ups[0] @ labels
    divided = np.divide(_shares(documents), divisor, out=np.zeros_like(divisor), where=divisor > 0)
    levels = [_shares(labels * (ups[0].T @ divided))]
    for up in ups[1:]:
        levels.append(_shares(up.T @ levels[-1]))
    for level in range(len(levels) - 2, -1, -1):
        bare = ~levels[level].any(axis=1)
        levels[level][bare] = _shares((ups[level + 1] @ levels[level + 1])[bare])
    return tuple(levels)


def _shares(rows: np.ndarray) -> np.ndarray:
    """Rows that sum to one; a row of zeros stays."""
    rows = np.asarray(rows, dtype=np.float64)
    total = rows.sum(axis=1, keepdims=True)
    return np.divide(rows, total, out=np.zeros_like(rows), where=total > 0)


def _first_level(supervision: Supervision) -> list[str]:
    named = {child for level in supervision.hierarchy[:1] for child in level}
    return [*supervision.names, *sorted(named - set(supervision.names))]


def _carried(supervision: Supervision) -> list[list[int]]:
    carried = supervision.permitted
    return [row.tolist() for row in np.split(carried.indices, carried.indptr[1:-1])]


def _next_level(
    level: Mapping[str, tuple[str, ...]], above: Sequence[Mapping[str, tuple[str, ...]]]
) -> list[str]:
    parents = {parent for row in level.values() for parent in row}
    children = {child for mapping in above for child in mapping}
    return sorted(parents | children)


def _links_up(
    level: Mapping[str, tuple[str, ...]], below: list[str], above: list[str], depth: int
) -> Links:
    if not above:
        raise SupervisionError(f"Level {depth} of the hierarchy names no parents.")
    place = {name: i for i, name in enumerate(above)}
    rows = [[place[parent] for parent in level.get(name, ())] for name in below]
    return Links.of(rows, len(above))
