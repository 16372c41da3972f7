"""Documents on workers, as a solver sees them: sums, whoever computes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from core.cluster import held_documents
from core.cluster.dask_client import DaskClient, Future, ResultsLost
from core.cluster.held_documents import SumRequest
from core.engine.documents import LocalDocuments, Sums
from core.errors import ClusterError

SUMS_ADDED_AT_ONCE = 8  # of the tree by which workers add their sums up
MAX_RESENDS = 10  # of one pass, after workers died


class PartSource(Protocol):
    """Where the documents of a part come from, at first and after a worker died with them."""

    def hold(self, client: DaskClient, worker: str) -> Future:
        """HeldDocuments on a worker."""


@dataclass(frozen=True)
class SentPart:
    """Documents of this process, which sends them again if need be."""

    documents: LocalDocuments

    def hold(self, client: DaskClient, worker: str) -> Future:
        sent = client.send(self.documents, worker)
        return client.submit(held_documents.hold, sent, worker=worker)


class RemoteDocuments:
    """All parts, each on a worker; neighbouring parts stand on the same one."""

    def __init__(
        self, client: DaskClient, parts: Sequence[PartSource], *, total: float, fresh: bool
    ) -> None:
        self.client, self.sources, self.total, self.fresh = client, parts, total, fresh
        self.request = SumRequest(0, "look", ())
        self.workers: list[str] = []
        self.held: list[Future] = []
        self._spread()

    def look(self, *topics: Any) -> Sums:
        return self._ask("look", topics)

    def move(self, *topics: Any) -> Sums:
        self.fresh = False
        return self._ask("move", topics)

    def weights(self) -> np.ndarray:
        """W of all documents, brought here."""
        return np.concatenate(self._insist(self._gather_weights))

    def _ask(self, method: str, topics: tuple[Any, ...]) -> Sums:
        self.request = SumRequest(self.request.number + 1, method, topics)
        return tuple(self._insist(self._gather_sums))

    def _insist(self, gather: Any) -> Any:
        """Again, if a worker died with something that only this process can send."""
        for _ in range(MAX_RESENDS):
            try:
                return gather()
            except ResultsLost:
                self._send_lost()
        raise ClusterError("The cluster loses its workers faster than it can be given the work.")

    def _gather_sums(self) -> Sums:
        sent = self.client.send(self.request)
        level = [
            self.client.submit(held_documents.take, held, sent, worker=worker)
            for held, worker in zip(self.held, self.workers, strict=True)
        ]
        while len(level) > 1:
            starts = range(0, len(level), SUMS_ADDED_AT_ONCE)
            groups = [level[start : start + SUMS_ADDED_AT_ONCE] for start in starts]
            level = [self.client.submit(held_documents.add_sums, *group) for group in groups]
        return tuple(self.client.result(level[0]))

    def _gather_weights(self) -> list[np.ndarray]:
        sent = self.client.send(self.request)
        asked = [
            self.client.submit(held_documents.weights, held, sent, worker=worker)
            for held, worker in zip(self.held, self.workers, strict=True)
        ]
        return [self.client.result(future) for future in asked]

    def _spread(self) -> None:
        workers = list(self.client.require_workers())
        n = len(self.sources)
        self.workers = [workers[place * len(workers) // n] for place in range(n)]
        pairs = zip(self.sources, self.workers, strict=True)
        self.held = [source.hold(self.client, worker) for source, worker in pairs]

    def _send_lost(self) -> None:
        """Parts of workers that are gone, to those that are left."""
        workers = list(self.client.require_workers())
        for place, (source, worker) in enumerate(zip(self.sources, self.workers, strict=True)):
            if worker not in workers or self.held[place].status in ("cancelled", "lost", "error"):
                self.workers[place] = workers[place % len(workers)]
                self.held[place] = source.hold(self.client, self.workers[place])
