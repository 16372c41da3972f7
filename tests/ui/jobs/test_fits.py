"""Requests for fits: coalesced, hastened, repeated, prepared before they are told."""

from __future__ import annotations

from functools import partial

import pytest

from core.errors import Cancelled
from tests.core.workspace import small
from tests.ui.jobs.fakes import Harness
from tsnmf_ui import jobs
from tsnmf_ui.jobs import EVALUATE, FIT, FinishedFit, JobRunner, refit_after_label
from tsnmf_ui.jobs.executors import FIT_PROCESS, start_executors
from tsnmf_ui.jobs.kinds import DEBOUNCE_SECONDS


@pytest.fixture
def worker(harness):
    return harness.executors[FIT_PROCESS]


def test_requests_before_the_fit_are_one_fit(harness, runner, worker):
    for _ in range(5):
        runner.request(FIT, 1)
    assert harness.timers.seconds == {(FIT, 1): DEBOUNCE_SECONDS}
    harness.timers.fire(FIT)
    assert len(worker.jobs) == 1
    assert runner.state(FIT, 1).phase == "running"


def test_each_request_before_the_fit_starts_its_delay_anew(harness, runner):
    runner.request(FIT, 1, delay=1.2)
    runner.request(FIT, 1, delay=0.5)
    assert harness.timers.seconds == {(FIT, 1): 0.5}


def test_a_label_that_changes_nothing_is_no_fit(runner, monkeypatch, store):
    made = small.project(store)
    monkeypatch.setattr("tsnmf_ui.jobs.refits.worth_a_refit", lambda project: False)
    refit_after_label(runner, store, made.id)
    assert runner.state(FIT, made.id).phase == "idle"
    runner.request(FIT, made.id)
    assert runner.state(FIT, made.id).phase == "waiting"


def test_requests_during_a_fit_are_one_further_fit(harness, runner, worker):
    harness.begin(FIT)
    runner.request(FIT, 1)
    runner.request(FIT, 1)
    assert runner.state(FIT, 1).phase == "running"
    worker.futures[0].set_result(FinishedFit(7))
    assert runner.state(FIT, 1).result == FinishedFit(7)
    assert runner.state(FIT, 1).phase == "waiting"
    assert harness.timers.seconds[FIT, 1] == DEBOUNCE_SECONDS
    harness.timers.fire(FIT)
    assert len(worker.jobs) == 2


def test_a_request_while_another_project_is_fitted_keeps_its_place(harness, runner, worker):
    harness.begin(FIT, 1)
    harness.begin(FIT, 2)
    runner.request(FIT, 2)  # a label before its fit could begin: that fit will know of it
    assert (FIT, 2) not in harness.timers
    worker.futures[0].set_result(FinishedFit(1))
    assert [job.project for job in worker.jobs] == [1, 2]


def test_a_finished_fit_is_prepared_before_it_is_told():
    seen = []

    def prepare(project, run):
        seen.append((project, run, harness.runner.state(FIT, project).phase))

    harness = Harness(before_done={FIT: prepare})
    harness.begin(FIT)
    harness.executors[FIT_PROCESS].futures[0].set_result(FinishedFit(7))
    assert seen == [(1, FinishedFit(7), "running")]
    assert harness.runner.state(FIT, 1).phase == "done"


def test_the_next_project_is_fitted_while_a_finished_fit_is_prepared():
    harness = Harness(
        before_done={FIT: lambda project, run: seen.append(harness.runner.state(FIT, 2).phase)}
    )
    seen: list[str] = []
    harness.begin(FIT, 1)
    harness.begin(FIT, 2)
    harness.executors[FIT_PROCESS].futures[0].set_result(FinishedFit(7))
    assert seen == ["running"]


def test_what_cannot_be_prepared_is_a_failure():
    def prepare(project, run):
        raise ZeroDivisionError

    harness = Harness(before_done={FIT: prepare})
    harness.begin(FIT)
    harness.executors[FIT_PROCESS].futures[0].set_result(FinishedFit(7))
    assert harness.runner.state(FIT, 1).phase == "failed"


def test_a_fit_that_is_done_is_scored(runner, worker, harness):
    harness.begin(FIT)
    assert runner.state(EVALUATE, 1).phase == "idle"
    worker.futures[0].set_result(FinishedFit(7))
    assert runner.state(EVALUATE, 1).phase == "waiting"


def test_a_run_made_elsewhere_is_announced_and_scored(runner):
    runner.announce(FIT, 1, FinishedFit(9))
    assert (runner.state(FIT, 1).phase, runner.state(FIT, 1).result) == ("done", FinishedFit(9))
    assert runner.state(EVALUATE, 1).phase == "waiting"


def test_a_run_made_elsewhere_during_a_fit_does_not_end_it(harness, runner):
    harness.begin(FIT)
    runner.announce(FIT, 1, FinishedFit(9))
    assert (runner.state(FIT, 1).phase, runner.state(FIT, 1).result) == ("running", FinishedFit(9))


def test_a_fit_that_waits_can_be_hastened(harness, runner):
    runner.hasten(FIT, 1, 5)
    assert not harness.timers.seconds  # nothing waits
    runner.request(FIT, 1)
    runner.hasten(FIT, 1, 5)
    assert harness.timers.seconds == {(FIT, 1): 5}
    assert runner.state(FIT, 1).phase == "waiting"


def test_a_fit_without_delay_begins_at_once(harness, runner, worker):
    runner.request(FIT, 1)
    runner.request(FIT, 1, delay=0.0)
    assert len(worker.jobs) == 1
    assert not harness.timers.seconds


def test_a_fit_that_was_cancelled_does_not_begin_again(harness, runner, worker):
    harness.begin(FIT)
    runner.request(FIT, 1)  # a label while it runs
    runner.cancel(FIT, 1)
    worker.futures[0].set_exception(Cancelled("The fit was cancelled."))
    assert runner.state(FIT, 1).phase == "cancelled"
    assert (FIT, 1) not in harness.timers


def test_without_a_server_requests_wait():
    outside = jobs.service()
    outside.request(FIT, 1)
    outside.cancel(FIT, 1)
    outside.announce(FIT, 1, FinishedFit(3))
    assert outside.state(FIT, 1).phase == outside.wait(FIT, 1, 3).phase == "idle"


def test_pages_reach_the_runner_that_serves(runner):
    with jobs.serving(runner):
        assert jobs.service() is runner
    assert jobs.service() is not runner


def test_the_real_worker_fits_and_leaves(store):
    project = small.project(store)
    runner = JobRunner(partial(start_executors, store))
    try:
        runner.request(FIT, project.id)
        ended = runner.wait(FIT, project.id, 120)
        assert (ended.phase, ended.error) == ("done", None)
        assert FinishedFit(store.current_run(project.id).id) == ended.result
    finally:
        runner.close()
