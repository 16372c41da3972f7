"""The two stages of a fit: a preview, then the full fit; a label waits for neither."""

from __future__ import annotations

import queue
from functools import partial

import pytest

from core.errors import Cancelled
from core.store import Label
from core.workspace.refits import when_to_refit
from core.workspace.refits.refit import refit
from tests.core.workspace import small
from tests.ui.jobs.fakes import only
from tsnmf_ui import jobs
from tsnmf_ui.jobs import EVALUATE, FIT, FULL_FIT, FinishedFit, JobRunner
from tsnmf_ui.jobs.executors import FIT_PROCESS
from tsnmf_ui.jobs.kinds import JOB_KINDS, MAX_OVERTAKEN

PREVIEW, FULL = FinishedFit(7, preview=True), FinishedFit(8)


@pytest.fixture
def worker(harness):
    return harness.executors[FIT_PROCESS]


def begun(worker) -> list[tuple[str, int]]:
    return [(job.kind, job.project) for job in worker.jobs]


def show_preview(harness, worker, project=1) -> None:
    """A label, its preview, and the full fit under way."""
    harness.begin(FIT, project)
    worker.futures[-1].set_result(PREVIEW)


def test_a_preview_is_followed_by_the_full_fit_and_that_by_its_scores(harness, runner, worker):
    show_preview(harness, worker)
    assert begun(worker) == [(FIT, 1), (FULL_FIT, 1)]  # without a delay
    assert runner.state(EVALUATE, 1).phase == "idle"
    worker.futures[1].set_result(FULL)
    assert runner.state(EVALUATE, 1).phase == "waiting"


def test_a_fit_that_is_no_preview_is_scored_at_once(harness, runner, worker):
    harness.begin(FIT)
    worker.futures[0].set_result(FULL)
    assert runner.state(FULL_FIT, 1).phase == "idle"
    assert runner.state(EVALUATE, 1).phase == "waiting"


def test_a_label_stops_the_full_fit_once_its_own_fit_is_due(harness, runner, worker):
    show_preview(harness, worker)
    runner.request(FIT, 1)
    assert not worker.cancelled  # it may still end while the label waits for others
    harness.timers.fire(FIT)
    assert worker.cancelled == [worker.jobs[1].number]
    worker.futures[1].set_exception(Cancelled("Stopped."))
    assert begun(worker)[2:] == [(FIT, 1)]
    assert runner.state(FULL_FIT, 1).phase == "waiting"
    worker.futures[2].set_result(PREVIEW)
    assert begun(worker)[3:] == [(FULL_FIT, 1)]  # one, though asked for twice


def test_nobody_hears_that_a_full_fit_was_stopped_which_only_begins_again(harness, worker):
    show_preview(harness, worker)
    harness.begin(FIT)
    worker.futures[1].set_exception(Cancelled("Stopped."))
    worker.futures[2].set_result(PREVIEW)
    worker.futures[3].set_result(FULL)
    assert "cancelled" not in harness.feed.phases(FULL_FIT)


def test_a_full_fit_gives_way_but_not_for_ever(harness, runner, worker):
    show_preview(harness, worker)
    for time in range(MAX_OVERTAKEN):
        harness.begin(FIT)
        assert len(worker.cancelled) == time + 1
        worker.futures[-1].set_exception(Cancelled("Stopped."))
        worker.futures[-1].set_result(PREVIEW)
    harness.begin(FIT)
    assert len(worker.cancelled) == MAX_OVERTAKEN  # now it is left to end
    assert runner.state(FIT, 1).phase == "waiting"
    worker.futures[-1].set_result(FULL)
    assert begun(worker)[-1] == (FIT, 1)
    worker.futures[-1].set_result(PREVIEW)
    harness.begin(FIT)
    assert len(worker.cancelled) == MAX_OVERTAKEN + 1  # and gives way again after that


def test_a_label_of_another_project_does_not_wait_either(harness, runner, worker):
    show_preview(harness, worker, project=1)
    harness.begin(FIT, 2)
    worker.futures[1].set_exception(Cancelled("Stopped."))
    assert begun(worker)[2:] == [(FIT, 2)]
    worker.futures[2].set_result(PREVIEW)
    assert begun(worker)[3:] == [(FULL_FIT, 1)]  # nobody has to ask for it again
    worker.futures[3].set_result(FULL)
    assert begun(worker)[4:] == [(FULL_FIT, 2)]


def test_a_full_fit_that_ended_as_it_was_stopped_is_done(harness, runner, worker):
    show_preview(harness, worker)
    harness.begin(FIT)
    worker.futures[1].set_result(FULL)
    assert runner.state(FULL_FIT, 1).result == FULL
    assert begun(worker)[2:] == [(FIT, 1)]


@pytest.mark.parametrize("stage", ["waiting", "preview", "full"])
def test_cancel_stops_either_stage_and_what_would_follow(harness, runner, worker, stage):
    if stage == "waiting":
        runner.request(FIT, 1)
    elif stage == "preview":
        harness.begin(FIT)
    else:
        show_preview(harness, worker)
    jobs.cancel_fit(runner, 1)
    for future in worker.futures:
        if not future.done():
            future.set_exception(Cancelled("Stopped."))
    assert jobs.fit_state(runner, 1).phase == "cancelled"
    assert not harness.timers.seconds
    assert len(worker.jobs) == {"waiting": 0, "preview": 1, "full": 2}[stage]


def test_cancel_during_a_preview_that_stopped_a_full_fit_stops_both(harness, runner, worker):
    show_preview(harness, worker)
    harness.begin(FIT)
    worker.futures[1].set_exception(Cancelled("Stopped."))
    jobs.cancel_fit(runner, 1)
    worker.futures[2].set_exception(Cancelled("Stopped."))
    assert [runner.state(kind, 1).phase for kind in (FIT, FULL_FIT)] == ["cancelled"] * 2
    assert len(worker.jobs) == 3


def test_the_state_of_a_fit_is_that_of_the_stage_that_runs(harness, runner, worker):
    show_preview(harness, worker)
    harness.begin(FIT)
    worker.futures[1].set_exception(Cancelled("Stopped."))
    assert runner.state(FULL_FIT, 1).number > runner.state(FIT, 1).number  # it waits again
    now = jobs.fit_state(runner, 1)
    assert (now.kind, now.phase) == (FIT, "running")


def test_the_state_of_a_fit_is_that_of_the_stage_asked_for_last(harness, runner, worker):
    assert jobs.fit_state(runner, 1).phase == "idle"
    show_preview(harness, worker)
    now = jobs.fit_state(runner, 1)
    assert (now.kind, now.phase) == (FULL_FIT, "running")
    worker.futures[1].set_result(FULL)
    assert jobs.fit_state(runner, 1).result == FULL
    runner.announce(FIT, 1, FinishedFit(9))  # made current on Compare
    assert jobs.fit_state(runner, 1).result == FinishedFit(9)
    runner.request(FIT, 1)
    now = jobs.fit_state(runner, 1)
    assert (now.kind, now.phase) == (FIT, "waiting")


def test_a_preview_that_a_server_left_is_finished(runner, worker):
    jobs.finish_preview(runner, 1)
    jobs.finish_preview(runner, 1)
    assert begun(worker) == [(FULL_FIT, 1)]


@pytest.mark.parametrize("active", [True, False], ids=["under way", "stopped"])
def test_a_preview_whose_fit_is_under_way_or_was_stopped_is_left_alone(
    harness, runner, worker, active
):
    if active:
        harness.begin(FIT)
    else:
        show_preview(harness, worker)
        jobs.cancel_fit(runner, 1)
        worker.futures[1].set_exception(Cancelled("Stopped."))
    before = begun(worker)
    jobs.finish_preview(runner, 1)
    assert begun(worker) == before


def test_fit_afresh_is_one_fit_however_often_it_is_pressed(harness, runner, worker):
    jobs.fit_afresh(runner, 1)
    jobs.fit_afresh(runner, 1)
    assert begun(worker) == [(FULL_FIT, 1)]
    assert not worker.cancelled


def work(store, project, **arguments):
    return JOB_KINDS[FULL_FIT].work(store, project, arguments, lambda share: False)


def test_a_full_fit_is_made_of_a_preview_or_when_it_is_asked_for(store, monkeypatch):
    monkeypatch.setattr(when_to_refit, "QUICK_SECONDS", -1.0)
    made = small.fitted(store)
    assert work(store, made.id) == FinishedFit(1)  # there is one
    assert work(store, made.id, afresh=True) == FinishedFit(2)
    refit(store, made.id, preview=True)
    assert work(store, made.id) == FinishedFit(4)
    assert [run.id for run in store.runs(made.id)] == [4, 2, 1]


def test_the_real_process_makes_both_stages(store):
    """The last full fit is said to have been slow, so that there is a preview."""
    project = small.fitted(store)
    with store._database.write() as connection:
        connection.exec_driver_sql("UPDATE runs SET seconds = 9")
    store.record(project.id, Label(9, (1,)), author="ann")
    results: queue.Queue[FinishedFit] = queue.Queue()
    runner = JobRunner(
        partial(only, store, FIT_PROCESS),
        before_done=dict.fromkeys((FIT, FULL_FIT), lambda _, result: results.put(result)),
    )
    try:
        runner.request(FIT, project.id, delay=0)
        assert results.get(timeout=120) == FinishedFit(2, preview=True)
        assert results.get(timeout=120) == FinishedFit(3)
        assert runner.wait(FULL_FIT, project.id, 120).phase == "done"
    finally:
        runner.close()
    assert [run.id for run in store.runs(project.id)] == [3, 1]
