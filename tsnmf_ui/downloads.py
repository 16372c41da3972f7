"""Collections on their way to this machine: one thread each, watched and cancelled by the page."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from core.errors import Cancelled, StudioError
from core.loading.fetching import Progress, fetch_newsgroups, fetch_reuters

Phase = Literal["idle", "running", "done", "failed", "cancelled"]
UNEXPECTED = "The download ended unexpectedly. Try again later."
Fetch = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Download:
    """Where one download stands."""

    phase: Phase = "idle"
    so_far: int = 0  # bytes
    total: int | None = None
    started: float = 0.0
    error: str = ""

    @property
    def share(self) -> float:
        return min(self.so_far / self.total, 1.0) if self.total else 0.0

    def seconds_left(self, now: float) -> float | None:
        """As long again as it took so far, by the share that is missing."""
        if not self.share or now <= self.started:
            return None
        return (now - self.started) * (1 - self.share) / self.share


class Downloads:
    """The downloads of this server, by name."""

    def __init__(self, fetchers: Mapping[str, Fetch]) -> None:
        self._fetchers = fetchers
        self._lock = threading.Lock()
        self._states: dict[str, Download] = {}
        self._threads: dict[str, threading.Thread] = {}
        self._stopping: set[str] = set()

    def state(self, name: str) -> Download:
        with self._lock:
            return self._states.get(name, Download())

    def start(self, name: str) -> None:
        """Begin, unless it is under way already."""
        with self._lock:
            if self._states.get(name, Download()).phase == "running":
                return
            self._stopping.discard(name)
            self._states[name] = Download("running", started=time.monotonic())
            thread = threading.Thread(target=self._run, args=(name,), daemon=True)
            self._threads[name] = thread
        thread.start()

    def cancel(self, name: str) -> None:
        with self._lock:
            self._stopping.add(name)

    def wait(self, name: str, seconds: float) -> Download:
        """Until it has ended, at most so long."""
        if thread := self._threads.get(name):
            thread.join(seconds)
        return self.state(name)

    def _run(self, name: str) -> None:
        ending: dict[str, str] = {"phase": "failed", "error": UNEXPECTED}
        try:
            self._fetchers[name](lambda so_far, total: self._progress(name, so_far, total))
            ending = {"phase": "done"}
        except Cancelled:
            ending = {"phase": "cancelled"}
        except StudioError as error:
            ending = {"phase": "failed", "error": str(error)}
        finally:  # whatever happened, the page must not wait for ever
            self._set(name, **ending)

    def _progress(self, name: str, so_far: int, total: int | None) -> bool:
        self._set(name, so_far=so_far, total=total)
        with self._lock:
            return name in self._stopping

    def _set(self, name: str, **changes: object) -> None:
        with self._lock:
            now = self._states.get(name, Download())
            self._states[name] = replace(now, **changes)  # type: ignore[arg-type]


DOWNLOADS = Downloads({"reuters": fetch_reuters, "newsgroups": fetch_newsgroups})
