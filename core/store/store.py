"""The store: projects, documents, events and runs, on disk before a call returns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.store.channel import Channel, Message
from core.store.closing import ClosedOnExit
from core.store.coding.coding_store import CodingStore
from core.store.database import Database, database_url, home_folder
from core.store.events.event_store import EventStore
from core.store.history.reader import HistoryReader
from core.store.members.member_store import MemberStore
from core.store.projects.project_store import ProjectStore
from core.store.runs.run_store import RunStore
from core.store.state.state_reader import StateReader


class Store(
    ProjectStore,
    EventStore,
    CodingStore,
    StateReader,
    HistoryReader,
    RunStore,
    MemberStore,
    ClosedOnExit,
):
    """Projects, documents, the log of events and the runs; safe for threads and processes."""

    def __init__(self, home: Path, database: Database) -> None:
        self.home = home
        self._database = database

    @classmethod
    def open(cls, url: str | None = None, home: Path | str | None = None) -> Store:
        """Open or create the store; see ``database`` for the variables that say where."""
        folder = home_folder(home)
        return cls(folder, Database(database_url(folder, url)))

    @property
    def shared(self) -> Store:
        """The store that all people of this process share; a person's own store names it."""
        return self

    def channel(
        self, receive: Callable[[Message], None], missed: Callable[[], None]
    ) -> Channel | None:
        """Messages to and from other servers of this database; None where there can be no other."""
        if self._database.is_sqlite:
            return None
        return Channel(self._database, receive, missed)

    def close(self) -> None:
        self._database.close()
