"""Stand-ins for the clock, the processes and the runner, so that a test decides what happens."""

from __future__ import annotations

import queue
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any

from core.store import Store
from tsnmf_ui.jobs import JobRunner, JobState
from tsnmf_ui.jobs.event_feed import Feed
from tsnmf_ui.jobs.executors import (
    BACKGROUND_PROCESS,
    COMPARISON_PROCESS,
    FIT_PROCESS,
    THREAD,
    PersistentProcess,
    ProcessPerJob,
    ThreadPerJob,
)
from tsnmf_ui.jobs.worker_process import WorkerProcess

EXECUTORS = {
    FIT_PROCESS: PersistentProcess,
    BACKGROUND_PROCESS: PersistentProcess,
    COMPARISON_PROCESS: ProcessPerJob,
    THREAD: ThreadPerJob,
}


def only(store: Store, name: str, progress: Any) -> dict[str, Any]:
    """One real executor, so that a test starts no process that it does not use."""
    process = partial(WorkerProcess, str(store.home), progress)
    real = EXECUTORS[name]
    if real is PersistentProcess:
        return {name: PersistentProcess(process, at_once=False)}
    return {
        name: ProcessPerJob(process) if real is ProcessPerJob else ThreadPerJob(store, progress)
    }


class ManualTimers:
    """Timers whose time comes when the test says so."""

    def __init__(self) -> None:
        self.seconds: dict[Any, float] = {}
        self._calls: dict[Any, Callable[[Any], None]] = {}

    def __contains__(self, key: Any) -> bool:
        return key in self.seconds

    def start(self, key: Any, seconds: float, call: Callable[[Any], None]) -> None:
        self.seconds[key], self._calls[key] = seconds, call

    def stop(self, key: Any) -> None:
        self.seconds.pop(key, None)

    def fire(self, kind: str, project: int = 1) -> None:
        del self.seconds[kind, project]
        self._calls[kind, project]((kind, project))


class HeldExecutor:
    """Holds every job until the test ends its future; has the rules of a real executor."""

    def __init__(self, real: type) -> None:
        self.one_at_a_time = real.one_at_a_time
        self.cancels_at_once = real.cancels_at_once
        self.jobs: list[Any] = []
        self.futures: list[Future[Any]] = []
        self.cancelled: list[int] = []
        self.closed = False

    def submit(self, job: Any, work: Any) -> Future[Any]:
        self.jobs.append(job)
        self.futures.append(Future())
        return self.futures[-1]

    def cancel(self, number: int) -> None:
        self.cancelled.append(number)
        if self.cancels_at_once:
            [place] = [n for n, job in enumerate(self.jobs) if job.number == number]
            self.futures[place].set_exception(BrokenProcessPool("killed"))

    def close(self) -> None:
        self.closed = True


class RecordingFeed(Feed):
    """A feed whose events a test can read without a browser."""

    def __init__(self) -> None:
        super().__init__()
        self.events: queue.Queue[Any] = queue.Queue()

    def publish(self, project: int, event: Any) -> None:
        self.events.put((project, event))
        super().publish(project, event)

    def phases(self, kind: str, project: int = 1) -> list[str]:
        """The phases told so far, each change once."""
        found: list[str] = []
        while not self.events.empty():
            about, event = self.events.get()
            same = (about, event.get("kind")) == (project, kind)
            if same and event["phase"] not in found[-1:]:
                found.append(event["phase"])
        return found

    def until(self, doing: str, seconds: float = 120) -> None:
        """Wait until a job says that it does this."""
        while self.events.get(timeout=seconds)[1].get("doing") != doing:
            pass


class Harness:
    """A runner around stand-ins, and the stand-ins."""

    def __init__(self, **given: Any) -> None:
        self.timers, self.feed = ManualTimers(), RecordingFeed()
        self.executors = {name: HeldExecutor(real) for name, real in EXECUTORS.items()}
        self.runner = JobRunner(self._start, feed=self.feed, timers=self.timers, **given)

    def _start(self, progress: Any) -> Any:
        self.progress = progress
        return self.executors

    def begin(self, kind: str, project: int = 1, arguments: Any = None) -> None:
        """Request a job, and let its delay pass."""
        self.runner.request(kind, project, arguments)
        if (kind, project) in self.timers:
            self.timers.fire(kind, project)


class RecordedJobs:
    """What pages reach in place of the runner: keeps requests, and answers with given states."""

    def __init__(self) -> None:
        self.requested: list[tuple[Any, ...]] = []
        self.cancelled: list[tuple[Any, ...]] = []
        self.announced: list[tuple[Any, ...]] = []
        self.states: dict[str, JobState] = {}
        self.on_request: Callable[..., Any] = lambda *request: None

    def request(self, *request: Any, **how: Any) -> None:
        self.requested.append(request)
        self.on_request(*request)

    def cancel(self, *request: Any) -> None:
        self.cancelled.append(request)

    def announce(self, *result: Any) -> None:
        self.announced.append(result)

    def state(self, kind: str, project: int = 0) -> JobState:
        return self.states.get(kind, JobState(kind, project))

    def wait(self, kind: str, project: int, seconds: float) -> JobState:
        return self.state(kind, project)
