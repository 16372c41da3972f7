"""Where jobs run: in a process that is kept, in a process per job, or in a thread per job."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any, Protocol

from core.store import Store
from tsnmf_ui.jobs.progress import Progress, Reporter
from tsnmf_ui.jobs.state import Job
from tsnmf_ui.jobs.worker import Work
from tsnmf_ui.jobs.worker_process import WorkerProcess

FIT_PROCESS = "fit process"
BACKGROUND_PROCESS = "background process"
COMPARISON_PROCESS = "comparison process"
THREAD = "thread"

StartProcess = Callable[[], WorkerProcess]


class Executor(Protocol):
    """Runs jobs; the future of one ends with its result or with what went wrong."""

    one_at_a_time: bool
    cancels_at_once: bool  # else a job ends when it next looks whether it should

    def submit(self, job: Job, work: Work) -> Future[Any]: ...

    def cancel(self, number: int) -> None: ...

    def close(self) -> None: ...


class PersistentProcess:
    """One process for all jobs, replaced when it dies."""

    one_at_a_time = True
    cancels_at_once = False

    def __init__(self, start: StartProcess, *, at_once: bool) -> None:
        self._start = start
        self._lock = threading.Lock()
        self._closed = False
        self._process = start() if at_once else None

    def submit(self, job: Job, work: Work) -> Future[Any]:
        with self._lock:
            if self._process is None:
                self._process = self._start()
            try:
                future = self._process.submit(job, work)
            except BrokenProcessPool:  # it died while it had nothing to do
                self._replace()
                future = self._process.submit(job, work)
        future.add_done_callback(self._replace_if_broken)
        return future

    def cancel(self, number: int) -> None:
        if self._process:
            self._process.cancel(number)

    def close(self) -> None:
        with self._lock:
            self._closed = True
        if self._process:
            self._process.close()

    def _replace_if_broken(self, future: Future[Any]) -> None:
        if not future.cancelled() and isinstance(future.exception(), BrokenProcessPool):
            with self._lock:
                if not self._closed:
                    self._replace()

    def _replace(self) -> None:
        if self._process:
            self._process.dismiss()
        self._process = self._start()


class ProcessPerJob:
    """A process that is started for one job and ends with it; to cancel the job is to kill it."""

    one_at_a_time = True
    cancels_at_once = True

    def __init__(self, start: StartProcess) -> None:
        self._start = start
        self._processes: dict[int, WorkerProcess] = {}

    def submit(self, job: Job, work: Work) -> Future[Any]:
        process = self._processes[job.number] = self._start()
        future = process.submit(job, work)
        future.add_done_callback(lambda _: self._processes.pop(job.number).dismiss())
        return future

    def cancel(self, number: int) -> None:
        if process := self._processes.get(number):
            process.kill()

    def close(self) -> None:
        for process in list(self._processes.values()):
            process.kill()
            process.close()


class ThreadPerJob:
    """A thread of the server per job, for work that mostly waits for the network."""

    one_at_a_time = False
    cancels_at_once = False

    def __init__(self, store: Store, progress: Progress) -> None:
        self._store, self._progress = store, progress
        self._cancelled: set[int] = set()
        self._closed = False

    def submit(self, job: Job, work: Work) -> Future[Any]:
        future: Future[Any] = Future()
        arguments = (job, work, future)
        threading.Thread(target=self._run, args=arguments, name=job.kind, daemon=True).start()
        return future

    def cancel(self, number: int) -> None:
        self._cancelled.add(number)

    def close(self) -> None:
        """Tell every thread to stop; none is waited for, because the network may be slow."""
        self._closed = True

    def _run(self, job: Job, work: Work, future: Future[Any]) -> None:
        report = Reporter(job.number, self._progress, lambda: self._should_stop(job.number))
        try:
            result = work(self._store, job.project, job.arguments, report)
        except BaseException as error:  # noqa: BLE001 - whoever holds the future decides
            future.set_exception(error)
        else:
            future.set_result(result)
        self._cancelled.discard(job.number)

    def _should_stop(self, number: int) -> bool:
        return self._closed or number in self._cancelled


def start_executors(store: Store, progress: Progress) -> Mapping[str, Executor]:
    """The executors of a server; only the process that fits after a label is started now.

    A comparison leaves half of the cores to that process.
    """
    process = partial(WorkerProcess, str(store.home), progress)
    half = (os.cpu_count() or 1) // 2
    return {
        FIT_PROCESS: PersistentProcess(process, at_once=True),
        BACKGROUND_PROCESS: PersistentProcess(process, at_once=False),
        COMPARISON_PROCESS: ProcessPerJob(partial(process, half)),
        THREAD: ThreadPerJob(store, progress),
    }
