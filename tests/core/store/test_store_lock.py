"""Who has a store open: known to others, and over when its holder dies."""

from __future__ import annotations

import multiprocessing
import os
import signal
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from core.errors import StoreError
from core.store import Store, store_lock
from core.store.store_lock import LOCK_FILE, exclusive_lock, is_open

pytestmark = [
    pytest.mark.sqlite_only,
    pytest.mark.skipif(store_lock.fcntl is None, reason="needs locks of POSIX"),
]


def hold(home: Path, opened: Connection) -> None:
    store = Store.open(home=home)
    opened.send(True)
    opened.recv()  # never comes
    store.close()


def test_an_open_store_is_known_and_keeps_a_restore_away(tmp_path: Path) -> None:
    assert not is_open(tmp_path)
    with Store.open(home=tmp_path), Store.open(home=tmp_path):
        assert is_open(tmp_path)
        with pytest.raises(StoreError, match="has this store open"), exclusive_lock(tmp_path):
            pass
    assert not is_open(tmp_path)
    with exclusive_lock(tmp_path):
        assert is_open(tmp_path)


def test_nobody_opens_a_store_that_is_being_restored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_lock, "WAIT_SECONDS", 0.0)
    with exclusive_lock(tmp_path), pytest.raises(StoreError, match="being restored"):
        Store.open(home=tmp_path)
    Store.open(home=tmp_path).close()


def test_a_store_that_nobody_closed_is_not_open_for_ever(tmp_path: Path) -> None:
    store = Store.open(home=tmp_path)
    store._database.engine.dispose()
    del store
    assert not is_open(tmp_path)


def test_the_lock_ends_with_a_killed_process(tmp_path: Path) -> None:
    context = multiprocessing.get_context("forkserver")
    ours, theirs = context.Pipe()
    process = context.Process(target=hold, args=(tmp_path, theirs), daemon=True)
    process.start()
    assert ours.recv()
    assert is_open(tmp_path)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    assert not is_open(tmp_path)


def test_a_folder_without_room_for_a_lock_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / LOCK_FILE).mkdir()  # as good as a folder where no file can be made
    assert not is_open(tmp_path)
    Store.open(home=tmp_path).close()
