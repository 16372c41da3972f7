"""Cluster: where a fit runs when one machine's memory or patience ends."""

from __future__ import annotations

from itertools import pairwise
from types import TracebackType
from typing import Self

import numpy as np
import scipy.sparse as sp

from core.cluster.dask_client import DaskClient
from core.cluster.remote_documents import RemoteDocuments, SentPart
from core.engine.documents import LocalDocuments


class Cluster:
    """Workers of Dask: those of a scheduler (``"tcp://host:port"``), or processes of this machine
    (``"local:4"``).

    >>> with Cluster("local:2") as cluster:
    ...     topics = fit(matrix, supervision, spec, cluster=cluster)

    Workers need this package, in the same version. A script that starts processes of this machine
    keeps its own work below ``if __name__ == "__main__":``, because they import it.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.client = DaskClient(address)

    def __repr__(self) -> str:
        return f"Cluster({self.address!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Leave the scheduler; end the processes of this machine."""
        self.client.close()

    def place(self, documents: LocalDocuments) -> RemoteDocuments:
        """Documents of this process, divided among the workers by their number of threads."""
        cuts = _cuts(documents.X, list(self.client.require_workers().values()))
        parts = [SentPart(documents.part(first, last)) for first, last in cuts]
        return RemoteDocuments(self.client, parts, total=documents.total, fresh=documents.fresh)


def _cuts(X: sp.csr_array, threads: list[int]) -> list[tuple[int, int]]:
    """Ranges of documents, one for each worker, with as much work as the worker has threads."""
    n_docs = X.shape[0]
    done = X.indptr[1:].astype(np.int64) + np.arange(1, n_docs + 1)
    shares = np.cumsum(threads)[:-1] / sum(threads) * (X.nnz + n_docs)
    inner = {int(cut) for cut in np.searchsorted(done, shares)} - {0, n_docs}
    return list(pairwise([0, *sorted(inner), n_docs]))
