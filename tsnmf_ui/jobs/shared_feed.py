"""The event feed of a server that may share its database with other servers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

from core.store import Store
from core.store.channel import Channel
from tsnmf_ui.jobs.event_feed import Event, Feed

FittedElsewhere = Callable[[str, int], None]  # kind of the fit, project


class SharedFeed(Feed):
    """Publishes to the pages of this server, and what matters to them to the other servers.

    Labels and the ends of jobs cross; how far a job is stays with its own server. ``fitted`` is
    called when another server has finished a fit.
    """

    def __init__(self, store: Store, fitted: FittedElsewhere) -> None:
        super().__init__()
        self._fitted = fitted
        self._numbers = count(1)
        self._channel: Channel | None = store.channel(self._hear, self._catch_up)

    def publish(self, project: int, event: Event) -> None:
        super().publish(project, event)
        news = _news_for_others(event)
        if news is not None and self._channel is not None and not _thread_state.told_by_another:
            self._channel.send({"project": project, **news})

    def close_channel(self) -> None:
        """Neither tell the other servers anything more, nor listen to them."""
        if self._channel is not None:
            self._channel.close()

    def wait_until_listening(self, seconds: float) -> bool:
        """Whether news of other servers arrive from now on."""
        return self._channel is not None and self._channel.wait_until_listening(seconds)

    def _hear(self, message: Mapping[str, Any]) -> None:
        """Another server has published something."""
        event = dict(message)
        project = event.pop("project")
        if event["type"] == "fit":  # in a thread of its own: topics have to be read
            threading.Thread(
                target=self._hear_of_fit, args=(event["kind"], project), daemon=True
            ).start()
            return
        if event["type"] == "task":  # pages tell two ends of a job apart by number
            event |= {"phase": "done", "number": -next(self._numbers)}
        super().publish(project, event)

    def _hear_of_fit(self, kind: str, project: int) -> None:
        _thread_state.told_by_another = True  # what follows from it here is no news to the others
        self._fitted(kind, project)

    def _catch_up(self) -> None:
        """After messages may have been lost: let every page look again."""
        for project in self.followed():
            super().publish(project, {"type": "recorded"})
            self._hear({"type": "fit", "kind": "fit", "project": project})


class _ThreadState(threading.local):
    """Whether this thread does what another server has told."""

    told_by_another = False


_thread_state = _ThreadState()


def _news_for_others(event: Event) -> Event | None:
    """What the pages of other servers should hear of an event."""
    if event.get("type") == "recorded":
        return event
    if event.get("type") in ("fit", "task") and event.get("phase") == "done":
        return {"type": event["type"], "kind": event["kind"]}
    return None
