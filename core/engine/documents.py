"""The document side of a fit: documents with their topic weights, here or on other machines.

Given the topics, every document finds its weights by itself, and a step of the topics needs only
sums over documents, small whatever their number. So a solver sees documents through this interface
alone, and the same solver serves documents in this process and documents spread over a cluster.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, Self

import numpy as np
import scipy.sparse as sp

from core.supervision import Supervision

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


MakeDocuments = Callable[[sp.csr_array, Supervision], LocalDocuments]


class DocumentHost(Protocol):
    """Where documents are solved instead of this process."""

    def place(self, documents: Any, make: MakeDocuments | None) -> Documents:
        """The same documents in other processes.

        A host that has documents of its own makes them there by ``make``; those of this process
        are then a sample. None: the solver cannot work on a sample.
        """

    def finish(self, scale: np.ndarray) -> None:
        """The fit is over; ``scale`` is how long its topics were."""


def place(documents: Any, host: DocumentHost | None, make: MakeDocuments | None = None) -> Any:
    """Documents at their host; without one, where they are."""
    return documents if host is None else host.place(documents, make)


def rows_of(X: sp.csr_array, first: int, last: int) -> sp.csr_array:
    """Neighbouring rows, with arrays of their own."""
    begin, end = int(X.indptr[first]), int(X.indptr[last])
    indptr = (X.indptr[first : last + 1] - begin).astype(X.indptr.dtype)
    cells = (X.data[begin:end].copy(), X.indices[begin:end].copy(), indptr)
    return sp.csr_array(cells, shape=(last - first, X.shape[1]))
