"""Fits in another process: asked for, awaited, pushed to whoever watches.

A label asks for a fit and goes on. Requests for one project within a short while become one fit;
a request during a fit becomes the next one. Whoever subscribes hears of progress and results.
"""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from core.errors import Cancelled, StudioError
from core.store import Project, Store
from tsnmf_ui import worker
from tsnmf_ui.feed import Event, Feed
from tsnmf_ui.worker_pool import WorkerPool

LOG = logging.getLogger("tsnmf_ui.jobs")
QUICK = 20_000  # documents that any model is fitted to soon enough
DEBOUNCE = 0.3  # seconds: two quick labels cost one fit
BROKEN = "The fit stopped unexpectedly and was not saved. The next label starts it again."

Phase = Literal["idle", "waiting", "running", "done", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class FitState:
    """Where the fit of one project stands."""

    phase: Phase = "idle"
    number: int = 0  # of the job, so that a cancel meets the right one
    share: float = 0.0  # of the work, 0 to 1
    seconds_left: float | None = None
    error: str | None = None  # one sentence
    run: int | None = None  # the newest run this server has made
    again: bool = False  # asked for once more while running

    def to_dict(self) -> Event:
        return {"type": "fit", **asdict(self)}


def worth_a_fit(project: Project) -> bool:
    """Whether to fit after a label: not if that takes long and the label changes nothing."""
    heard = project.settings.spec.hears or project.last_run is None
    return heard or project.n_docs <= QUICK


class Jobs:
    """The worker process and the requests waiting for it."""

    def __init__(
        self,
        store: Store,
        *,
        feed: Feed | None = None,
        run: Callable[[worker.Job], Future[int]] | None = None,
        debounce: float = DEBOUNCE,
    ) -> None:
        self.store = store
        self.feed = feed or Feed()
        self.prepare: Callable[[int, int], None] = lambda project, run: None
        self.afterwards: Callable[[int], None] = lambda project: None  # the fit is on screen
        self._debounce = debounce
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._states: dict[int, FitState] = defaultdict(FitState)
        self._timers: dict[int, threading.Timer] = {}
        self._number = 0
        self._pool = None if run else WorkerPool(store, self._progress)
        self._run = run or self._submit_to_pool
        self._closed = False

    def request_fit(self, project: int, *, after: float | None = None, asked: bool = True) -> None:
        """Fit soon; several requests within ``after`` seconds are one.

        Nobody ``asked`` for it when it only follows a label: then it must be worth the time.
        """
        waits = project in self._timers  # then it was found to be worth it
        if not (asked or waits or worth_a_fit(self.store.project(project))):
            return
        with self._lock:
            state = self._states[project]
            if self._closed:
                return
            if state.phase == "running":
                self._set(project, replace(state, again=True))
                return
            self._set(project, replace(state, phase="waiting", share=0.0, error=None))
            self._restart_timer(project, self._debounce if after is None else after)

    def hasten(self, project: int, after: float) -> None:
        """Begin a fit that is waiting ``after`` seconds from now."""
        with self._lock:
            if project in self._timers and not self._closed:
                self._restart_timer(project, after)

    def cancel(self, project: int) -> None:
        """Stop the fit of a project; what was shown before stays."""
        with self._lock:
            state = self._states[project]
            if timer := self._timers.pop(project, None):
                timer.cancel()
                self._set(project, replace(state, phase="cancelled"))
            elif state.phase == "running":
                self._set(project, replace(state, again=False))  # nor is it begun again
                if self._pool:
                    self._pool.cancel(state.number)

    def announce(self, project: int, run: int) -> None:
        """A run that was fitted elsewhere has become current: whoever watches follows."""
        self.prepare(project, run)
        with self._lock:
            state = self._states[project]
            if state.phase not in ("waiting", "running"):
                state = replace(state, phase="done", share=1.0, error=None)
            self._set(project, replace(state, run=run))

    def state(self, project: int) -> FitState:
        with self._lock:
            return self._states[project]

    def wait(self, project: int, seconds: float) -> FitState:
        """Block until the project's fit has ended, at most ``seconds``."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._states[project].phase not in ("waiting", "running"), seconds
            )
            return self._states[project]

    def close(self) -> None:
        with self._lock:
            self._closed = True
            for timer in self._timers.values():
                timer.cancel()
            self._timers.clear()
        if self._pool:
            self._pool.close()

    def _restart_timer(self, project: int, seconds: float) -> None:
        if timer := self._timers.pop(project, None):
            timer.cancel()
        timer = threading.Timer(seconds, self._begin, (project,))
        timer.daemon = True
        self._timers[project] = timer
        timer.start()

    def _begin(self, project: int) -> None:
        with self._lock:
            self._timers.pop(project, None)
            if self._closed:
                return
            self._number += 1
            job = worker.Job(self._number, project)
            self._set(project, replace(self._states[project], phase="running", number=job.number))
            try:
                future = self._run(job)
            except (RuntimeError, BrokenProcessPool):
                self._end(project, phase="failed", error=BROKEN)
                return
        future.add_done_callback(lambda done: self._finished(project, done))

    def _submit_to_pool(self, job: worker.Job) -> Future[int]:
        assert self._pool is not None
        return self._pool.submit(job)

    def _finished(self, project: int, future: Future[int]) -> None:
        try:
            run = future.result()
            self.prepare(project, run)
        except Cancelled:
            self._end(project, phase="cancelled")
        except BrokenProcessPool:
            if self._pool:
                self._pool.restart()
            self._end(project, phase="failed", error=BROKEN)
        except StudioError as error:
            self._end(project, phase="failed", error=str(error))
        except Exception:
            LOG.exception("The fit of project %s failed.", project)
            self._end(project, phase="failed", error=BROKEN)
        else:
            self._end(project, phase="done", run=run, share=1.0)
            self.afterwards(project)

    def _end(self, project: int, **changes: Any) -> None:
        with self._lock:
            before = self._states[project]
            self._set(project, replace(before, again=False, seconds_left=None, **changes))
            if before.again and not self._closed:
                self.request_fit(project)

    def _progress(self, number: int, share: float, seconds_left: float | None) -> None:
        with self._lock:
            for project, state in self._states.items():
                if state.number == number and state.phase == "running":
                    self._set(project, replace(state, share=share, seconds_left=seconds_left))

    def _set(self, project: int, state: FitState) -> None:
        if state == self._states[project]:
            return  # no news
        self._states[project] = state
        self._changed.notify_all()
        self.feed.publish(project, state.to_dict())


_service: Jobs | None = None


def start(store: Store) -> Jobs:
    """Start the service of this server."""
    global _service
    if _service is None:
        _service = Jobs(store)
    return _service


def stop() -> None:
    """Stop the service and its process."""
    global _service
    if _service is not None:
        _service.close()
        _service = None


def service() -> Jobs | None:
    """The running service; None outside a server, as in a page test."""
    return _service


def request_fit(project: int) -> None:
    """Ask for a fit. Without a running server it waits: opening the project asks again."""
    if _service is not None:
        _service.request_fit(project)


def cancel(project: int) -> None:
    """Stop the fit of a project."""
    if _service is not None:
        _service.cancel(project)


def announce(project: int, run: int) -> None:
    """Tell everybody that another run is current now."""
    if _service is not None:
        _service.announce(project, run)


def fit_state(project: int) -> FitState:
    """Where the fit of a project stands."""
    return FitState() if _service is None else _service.state(project)


def wait(project: int, seconds: float = 3.0) -> FitState:
    """Wait for a fit that was asked for; for pages that cannot show anything before it."""
    return FitState() if _service is None else _service.wait(project, seconds)
