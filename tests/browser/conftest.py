"""A real server on a free port, and a real Chromium in front of it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from core.store import Store
from core.store.database import URL_VARIABLE

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
STARTING = 120  # seconds a server may take on a busy machine
PATIENCE = 90_000  # milliseconds anything on a page may take on a busy machine


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test here that fails is tried once more, and listed as rerun.

    Chromium, server and fit process share two cores with other tests: now and then a click falls
    between two drawings of a page. What is wrong fails twice.
    """
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=1))


class Server:
    """The app as its users start it, with a home of its own."""

    def __init__(self, home: Path, database: str | None = None) -> None:
        self.home, self.port = home, _free_port()
        self.database = database  # an address, or None for the home's own
        self.folder: Path | None = None  # where it is started: here, unless a test says otherwise
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "tsnmf_ui.cli.main", "run", "--no-browser"]
        command += ["--port", str(self.port), "--home", str(self.home)]
        with (self.home / "server.log").open("ab") as log:
            environment = {**os.environ, **({URL_VARIABLE: self.database} if self.database else {})}
            self.process = subprocess.Popen(
                command, stdout=log, stderr=log, cwd=self.folder, env=environment
            )
        for _ in range(STARTING * 10):
            if self._healthy():
                return
            self._still_running()
        pytest.fail(f"The server did not start:\n{self.log()}")

    def open_store(self) -> Store:
        return Store.open(self.database, home=self.home)

    def stop(self, *, kill: bool = False) -> None:
        if self.process is not None:
            (self.process.kill if kill else self.process.terminate)()
            try:
                self.process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                raise
            finally:
                self.process = None

    def log(self) -> str:
        return (self.home / "server.log").read_text(encoding="utf-8", errors="replace")

    def _healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=2) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False

    def _still_running(self) -> None:
        assert self.process is not None
        try:
            self.process.wait(timeout=0.1)
        except subprocess.TimeoutExpired:
            return
        pytest.fail(f"The server ended at once:\n{self.log()}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="package")  # its event loop must not outlive these tests
def chromium() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None and os.environ.get("CI", "").lower() == "true":
        pytest.fail("There is no Chromium on this machine, and CI must not skip the browser tests.")
    if path is None:
        pytest.skip("There is no Chromium on this machine.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path)
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="package")
def desk_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of the labelling pane; each test makes its own project."""
    server = Server(tmp_path_factory.mktemp("desk"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def desk_store(desk_server: Server) -> Iterator[Store]:
    with Store.open(home=desk_server.home) as opened:
        yield opened
