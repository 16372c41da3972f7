"""A worker process as the server sees it: started, listened to, cancelled, ended."""

from __future__ import annotations

import gc
import multiprocessing
import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any

from tsnmf_ui.jobs import worker
from tsnmf_ui.jobs.progress import Progress
from tsnmf_ui.jobs.state import Job
from tsnmf_ui.jobs.worker import ALL_JOBS, ProcessSettings, Work

GRACE_SECONDS = 1.5  # that a job is given to stop by itself when the process must end


class WorkerProcess:
    """One spawned process that does one job after another and reports their progress."""

    def __init__(self, home: str, progress: Progress, kernel_threads: int | None = None) -> None:
        context = multiprocessing.get_context("spawn")
        self._reports, theirs = context.Pipe(duplex=False)
        self._cancelled: Any = context.Value("q", 0)
        settings = ProcessSettings(os.getpid(), home, kernel_threads)
        self._executor = ProcessPoolExecutor(
            1,
            mp_context=context,
            initializer=worker.prepare,
            initargs=(settings, theirs, self._cancelled),
        )
        with no_main_module():
            self.ready = self._executor.submit(worker.ready)  # starts the process now
        theirs.close()  # the process has its own: when it ends, so does the pipe
        self._progress = progress
        self._listener = threading.Thread(target=self._listen, name="job-progress", daemon=True)
        self._listener.start()

    def submit(self, job: Job, work: Work) -> Future[Any]:
        return self._executor.submit(worker.run, job, work)

    def cancel(self, number: int) -> None:
        """Ask a job to stop; it does when it reports next."""
        self._cancelled.value = number

    def kill(self) -> None:
        """End the process at once: what it was making appears only when it is whole."""
        for process in self._processes():
            process.kill()

    def dismiss(self) -> None:
        """Let the process end by itself when it has nothing left to do."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """End the process, and free what the two sides share.

        A process that compiles, or reads a large corpus, does not look up for half a minute: it is
        given a little time, then killed.
        """
        processes = self._processes()
        self._cancelled.value = ALL_JOBS
        how = {"wait": True, "cancel_futures": True}
        leaving = threading.Thread(target=self._executor.shutdown, kwargs=how, daemon=True)
        leaving.start()
        leaving.join(GRACE_SECONDS)
        if leaving.is_alive():
            for process in processes:
                process.kill()
            leaving.join(GRACE_SECONDS)
        self._listener.join(GRACE_SECONDS)
        self._free()

    def _processes(self) -> list[Any]:
        return list((self._executor._processes or {}).values())

    def _free(self) -> None:
        """Free the semaphores now: a server that a signal ends runs no finalizers later."""
        del self._executor, self._cancelled
        gc.collect()

    def _listen(self) -> None:
        with suppress(EOFError, OSError):
            while True:
                self._progress(*self._reports.recv())
        self._reports.close()


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
