"""The process that forks a child for every file. It is run as a script, never imported.

It holds what a reader needs and nothing else: ``core`` is entered as a bare package, because its
``__init__`` would import every model and take seconds. It has one thread, so a fork is safe. The
caller sends two open files over a socket, a connection and the file to read; the number of the
child comes back. A child is waited for only when the caller asks, so its number stays its own and
can be killed without hitting another process. When the caller is gone, so are all of them.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

READ_MESSAGE, WAIT_MESSAGE, READ_ONCE = b"R", b"W", "once"
NUMBER_BYTES = 4
IMPORTED_EARLY = (
    "core.loading.readers",
    "chardet",
    "python_calamine",
    "csv",
    "zipfile",
    "lzma",
    "bz2",
)


def bare_core() -> None:
    """Make ``core.loading`` importable without ``core/__init__``."""
    package = ModuleType("core")
    package.__path__ = [str(Path(__file__).resolve().parents[2])]
    sys.modules["core"] = package


def answer(connection: int, file: int) -> None:
    """Read one file in this process."""
    answering: Any = import_module("core.loading.isolation.answering")
    answering.answer(connection, file)


def fork_reader(control: socket.socket, files: list[int]) -> int:
    """Fork a child that reads; its number."""
    number = os.fork()
    if number == 0:
        try:
            control.close()
            answer(*files)
        finally:
            os._exit(0)
    for file in files:
        os.close(file)
    return number


def wait_for(number: int) -> int:
    """The state in which a child ended."""
    with suppress(ChildProcessError):
        return os.waitpid(number, 0)[1]
    return 0


def serve(control: socket.socket) -> None:
    """Fork and wait as the caller asks, until it is gone; it may be killed while it is answered."""
    children: set[int] = set()
    with suppress(ConnectionError):
        while request := _request(control):
            message, files = request
            if message[:1] == READ_MESSAGE:
                result = fork_reader(control, files)
                children.add(result)
            else:
                number = int.from_bytes(message[1:], "big")
                children.discard(number)
                result = wait_for(number)
            control.sendall(result.to_bytes(NUMBER_BYTES, "big"))
    for number in children:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def _request(control: socket.socket) -> tuple[bytes, list[int]] | None:
    """A message and the files that came with it; None when the caller is gone."""
    message, files, _, _ = socket.recv_fds(control, 1 + NUMBER_BYTES, 2)
    return (message, files) if message else None


def main(argument: str) -> None:
    """``once``: one file from the standard input, where a process cannot fork; or serve many."""
    bare_core()
    if argument == READ_ONCE:
        answer(1, 0)
        return
    for name in IMPORTED_EARLY:
        import_module(name)
    with socket.socket(fileno=int(argument)) as control:
        serve(control)


if __name__ == "__main__":
    main(sys.argv[1])
