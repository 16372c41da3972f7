"""What runs in a worker process: make it ready, do the work of a job, report, leave.

The work itself is a function of the store, the project, arguments and a reporter; this module does
not know what it does.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from core.engine.kernels.threads import limit_threads
from core.store import Store
from core.workspace.refits.warm_up import warm
from tsnmf_ui.jobs.progress import Reporter
from tsnmf_ui.jobs.state import Job

PARENT_CHECK_SECONDS = 1.0
WORKER_NICENESS = 10  # above the server's: a key press comes before a fit
ALL_JOBS = -1  # in place of a job's number: every job should stop

OUT_OF_MEMORY_FILE = Path("/proc/self/oom_score_adj")
DIES_BEFORE_OTHERS = "500"  # of 1,000

Work = Callable[[Store, int, Mapping[str, Any], Reporter], Any]


@dataclass(frozen=True, slots=True)
class ProcessSettings:
    """What a worker process is told when it starts."""

    parent: int  # id of the server's process
    home: str  # of the store; a database address is inherited with the environment
    kernel_threads: int | None = None  # None: as many as there are cores


class _Process:
    """What this process keeps between jobs."""

    store: Store
    reports: Any  # the end of a pipe
    cancelled: Any  # shared number of the job that should stop


def prepare(settings: ProcessSettings, reports: Any, cancelled: Any) -> None:
    """Make the process ready before the first job: priority, threads, store, compiled kernels."""
    threading.Thread(target=leave_with_parent, args=(settings.parent,), daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(WORKER_NICENESS)
    die_first(OUT_OF_MEMORY_FILE)
    if settings.kernel_threads is not None:
        limit_threads(settings.kernel_threads)
    threadpool_limits(1, user_api="blas")  # BLAS and the kernels must not fight over the cores
    _Process.store = Store.open(home=settings.home)
    _Process.reports, _Process.cancelled = reports, cancelled
    warm()


def die_first(file: Path) -> None:
    """Where memory runs out, Linux ends this process rather than the server; others have no say."""
    with suppress(OSError):
        file.write_text(DIES_BEFORE_OTHERS, encoding="ascii")


def ready() -> int:
    """The process's id, once it is prepared."""
    return os.getpid()


def run(job: Job, work: Work) -> Any:
    """Do the work of a job; its result."""
    report = Reporter(job.number, _send, lambda: _is_cancelled(job.number))
    return work(_Process.store, job.project, job.arguments, report)


def leave_with_parent(parent: int) -> None:
    """Leave when the server is gone: a killed server must not leave an orphan behind."""
    never = threading.Event()
    while os.getppid() == parent:
        never.wait(PARENT_CHECK_SECONDS)
    os._exit(1)


def _send(*report: Any) -> None:
    _Process.reports.send(report)


def _is_cancelled(number: int) -> bool:
    return bool(_Process.cancelled.value in (number, ALL_JOBS))
