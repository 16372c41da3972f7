"""Work in the background: the newest request counts, a busy hour is scored too."""

from __future__ import annotations

from functools import partial

import pytest

from core.errors import Cancelled
from core.store.runs import evaluations
from core.workspace.refits.refit import refit
from tests.core.workspace import small
from tests.ui.jobs.fakes import only
from tsnmf_ui.jobs import EVALUATE, SEED_FITS, JobRunner
from tsnmf_ui.jobs.executors import BACKGROUND_PROCESS
from tsnmf_ui.jobs.kinds import BACKGROUND_DELAY_SECONDS, MAX_OVERTAKEN


@pytest.fixture
def worker(harness):
    return harness.executors[BACKGROUND_PROCESS]


def test_requests_before_the_beginning_are_one(harness, runner, worker):
    for labels in (1, 2, 3):
        runner.request(EVALUATE, 1, {"labels": labels})
    assert runner.state(EVALUATE, 1).phase == "waiting"
    assert harness.timers.seconds == {(EVALUATE, 1): BACKGROUND_DELAY_SECONDS}
    harness.timers.fire(EVALUATE)
    assert [job.arguments for job in worker.jobs] == [{"labels": 3}]
    assert runner.state(EVALUATE, 1).active


def test_a_later_request_does_not_put_off_the_beginning(harness, runner, monkeypatch):
    runner.request(EVALUATE, 1)
    begun = []
    monkeypatch.setattr(harness.timers, "start", lambda *timer: begun.append(timer))
    runner.request(EVALUATE, 1)
    assert not begun


def test_kinds_take_turns(harness, runner, worker):
    harness.begin(EVALUATE)
    harness.begin(SEED_FITS)
    assert [job.kind for job in worker.jobs] == [EVALUATE]
    worker.futures[0].set_result(7)
    assert runner.state(EVALUATE, 1).result == 7
    assert worker.jobs[1].kind == SEED_FITS


def test_a_job_that_is_overtaken_gives_way_but_not_for_ever(harness, runner, worker):
    runner.request(EVALUATE, 1)
    for time in range(MAX_OVERTAKEN + 1):
        harness.timers.fire(EVALUATE)
        runner.request(EVALUATE, 1)
        assert len(worker.cancelled) == min(time + 1, MAX_OVERTAKEN)
        if time < MAX_OVERTAKEN:
            worker.futures[-1].set_exception(Cancelled("Stopped."))
            assert runner.state(EVALUATE, 1).phase == "waiting"
    worker.futures[-1].set_result(1)
    harness.timers.fire(EVALUATE)
    runner.request(EVALUATE, 1)
    assert len(worker.cancelled) == MAX_OVERTAKEN + 1  # patience again after a job that ended


def test_cancelling_what_runs_and_what_waits_behind_it(harness, runner, worker):
    harness.begin(SEED_FITS)
    runner.request(SEED_FITS, 1)
    runner.cancel(SEED_FITS, 1)
    worker.futures[0].set_exception(Cancelled("Stopped."))
    assert runner.state(SEED_FITS, 1).phase == "cancelled"
    assert not harness.timers.seconds


def test_the_real_process_scores_a_run_and_leaves(store):
    project = small.project(store)
    run = refit(store, project.id)
    runner = JobRunner(partial(only, store, BACKGROUND_PROCESS))
    try:
        runner.request(EVALUATE, project.id, delay=0)
        ended = runner.wait(EVALUATE, project.id, 120)
        assert (ended.phase, ended.error) == ("done", None)
        assert [point.run for point in evaluations.history(store.home, project.id)] == [run.id]
    finally:
        runner.close()
