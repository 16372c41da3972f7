"""Sums of documents into topics."""

from __future__ import annotations

from core.kernels.compiling import compiled


@compiled
def add_documents(  # type: ignore[no-untyped-def]
    group_indptr, group_indices, group_data, indptr, indices, data, out
):
    """``out[g] += share · x_i`` for every document i and every group g it has a share in."""
    for i in range(indptr.size - 1):
        for q in range(group_indptr[i], group_indptr[i + 1]):
            g, share = group_indices[q], group_data[q]
            for p in range(indptr[i], indptr[i + 1]):
                out[g, indices[p]] += share * data[p]
