"""The process that fits: started with the server, watched, and replaced when it dies."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any

from core.store import Store
from tsnmf_ui import worker


class WorkerPool:
    """One spawned process, warmed, watched and replaced when it dies."""

    def __init__(self, store: Store, progress: Callable[[int, float, float | None], None]) -> None:
        self._home = str(store.home)
        self._context = multiprocessing.get_context("spawn")
        self._reports: Any = self._context.Queue()
        self._cancelled: Any = self._context.Value("q", 0)
        self._progress = progress
        self._pool = self._make()
        self._listener = threading.Thread(target=self._listen, name="fit-progress", daemon=True)
        self._listener.start()

    def submit(self, job: worker.Job) -> Future[int]:
        return self._pool.submit(worker.work, job)

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

    def _make(self) -> ProcessPoolExecutor:
        pool = ProcessPoolExecutor(
            1,
            mp_context=self._context,
            initializer=worker.prepare,
            initargs=(self._home, self._reports, self._cancelled),
        )
        pool.submit(worker.ready)  # starts the process now, not at the first label
        return pool

    def _listen(self) -> None:
        while (report := self._reports.get()) is not None:
            self._progress(*report)
