"""One fit of a project at a time, by a lock that a dead server releases."""

from __future__ import annotations

import multiprocessing
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from core.errors import Cancelled
from core.store import Store
from tests.postgresql import Cluster

pytestmark = pytest.mark.sqlite_only  # each test names its database


def never() -> bool:
    return False


def hold_lock(address: str, home: Path, held: Connection) -> None:
    with Store.open(address, home=home) as store, store.fit_lock(1, never):
        held.send(True)
        held.recv()  # until it is killed


@pytest.fixture
def address(postgresql: Cluster) -> str:
    return postgresql.address_of(postgresql.take_schema(new=True))


def test_who_comes_second_waits_or_is_stopped(address: str, tmp_path: Path) -> None:
    with Store.open(address, home=tmp_path) as one, Store.open(address, home=tmp_path) as two:
        with one.fit_lock(1, never) as waited:
            assert not waited
            with pytest.raises(Cancelled), two.fit_lock(1, lambda: True):
                pass
            with two.fit_lock(2, never) as waited:  # another project
                assert not waited
        with two.fit_lock(1, never) as waited:
            assert not waited


def test_a_killed_server_releases_it(address: str, tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    held, theirs = context.Pipe()
    other = context.Process(target=hold_lock, args=(address, tmp_path, theirs), daemon=True)
    other.start()
    assert held.recv()

    def kill() -> bool:
        """Called because the lock is taken."""
        other.kill()
        return False

    with Store.open(address, home=tmp_path) as store, store.fit_lock(1, kill) as waited:
        assert waited
    other.join()
    assert other.exitcode == -9


def test_sqlite_has_one_server_and_needs_no_lock(tmp_path: Path) -> None:
    with Store.open(home=tmp_path) as store, store.fit_lock(1, never) as waited:
        assert not waited
