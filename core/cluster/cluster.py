"""Cluster: where a fit runs when one machine's memory or patience ends."""

from __future__ import annotations

from itertools import pairwise
from types import TracebackType
from typing import Self

import numpy as np
import scipy.sparse as sp

from core.cluster.dask_client import DaskClient
from core.cluster.file_fit import FileTopics, fit_files
from core.cluster.remote_documents import RemoteDocuments, SentPart
from core.cluster.text_files import TextColumns
from core.engine.descent import Callback
from core.engine.documents import LocalDocuments, MakeDocuments
from core.spec import ModelSpec
from core.text import TextSettings


class Cluster:
    """Workers of Dask: those of a scheduler (``"tcp://host:port"``), or processes of this machine
    (``"local:4"``).

    ``with Cluster("local:2") as cluster: topics = fit(matrix, supervision, spec, cluster=cluster)``

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

    def fit_files(
        self,
        address: str,
        spec: ModelSpec,
        *,
        columns: TextColumns = TextColumns(),  # noqa: B008 (frozen)
        settings: TextSettings | None = None,
        shares: str | None = None,
        callback: Callback | None = None,
    ) -> FileTopics:
        """Topics of Parquet, JSONL or CSV files, read and counted on the workers.

        ``address`` is a file, a folder or a pattern, on a disk that all workers see or wherever
        fsspec reaches (``s3://…``). ``shares`` is a folder for the topic shares of every text, as
        Parquet files, one for each file read.
        """
        text = settings or TextSettings()
        return fit_files(self.client, address, spec, columns, text, shares, callback)

    def finish(self, scale: np.ndarray) -> None:
        """Nothing to do: what workers held goes with the solver."""

    def place(
        self, documents: LocalDocuments, make: MakeDocuments | None = None
    ) -> RemoteDocuments:
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
