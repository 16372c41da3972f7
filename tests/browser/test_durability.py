"""The server is killed, pages are left and reloaded: every label that was acknowledged is there."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from core.corpus import Corpus
from core.store import CreateTopic, Store, replay
from core.store.database import HOME_VARIABLE, URL_VARIABLE
from tests.browser.conftest import PATIENCE
from tests.browser.conftest import Server as DeskServer
from tests.core.workspace import small
from tests.endurance.endurance_run import Settings, endure
from tsnmf_ui.server import tokens

expect.set_options(timeout=PATIENCE)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL"),
]

ACTS = 200
CORPUS = Corpus(
    ids=tuple(map(str, range(ACTS))),
    texts=tuple(f"the {'lamp' if i % 2 else 'bin'} in street {i % 7}" for i in range(ACTS)),
)
CLIENT = "test-client"
SECRET = "known to the test and to the server it starts"
# Every life is a whole server, forked from a process that has the imports behind it: 200 cold
# starts would take ten minutes. No process stands by for fits; none would begin before the kill.
LAUNCH = f"""
import os, signal, sys
import streamlit.components.v2.manifest_scanner as components
import multiprocessing.sharedctypes, uvicorn.lifespan.on
import uvicorn.protocols.http.auto, uvicorn.protocols.websockets.auto
import streamlit.web.server.starlette.starlette_agent_routes
from tsnmf_ui import cli
from tsnmf_ui.jobs import executors
from tsnmf_ui.server import lifecycle, tokens

tokens._SECRET = {SECRET!r}.encode()
components.scan_component_manifests = lambda *_, **__: []  # reads every installed package
executors.WorkerProcess = lambda *_, **__: None
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for port in sys.stdin:
    server_id = os.fork()
    if not server_id:
        raise SystemExit(cli.main(["run", "--no-browser", "--port", port.strip()]))
    os.write(int(sys.argv[1]), f"{{server_id}}\\n".encode())
"""


class Launcher:
    """A process with everything imported, which forks a server whenever it is told a port."""

    def __init__(self, home: Path) -> None:
        environment = {**os.environ, HOME_VARIABLE: str(home)}
        environment.pop(URL_VARIABLE, None)
        told, tell = os.pipe()
        self.log = (home / "server.log").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, "-c", LAUNCH, str(tell)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=self.log,
            stderr=self.log,
            pass_fds=[tell],
        )
        os.close(tell)
        self.started = os.fdopen(told)

    def launch(self, port: int) -> int:
        """The process id of a server that is about to listen on ``port``."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{port}\n".encode())
        self.process.stdin.flush()
        return int(self.started.readline())

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()
        self.started.close()
        self.log.close()


class Server:
    """The real server on a port of its own, until it is killed."""

    def __init__(self, launcher: Launcher) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.process = launcher.launch(self.port)
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def wait(self, seconds: float = 60.0) -> None:
        """Until it answers that it is healthy."""
        patience, pause = time.monotonic() + seconds, threading.Event()
        while time.monotonic() < patience:
            with suppress(OSError):
                self.connection.request("GET", "/_stcore/health")
                if self.connection.getresponse().read() == b"ok":
                    return
            self.connection.close()
            pause.wait(0.01)  # leaves the processor to the server
        raise AssertionError("the server did not come up")

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        headers = {
            "Origin": f"http://127.0.0.1:{self.port}",
            "Content-Type": "application/json",
            "X-Token": tokens.token("ann"),
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
        return int(self.ask("POST", "/api/requests", {**place, "request": act})["event"])

    def kill(self) -> None:
        os.kill(self.process, signal.SIGKILL)
        self.connection.close()


@contextmanager
def serving(launcher: Launcher) -> Iterator[Server]:
    """A server that always dies the hard way."""
    server = Server(launcher)
    try:
        server.wait()
        yield server
    finally:
        server.kill()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tokens, "_SECRET", SECRET.encode())
    acts = [(CreateTopic("Waste"), "ann"), (CreateTopic("Light"), "ann")]
    with Store.open(home=tmp_path) as store:
        store.create_project("Desk", CORPUS, author="ann", first_events=acts)
    return tmp_path


@pytest.fixture
def launcher(home: Path) -> Iterator[Launcher]:
    launcher = Launcher(home)
    yield launcher
    launcher.close()


def test_a_server_killed_after_each_label_loses_none(home: Path, launcher: Launcher) -> None:
    acknowledged: dict[int, int] = {}
    for sequence in range(ACTS):
        with serving(launcher) as server:
            if sequence % 10 == 1:  # a browser that missed the answer sends its last act again
                assert server.label(sequence - 1) == acknowledged[sequence - 1]
            acknowledged[sequence] = server.label(sequence)
    with serving(launcher) as server:
        assert server.ask("GET", "/api/desk?project=1")["project"]["labelled"] == ACTS
        undo = {"project": 1, "request": {"kind": "undo"}, "client": CLIENT, "sequence": ACTS}
        assert server.ask("POST", "/api/requests", undo)["event"]
    with Store.open(home=home) as store:
        labels = [event for event in store.events(1) if event.kind == "label"]
        assert {event.position: event.id for event in labels} == acknowledged
        assert len(labels) == ACTS
        assert store.project(1).n_labelled == ACTS - 1
        assert replay(store.events(1)).annotations == store.annotations(1)


def test_under_a_browser_nothing_is_lost_and_nothing_doubled(
    tmp_path: Path, chromium: Browser
) -> None:
    """The short form of ``python -m tests.endurance.kill_server``."""
    settings = Settings(events=150, kills=8, seed=11, n_docs=200)
    run = endure(tmp_path, chromium, settings)
    assert run.wrong == []
    assert run.events >= settings.events
    assert run.lives.kills == settings.kills + 1  # and one at the end
    assert run.audit.ledger.acknowledged > settings.events / 2
    assert run.errands.drawn > 0


def test_a_label_without_an_answer_is_sent_when_its_reader_comes_back_from_another_page(
    page: Page, desk_server: DeskServer, desk_store: Store
) -> None:
    project = small.project(desk_store, labelled=0).id
    page.goto(f"{desk_server.address}/label?project={project}&document=4")
    expect(page.locator(".body")).to_be_visible()
    page.route("**/api/requests", lambda route: route.abort())
    page.keyboard.press("1")
    expect(page.locator(".line")).to_contain_text("Nothing is lost")
    page.get_by_role("link", name="Projects").click()
    expect(page.get_by_role("button", name="New project")).to_be_visible()
    expect(page.locator(".desk")).to_have_count(0)
    page.unroute("**/api/requests")
    page.go_back()
    expect(page.locator(".label-state.saved")).to_be_visible()
    said = desk_store.annotation(project, 4)
    assert said is not None
    assert said.permitted == (1,)
