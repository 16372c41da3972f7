"""What one person may ask for at a time, so that nobody else waits for it.

All requests share the server's threads. Whoever sent hundreds of slow searches at once had them
all, and everybody's labels waited; so a person has a few threads, and what they ask for besides
waits for these. Each news is told to every open stream, so these are counted, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import anyio

MAX_THREADS_PER_PERSON = 8
MAX_STREAMS_PER_PERSON = 60  # a browser has six at most
T = TypeVar("T")


class PersonLimits:
    """The threads and streams that people have; used in the server's event loop alone."""

    def __init__(self) -> None:
        self._threads: dict[str, anyio.CapacityLimiter] = {}
        self._streams: Counter[str] = Counter()

    async def in_thread(self, person: str, call: Callable[..., T], *given: object) -> T:
        """Call a function in one of the person's threads, once one is free."""
        limiter = self._threads.setdefault(person, anyio.CapacityLimiter(MAX_THREADS_PER_PERSON))
        try:
            return await anyio.to_thread.run_sync(call, *given, limiter=limiter)
        finally:
            unused = limiter.statistics()
            if not (unused.borrowed_tokens or unused.tasks_waiting):
                self._threads.pop(person, None)

    def may_open_stream(self, person: str) -> bool:
        return self._streams[person] < MAX_STREAMS_PER_PERSON

    @contextmanager
    def stream(self, person: str) -> Iterator[None]:
        """Count a stream as long as it is open."""
        self._streams[person] += 1
        try:
            yield
        finally:
            self._streams[person] -= 1
            self._streams += Counter()  # forget whoever has none
