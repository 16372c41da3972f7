"""Documents on workers, as a solver sees them: sums, whoever computes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
        return client.submit_there(held_documents.hold, sent, worker=worker)


class RemoteDocuments:
    """All parts, each on a worker; neighbouring parts stand on the same one.

    Work on a part is done by its worker alone: Dask would copy the part to another one that is
    idle, and later drop either copy, also the one whose W is newer.

    ``rows`` are the documents of each part whose weights are brought here in the end; None: all.
    """

    def __init__(
        self,
        client: DaskClient,
        parts: Sequence[PartSource],
        *,
        total: float | None,
        fresh: bool,
        rows: Sequence[np.ndarray] | None = None,
    ) -> None:
        self.client, self.sources, self.fresh = client, parts, fresh
        self.rows = [None] * len(parts) if rows is None else list(rows)
        self.request = SumRequest(0, "look", ())
        self.workers = places_of(client, len(parts))
        pairs = zip(self.sources, self.workers, strict=True)
        self.held = [source.hold(client, worker) for source, worker in pairs]
        self.total = sum(self._insist(self._gather_totals)) if total is None else total

    def look(self, *topics: Any) -> Sums:
        return self._ask("look", topics)

    def move(self, *topics: Any) -> Sums:
        self.fresh = False
        return self._ask("move", topics)

    def weights(self) -> np.ndarray:
        """W, brought here."""
        return np.concatenate(self.each(held_documents.weights, self.rows))

    def each(self, work: Callable[..., Any], *given: Sequence[Any]) -> list[Any]:
        """``work(held, last request, …)`` for every part; ``given`` has a value for each."""

        def gather() -> list[Any]:
            sent = self.client.share(self.request)
            asked = [
                self.client.submit_there(work, held, sent, *more, worker=worker)
                for held, worker, *more in zip(self.held, self.workers, *given, strict=True)
            ]
            return [self._result(future) for future in asked]

        found: list[Any] = self._insist(gather)
        return found

    def _ask(self, method: str, topics: tuple[Any, ...]) -> Sums:
        self.request = SumRequest(self.request.number + 1, method, topics)
        return tuple(self._insist(self._gather_sums))

    def _insist(self, gather: Callable[[], Any]) -> Any:
        """Again, if a worker died with something that only this process can send."""
        for _ in range(MAX_RESENDS):
            self._send_lost()
            try:
                return gather()
            except ResultsLost:
                continue
        raise ClusterError("The cluster loses its workers faster than it can be given the work.")

    def _gather_sums(self) -> Sums:
        sent = self.client.share(self.request)
        sums = [
            self.client.submit_there(held_documents.take, held, sent, worker=worker)
            for held, worker in zip(self.held, self.workers, strict=True)
        ]
        return tuple(self._result(added(self.client, held_documents.add_sums, sums)))

    def _gather_totals(self) -> list[float]:
        pairs = zip(self.held, self.workers, strict=True)
        asked = [
            self.client.submit_there(held_documents.total, held, worker=worker)
            for held, worker in pairs
        ]
        return [float(self._result(future)) for future in asked]

    def _result(self, future: Future) -> Any:
        return self.client.result(future, needed=self.workers)

    def _send_lost(self) -> None:
        """Parts of workers that are gone, to those that are left."""
        workers = list(self.client.require_workers())
        for place, (source, worker) in enumerate(zip(self.sources, self.workers, strict=True)):
            if worker not in workers or self.held[place].status in ("cancelled", "lost", "error"):
                self.workers[place] = workers[place % len(workers)]
                self.held[place] = source.hold(self.client, self.workers[place])


def places_of(client: DaskClient, n_parts: int) -> list[str]:
    """A worker for each part, neighbours on the same one."""
    workers = list(client.require_workers())
    return [workers[place * len(workers) // n_parts] for place in range(n_parts)]


def added(client: DaskClient, add: Callable[..., Any], parts: Sequence[Future]) -> Future:
    """The sum of values on workers, added up there, a few at a time."""
    level = list(parts)
    while len(level) > 1:
        starts = range(0, len(level), SUMS_ADDED_AT_ONCE)
        groups = [level[start : start + SUMS_ADDED_AT_ONCE] for start in starts]
        level = [client.submit(add, *group) for group in groups]
    return level[0]
