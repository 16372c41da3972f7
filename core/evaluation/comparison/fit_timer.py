"""How long a list of fits will still take, estimated from those that are done."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from core.engine.descent import Callback, Progress
from core.errors import Cancelled

# Seconds of a fit relative to plain NMF, for models that have not been timed yet.
RELATIVE_COST = {"nmf": 1, "tsnmf": 1, "cnmf": 1, "ssnmf": 2, "nmf_alpha": 15, "vbnmf": 15}
DEFAULT_COST = 100  # of the other models: samplers and LDA
DEFAULT_NMF_SECONDS = 0.05  # before anything is measured


@dataclass(frozen=True, slots=True)
class FitProgress:
    """How much of a list of fits is done."""

    share: float  # of the work, 0 to 1
    seconds_left: float | None  # None until every kind of fit was timed
    doing: str


Report = Callable[[FitProgress], bool | None]


class FitTimer:
    """Times a list of fits, reports progress, and cancels on request.

    Each task has a kind; tasks of one kind take about the same time.
    """

    def __init__(self, tasks: Sequence[tuple[Hashable, str]], report: Report | None) -> None:
        self._waiting = list(tasks)
        self._report = report
        self._began = time.perf_counter()
        self._task_began = self._began
        self._done: dict[Hashable, list[float]] = {}
        self._models: dict[Hashable, str] = dict(tasks)
        self._share = 0.0
        self._doing = ""

    def begin(self, doing: str) -> None:
        self._doing, self._task_began = doing, time.perf_counter()
        self._report_or_cancel()

    def end(self) -> float:
        """Record that the first waiting task is done; the seconds it took."""
        kind, _ = self._waiting.pop(0)
        took = time.perf_counter() - self._task_began
        self._done.setdefault(kind, []).append(took)
        self._report_or_cancel()
        return took

    @property
    def callback(self) -> Callback:
        """A callback for a fit: it reports progress, and cancels on request."""
        return lambda progress: self._ask_to_cancel(progress)

    def _ask_to_cancel(self, progress: Progress) -> bool:
        return bool(self._report and self._report(self._progress()))

    def _report_or_cancel(self) -> None:
        if self._report and self._report(self._progress()):
            raise Cancelled("The comparison was cancelled; nothing was changed.")

    def _progress(self) -> FitProgress:
        now = time.perf_counter()
        left = sum(self._expected(kind) for kind, _ in self._waiting[1:])
        if self._waiting:
            left += max(self._expected(self._waiting[0][0]) - (now - self._task_began), 0.0)
        elapsed = now - self._began
        self._share = max(self._share, elapsed / (elapsed + left) if elapsed + left else 1.0)
        guessed = any(kind not in self._done for kind, _ in self._waiting)
        return FitProgress(min(self._share, 1.0), None if guessed else left, self._doing)

    def _expected(self, kind: Hashable) -> float:
        if kind in self._done:
            return sum(self._done[kind]) / len(self._done[kind])
        return self._nmf_seconds() * RELATIVE_COST.get(self._models[kind], DEFAULT_COST)

    def _nmf_seconds(self) -> float:
        """Estimated seconds of plain NMF on this corpus."""
        seconds = sum(sum(took) / len(took) for took in self._done.values())
        cost = sum(RELATIVE_COST.get(self._models[kind], DEFAULT_COST) for kind in self._done)
        return seconds / cost if cost else DEFAULT_NMF_SECONDS
