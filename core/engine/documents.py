"""The document side of a fit: documents with their topic weights, here or on other machines.

Given the topics, every document finds its weights by itself, and a step of the topics needs only
sums over documents, small whatever their number. So a solver sees documents through this interface
alone, and the same solver serves documents in this process and documents spread over a cluster.
"""

from __future__ import annotations

from typing import Any, Protocol, Self

import numpy as np
import scipy.sparse as sp

Sums = tuple[Any, ...]  # arrays and numbers; those of all documents are the sums of their parts'


class Documents(Protocol):
    """Documents, wherever they are."""

    total: float  # the part of the objective that is the same for all factors
    fresh: bool  # W is still to be found from the topics

    def look(self, *topics: Any) -> Sums:
        """What the topics' step and the objective need, W as it is."""

    def move(self, *topics: Any) -> Sums:
        """The same after W has moved towards its best on these topics."""

    def weights(self) -> np.ndarray:
        """W, documents × topics."""


class LocalDocuments(Documents, Protocol):
    """Documents in this process; they can be divided, and can find a lost W again."""

    X: sp.csr_array

    def part(self, first: int, last: int) -> Self:
        """Some neighbouring documents by themselves."""

    def restart(self, *topics: Any) -> None:
        """Find W from the topics alone, as for ``move``."""


class DocumentHost(Protocol):
    """Where documents can be placed instead of this process."""

    def place(self, documents: Any) -> Documents:
        """The same documents, spread over other processes."""


def place(documents: Any, host: DocumentHost | None) -> Any:
    """Documents at their host; without one, where they are."""
    return documents if host is None else host.place(documents)


def rows_of(X: sp.csr_array, first: int, last: int) -> sp.csr_array:
    """Neighbouring rows, with arrays of their own."""
    begin, end = int(X.indptr[first]), int(X.indptr[last])
    indptr = (X.indptr[first : last + 1] - begin).astype(X.indptr.dtype)
    cells = (X.data[begin:end].copy(), X.indices[begin:end].copy(), indptr)
    return sp.csr_array(cells, shape=(last - first, X.shape[1]))
