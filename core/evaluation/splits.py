"""Divisions of data to judge a model by: documents, cells of a matrix, links between documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from core.errors import ModelError


@dataclass(frozen=True)
class DocumentSplit:
    """Positions of the documents to learn from, to choose options by, and to judge by."""

    train: np.ndarray
    validation: np.ndarray
    test: np.ndarray


def split_documents(
    groups: Sequence[str], seed: int, shares: tuple[float, float, float] = (0.6, 0.2, 0.2)
) -> DocumentSplit:
    """Train, validation and test; every group is divided in the same shares, at random."""
    if min(shares) < 0 or not np.isclose(sum(shares), 1):
        raise ModelError(f"The shares of a split sum to 1, unlike {shares}.")
    rng = np.random.default_rng(seed)
    parts: tuple[list[np.ndarray], ...] = ([], [], [])
    for rows in _rows_by_group(groups):
        edges = np.rint(np.cumsum(shares)[:2] * rows.size).astype(int)
        for part, chosen in zip(parts, np.split(rng.permutation(rows), edges), strict=True):
            part.append(chosen)
    return DocumentSplit(*(np.sort(np.concatenate(part)) for part in parts))


def equal_groups(groups: Sequence[str], size: int, seed: int) -> np.ndarray:
    """Positions of ``size`` documents of every group, drawn at random; all of a smaller one."""
    rng = np.random.default_rng(seed)
    return np.sort(
        np.concatenate([rng.permutation(rows)[:size] for rows in _rows_by_group(groups)])
    )


def held_out_cells(shape: tuple[int, int], share: float, seed: int) -> sp.csr_array:
    """Cells of a matrix drawn at random, as stored zeros: what ``observed`` of a fit takes."""
    n_rows, n_columns = shape
    total = n_rows * n_columns
    chosen = np.random.default_rng(seed).choice(total, round(share * total), replace=False)
    rows, columns = np.divmod(chosen, n_columns)
    return _stored_zeros(rows, columns, shape)


def held_out_links(links: sp.csr_array, share: float, seed: int) -> sp.csr_array:
    """Pairs of documents drawn at random, as stored zeros in both directions.

    ``share`` of the links and as many pairs without one, for links are few among all pairs. A
    document is never paired with itself.
    """
    rng, n_docs = np.random.default_rng(seed), links.shape[0]
    upper = sp.coo_array(sp.triu(links, k=1))
    linked = np.stack([upper.row, upper.col], axis=1)
    n_pairs = round(share * len(linked))
    if 2 * n_pairs > n_docs * (n_docs - 1) // 2 - len(linked) + n_pairs:
        raise ModelError("There are too few pairs without a link to hold out as many as links.")
    chosen = linked[rng.permutation(len(linked))[:n_pairs]]
    taken = {(int(a), int(b)) for a, b in linked}
    others: list[tuple[int, int]] = []
    while len(others) < n_pairs:
        first, second = sorted(rng.integers(n_docs, size=2).tolist())
        if first != second and (first, second) not in taken:
            taken.add((first, second))
            others.append((first, second))
    rows, columns = np.concatenate([chosen, np.array(others, dtype=int).reshape(-1, 2)]).T
    both = np.concatenate([rows, columns]), np.concatenate([columns, rows])
    return _stored_zeros(*both, links.shape)


def _stored_zeros(rows: np.ndarray, columns: np.ndarray, shape: tuple[int, int]) -> sp.csr_array:
    cells = sp.csr_array((np.ones(rows.size), (rows, columns)), shape=shape)
    cells.data[:] = 0
    return cells


def _rows_by_group(groups: Sequence[str]) -> list[np.ndarray]:
    names, place = np.unique(np.asarray(groups), return_inverse=True)
    return [np.flatnonzero(place == number) for number in range(names.size)]
