"""Real processes and threads, through the runner: they work, report, obey, die and leave."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from types import ModuleType

import pytest

from core.store import Store
from tests.ui.jobs.fakes import RecordingFeed, only
from tests.ui.jobs.works import FAILURE, work
from tsnmf_ui.jobs import JobRunner, worker_process
from tsnmf_ui.jobs.executors import (
    COMPARISON_PROCESS,
    FIT_PROCESS,
    THREAD,
    PersistentProcess,
    ProcessPerJob,
)
from tsnmf_ui.jobs.kinds import JobKind
from tsnmf_ui.jobs.state import Job
from tsnmf_ui.jobs.worker import DIES_BEFORE_OTHERS, OUT_OF_MEMORY_FILE
from tsnmf_ui.jobs.worker_process import WorkerProcess

BROKE = "It broke."
SECONDS = 120


@pytest.fixture
def store(tmp_path):
    with Store.open(home=tmp_path) as store:
        yield store


def started(store, executor):
    """A runner with one kind of job, done by an executor as a server starts it."""
    kinds = {"job": JobKind(work=work, executor=executor, when_active="repeat", broke=BROKE)}
    start = partial(only, store, executor)
    return JobRunner(start, feed=RecordingFeed(), kinds=kinds)


def ended(runner, do, **arguments):
    runner.request("job", 1, {"do": do, **arguments})
    return runner.wait("job", 1, SECONDS)


@pytest.mark.parametrize("executor", [FIT_PROCESS, THREAD])
def test_a_job_from_beginning_to_every_end(store, executor):
    runner = started(store, executor)
    try:
        done = ended(runner, "finish")
        project, home, process = done.result
        assert (done.phase, project, home) == ("done", 1, str(store.home))
        assert (process == os.getpid()) == (executor == THREAD)
        assert ended(runner, "fail").error == FAILURE
        assert ended(runner, "break").error == BROKE
        if executor != THREAD:
            assert ended(runner, "niceness").result == min(os.nice(0) + 10, 19)
            if OUT_OF_MEMORY_FILE.exists():
                assert ended(runner, "memory").result == DIES_BEFORE_OTHERS
            assert ended(runner, "die").error == BROKE
        runner.feed.phases("job")
        runner.request("job", 1, {"do": "obey"})
        runner.feed.until("half")
        runner.cancel("job", 1)
        assert runner.wait("job", 1, SECONDS).phase == "cancelled"
        assert ended(runner, "finish").phase == "done"  # whatever happened before
        runner.feed.phases("job")
        runner.request("job", 1, {"do": "obey"})
        runner.feed.until("half")
    finally:
        runner.close()
    assert runner.wait("job", 1, SECONDS).phase == "cancelled"


def test_a_process_per_job_from_beginning_to_every_end(store):
    """Each job costs a process, so no more than one of each end."""
    runner = started(store, COMPARISON_PROCESS)
    try:
        assert ended(runner, "fail").error == FAILURE
        assert ended(runner, "die").error == BROKE
        assert ended(runner, "niceness").result == min(os.nice(0) + 10, 19)
        runner.feed.phases("job")
        runner.request("job", 1, {"do": "obey"})
        runner.feed.until("half")
    finally:
        runner.close()
    assert runner.wait("job", 1, SECONDS).phase == "cancelled"


def test_to_cancel_a_process_per_job_it_need_not_look_up(store, tmp_path):
    runner = started(store, COMPARISON_PROCESS)
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    try:
        runner.request("job", 1, {"do": "block", "path": str(begun)})
        with begun.open(encoding="utf-8") as told:  # opens when the work has begun
            runner.cancel("job", 1)
            assert runner.state("job", 1).phase == "cancelled"  # at once
            assert told.read() == ""  # ends when nobody is left to write
    finally:
        runner.close()


def test_a_process_per_job_ends_with_its_job(store):
    started_processes = []

    def start():
        started_processes.append(WorkerProcess(str(store.home), lambda *report: None))
        return started_processes[-1]

    future = ProcessPerJob(start).submit(Job("job", 1, 1, {"do": "finish"}), work)
    _, _, process = future.result(SECONDS)
    [used] = started_processes
    used._listener.join(60)  # it hears the process until the end
    assert not used._listener.is_alive()
    assert process != os.getpid()


def test_a_kept_process_that_died_idle_is_replaced_before_the_next_job(store):
    processes = []

    def start():
        processes.append(WorkerProcess(str(store.home), lambda *report: None))
        return processes[-1]

    executor = PersistentProcess(start, at_once=True)
    try:
        os.kill(processes[0].ready.result(SECONDS), signal.SIGKILL)
        processes[0]._listener.join(60)
        with pytest.raises(BrokenProcessPool):  # either at once, or when it is noticed
            processes[0].submit(Job("job", 1, 0, {"do": "finish"}), work).result(SECONDS)
        future = executor.submit(Job("job", 1, 1, {"do": "finish"}), work)
        assert future.result(SECONDS)[2] == processes[1].ready.result(SECONDS)
    finally:
        executor.close()


def test_a_worker_does_not_run_the_main_module_again(store, monkeypatch, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("raise SystemExit('run again')", encoding="utf-8")
    main = ModuleType("__main__")
    main.__file__ = str(script)
    monkeypatch.setitem(sys.modules, "__main__", main)
    process = WorkerProcess(str(store.home), lambda *report: None)
    try:
        assert process.ready.result(SECONDS) > 0
        assert sys.modules["__main__"] is main
    finally:
        process.close()


def test_a_worker_whose_server_is_gone_before_it_is_ready_leaves():
    """A server killed while its worker is still importing must not leave an orphan."""
    code = "from tsnmf_ui.jobs import worker; worker.leave_with_parent(1 << 22)"
    left = subprocess.run([sys.executable, "-c", code], timeout=SECONDS, capture_output=True)
    assert (left.returncode, left.stderr) == (1, b"")


def test_a_worker_that_does_not_look_up_is_ended(store, monkeypatch, tmp_path):
    monkeypatch.setattr(worker_process, "GRACE_SECONDS", 0.2)
    executor = PersistentProcess(
        partial(WorkerProcess, str(store.home), lambda *report: None), at_once=True
    )
    process = executor._process.ready.result(SECONDS)
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    endless = executor.submit(Job("job", 1, 1, {"do": "block", "path": str(begun)}), work)
    with begun.open(encoding="utf-8") as told:  # opens when the work has begun
        executor.close()
        assert told.read() == ""  # ends when nobody is left to write
    with pytest.raises(BrokenProcessPool):
        endless.result(60)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
