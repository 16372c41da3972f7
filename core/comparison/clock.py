"""How long a list of fits will still take, learnt from those that are done."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from core.descent import Callback, Progress
from core.errors import Cancelled

# Seconds a fit takes beside plain NMF's; only the first round is guessed by it.
COST = {"nmf": 1, "tsnmf": 1, "cnmf": 1, "ssnmf": 2, "nmf_alpha": 15, "vbnmf": 15}
DEAR = 100  # what the other models cost: samplers and LDA
FIRST = 0.05  # seconds guessed for plain NMF before anything was measured


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a job is."""

    share: float  # of the work, 0 to 1
    seconds_left: float | None  # None while it would be mostly guessed
    doing: str


Report = Callable[[Standing], bool | None]


class Clock:
    """Follows a list of fits, tells how far it is, and stops it on request.

    Each task has a kind; the tasks of a kind take about as long as those of it that are done.
    """

    def __init__(self, tasks: Sequence[tuple[Hashable, str]], report: Report | None) -> None:
        self._waiting = list(tasks)
        self._report = report
        self._begun = time.perf_counter()
        self._started = self._begun
        self._done: dict[Hashable, list[float]] = {}
        self._models: dict[Hashable, str] = dict(tasks)
        self._share = 0.0
        self._doing = ""

    def begin(self, doing: str) -> None:
        self._doing, self._started = doing, time.perf_counter()
        self._look()

    def end(self) -> float:
        """The task in front is done; the seconds it took."""
        kind, _ = self._waiting.pop(0)
        took = time.perf_counter() - self._started
        self._done.setdefault(kind, []).append(took)
        self._look()
        return took

    @property
    def callback(self) -> Callback:
        """Hand it to a fit: it reports, and cancels when told to."""
        return lambda progress: self._tell(progress)

    def _tell(self, progress: Progress) -> bool:
        return bool(self._report and self._report(self._standing()))

    def _look(self) -> None:
        if self._report and self._report(self._standing()):
            raise Cancelled("The comparison was cancelled; nothing was changed.")

    def _standing(self) -> Standing:
        now = time.perf_counter()
        left = sum(self._expected(kind) for kind, _ in self._waiting[1:])
        if self._waiting:
            left += max(self._expected(self._waiting[0][0]) - (now - self._started), 0.0)
        passed = now - self._begun
        self._share = max(self._share, passed / (passed + left) if passed + left else 1.0)
        guessed = any(kind not in self._done for kind, _ in self._waiting)
        return Standing(min(self._share, 1.0), None if guessed else left, self._doing)

    def _expected(self, kind: Hashable) -> float:
        if kind in self._done:
            return sum(self._done[kind]) / len(self._done[kind])
        return self._pace() * COST.get(self._models[kind], DEAR)

    def _pace(self) -> float:
        """Seconds that plain NMF would take here, judged by what is done."""
        seconds = sum(sum(took) / len(took) for took in self._done.values())
        cost = sum(COST.get(self._models[kind], DEAR) for kind in self._done)
        return seconds / cost if cost else FIRST
