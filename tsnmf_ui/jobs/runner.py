"""The job runner: one life cycle for fits, background work, comparisons and downloads.

A job is requested, waits, runs, reports progress, and is done, failed or cancelled. For each kind
and project the runner keeps the state of the newest job, and publishes every change to the feed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from core.errors import ModelError
from tsnmf_ui.jobs.event_feed import Feed
from tsnmf_ui.jobs.executors import Executor
from tsnmf_ui.jobs.kinds import JOB_KINDS, MAX_OVERTAKEN, JobKind
from tsnmf_ui.jobs.outcome import outcome_of
from tsnmf_ui.jobs.progress import Progress
from tsnmf_ui.jobs.state import NO_PROJECT, Job, JobState, Key
from tsnmf_ui.jobs.timers import Timers

KILL_SECONDS = 10.0  # that a killed process may take to be gone

StartExecutors = Callable[[Progress], Mapping[str, Executor]]
BeforeDone = Callable[[int, Any], None]  # project, result


class JobRunner:
    """Takes requests for jobs, runs them by the rules of their kind, and knows their state.

    ``before_done`` is called, by kind, when a job has its result and nobody was told yet.
    """

    def __init__(
        self,
        start_executors: StartExecutors,
        *,
        feed: Feed | None = None,
        kinds: Mapping[str, JobKind] = JOB_KINDS,
        before_done: Mapping[str, BeforeDone] | None = None,
        timers: Timers | None = None,
    ) -> None:
        self.feed = feed or Feed()
        self._kinds = kinds
        self._before_done = before_done or {}
        self._timers = timers or Timers()
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._number = 0
        self._states: dict[Key, JobState] = {}
        self._waiting: dict[Key, Job] = {}  # requested and not begun
        self._due: dict[Key, None] = {}  # waiting for their executor alone, the oldest first
        self._running: dict[Key, Job] = {}
        self._executing: dict[int, str] = {}  # executors that are taken, by number of the job
        self._cancelling: set[int] = set()
        self._overtaken: dict[Key, int] = {}
        self._closed = False
        self._executors = start_executors(self._progress)

    def request(
        self,
        kind: str,
        project: int = NO_PROJECT,
        arguments: Mapping[str, Any] | None = None,
        *,
        title: str = "",
        delay: float | None = None,
    ) -> None:
        """Run a job after ``delay`` seconds (by default those of its kind), or as soon as it can.

        What happens while one of this kind and project is active depends on the kind.
        """
        key, rules = (kind, project), self._kinds[kind]
        with self._lock:
            if self._closed or not self._accepts(rules, self.state(kind, project)):
                return
            earlier = self._waiting.get(key)
            number = earlier.number if earlier else self._next_number()
            self._waiting[key] = Job(kind, project, number, dict(arguments or {}), title)
            running = self._running.get(key)
            if running is None:
                self._set_waiting(key)
                self._schedule(key, rules.delay if delay is None else delay)
        if running and rules.when_active == "overtake":
            self._overtake(running)

    def hasten(self, kind: str, project: int, seconds: float) -> None:
        """Begin a job whose delay is running ``seconds`` from now."""
        with self._lock:
            if (kind, project) in self._timers:
                self._timers.start((kind, project), seconds, self._delay_over)

    def cancel(self, kind: str, project: int = NO_PROJECT) -> None:
        """Stop a job, or do not begin it; what was there before stays."""
        key = (kind, project)
        with self._lock:
            self._withdraw(key)
            running = self._running.get(key)
        if running:
            self._stop(running)

    def announce(self, kind: str, project: int, result: Any) -> None:
        """Treat what was made elsewhere as the result of a job of this kind."""
        if self._closed:
            return
        self._call_before_done(kind, project, result)
        self.show_result(kind, project, result)
        self._request_next(kind, project, result)

    def show_result(self, kind: str, project: int, result: Any) -> None:
        """Tell the pages of a result that another server has made; nothing follows from it here."""
        with self._lock:
            state = self.state(kind, project)
            if not state.active:
                number = self._next_number()  # newer than any job of the project
                state = replace(state, phase="done", number=number, share=1.0, error=None)
            self._set(replace(state, result=result))

    def state(self, kind: str, project: int = NO_PROJECT) -> JobState:
        with self._lock:
            return self._states.get((kind, project), JobState(kind, project))

    def wait(self, kind: str, project: int, seconds: float) -> JobState:
        """Block until the job has ended, at most so long."""
        with self._changed:
            self._changed.wait_for(lambda: not self.state(kind, project).active, seconds)
            return self.state(kind, project)

    def close(self) -> None:
        """End everything: nothing more begins, what runs is stopped, processes are gone."""
        with self._lock:
            self._closed = True
            for key in list(self._waiting):
                self._withdraw(key)
            self._cancelling |= {job.number for job in self._running.values()}
        closing = [threading.Thread(target=each.close) for each in self._executors.values()]
        for thread in closing:  # side by side: each may wait a little for its process
            thread.start()
        for thread in closing:
            thread.join()

    # ---- from a request to the beginning

    def _accepts(self, rules: JobKind, state: JobState) -> bool:
        if state.active and rules.when_active == "refuse":
            raise ModelError(rules.refusal)
        return not (state.active and rules.when_active == "ignore")

    def _next_number(self) -> int:
        self._number += 1
        return self._number

    def _schedule(self, key: Key, delay: float) -> None:
        """Begin after the delay; a kind that repeats starts it anew, others keep their place."""
        if key in self._due:
            return
        if key in self._timers and self._kinds[key[0]].when_active != "repeat":
            return
        if delay > 0:
            self._timers.start(key, delay, self._delay_over)
        else:
            self._timers.stop(key)
            self._delay_over(key)

    def _delay_over(self, key: Key) -> None:
        with self._lock:
            stopped_late = key in self._timers or key in self._running
            if key in self._waiting and not stopped_late:
                self._due[key] = None
                self._begin_due()

    def _begin_due(self) -> None:
        for key in list(self._due):
            name = self._kinds[key[0]].executor
            taken = self._executors[name].one_at_a_time and name in self._executing.values()
            if self._closed:
                return
            if taken:
                self._make_way(key[0], name)
                continue
            del self._due[key]
            self._begin(self._waiting.pop(key))

    def _begin(self, job: Job) -> None:
        rules = self._kinds[job.kind]
        self._running[job.key] = job
        self._executing[job.number] = rules.executor
        self._set(replace(self._states[job.key], phase="running", share=0.0, doing=""))
        try:
            future = self._executors[rules.executor].submit(job, rules.work)
        except (RuntimeError, OSError):  # a broken pool is a RuntimeError
            self._executing.pop(job.number)
            self._end(job, phase="failed", error=rules.broke)
            return
        future.add_done_callback(lambda done: self._ended(job, done))

    # ---- stopping

    def _withdraw(self, key: Key) -> None:
        """Do not begin what waits."""
        self._timers.stop(key)
        self._due.pop(key, None)
        if self._waiting.pop(key, None) and key not in self._running:
            self._set(replace(self._states[key], phase="cancelled"))

    def _make_way(self, kind: str, executor: str) -> None:
        """Stop a job for one of this kind, which need not wait for it; it begins again after."""
        for running in list(self._running.values()):
            there = self._executing.get(running.number) == executor
            gives_way = there and kind in self._kinds[running.kind].gives_way_to
            if gives_way and running.number not in self._cancelling and self._overtake(running):
                again = replace(running, number=self._next_number())
                self._waiting.setdefault(running.key, again)

    def _overtake(self, running: Job) -> bool:
        """Stop a job that a later request made out of date, but not every time.

        After a few times it is left to end, so that a busy hour of labelling has resting topics
        and scores too.
        """
        with self._lock:
            times = self._overtaken.get(running.key, 0) + 1
            if times > MAX_OVERTAKEN:
                return False
            self._overtaken[running.key] = times
        self._stop(running)
        return True

    def _stop(self, job: Job) -> None:
        with self._lock:
            if self._running.get(job.key) is not job:
                return  # it has just ended
            self._cancelling.add(job.number)
        executor = self._executors[self._kinds[job.kind].executor]
        executor.cancel(job.number)
        if executor.cancels_at_once:
            self.wait(job.kind, job.project, KILL_SECONDS)

    # ---- from progress to the end

    def _progress(self, number: int, share: float, seconds_left: float | None, doing: str) -> None:
        with self._lock:
            for key, job in self._running.items():
                if job.number == number:
                    now = self._states[key]
                    self._set(replace(now, share=share, seconds_left=seconds_left, doing=doing))

    def _ended(self, job: Job, future: Future[Any]) -> None:
        """The executor is free for the next job; then this one is told."""
        with self._lock:
            self._executing.pop(job.number)
            self._begin_due()
        outcome = self._outcome(job, future)
        self._end(job, **outcome)
        if outcome["phase"] == "done":
            self._request_next(job.kind, job.project, outcome["result"])

    def _outcome(self, job: Job, future: Future[Any]) -> dict[str, Any]:
        def finish() -> Any:
            result = future.result()
            self._call_before_done(job.kind, job.project, result)
            return result

        stopping, broke = job.number in self._cancelling, self._kinds[job.kind].broke
        return outcome_of(job, finish, broke=broke, stopping=stopping)

    def _end(self, job: Job, **outcome: Any) -> None:
        with self._lock:
            self._running.pop(job.key)
            self._cancelling.discard(job.number)
            stopped_to_repeat = outcome["phase"] == "cancelled" and job.key in self._waiting
            if outcome["phase"] != "cancelled":
                self._overtaken.pop(job.key, None)
            if not stopped_to_repeat:  # then it only waits again
                self._set(replace(self._states[job.key], seconds_left=None, **outcome))
            if job.key in self._waiting:
                self._set_waiting(job.key)
                self._schedule(job.key, self._kinds[job.kind].delay)

    def _call_before_done(self, kind: str, project: int, result: Any) -> None:
        if call := self._before_done.get(kind):
            call(project, result)

    def _request_next(self, kind: str, project: int, result: Any) -> None:
        if next_kind := self._kinds[kind].next_kind:
            self.request(next_kind(result), project)

    # ---- state

    def _set_waiting(self, key: Key) -> None:
        job, before = self._waiting[key], self.state(*key)
        begun = JobState(*key, phase="waiting", number=job.number, title=job.title)
        self._set(replace(begun, result=before.result))

    def _set(self, state: JobState) -> None:
        key = (state.kind, state.project)
        if state == self._states.get(key):
            return  # no news
        self._states[key] = state
        self._changed.notify_all()
        self.feed.publish(state.project, state.to_event())
