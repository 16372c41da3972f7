"""News for whoever watches a project, handed over from any thread."""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from typing import Any

MAX_UNREAD = 256  # events kept for a subscriber that is slow to read

Event = dict[str, Any]
STREAM_END: Event = {"type": "end"}  # the last event of every stream: the server is leaving


class Feed:
    """Hands events from any thread to the subscribers of a project."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a signal may come while this thread holds it
        self._subscribers: dict[int, list[tuple[asyncio.AbstractEventLoop, asyncio.Queue[Event]]]]
        self._subscribers = defaultdict(list)

    def subscribe(self, project: int) -> asyncio.Queue[Event]:
        """A queue for the running event loop; give it back with ``unsubscribe``."""
        queue: asyncio.Queue[Event] = asyncio.Queue(maxsize=MAX_UNREAD)
        with self._lock:
            self._subscribers[project].append((asyncio.get_running_loop(), queue))
        return queue

    def unsubscribe(self, project: int, queue: asyncio.Queue[Event]) -> None:
        with self._lock:
            others = [each for each in self._subscribers[project] if each[1] is not queue]
            self._subscribers[project] = others

    def followed(self) -> list[int]:
        """The projects that somebody watches."""
        with self._lock:
            return [project for project, watching in self._subscribers.items() if watching]

    def close(self) -> None:
        """Tell every subscriber that nothing more will come."""
        with self._lock:
            projects = list(self._subscribers)
        for project in projects:
            self.publish(project, STREAM_END)

    def publish(self, project: int, event: Event) -> None:
        """From any thread; a subscriber that stopped reading loses old news, not the server."""
        with self._lock:
            subscribers = list(self._subscribers.get(project, ()))
        for loop, queue in subscribers:
            if not loop.is_closed():
                loop.call_soon_threadsafe(_offer, queue, event)


def _offer(queue: asyncio.Queue[Event], event: Event) -> None:
    if queue.full():
        queue.get_nowait()
    queue.put_nowait(event)
