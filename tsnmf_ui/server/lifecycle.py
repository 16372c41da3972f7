"""The server around the Streamlit script: settings, routes, and the worker's life."""

from __future__ import annotations

import logging
import signal
import threading
import tomllib
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import anyio
import streamlit as st
from starlette.middleware import Middleware
from streamlit import config, net_util

from core.errors import NotAllowed, NotFound, StudioError, TextError
from core.loading.isolation import start_reader_process
from core.store import Store
from tsnmf_ui import jobs
from tsnmf_ui.jobs import JobRunner
from tsnmf_ui.jobs.executors import start_executors
from tsnmf_ui.jobs.shared_feed import SharedFeed
from tsnmf_ui.label.desk import Desk
from tsnmf_ui.server import access, login, state
from tsnmf_ui.server.guard import Guard
from tsnmf_ui.server.hosts import LOCAL_HOSTS, KnownHosts, known_hosts
from tsnmf_ui.server.messages import MessageLimits, limit_size
from tsnmf_ui.server.routes import LabelApi, routes
from tsnmf_ui.server.sockets import disable_nagle
from tsnmf_ui.server.uploads import UploadLimits
from tsnmf_ui.theme import texts

UI_FOLDER = Path(__file__).parents[1]
STUDIO_SCRIPT = UI_FOLDER / "pages" / "entry" / "studio.py"
LOGGER = logging.getLogger("tsnmf_ui")


class Services:
    """The desk and the job runner of one server: labels ask for fits, the desk reads them first."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.desk = Desk(store, refit=self._refit, hasten=self._hasten)
        self._feed = SharedFeed(store, self._fitted_elsewhere)
        self.jobs = JobRunner(
            partial(start_executors, store),
            feed=self._feed,
            before_done=dict.fromkeys((jobs.FIT, jobs.FULL_FIT), self._fitted),
        )

    def _fitted(self, project: int, result: object) -> None:
        self.desk.prepare(project, result)
        jobs.encode_when_needed(self.jobs, self.store, project)

    def _fitted_elsewhere(self, kind: str, project: int) -> None:
        """Another server of the database has finished a fit: show it here."""
        with suppress(NotFound):
            run = self.store.current_run(project)
            if run is not None:
                self.desk.prepare(project, run)
                self.jobs.show_result(kind, project, jobs.FinishedFit(run.id, run.preview))

    def close(self) -> None:
        """End jobs and news."""
        self._feed.close_channel()
        self.jobs.close()

    def _refit(self, project: int, delay: float) -> None:
        jobs.refit_after_label(self.jobs, self.store, project, delay)

    def _hasten(self, project: int, seconds: float) -> None:
        self.jobs.hasten(jobs.FIT, project, seconds)


class StudioServer:
    """What an app needs beside its script: a life cycle and routes around the same services."""

    def __init__(self) -> None:
        self._api: LabelApi | None = None
        self._hosts = KnownHosts.of(LOCAL_HOSTS)  # until the settings are read

    @asynccontextmanager
    async def lifespan(self, _app: st.App) -> AsyncIterator[dict[str, Any]]:
        """Warm the worker before the first visitor, and take it down with the server."""
        login.check_settings()
        access.administrators()  # refuses what is not understood
        close_side_doors()
        self._hosts = known_hosts()
        disable_nagle()
        start_reader_process()  # the first upload need not wait for it
        services = Services(state.server_store())
        self._api = LabelApi(services.desk, services.jobs, hosts=self._hosts)
        restore = _on_signal(services.jobs.feed.close)
        try:
            with jobs.serving(services.jobs, state.require_role):
                yield {"jobs": services.jobs}
        finally:
            restore()
            self._api = None
            await anyio.to_thread.run_sync(services.close)

    def hosts(self) -> KnownHosts:
        """The names this server answers to."""
        return self._hosts

    def api(self) -> LabelApi:
        """The answers to requests; a request may come before the server has started."""
        if self._api is None:
            raise StudioError("The server is still starting.")
        return self._api


def _on_signal(call: Callable[[], None]) -> Callable[[], None]:
    """Call ``call`` when the server is told to stop; returns what undoes that.

    A server waits for open connections before it ends, and an event stream never ends by itself.
    """
    if threading.current_thread() is not threading.main_thread():
        return lambda: None
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def leave(number: int, frame: FrameType | None) -> None:
        call()
        usual = before[signal.Signals(number)]
        if callable(usual):
            usual(number, frame)

    for number in before:
        signal.signal(number, leave)

    def restore() -> None:
        for number, usual in before.items():
            signal.signal(number, usual)

    return restore


def close_side_doors() -> None:
    """What Streamlit does for its own cloud, and no visitor of this server needs.

    It lets pages of some other sites steer the app by messages, and asks a server on the internet
    for the address of this machine, while everybody waits.
    """
    config.set_option("client.allowedOrigins", [])
    net_util.get_external_ip = _no_external_address


def _no_external_address() -> None:
    return None


def script_failed(error: Exception) -> bool:
    """Log what broke; the visitor reads one sentence instead of a traceback.

    What is no fault of the program says itself what it is: a role that was taken away meanwhile,
    or text settings that leave no word.
    """
    if isinstance(error, NotAllowed | NotFound | TextError):
        st.error(texts.escape_markdown(str(error)))
        return True
    LOGGER.error("The page failed.", exc_info=error)
    st.error(texts.PAGE_FAILED)
    return True


def app_options() -> dict[str, Any]:
    """What the app needs beside its script."""
    limit_size()
    server = StudioServer()
    guard = Middleware(Guard, hosts=server.hosts)
    return {
        "lifespan": server.lifespan,
        "routes": routes(server.api),
        "middleware": [guard, Middleware(UploadLimits), Middleware(MessageLimits)],
        "on_script_error": script_failed,
    }


def build() -> st.App:
    """The app as the command line starts it."""
    return st.App(STUDIO_SCRIPT, **app_options())


def run(app: st.App, settings: Mapping[str, Any] | None = None) -> None:
    """Serve until stopped; ``settings`` win over the settings that ship with the app."""
    chosen = {**shipped_settings(), **(settings or {})}
    if chosen.get("server.address") in LOCAL_HOSTS:  # a name that resolves here is not enough
        chosen.setdefault("server.allowedHosts", sorted(LOCAL_HOSTS))
    app.run(config=chosen)


def shipped_settings() -> dict[str, Any]:
    """``.streamlit/config.toml`` as dotted names, found wherever the app is started from."""
    for folder in (UI_FOLDER, UI_FOLDER.parent):
        path = folder / ".streamlit" / "config.toml"
        if path.is_file():
            return dict(_dotted(tomllib.loads(path.read_text(encoding="utf-8"))))
    return {}


def _dotted(table: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    pairs: list[tuple[str, Any]] = []
    for name, value in table.items():
        if isinstance(value, Mapping):
            pairs += _dotted(value, f"{prefix}{name}.")
        else:
            pairs.append((prefix + name, value))
    return pairs
