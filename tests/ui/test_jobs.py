"""Requests for fits: one at a time, coalesced, cancelled, told to whoever listens."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from types import ModuleType

import pytest

from core.errors import Cancelled, TextError
from core.store import Store
from tests.ui import small, stubborn
from tsnmf_ui import jobs as service
from tsnmf_ui import worker, worker_pool
from tsnmf_ui.feed import WAITING, Feed
from tsnmf_ui.jobs import BROKEN, Jobs
from tsnmf_ui.worker_pool import WorkerPool


class Line:
    """Stands in for the worker process: jobs wait here until the test ends them."""

    def __init__(self):
        self.jobs, self.futures = [], []

    def __call__(self, job):
        self.jobs.append(job)
        self.futures.append(Future())
        return self.futures[-1]


@pytest.fixture
def store(tmp_path):
    with Store.open(home=tmp_path) as store:
        yield store


@pytest.fixture
def line():
    return Line()


@pytest.fixture
def jobs(store, line):
    jobs = Jobs(store, run=line, debounce=60)
    yield jobs
    jobs.close()


def fire(jobs, project=1):
    """What the timer does when its time has come."""
    jobs._timers[project].cancel()
    jobs._begin(project)


def test_requests_before_the_fit_are_one_fit(jobs, line):
    for _ in range(5):
        jobs.request_fit(1)
    fire(jobs)
    assert len(line.jobs) == 1
    assert jobs.state(1).phase == "running"


def test_nobody_asked_and_nothing_to_gain_is_no_fit(jobs, line, monkeypatch, store):
    made = small.project(store)
    monkeypatch.setattr("tsnmf_ui.jobs.worth_a_fit", lambda project: False)
    jobs.request_fit(made.id, asked=False)
    assert jobs.state(made.id).phase == "idle"
    jobs.request_fit(made.id)
    assert jobs.state(made.id).phase == "waiting"


def test_requests_during_a_fit_are_one_further_fit(jobs, line):
    jobs.request_fit(1)
    fire(jobs)
    jobs.request_fit(1)
    jobs.request_fit(1)
    line.futures[0].set_result(7)
    assert jobs.state(1).run == 7
    assert jobs.state(1).phase == "waiting"
    fire(jobs)
    assert len(line.jobs) == 2


def test_a_finished_fit_is_prepared_before_it_is_told(jobs, line):
    seen = []
    jobs.prepare = lambda project, run: seen.append((project, run, jobs.state(project).phase))
    jobs.request_fit(1)
    fire(jobs)
    line.futures[0].set_result(7)
    assert seen == [(1, 7, "running")]
    assert jobs.state(1).phase == "done"


@pytest.mark.parametrize(
    ("error", "phase", "sentence"),
    [
        (TextError("No words are left."), "failed", "No words are left."),
        (ZeroDivisionError(), "failed", BROKEN),
        (Cancelled("Stopped."), "cancelled", None),
    ],
)
def test_how_a_fit_can_end(jobs, line, error, phase, sentence):
    jobs.request_fit(1)
    fire(jobs)
    line.futures[0].set_exception(error)
    assert (jobs.state(1).phase, jobs.state(1).error) == (phase, sentence)


def test_a_fit_that_waits_can_be_hastened(jobs):
    jobs.hasten(1, 5)
    assert not jobs._timers  # nothing waits
    jobs.request_fit(1)
    jobs.hasten(1, 5)
    assert jobs._timers[1].interval == 5
    assert jobs.state(1).phase == "waiting"


def test_a_request_that_waits_can_be_cancelled(jobs, line):
    jobs.request_fit(1)
    jobs.cancel(1)
    assert jobs.state(1).phase == "cancelled"
    assert not jobs._timers


def test_a_fit_that_was_cancelled_does_not_begin_again(jobs, line):
    jobs.request_fit(1)
    fire(jobs)
    jobs.request_fit(1)  # a label while it runs
    jobs.cancel(1)
    line.futures[0].set_exception(Cancelled("The fit was cancelled."))
    assert jobs.state(1).phase == "cancelled"
    assert not jobs._timers


def test_progress_goes_to_the_job_it_is_about(jobs):
    jobs.request_fit(1)
    fire(jobs)
    jobs._progress(jobs.state(1).number, 0.5, 2.0)
    jobs._progress(99, 0.9, 1.0)
    assert (jobs.state(1).share, jobs.state(1).seconds_left) == (0.5, 2.0)


def test_nothing_starts_after_closing(jobs, line):
    jobs.close()
    jobs.request_fit(1)
    assert not jobs._timers


def test_waiting_ends_with_the_fit(jobs, line):
    jobs.request_fit(1, after=0)
    assert jobs.wait(1, 0.0).phase in ("waiting", "running")
    while not line.futures:
        jobs.wait(1, 0.01)
    line.futures[0].set_result(3)
    assert jobs.wait(1, 5).run == 3


def test_without_a_server_requests_wait(store):
    service.request_fit(1)
    service.cancel(1)
    assert service.service() is None
    assert service.fit_state(1).phase == service.wait(1).phase == "idle"


def test_subscribers_hear_from_other_threads(jobs):
    async def listen():
        queue = jobs.feed.subscribe(1)
        await asyncio.to_thread(jobs.request_fit, 1)
        return await asyncio.wait_for(queue.get(), 5)

    assert asyncio.run(listen())["phase"] == "waiting"


def test_a_slow_subscriber_loses_old_news_only():
    async def listen():
        feed = Feed()
        queue = feed.subscribe(1)
        for n in range(WAITING + 10):
            feed.publish(1, {"n": n})
        await asyncio.sleep(0)
        return [queue.get_nowait()["n"] for _ in range(queue.qsize())]

    heard = asyncio.run(listen())
    assert heard[-1] == WAITING + 9
    assert len(heard) == WAITING


def test_the_real_worker_fits_and_leaves(store):
    project = small.project(store)
    jobs = Jobs(store, debounce=0.01)
    try:
        jobs.request_fit(project.id)
        ended = jobs.wait(project.id, 120)
        assert (ended.phase, ended.error) == ("done", None)
        assert store.current_run(project.id).id == ended.run
    finally:
        jobs.close()


def test_the_worker_does_not_run_the_main_module_again(store, monkeypatch, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("raise SystemExit('run again')", encoding="utf-8")
    main = ModuleType("__main__")
    main.__file__ = str(script)
    monkeypatch.setitem(sys.modules, "__main__", main)
    pool = WorkerPool(store, lambda *report: None)
    try:
        assert pool._pool.submit(worker.ready).result(120) > 0
        assert sys.modules["__main__"] is main
    finally:
        pool.close()


def test_a_worker_whose_server_is_gone_before_it_is_ready_leaves():
    """A server killed while its worker is still importing must not leave an orphan."""
    code = "from tsnmf_ui import worker; worker._watch_parent(1 << 22)"
    assert subprocess.run([sys.executable, "-c", code], timeout=120).returncode == 1


def test_a_worker_that_does_not_look_up_is_ended(store, monkeypatch, tmp_path):
    monkeypatch.setattr(worker_pool, "GRACE", 0.2)
    pool = WorkerPool(store, lambda *report: None, stubborn)
    process = pool._pool.submit(stubborn.ready).result(60)
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    endless = pool.submit(str(begun))
    with begun.open(encoding="utf-8") as told:  # opens when the work has begun
        pool.close()
        assert told.read() == ""  # ends when nobody is left to write
    with pytest.raises(BrokenProcessPool):
        endless.result(60)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    pool.restart()  # as whoever hears of the broken pool does: nothing comes back


def test_a_killed_worker_is_replaced(store):
    project = small.project(store)
    jobs = Jobs(store, debounce=0.01)
    try:
        os.kill(jobs._pool._pool.submit(worker.ready).result(120), signal.SIGKILL)
        jobs.request_fit(project.id)
        assert jobs.wait(project.id, 120).error == BROKEN
        jobs.request_fit(project.id)
        assert jobs.wait(project.id, 120).phase == "done"
    finally:
        jobs.close()
