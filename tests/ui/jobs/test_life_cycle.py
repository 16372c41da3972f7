"""The contract of every kind of job: requested, running, progress, done, failed, cancelled."""

from __future__ import annotations

from concurrent.futures.process import BrokenProcessPool

import pytest

from core.errors import Cancelled, TextError
from tests.ui.jobs.fakes import Harness
from tsnmf_ui.jobs import FIT, FULL_FIT, FinishedFit
from tsnmf_ui.jobs.kinds import JOB_KINDS

FITS = (FIT, FULL_FIT)
every_kind = pytest.mark.parametrize("kind", JOB_KINDS)


@pytest.fixture
def harness():
    harness = Harness()
    yield harness
    harness.runner.close()


def executor_of(harness, kind):
    return harness.executors[JOB_KINDS[kind].executor]


def result_of(kind):
    return FinishedFit(7) if kind in FITS else 7


def begun(harness, kind):
    """The number and the future of a job that runs."""
    harness.begin(kind)
    return harness.runner.state(kind, 1).number, executor_of(harness, kind).futures[-1]


def wait_in_line(harness, kind):
    """Request a job that cannot begin yet; False for a kind that never waits."""
    if not JOB_KINDS[kind].delay:
        harness.begin(kind, project=2)
    harness.runner.request(kind, 1)
    return harness.runner.state(kind, 1).phase == "waiting"


@every_kind
def test_from_the_request_to_the_result(harness, kind):
    assert harness.runner.state(kind, 1).phase == "idle"
    number, future = begun(harness, kind)
    harness.progress(number, 0.4, 12.0, "Plain NMF")
    harness.progress(99, 0.9, 1.0, "another job")
    now = harness.runner.state(kind, 1)
    assert (now.phase, now.active, now.share) == ("running", True, 0.4)
    assert (now.seconds_left, now.doing) == (12.0, "Plain NMF")
    future.set_result(result_of(kind))
    now = harness.runner.state(kind, 1)
    assert (now.phase, now.active, now.share) == ("done", False, 1.0)
    assert now.result == result_of(kind)
    assert (now.seconds_left, now.error) == (None, None)
    assert harness.feed.phases(kind) == ["waiting", "running", "done"]


@every_kind
def test_what_the_stream_says(harness, kind):
    number, future = begun(harness, kind)
    future.set_result(result_of(kind))
    event = harness.runner.state(kind, 1).to_event()
    assert event["type"] == ("fit" if kind in FITS else "task")
    assert event.get("run") == (7 if kind in FITS else None)
    assert {"kind", "project", "phase", "number", "share", "seconds_left", "error"} <= set(event)
    assert (event["kind"], event["number"], event["phase"]) == (kind, number, "done")


@every_kind
def test_cancelled_while_waiting_it_never_begins(harness, kind):
    if not wait_in_line(harness, kind):
        assert not executor_of(harness, kind).one_at_a_time
        return
    harness.runner.cancel(kind, 1)
    assert harness.runner.state(kind, 1).phase == "cancelled"
    for future in executor_of(harness, kind).futures:
        future.set_result(result_of(kind))
    assert [job.project for job in executor_of(harness, kind).jobs] in ([], [2])
    assert (kind, 1) not in harness.timers


@every_kind
def test_cancelled_while_running_its_executor_is_told(harness, kind):
    number, future = begun(harness, kind)
    harness.runner.cancel(kind, 1)
    assert executor_of(harness, kind).cancelled == [number]
    if not future.done():
        future.set_exception(Cancelled("Stopped."))
    assert harness.runner.state(kind, 1).phase == "cancelled"
    assert harness.runner.state(kind, 1).error is None


@every_kind
@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (TextError("No words are left."), "No words are left."),
        (BrokenProcessPool("died"), None),
        (ZeroDivisionError(), None),
        (MemoryError(), None),
    ],
)
def test_a_failure_is_one_sentence(harness, kind, error, sentence):
    _, future = begun(harness, kind)
    future.set_exception(error)
    now = harness.runner.state(kind, 1)
    assert (now.phase, now.error) == ("failed", sentence or JOB_KINDS[kind].broke)
    _, again = begun(harness, kind)
    assert harness.runner.state(kind, 1).error is None
    again.set_result(result_of(kind))
    assert harness.runner.state(kind, 1).phase == "done"


@every_kind
def test_a_worker_that_cannot_be_reached_is_a_failure_too(harness, kind, monkeypatch):
    def broken(job, work):
        raise BrokenProcessPool("died")

    with monkeypatch.context() as patched:
        patched.setattr(executor_of(harness, kind), "submit", broken)
        harness.begin(kind)
    assert harness.runner.state(kind, 1).error == JOB_KINDS[kind].broke
    begun(harness, kind)
    assert harness.runner.state(kind, 1).phase == "running"


@every_kind
def test_closed_while_running_it_ends_and_nothing_begins(harness, kind):
    _, future = begun(harness, kind)
    harness.runner.close()
    assert all(executor.closed for executor in harness.executors.values())
    future.set_exception(BrokenProcessPool("killed"))
    assert harness.runner.state(kind, 1).phase == "cancelled"
    harness.runner.request(kind, 1)
    assert harness.runner.state(kind, 1).phase == "cancelled"
    assert len(executor_of(harness, kind).jobs) == 1


@every_kind
def test_closed_while_waiting_it_never_begins(harness, kind):
    if wait_in_line(harness, kind):
        harness.runner.close()
        assert harness.runner.state(kind, 1).phase == "cancelled"
        for future in executor_of(harness, kind).futures:
            future.set_result(result_of(kind))
        assert 1 not in [job.project for job in executor_of(harness, kind).jobs]


@every_kind
def test_one_job_of_an_executor_runs_at_a_time(harness, kind):
    harness.begin(kind, project=1)
    harness.begin(kind, project=2)
    executor = executor_of(harness, kind)
    assert len(executor.jobs) == (1 if executor.one_at_a_time else 2)
    executor.futures[0].set_result(1)
    assert [job.project for job in executor.jobs] == [1, 2]
    assert harness.runner.state(kind, 2).phase == "running"


@every_kind
def test_waiting_for_a_job_ends_with_it(harness, kind):
    _, future = begun(harness, kind)
    assert harness.runner.wait(kind, 1, 0.0).phase == "running"
    future.set_result(3)
    assert harness.runner.wait(kind, 1, 5).result == 3
