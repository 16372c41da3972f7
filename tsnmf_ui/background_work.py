"""What the second process does: long work that must never slow the label loop.

A kind of work is a function of the store, the project, its arguments and ``report``, which takes
the share that is done and answers True once the work should stop. It returns what JSON can hold.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from threadpoolctl import threadpool_limits

from core import kernels
from core.store import Store
from tsnmf_ui import evaluating, scattering, worker

Report = Callable[[float], bool]
Work = Callable[[Store, int, Mapping[str, Any], Report], Any]

KINDS: Mapping[str, Work] = {
    "evaluate": evaluating.evaluate,
    "seeds": evaluating.over_seeds,
    scattering.KIND: scattering.scatter,
}
NICENESS = 10  # this process takes what the others leave


@dataclass(frozen=True, slots=True)
class Task:
    """Something to do for a project."""

    number: int
    kind: str
    project: int
    arguments: Mapping[str, Any] = field(default_factory=dict)


class _Process:
    """What this process keeps between tasks."""

    store: Store | None = None
    reports: Any = None
    cancelled: Any = None


def prepare(parent: int, home: str, reports: Any, cancelled: Any) -> None:
    """Step back behind the others, and be ready."""
    threading.Thread(target=worker._watch_parent, args=(parent,), daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    threadpool_limits(1, user_api="blas")
    _Process.store = Store.open(home=home)
    _Process.reports, _Process.cancelled = reports, cancelled
    kernels.warm()


def ready() -> int:
    """The process's id, once it is prepared."""
    return os.getpid()


def work(task: Task) -> Any:
    """Do a task; what it found."""
    assert _Process.store is not None
    return KINDS[task.kind](_Process.store, task.project, task.arguments, _reporter(task))


def _reporter(task: Task) -> Report:
    """Tells the server how far a task is, now and then, and listens for a cancel."""
    begun = last = time.monotonic()

    def report(share: float) -> bool:
        nonlocal last
        now = time.monotonic()
        if now - last >= worker.REPORT and share > 0:
            last = now
            _Process.reports.put((task.number, share, (now - begun) / share * (1 - share)))
        return bool(_Process.cancelled.value in (task.number, -1))

    return report
