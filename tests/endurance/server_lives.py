"""Lives of one server on one port: started, killed with all its processes, started again."""

from __future__ import annotations

import http.client
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from core.store.database import HOME_VARIABLE, URL_VARIABLE
from tests.endurance.colleague import Errand

STARTING_SECONDS = 120.0  # that a server may take on a busy machine
DYING_SECONDS = 30.0
POLL_SECONDS = 0.02


class ServerLives:
    """The real server, time and again; ``kill`` may come from any thread at any moment."""

    def __init__(self, home: Path) -> None:
        self.home, self.port = home, _free_port()
        self.kills = 0
        self.restarts: list[float] = []  # seconds each; the first has imports to wait for
        self._server, self._errand = 0, 0  # process numbers
        self._alive = threading.Lock()
        self._log = (home / "server.log").open("ab")
        told, tell = os.pipe()
        self._launcher = subprocess.Popen(
            [sys.executable, "-m", "tests.endurance.launcher", str(tell)],
            env=_environment(home),
            stdin=subprocess.PIPE,
            stdout=self._log,
            stderr=self._log,
            pass_fds=[tell],
        )
        os.close(tell)
        self._numbers = os.fdopen(told)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Return when the server answers; the time since is that of a restart."""
        began = time.monotonic()
        self._server = self._fork(f"serve {self.port}\n")
        _wait_until_healthy(self.port, self._server)
        self.restarts.append(time.monotonic() - began)

    def kill(self, *, colleague: bool = False) -> bool:
        """SIGKILL for the server's whole group; whether it was alive until now."""
        with self._alive:
            if not self._server:
                return False
            _kill_group(self._server)
            if colleague and self._errand:
                _kill_group(self._errand)
            _wait_until_dead(self._server)
            _delete_semaphores(self._server)
            self._server = 0
            self.kills += 1
            return True

    @property
    def dead(self) -> bool:
        return not self._server

    def send(self, errand: Errand) -> None:
        """Let a colleague begin; one at a time."""
        self._errand = self._fork(errand.line())

    def await_errand(self) -> None:
        """Until the colleague is done, or was killed."""
        if self._errand:
            _wait_until_dead(self._errand, seconds=STARTING_SECONDS)
            self._errand = 0

    def close(self) -> None:
        """End every process; the launcher kills what is left when its input ends."""
        assert self._launcher.stdin is not None
        with suppress(OSError):
            self._launcher.stdin.close()
        self._launcher.wait()
        self._numbers.close()
        self._log.close()

    def _fork(self, line: str) -> int:
        assert self._launcher.stdin is not None
        self._launcher.stdin.write(line.encode())
        self._launcher.stdin.flush()
        return int(self._numbers.readline())


def _environment(home: Path) -> dict[str, str]:
    environment = {**os.environ, HOME_VARIABLE: str(home)}
    environment.pop(URL_VARIABLE, None)
    return environment


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def _kill_group(number: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(number, signal.SIGKILL)


def _delete_semaphores(number: int) -> None:
    """What a server shared with its processes; the process that tidies up was killed with them."""
    for path in Path("/dev/shm").glob(f"sem.*-{number}-*"):
        path.unlink(missing_ok=True)


def _ended(number: int, seconds: float) -> bool:
    """Whether a process that need not be our child ends within some time."""
    try:
        handle = os.pidfd_open(number)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], seconds)[0])
    finally:
        os.close(handle)


def _wait_until_dead(number: int, seconds: float = DYING_SECONDS) -> None:
    if not _ended(number, seconds):
        raise TimeoutError(f"Process {number} has not ended in {seconds:.0f} s.")


def _wait_until_healthy(port: int, server: int) -> None:
    patience = time.monotonic() + STARTING_SECONDS
    while time.monotonic() < patience:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        with suppress(OSError, http.client.HTTPException):
            connection.request("GET", "/_stcore/health")
            if connection.getresponse().read() == b"ok":
                connection.close()
                return
        connection.close()
        if _ended(server, POLL_SECONDS):
            raise RuntimeError("The server ended while it started; see server.log.")
    raise TimeoutError("The server did not start; see server.log.")
