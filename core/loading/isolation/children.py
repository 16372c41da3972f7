"""Start a process that reads one file: forked from a warm one, or fresh where there is no fork."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

from core.loading.isolation.reader_process import (
    NUMBER_BYTES,
    READ_MESSAGE,
    READ_ONCE,
    WAIT_MESSAGE,
)

READER_SCRIPT = Path(__file__).with_name("reader_process.py")
READER_ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}
CAN_FORK = hasattr(os, "fork") and hasattr(socket, "send_fds")


class ReaderChild:
    """A process that reads: where its answer comes from, and how to end it."""

    def __init__(
        self, answer: IO[bytes], kill: Callable[[], None], forget: Callable[[], None]
    ) -> None:
        self.answer = answer
        self._kill, self._forget = kill, forget
        self._lock, self._gone = threading.Lock(), False

    def kill(self) -> None:
        """End it now, whatever it does; nothing happens once it is gone."""
        with self._lock:
            if not self._gone:
                self._kill()

    def close(self) -> None:
        """End it and let the system forget it."""
        self.kill()
        with self._lock:
            self._gone = True
            self._forget()
        self.answer.close()


class ReaderProcess:
    """The process that forks a child for every file; all threads use the same one."""

    def __init__(self) -> None:
        self._control, there = socket.socketpair()
        self._lock = threading.Lock()
        self._owner = os.getpid()
        with there:
            self._process = _started(str(there.fileno()), [there.fileno()], subprocess.DEVNULL)

    @property
    def alive(self) -> bool:
        return self._owner == os.getpid() and self._process.poll() is None

    def start(self, request: bytes, file: IO[bytes]) -> ReaderChild:
        """A child that reads the file."""
        here, there = socket.socketpair()
        with here:
            with there:
                number = self._exchange(READ_MESSAGE, [there.fileno(), file.fileno()])
            here.sendall(request)
            answer = here.makefile("rb")
        return ReaderChild(answer, lambda: _kill(number), lambda: self._forget(number))

    def _forget(self, number: int) -> None:
        with suppress(OSError):
            self._exchange(WAIT_MESSAGE + number.to_bytes(NUMBER_BYTES, "big"), [])

    def _exchange(self, message: bytes, files: list[int]) -> int:
        with self._lock:
            socket.send_fds(self._control, [message], files)
            reply = self._control.recv(NUMBER_BYTES)
        if len(reply) < NUMBER_BYTES:
            raise ConnectionError("The reader process is gone.")
        return int.from_bytes(reply, "big")

    def close(self) -> None:
        """End it, and with it its children."""
        self._control.close()
        if self._owner == os.getpid():
            self._process.wait()


def _kill(number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(number, signal.SIGKILL)


def _started(argument: str, kept: list[int], stdin: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-P", str(READER_SCRIPT), argument],
        pass_fds=kept,
        start_new_session=CAN_FORK,  # Ctrl-C is for the caller
        stdin=stdin,
        stdout=subprocess.PIPE if argument == READ_ONCE else subprocess.DEVNULL,
        env={**os.environ, **READER_ENVIRONMENT},
    )


class _Shared:
    """The reader process of this process; started when it is needed, again when it has died."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: ReaderProcess | None = None

    def get(self) -> ReaderProcess:
        with self._lock:
            if self._process is None or not self._process.alive:
                self._drop()
                self._process = ReaderProcess()
            return self._process

    def close(self) -> None:
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None


_shared = _Shared()
atexit.register(_shared.close)


def start_reader_process() -> None:
    """Start it ahead of the first file, which then need not wait."""
    if CAN_FORK:
        _shared.get()


def start_child(request: bytes, file: IO[bytes]) -> ReaderChild:
    """A child that reads the file."""
    if not CAN_FORK:
        return start_fresh(request, file)
    try:
        return _shared.get().start(request, file)
    except OSError:  # it died between two files
        return _shared.get().start(request, file)


def start_fresh(request: bytes, file: IO[bytes]) -> ReaderChild:
    """A new interpreter for one file: slow to start, but it works everywhere."""
    process = _started(READ_ONCE, [], subprocess.PIPE)
    stdin, stdout = process.stdin, process.stdout
    assert stdin is not None
    assert stdout is not None

    def feed() -> None:
        with suppress(OSError), stdin:
            stdin.write(request)
            shutil.copyfileobj(file, stdin)

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()

    def forget() -> None:
        process.wait()
        feeder.join()

    return ReaderChild(stdout, process.kill, forget)
