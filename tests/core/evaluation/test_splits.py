"""Splits: parts that do not overlap, groups in equal shares, cells and links left out."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from core.errors import ModelError
from core.evaluation.splits import (
    equal_groups,
    held_out_cells,
    held_out_links,
    split_documents,
)

GROUPS = ["a"] * 50 + ["b"] * 10


def test_every_group_is_divided_in_the_same_shares():
    split = split_documents(GROUPS, seed=1)
    parts = (split.train, split.validation, split.test)
    assert [(int((p < 50).sum()), int((p >= 50).sum())) for p in parts] == [
        (30, 6),
        (10, 2),
        (10, 2),
    ]
    assert np.array_equal(np.sort(np.concatenate(parts)), np.arange(60))
    assert not np.array_equal(split.train, split_documents(GROUPS, seed=2).train)
    with pytest.raises(ModelError, match="sum to 1"):
        split_documents(GROUPS, 0, (0.5, 0.2, 0.2))


def test_groups_of_equal_size():
    chosen = equal_groups(GROUPS, 20, seed=0)
    assert (int((chosen < 50).sum()), int((chosen >= 50).sum())) == (20, 10)


def test_held_out_cells_are_stored_zeros():
    cells = held_out_cells((30, 20), 0.1, seed=0)
    assert cells.nnz == 60
    assert not cells.data.any()


def test_held_out_links_are_symmetric_and_half_of_them_are_none():
    rng = np.random.default_rng(0)
    dense = np.triu(rng.random((40, 40)) < 0.2, 1)
    links = sp.csr_array((dense | dense.T).astype(float))
    held = held_out_links(links, 0.1, seed=3)
    marked = sp.csr_array((np.ones(held.nnz), held.indices, held.indptr), held.shape).toarray()
    assert np.array_equal(marked, marked.T)
    assert not marked.diagonal().any()
    n_links = round(0.1 * dense.sum())
    assert marked.sum() == 4 * n_links
    assert (marked * links.toarray()).sum() == 2 * n_links
    with pytest.raises(ModelError, match="too few pairs"):
        held_out_links(sp.csr_array(np.ones((4, 4)) - np.eye(4)), 0.5, 0)
