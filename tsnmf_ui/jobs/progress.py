"""How a job reports its progress, and learns that it should stop."""

from __future__ import annotations

import time
from collections.abc import Callable

REPORT_SECONDS = 0.1  # between two reports

# number of the job, share that is done, seconds left, what it is doing
Progress = Callable[[int, float, float | None, str], None]


class Reporter:
    """Handed to the work of a job; each call returns True once the work should stop."""

    def __init__(self, number: int, send: Progress, cancelled: Callable[[], bool]) -> None:
        self._number, self._send, self._cancelled = number, send, cancelled
        self._last = time.monotonic()
        self._doing = ""
        self._first: tuple[float, float] | None = None  # share and time of the first step

    def __call__(self, share: float) -> bool:
        """Report the share that is done; the time left is estimated from it."""
        return self.tell(share, self.seconds_left(share))

    def tell(self, share: float, seconds_left: float | None, doing: str = "") -> bool:
        """Report share, time left and step: a new step at once, a new share now and then."""
        now = time.monotonic()
        if doing != self._doing or (share > 0 and now - self._last >= REPORT_SECONDS):
            self._last, self._doing = now, doing
            self._send(self._number, share, seconds_left, doing)
        return self._cancelled()

    def seconds_left(self, share: float) -> float | None:
        """The time left if the rest goes as fast as the steps so far; None before the second.

        What comes before the first step (imports, reading) is no measure of a step.
        """
        now = time.monotonic()
        if self._first is None and share > 0:
            self._first = share, now
        if self._first is None or share <= self._first[0]:
            return None
        done, begun = self._first
        return (now - begun) / (share - done) * (1 - share)
