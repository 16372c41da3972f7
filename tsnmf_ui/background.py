"""Long work in a second process: one task at a time, the newest wish of a kind counts.

The process is started by the first task. A task that waits is replaced by a later one of the same
kind and project; one that runs is told to stop when it is overtaken, but not for ever: after a few
times it is left to end, so that a busy hour of labelling leaves scores behind too.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from core.errors import Cancelled, StudioError
from core.store import Store
from tsnmf_ui import background_work
from tsnmf_ui.background_work import Task
from tsnmf_ui.feed import Event, Feed
from tsnmf_ui.worker_pool import WorkerPool

LOG = logging.getLogger("tsnmf_ui.background")
PAUSE = 1.0  # seconds before a task begins: the fit that asked for it may be followed by another
OVERTAKEN = 3  # times in a row that a running task gives way to a later one
BROKEN = "The work stopped unexpectedly. Nothing was lost; ask for it again."

Phase = Literal["idle", "waiting", "running", "done", "failed", "cancelled"]
Key = tuple[str, int]  # kind, project


@dataclass(frozen=True, slots=True)
class TaskState:
    """Where the work of one kind stands for one project."""

    kind: str = ""
    phase: Phase = "idle"
    number: int = 0
    share: float = 0.0
    seconds_left: float | None = None
    error: str | None = None  # one sentence
    result: Any = None

    @property
    def active(self) -> bool:
        return self.phase in ("waiting", "running")

    def to_dict(self) -> Event:
        return {"type": "task", **asdict(self), "result": None}


class Background:
    """The second process and the tasks waiting for it."""

    def __init__(
        self,
        store: Store,
        feed: Feed,
        *,
        run: Callable[[Task], Future[Any]] | None = None,
        pause: float = PAUSE,
    ) -> None:
        self._store, self._feed, self._pause = store, feed, pause
        self._lock = threading.RLock()
        self._states: dict[Key, TaskState] = {}
        self._waiting: dict[Key, Task] = {}
        self._overtaken: dict[Key, int] = {}
        self._running: Task | None = None
        self._timer: threading.Timer | None = None
        self._number = 0
        self._pool: WorkerPool | None = None
        self._run = run or self._submit
        self._closed = False

    def request(self, kind: str, project: int, arguments: Mapping[str, Any] | None = None) -> None:
        """Do this soon, instead of an earlier task of the kind that has not ended."""
        key = (kind, project)
        with self._lock:
            if self._closed:
                return
            self._number += 1
            self._waiting[key] = Task(self._number, kind, project, dict(arguments or {}))
            if self._running and (self._running.kind, self._running.project) == key:
                self._overtake(key)
            else:
                self._set(key, TaskState(kind, "waiting", self._number))
                self._begin_later()

    def cancel(self, kind: str, project: int) -> None:
        """Stop, or do not begin."""
        key = (kind, project)
        with self._lock:
            waited = self._waiting.pop(key, None)
            if self._running and (self._running.kind, self._running.project) == key:
                self._stop_running()
            elif waited:
                self._set(key, TaskState(kind, "cancelled", waited.number))

    def state(self, kind: str, project: int) -> TaskState:
        with self._lock:
            return self._states.get((kind, project), TaskState(kind))

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._waiting.clear()
            if self._timer:
                self._timer.cancel()
        if self._pool:
            self._pool.close()

    def _overtake(self, key: Key) -> None:
        """The running task is about something older now."""
        times = self._overtaken.get(key, 0) + 1
        if times <= OVERTAKEN:
            self._overtaken[key] = times
            self._stop_running()

    def _stop_running(self) -> None:
        if self._pool and self._running:
            self._pool.cancel(self._running.number)

    def _begin_later(self) -> None:
        if self._timer is None and self._running is None:
            self._timer = threading.Timer(self._pause, self._begin)
            self._timer.daemon = True
            self._timer.start()

    def _begin(self) -> None:
        with self._lock:
            self._timer = None
            if self._closed or self._running or not self._waiting:
                return
            key = next(iter(self._waiting))
            task = self._running = self._waiting.pop(key)
            self._set(key, TaskState(task.kind, "running", task.number))
            try:
                future = self._run(task)
            except (RuntimeError, BrokenProcessPool):
                self._end(task, phase="failed", error=BROKEN)
                return
        future.add_done_callback(lambda done: self._finished(task, done))

    def _submit(self, task: Task) -> Future[Any]:
        if self._pool is None:
            self._pool = WorkerPool(self._store, self._progress, background_work)
        return self._pool.submit(task)

    def _finished(self, task: Task, future: Future[Any]) -> None:
        try:
            result = future.result()
        except Cancelled:
            self._end(task, phase="cancelled")
        except StudioError as error:
            self._end(task, phase="failed", error=str(error))
        except BrokenProcessPool:
            if self._pool and not self._closed:
                self._pool.restart()
            self._end(task, phase="failed", error=BROKEN)
        except Exception:
            LOG.exception("The task %s of project %s failed.", task.kind, task.project)
            self._end(task, phase="failed", error=BROKEN)
        else:
            self._end(task, phase="done", share=1.0, result=result)

    def _end(self, task: Task, **changes: Any) -> None:
        key = (task.kind, task.project)
        with self._lock:
            self._running = None
            if changes["phase"] != "cancelled":
                self._overtaken.pop(key, None)
            self._set(key, TaskState(task.kind, number=task.number, **changes))
            if later := self._waiting.get(key):
                self._set(key, TaskState(task.kind, "waiting", later.number))
            if self._waiting and not self._closed:
                self._begin_later()

    def _progress(self, number: int, share: float, seconds_left: float | None) -> None:
        with self._lock:
            for key, state in self._states.items():
                if state.number == number and state.phase == "running":
                    self._set(key, replace(state, share=share, seconds_left=seconds_left))

    def _set(self, key: Key, state: TaskState) -> None:
        self._states[key] = state
        self._feed.publish(key[1], state.to_dict())


_service: Background | None = None


def start(store: Store, feed: Feed) -> Background:
    """Start the service of this server; its process waits for the first task."""
    global _service
    if _service is None:
        _service = Background(store, feed)
    return _service


def stop() -> None:
    """Stop the service and its process."""
    global _service
    if _service is not None:
        _service.close()
        _service = None


def request(kind: str, project: int, arguments: Mapping[str, Any] | None = None) -> None:
    """Ask for a task. Without a running server nothing happens."""
    if _service is not None:
        _service.request(kind, project, arguments)


def cancel(kind: str, project: int) -> None:
    if _service is not None:
        _service.cancel(kind, project)


def task_state(kind: str, project: int) -> TaskState:
    """Where a task stands."""
    return TaskState(kind) if _service is None else _service.state(kind, project)
