"""What workers do: hold some documents with their weights, and answer with sums."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from importlib import import_module
from operator import add
from typing import Any

import numpy as np

from core.engine.documents import LocalDocuments, Sums
from core.engine.kernels.threads import limit_threads, one_blas_thread


@dataclass(frozen=True)
class SumRequest:
    """What all workers are asked for in one pass; requests count from 1."""

    number: int
    method: str  # of ``Documents``: look or move
    topics: tuple[Any, ...]


class HeldDocuments:
    """Documents in a worker's memory, from pass to pass.

    W is not sent anywhere before the end. If it is lost with a worker, or is older than a request
    lets expect, it is found again from the topics of the request.
    """

    def __init__(self, documents: LocalDocuments) -> None:
        self.documents = documents
        self.number = 0
        self.sums: Sums = ()

    def take(self, request: SumRequest) -> Sums:
        """Answer; a request that comes again gets the same answer."""
        if request.number != self.number:
            if request.number != self.number + 1:
                self.documents.restart(*request.topics)
            self.sums = tuple(getattr(self.documents, request.method)(*request.topics))
            self.number = request.number
        return self.sums

    def weights(self, last: SumRequest, rows: np.ndarray | None = None) -> np.ndarray:
        """W after the last request, of all documents or of some."""
        self.take(last)
        W = self.documents.weights()
        return np.ascontiguousarray(W if rows is None else W[rows])

    def __sizeof__(self) -> int:
        """So that Dask lets work come to the documents."""
        X = self.documents.X
        return int(X.data.nbytes + X.indices.nbytes + X.indptr.nbytes)


def hold(documents: LocalDocuments) -> HeldDocuments:
    return HeldDocuments(documents)


def take(held: HeldDocuments, request: SumRequest) -> Sums:
    _use_own_threads()
    with one_blas_thread():
        return held.take(request)


def weights(held: HeldDocuments, last: SumRequest, rows: np.ndarray | None = None) -> np.ndarray:
    _use_own_threads()
    with one_blas_thread():
        return held.weights(last, rows)


def total(held: HeldDocuments) -> float:
    return float(held.documents.total)


def add_sums(*parts: Sums) -> Sums:
    """In order, without changing any."""
    return tuple(reduce(add, each) for each in zip(*parts, strict=True))


def _use_own_threads() -> None:
    """A worker uses as many threads as Dask gave it: another may be on the same machine."""
    limit_threads(import_module("distributed").get_worker().state.nthreads)
