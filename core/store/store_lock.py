"""Who has a store open: an advisory lock on a file beside the database.

Whoever opens the store shares the lock; a restore takes it alone, because it puts another database
in place. The operating system releases it when its holder dies, however that happens.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.errors import StoreError
from core.store.private_files import FILE_MODE

try:
    import fcntl
except ImportError:  # Windows, which refuses to move a file that is open
    fcntl = None  # type: ignore[assignment]

LOCK_FILE = "studio.lock"
WAIT_SECONDS = 5.0  # for somebody who only looks whether the store is open
RESTORING = "A backup is being restored into this folder. Try again when that is done."
IN_USE = "A server or another program has this store open. Stop it, then try again."


class SharedLock:
    """Held from the moment it is made until it is released, or its process ends."""

    def __init__(self, folder: Path) -> None:
        descriptor = _descriptor(folder)
        self._close = None if descriptor is None else weakref.finalize(self, os.close, descriptor)
        if descriptor is not None and not _wait_for_share(descriptor):
            self.release()
            raise StoreError(RESTORING)

    def release(self) -> None:
        if self._close is not None:
            self._close()


@contextmanager
def exclusive_lock(folder: Path) -> Iterator[None]:
    """Nobody else has the store open inside the block, and nobody can open it."""
    descriptor = os.open(folder / LOCK_FILE, os.O_CREAT | os.O_RDWR, FILE_MODE)
    try:
        if not _lock(descriptor, alone=True):
            raise StoreError(IN_USE)
        yield
    finally:
        os.close(descriptor)


def is_open(folder: Path) -> bool:
    """Whether anybody has the store open; nothing is written to find out."""
    try:
        descriptor = os.open(folder / LOCK_FILE, os.O_RDONLY)
    except OSError:
        return False
    try:
        return not _lock(descriptor, alone=True)
    finally:
        os.close(descriptor)


def _descriptor(folder: Path) -> int | None:
    """None where no file can be made: then nothing can be restored there either."""
    try:
        return os.open(folder / LOCK_FILE, os.O_CREAT | os.O_RDONLY, FILE_MODE)
    except OSError:
        return None


def _wait_for_share(descriptor: int) -> bool:
    deadline, pause = time.monotonic() + WAIT_SECONDS, threading.Event()
    while not _lock(descriptor, alone=False):
        if time.monotonic() > deadline:
            return False
        pause.wait(0.01)
    return True


def _lock(descriptor: int, *, alone: bool) -> bool:
    if fcntl is None:
        return True
    system: Any = fcntl
    try:
        system.flock(descriptor, (system.LOCK_EX if alone else system.LOCK_SH) | system.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks: nobody is kept out
        return True
    return True
