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

GRACE = 1.5  # seconds that a fit under way is given to stop by itself

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
        self._closed = False
        self._pool = self._make()
        self._listener = threading.Thread(target=self._listen, name="fit-progress", daemon=True)
        self._listener.start()

    def submit(self, job: Any) -> Future[Any]:
        return self._pool.submit(self._part.work, job)

    def cancel(self, number: int) -> None:
        self._cancelled.value = number

    def restart(self) -> None:
        if self._closed:
            return
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._make()

    def close(self) -> None:
        """Stop what runs. What it would have made is whole on disk or not there at all."""
        self._closed = True
        self._cancelled.value = -1  # any fit under way stops at its next step
        self._end_process()
        self._reports.put(None)
        self._listener.join(timeout=GRACE)
        self._reports.close()
        if self._listener.is_alive():  # the process held the queue when it was ended
            self._reports.cancel_join_thread()
        else:
            self._reports.join_thread()
        self._let_go()

    def _end_process(self) -> None:
        """Wait a little, then insist.

        A process that compiles, or reads a large corpus, does not look up for half a minute.
        """
        processes = list((self._pool._processes or {}).values())
        how = {"wait": True, "cancel_futures": True}
        leaving = threading.Thread(target=self._pool.shutdown, kwargs=how, daemon=True)
        leaving.start()
        leaving.join(GRACE)
        if leaving.is_alive():
            for process in processes:
                process.kill()
            leaving.join(GRACE)

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
