"""The server is killed again and again; every label it acknowledged is there."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from core.corpus import Corpus
from core.store import CreateTopic, Store, replay
from core.store.database import HOME_VARIABLE, URL_VARIABLE
from tsnmf_ui import access

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL"),
]

ACTS, LIVES = 200, 4
CORPUS = Corpus(
    ids=tuple(map(str, range(ACTS))),
    texts=tuple(f"the {'lamp' if i % 2 else 'bin'} in street {i % 7}" for i in range(ACTS)),
)
CLIENT = "test-client"
SECRET = "known to the test and to the server it starts"
LAUNCH = f"""
from tsnmf_ui import access, cli
access._SECRET = {SECRET!r}.encode()
raise SystemExit(cli.main(["run", "--no-browser", "--port", __import__("sys").argv[1]]))
"""


class Server:
    """The real server on a port of its own, until it is killed."""

    def __init__(self, home: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        environment = {**os.environ, HOME_VARIABLE: str(home)}
        environment.pop(URL_VARIABLE, None)
        self.log = (home / "server.log").open("ab")
        command = [sys.executable, "-c", LAUNCH, str(self.port)]
        self.process = subprocess.Popen(command, env=environment, stdout=self.log, stderr=self.log)
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def wait(self, seconds: float = 60.0) -> None:
        """Until it answers that it is healthy."""
        patience = time.monotonic() + seconds
        while time.monotonic() < patience:
            try:
                self.connection.request("GET", "/_stcore/health")
                if self.connection.getresponse().read() == b"ok":
                    return
            except OSError:
                self.connection.close()
            with suppress(subprocess.TimeoutExpired):  # look again soon, unless it has ended
                self.process.wait(0.05)
                raise AssertionError("the server ended by itself")
        raise AssertionError("the server did not come up")

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        headers = {
            "Origin": f"http://127.0.0.1:{self.port}",
            "Content-Type": "application/json",
            "X-Token": access.token("ann"),
        }
        self.connection.request(method, path, json.dumps(body) if body else None, headers)
        answer = self.connection.getresponse()
        said: dict[str, Any] = json.loads(answer.read())
        assert answer.status == 200, said
        return said

    def label(self, sequence: int) -> int:
        """Label one document; the number of the event the server acknowledged."""
        act = {"kind": "label", "position": sequence, "permitted": [1 + sequence % 2]}
        place = {"project": 1, "document": sequence, "client": CLIENT, "sequence": sequence}
        return int(self.ask("POST", "/api/act", {**place, "act": act})["event"])

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.connection.close()
        self.log.close()


@contextmanager
def serving(home: Path) -> Iterator[Server]:
    """A server that always dies the hard way."""
    server = Server(home)
    try:
        server.wait()
        yield server
    finally:
        server.kill()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(access, "_SECRET", SECRET.encode())
    acts = [(CreateTopic("Waste"), "ann"), (CreateTopic("Light"), "ann")]
    with Store.open(home=tmp_path) as store:
        store.create_project("Desk", CORPUS, author="ann", acts=acts)
    return tmp_path


def test_a_killed_server_loses_no_label(home: Path) -> None:
    acknowledged: dict[int, int] = {}
    share = ACTS // LIVES
    for life in range(LIVES):
        with serving(home) as server:
            if acknowledged:  # a browser that missed the answer sends its last act again
                last = max(acknowledged)
                assert server.label(last) == acknowledged[last]
            for sequence in range(life * share, (life + 1) * share):
                acknowledged[sequence] = server.label(sequence)
    with serving(home) as server:
        assert server.ask("GET", "/api/desk?project=1")["project"]["labelled"] == ACTS
        assert server.ask(
            "POST",
            "/api/act",
            {"project": 1, "act": {"kind": "undo"}, "client": CLIENT, "sequence": ACTS},
        )["event"]
    with Store.open(home=home) as store:
        labels = [event for event in store.events(1) if event.kind == "label"]
        assert {event.position: event.id for event in labels} == acknowledged
        assert len(labels) == ACTS
        assert store.project(1).n_labelled == ACTS - 1
        assert replay(store.events(1)).annotations == store.annotations(1)
