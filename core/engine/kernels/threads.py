"""Work split over documents: how a corpus is cut into parts and who computes them.

The cut depends on the corpus alone, never on the number of cores, and partial sums are added in
the order of the parts. So a fit gives the same numbers on every machine.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from queue import SimpleQueue
from typing import TypeVar

import numpy as np
import scipy.sparse as sp
from threadpoolctl import ThreadpoolController

T = TypeVar("T")
Parts = tuple[tuple[int, int], ...]

MAX_RANGES = 16
ROWS_PER_BLOCK = 2_048  # a hundred columns of so many rows stay in a core's cache
MIN_WORK_PER_RANGE = 130_000  # non-zeros plus documents a part must have to be worth a thread


class _Limit:
    """Threads that this process may use."""

    most = MAX_RANGES


def parts_of(X: sp.csr_array, size: float = 1.0) -> Parts:
    """Ranges of documents with about the same work each.

    Their number is a power of two, so that two or four cores end together. ``size`` below 1 makes
    smaller ones: for short passes, in which a late thread leaves more to the others.
    """
    n_docs = X.shape[0]
    work = X.nnz + n_docs
    times = int(work // (size * MIN_WORK_PER_RANGE))
    n_parts = min(MAX_RANGES, 1 << (times - 1).bit_length()) if times > 1 else 1
    done = X.indptr[1:] + np.arange(1, n_docs + 1)
    cuts = np.searchsorted(done, np.arange(1, n_parts) * work / n_parts)
    edges = [0, *sorted({int(cut) for cut in cuts} - {0, n_docs}), n_docs]
    return tuple(pairwise(edges))


def ranges(n: int, size: int) -> Parts:
    """Neighbouring ones of n, so many at a time."""
    return tuple((first, min(first + size, n)) for first in range(0, n, size))


def even_parts(n_rows: int, n_parts: int) -> Parts:
    """Ranges of about the same length."""
    edges = sorted({round(n_rows * part / n_parts) for part in range(n_parts + 1)})
    return tuple(pairwise(edges))


def row_blocks(n_rows: int) -> Parts:
    """Small ranges, for work on each row alone that makes several arrays on its way."""
    return even_parts(n_rows, max(1, -(-n_rows // ROWS_PER_BLOCK)))


def one_by_one(n: int) -> Parts:
    """A part for each of n pieces of work."""
    return tuple((at, at + 1) for at in range(n))


class _Helper:
    """A thread that waits for work; handing it over costs less than a pool's futures do."""

    def __init__(self) -> None:
        self.work: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self.done: SimpleQueue[BaseException | None] = SimpleQueue()
        threading.Thread(target=self._serve, name="kernel", daemon=True).start()

    def _serve(self) -> None:
        while True:
            work = self.work.get()
            try:
                work()
            except BaseException as error:  # noqa: BLE001 - the caller's to raise
                self.done.put(error)
            else:
                self.done.put(None)
            del work  # what it holds is not ours to keep while waiting


_idle: list[_Helper] = []  # helpers that nobody uses right now


def _borrow_helpers(number: int) -> list[_Helper]:
    """Helpers for one call, who go back to ``_idle`` after it."""
    borrowed: list[_Helper] = []
    while len(borrowed) < number:
        try:
            borrowed.append(_idle.pop())
        except IndexError:  # all are busy for other callers
            borrowed.append(_Helper())
    return borrowed


def n_threads() -> int:
    return max(1, min(_Limit.most, os.cpu_count() or 1))


def limit_threads(most: int) -> None:
    """Use no more threads from here on: for a process that must not stand in another's way.

    To be called before the first fit; results do not depend on it.
    """
    _Limit.most = max(1, min(MAX_RANGES, most))


def each_part(work: Callable[[int, int], T], parts: Parts) -> list[T]:
    """``work(first, last)`` for every part, in parallel; results in the order of the parts.

    The caller works too, and everybody takes the next part when done with one, so a pass of a few
    milliseconds loses little to waking threads.
    """
    results: dict[int, T] = {}
    waiting = deque(enumerate(parts))

    def take() -> None:
        while waiting:
            try:
                number, part = waiting.popleft()
            except IndexError:  # somebody else was quicker
                return
            results[number] = work(*part)

    helpers = _borrow_helpers(min(n_threads(), len(parts)) - 1)
    for helper in helpers:
        helper.work.put(take)
    try:
        take()
    finally:
        waiting.clear()  # after an error nobody begins another part
        errors = [helper.done.get() for helper in helpers]
        _idle.extend(helpers)
    for error in errors:
        if error is not None:
            raise error
    return [results[number] for number in range(len(parts))]


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()  # looking for the libraries takes milliseconds: look once


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """BLAS and our threads would fight for the same cores; ours win."""
    with _controller().limit(limits=1, user_api="blas"):
        yield
