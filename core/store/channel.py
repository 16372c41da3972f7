"""Short messages between the servers of one PostgreSQL database (LISTEN and NOTIFY)."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any
from uuid import uuid4

from sqlalchemy.exc import SQLAlchemyError

from core.store.database import Database

Message = Mapping[str, Any]

MAX_BYTES = 7_900  # of a message; PostgreSQL takes 8,000
LOOK_UP_SECONDS = 0.5  # to see whether the channel was closed
AGAIN_SECONDS = 1.0  # after the connection was lost
_CHANNEL = "'studio_' || md5(current_schema())"
_SEND = f"SELECT pg_notify({_CHANNEL}, %s)"


class Channel:
    """Sends messages to the other servers, and hands on theirs, in threads of its own.

    ``receive`` gets each message of another server; ``missed`` is called when some may have been
    lost because the database was away.
    """

    def __init__(
        self, database: Database, receive: Callable[[Message], None], missed: Callable[[], None]
    ) -> None:
        self._database, self._receive, self._missed = database, receive, missed
        self._sender, self._closed = uuid4().hex, threading.Event()
        self._outbox: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._listening = threading.Event()
        self._threads = [
            threading.Thread(target=target, name=name, daemon=True)
            for name, target in (("news-in", self._listen), ("news-out", self._send))
        ]
        for thread in self._threads:
            thread.start()

    def send(self, message: Message) -> None:
        """Tell the other servers; nobody waits for it."""
        text = json.dumps({**message, "sender": self._sender})
        if len(text.encode()) <= MAX_BYTES:
            self._outbox.put(text)

    def wait_until_listening(self, seconds: float) -> bool:
        """Whether messages arrive from now on."""
        return self._listening.wait(seconds)

    def close(self) -> None:
        self._closed.set()
        self._outbox.put(None)
        for thread in self._threads:
            thread.join()

    def _send(self) -> None:
        while (text := self._outbox.get()) is not None:
            with suppress(SQLAlchemyError), self._database.autocommit() as connection:
                connection.exec_driver_sql(_SEND, (text,))

    def _listen(self) -> None:
        lost, driver = False, self._database.engine.dialect.loaded_dbapi
        while not self._closed.is_set():
            try:
                self._listen_until_lost(lost)
            except (SQLAlchemyError, driver.Error):
                self._listening.clear()
                lost = True
                self._closed.wait(AGAIN_SECONDS)

    def _listen_until_lost(self, lost: bool) -> None:
        with self._database.autocommit() as connection:
            name = connection.exec_driver_sql(f"SELECT {_CHANNEL}").scalar_one()
            connection.exec_driver_sql(f"LISTEN {name}")
            try:
                self._listening.set()
                if lost:
                    self._missed()
                raw: Any = connection.connection.driver_connection
                while not self._closed.is_set():
                    for notice in raw.notifies(timeout=LOOK_UP_SECONDS):
                        self._hand_on(notice.payload)
            finally:
                with suppress(SQLAlchemyError):
                    connection.exec_driver_sql("UNLISTEN *")  # the connection goes back

    def _hand_on(self, payload: str) -> None:
        message = json.loads(payload)
        if message.pop("sender", None) != self._sender:
            self._receive(message)
