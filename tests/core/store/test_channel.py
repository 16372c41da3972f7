"""Messages between the servers of one PostgreSQL database."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from core.store import Store
from tests.postgresql import Cluster

PATIENCE = 60  # seconds, on a busy machine
pytestmark = pytest.mark.sqlite_only  # each test names its database


class Server:
    """A store, its channel, and what came through it."""

    def __init__(self, address: str, home: Path) -> None:
        self.store = Store.open(address, home=home)
        self.heard: queue.SimpleQueue[Any] = queue.SimpleQueue()
        channel = self.store.channel(self.heard.put, lambda: self.heard.put("missed"))
        assert channel is not None
        self.channel = channel
        assert channel.wait_until_listening(PATIENCE)


@contextmanager
def serving(address: str, home: Path) -> Iterator[Server]:
    server = Server(address, home)
    try:
        yield server
    finally:
        server.channel.close()
        server.store.close()


@pytest.fixture
def address(postgresql: Cluster) -> str:
    return postgresql.address_of(postgresql.take_schema(new=True))


def test_the_others_hear_it_and_the_sender_does_not(address: str, tmp_path: Path) -> None:
    with serving(address, tmp_path) as one, serving(address, tmp_path) as two:
        one.channel.send({"project": 1, "author": "Zoë"})
        assert two.heard.get(timeout=PATIENCE) == {"project": 1, "author": "Zoë"}
        two.channel.send({"project": 2})
        assert one.heard.get(timeout=PATIENCE) == {"project": 2}


def test_another_schema_is_another_studio(
    address: str, tmp_path: Path, postgresql: Cluster
) -> None:
    other = postgresql.address_of(postgresql.take_schema(new=True))
    with serving(address, tmp_path) as one, serving(address, tmp_path) as two:
        with serving(other, tmp_path) as stranger:
            stranger.channel.send({"project": 9})
        one.channel.send({"project": 1})
        assert two.heard.get(timeout=PATIENCE) == {"project": 1}


def test_a_lost_connection_is_made_anew_and_told(
    address: str, tmp_path: Path, postgresql: Cluster
) -> None:
    with serving(address, tmp_path) as one, serving(address, tmp_path) as two:
        with postgresql.connect() as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = 'tsnmf-studio'"
            )
        assert two.heard.get(timeout=PATIENCE) == "missed"
        one.channel.send({"project": 1})
        assert two.heard.get(timeout=PATIENCE) == {"project": 1}


def test_a_message_too_long_is_not_sent(address: str, tmp_path: Path) -> None:
    with serving(address, tmp_path) as one, serving(address, tmp_path) as two:
        one.channel.send({"project": 1, "author": "x" * 8_000})
        one.channel.send({"project": 2})
        assert two.heard.get(timeout=PATIENCE) == {"project": 2}


def test_sqlite_has_no_other_servers(tmp_path: Path) -> None:
    with Store.open(home=tmp_path) as store:
        assert store.channel(lambda message: None, lambda: None) is None
