"""The one iteration loop: look, stop, cancel, remember."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Stopped = Literal["converged", "max_iter", "cancelled"]


@dataclass(frozen=True, slots=True)
class Progress:
    """What a callback sees while a fit runs."""

    iteration: int
    max_iter: int
    objective: float


Callback = Callable[[Progress], bool | None]


@dataclass(frozen=True, slots=True)
class Trace:
    """The objective at the start and at each look, and why the fit ended."""

    objective: tuple[float, ...] = ()
    n_iter: int = 0
    stopped: Stopped = "max_iter"
    seconds: float = 0.0

    def __repr__(self) -> str:
        last = f"{self.objective[-1]:.6g}" if self.objective else "none"
        return f"Trace({self.n_iter} passes, {self.stopped}, objective {last})"

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Trace:
        return cls(**{**values, "objective": tuple(values["objective"])})


def descend(
    step: Callable[[], float],
    first: float,
    *,
    max_iter: int,
    tol: float,
    rising: bool = False,
    callback: Callback | None = None,
) -> Trace:
    """Repeat ``step`` until the relative gain of one step falls to ``tol`` or below.

    ``step`` returns the objective it has just reached, on the factors it leaves behind;
    ``first`` is the objective at the start. ``rising`` is for bounds that are maximised.
    A callback that returns True cancels.
    """
    begun = time.perf_counter()
    objective = [first]
    stopped: Stopped = "max_iter"
    for iteration in range(1, max_iter + 1):
        objective.append(step())
        if callback and callback(Progress(iteration, max_iter, objective[-1])):
            stopped = "cancelled"
            break
        gain = objective[-1] - objective[-2] if rising else objective[-2] - objective[-1]
        if gain <= tol * abs(objective[-2]):
            stopped = "converged"
            break
    return Trace(tuple(objective), len(objective) - 1, stopped, time.perf_counter() - begun)
