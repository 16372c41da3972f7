"""How the benchmarks take a time."""

from __future__ import annotations

import time
from collections.abc import Callable


def timed(work: Callable[[], object]) -> tuple[float, object]:
    begun = time.perf_counter()
    result = work()
    return time.perf_counter() - begun, result


def settle() -> None:
    """BLAS threads spin for a while after their last call; let them sleep before ours run."""
    time.sleep(0.3)
