"""Sums over documents, and of documents into topics."""

from __future__ import annotations

import numpy as np

from core.engine.kernels.jit import compiled_without_arrays


@compiled_without_arrays
def add_documents(  # type: ignore[no-untyped-def]
    group_indptr, group_indices, group_data, indptr, indices, data, out
):
    """``out[g] += share · x_i`` for every document i and every group g it has a share in."""
    for i in range(indptr.size - 1):
        for q in range(group_indptr[i], group_indptr[i + 1]):
            g, share = group_indices[q], group_data[q]
            for p in range(indptr[i], indptr[i + 1]):
                out[g, indices[p]] += share * data[p]


@compiled_without_arrays
def row_squares(indptr, data, out):  # type: ignore[no-untyped-def]
    """``out[i] = Σ_p data[p]²`` over the cells of row i, in double precision."""
    for i in range(out.size):
        total = 0.0
        for p in range(indptr[i], indptr[i + 1]):
            x = np.float64(data[p])
            total += x * x
        out[i] = total
