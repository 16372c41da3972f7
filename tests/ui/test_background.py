"""Long work: one task at a time, the newest wish counts, a busy hour is scored too."""

from __future__ import annotations

from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool

import pytest

from core.errors import Cancelled, ModelError
from core.store import Store, evaluations
from tests.ui import small
from tsnmf_ui import background as service
from tsnmf_ui import worker
from tsnmf_ui.background import BROKEN, OVERTAKEN, Background
from tsnmf_ui.feed import Feed


class Line:
    """Stands in for the process: tasks wait here until the test ends them."""

    def __init__(self):
        self.tasks, self.futures, self.stopped = [], [], []

    def __call__(self, task):
        self.tasks.append(task)
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
def slow(store, line, monkeypatch):
    slow = Background(store, Feed(), run=line, pause=60)
    monkeypatch.setattr(slow, "_stop_running", lambda: line.stopped.append(slow._running.number))
    yield slow
    slow.close()


def fire(slow):
    """What the timer does when its time has come."""
    slow._timer.cancel()
    slow._begin()


def test_wishes_before_the_beginning_are_one(slow, line):
    for labels in (1, 2, 3):
        slow.request("evaluate", 1, {"labels": labels})
    assert slow.state("evaluate", 1).phase == "waiting"
    fire(slow)
    assert [task.arguments for task in line.tasks] == [{"labels": 3}]
    assert slow.state("evaluate", 1).active


def test_one_task_runs_at_a_time(slow, line):
    slow.request("evaluate", 1)
    slow.request("seeds", 1)
    fire(slow)
    assert [task.kind for task in line.tasks] == ["evaluate"]
    line.futures[0].set_result(7)
    assert slow.state("evaluate", 1).result == 7
    fire(slow)
    assert line.tasks[1].kind == "seeds"


def test_a_task_that_is_overtaken_gives_way_but_not_for_ever(slow, line):
    slow.request("evaluate", 1)
    for time in range(OVERTAKEN + 1):
        fire(slow)
        slow.request("evaluate", 1)
        assert len(line.stopped) == min(time + 1, OVERTAKEN)
        if time < OVERTAKEN:
            line.futures[-1].set_exception(Cancelled("Stopped."))
            assert slow.state("evaluate", 1).phase == "waiting"
    line.futures[-1].set_result(1)
    fire(slow)
    slow.request("evaluate", 1)
    assert len(line.stopped) == OVERTAKEN + 1  # patience again after a task that ended


@pytest.mark.parametrize(
    ("error", "phase", "sentence"),
    [
        (ModelError("That cannot be."), "failed", "That cannot be."),
        (ZeroDivisionError(), "failed", BROKEN),
        (BrokenProcessPool(), "failed", BROKEN),
        (Cancelled("Stopped."), "cancelled", None),
    ],
)
def test_how_a_task_can_end(slow, line, error, phase, sentence):
    slow.request("seeds", 1)
    fire(slow)
    line.futures[0].set_exception(error)
    assert (slow.state("seeds", 1).phase, slow.state("seeds", 1).error) == (phase, sentence)


def test_cancelling_what_waits_and_what_runs(slow, line):
    slow.request("seeds", 1)
    slow.cancel("seeds", 1)
    assert slow.state("seeds", 1).phase == "cancelled"
    slow.request("seeds", 2)
    fire(slow)
    slow.cancel("seeds", 2)
    assert line.stopped == [line.tasks[0].number]


def test_progress_goes_to_the_task_it_is_about(slow):
    slow.request("seeds", 1)
    fire(slow)
    slow._progress(slow.state("seeds", 1).number, 0.5, 2.0)
    slow._progress(99, 0.9, 1.0)
    assert (slow.state("seeds", 1).share, slow.state("seeds", 1).seconds_left) == (0.5, 2.0)


def test_without_a_server_nothing_is_asked():
    service.request("evaluate", 1)
    service.cancel("evaluate", 1)
    assert service.task_state("evaluate", 1).phase == "idle"


def test_the_real_process_scores_a_run_and_leaves(store):
    project = small.project(store)
    run = worker.refit(store, project.id)
    ended: Future[None] = Future()
    slow = Background(store, Feed(), pause=0)
    finished = slow._end

    def end(task, **changes):
        finished(task, **changes)
        ended.set_result(None)

    slow._end = end
    try:
        slow.request("evaluate", project.id)
        ended.result(120)
        assert slow.state("evaluate", project.id).error is None
        assert [point.run for point in evaluations.history(store.home, project.id)] == [run.id]
    finally:
        slow.close()
