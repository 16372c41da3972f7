"""The process that fits: started with the server, watched, and replaced when it dies."""

from __future__ import annotations

import gc
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from core.store import Store
from tsnmf_ui import worker

Progress = Callable[[int, float, float | None], None]  # number of a job, share, seconds left


class WorkerPool:
    """One spawned process, warmed, watched and replaced when it dies.

    ``part`` is the module that says what the process does: ``prepare``, ``ready`` and ``work``.
    """

    def __init__(self, store: Store, progress: Progress, part: Any = worker) -> None:
        self._part = part
        self._home = str(store.home)
        self._context = multiprocessing.get_context("spawn")
        self._reports: Any = self._context.Queue()
        self._cancelled: Any = self._context.Value("q", 0)
        self._progress = progress
        self._pool = self._make()
        self._listener = threading.Thread(target=self._listen, name="fit-progress", daemon=True)
        self._listener.start()

    def submit(self, job: Any) -> Future[Any]:
        return self._pool.submit(self._part.work, job)

    def cancel(self, number: int) -> None:
        self._cancelled.value = number

    def restart(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._make()

    def close(self) -> None:
        self._cancelled.value = -1  # any fit under way stops at its next step
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._reports.put(None)
        self._listener.join(timeout=5)
        self._reports.close()
        self._reports.join_thread()
        self._let_go()

    def _let_go(self) -> None:
        """Free the semaphores now: a server that ends by a signal runs no farewell later."""
        del self._pool
        self._reports = self._cancelled = None
        gc.collect()

    def _make(self) -> ProcessPoolExecutor:
        pool = ProcessPoolExecutor(
            1,
            mp_context=self._context,
            initializer=self._part.prepare,
            initargs=(os.getpid(), self._home, self._reports, self._cancelled),
        )
        with no_main_module():
            pool.submit(self._part.ready)  # starts the process now, not at the first label
        return pool

    def _listen(self) -> None:
        while (report := self._reports.get()) is not None:
            self._progress(*report)


@contextmanager
def no_main_module() -> Iterator[None]:
    """Let a process start without running this one's main module again.

    A spawned process repeats the main module of its parent, which may be the whole app or, while
    a page is drawn, the script that Streamlit put in its place. The worker needs neither.
    """
    before, nothing = sys.modules["__main__"], ModuleType("__main__")
    sys.modules["__main__"] = nothing
    try:
        yield
    finally:
        if sys.modules["__main__"] is nothing:
            sys.modules["__main__"] = before
