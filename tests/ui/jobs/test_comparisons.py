"""Comparisons: one at a time, one per project, cancelled at once."""

from __future__ import annotations

from functools import partial

import pytest

from core.errors import ModelError
from core.store.runs import comparisons
from tests.core.workspace import small
from tests.core.workspace.small import comparison as ask
from tests.ui.jobs.fakes import only
from tsnmf_ui.jobs import COMPARISON, JobRunner, kinds
from tsnmf_ui.jobs.executors import COMPARISON_PROCESS


@pytest.fixture
def worker(harness):
    return harness.executors[COMPARISON_PROCESS]


def request(runner, project=1):
    asked = ask(project)
    runner.request(COMPARISON, project, {"request": asked}, title=asked.title)


def test_it_is_called_as_the_analyst_calls_it(runner):
    request(runner)
    assert (runner.state(COMPARISON, 1).phase, runner.state(COMPARISON, 1).title) == (
        "running",
        "Both",
    )


def test_a_second_comparison_of_a_project_is_refused(runner):
    request(runner)
    with pytest.raises(ModelError, match="under way"):
        request(runner)


def test_one_that_waits_is_not_replaced_either(runner):
    request(runner, 1)
    request(runner, 2)
    with pytest.raises(ModelError, match="under way"):
        request(runner, 2)


def test_another_project_waits_its_turn(runner, worker):
    request(runner, 1)
    request(runner, 2)
    assert runner.state(COMPARISON, 2).phase == "waiting"
    worker.futures[0].set_result(1)
    assert [job.project for job in worker.jobs] == [1, 2]
    assert runner.state(COMPARISON, 2).phase == "running"


def test_cancel_stops_the_process_and_lets_the_next_begin(runner, worker):
    request(runner, 1)
    request(runner, 2)
    runner.cancel(COMPARISON, 1)
    assert worker.cancelled == [1]
    assert runner.state(COMPARISON, 1).phase == "cancelled"
    assert runner.state(COMPARISON, 2).phase == "running"


def test_closing_starts_none_that_waits(runner, worker):
    request(runner, 1)
    request(runner, 2)
    runner.close()
    worker.futures[0].set_result(1)
    assert len(worker.jobs) == 1


def test_too_little_memory_is_told(store, monkeypatch):
    def greedy(*given):
        raise MemoryError

    monkeypatch.setattr("core.workspace.comparisons.compare", greedy)
    with pytest.raises(ModelError, match="choose fewer models"):
        kinds.JOB_KINDS[COMPARISON].work(store, 1, {"request": ask()}, lambda *report: False)


def test_a_real_process_compares_and_ends(store):
    project = small.project(store)
    runner = JobRunner(partial(only, store, COMPARISON_PROCESS))
    try:
        asked = ask(project.id, "tsnmf", "nmf", seeds=(0,))
        runner.request(COMPARISON, project.id, {"request": asked})
        ended = runner.wait(COMPARISON, project.id, 120)
        assert (ended.phase, ended.error) == ("done", None)
        [kept] = comparisons.summaries(store.home, project.id)
        assert (kept.number, kept.topic_ids[0]) == (ended.result, (1, 2, 3))
    finally:
        runner.close()
