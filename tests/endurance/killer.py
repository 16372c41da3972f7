"""Kills the server at moments that are drawn beforehand."""

from __future__ import annotations

import random
import threading

from tests.endurance.server_lives import ServerLives

MOMENTS = ("idle", "sent", "sent", "answered", "fit")  # one that stands twice comes twice as often
VISIT_MOMENTS = ("clicked",)


class Killer:
    """Counts what the pages do; a little after the moment that was drawn the server dies."""

    def __init__(self, lives: ServerLives) -> None:
        self._lives = lives
        self._moment, self._left, self._delay, self._colleague = "", 0, 0.0, False
        self._timer: threading.Timer | None = None

    def arm(self, draw: random.Random, *, visit: bool) -> str:
        """Draw a moment: between requests, in one, right after an answer, or during a fit."""
        self._moment = draw.choice(VISIT_MOMENTS if visit else MOMENTS)
        self._left = 1 if visit else draw.randint(1, 8)
        latest = 1.5 if visit else 0.3
        self._delay = draw.choice((0.0, draw.uniform(0, 0.02), draw.uniform(0, latest)))
        self._colleague = draw.random() < 0.5
        return self._moment

    def notify(self, what: str) -> None:
        """Something was sent, answered or clicked; may be called from any thread."""
        if what != self._moment:
            return
        self._left -= 1
        if self._left == 0:
            self._timer = threading.Timer(self._delay, self.kill)
            self._timer.start()

    def kill(self) -> None:
        self._lives.kill(colleague=self._colleague)

    def finish(self) -> None:
        """Whatever was drawn: the server is dead when this returns."""
        if self._timer is not None:
            self._timer.join()
        self.kill()
        self._moment, self._timer = "", None
