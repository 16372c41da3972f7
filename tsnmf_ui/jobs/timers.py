"""Timers by key: starting one again replaces it."""

from __future__ import annotations

import threading
from collections.abc import Callable

from tsnmf_ui.jobs.state import Key


class Timers:
    """At most one timer per key, each calling a function of its key once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._timers: dict[Key, threading.Timer] = {}

    def __contains__(self, key: Key) -> bool:
        return key in self._timers

    def start(self, key: Key, seconds: float, call: Callable[[Key], None]) -> None:
        """Call ``call(key)`` after so many seconds, in a thread of its own."""
        self.stop(key)
        timer = threading.Timer(seconds, lambda: self._fire(key, timer, call))
        timer.daemon = True
        with self._lock:
            self._timers[key] = timer
        timer.start()

    def stop(self, key: Key) -> None:
        with self._lock:
            timer = self._timers.pop(key, None)
        if timer:
            timer.cancel()

    def _fire(self, key: Key, timer: threading.Timer, call: Callable[[Key], None]) -> None:
        with self._lock:
            if self._timers.get(key) is not timer:
                return  # stopped or replaced at the last moment
            del self._timers[key]
        call(key)
