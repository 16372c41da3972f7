"""The server around the Streamlit script: settings, routes, and the worker's life."""

from __future__ import annotations

import logging
import signal
import threading
import tomllib
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import anyio
import streamlit as st

from core.errors import StudioError
from tsnmf_ui import background, comparing, jobs, login, state, texts
from tsnmf_ui.desk import Desk
from tsnmf_ui.routes import LOCAL, Api, routes
from tsnmf_ui.sockets import answer_at_once

HERE = Path(__file__).parent
SCRIPT = HERE / "entry" / "studio.py"
LOG = logging.getLogger("tsnmf_ui")


class _Running:
    """What the server made when it started."""

    api: Api | None = None


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[dict[str, Any]]:
    """Warm the worker before the first visitor, and take it down with the server."""
    login.check()
    answer_at_once()
    service = jobs.start(state.store())
    slow = background.start(service.store, service.feed)
    service.afterwards = lambda project: slow.request("evaluate", project)
    comparing.start(state.store())
    _Running.api = Api(_desk(service), service, hosts=hosts())
    restore = _on_leaving(service.feed.close)
    try:
        yield {"jobs": service}
    finally:
        restore()
        _Running.api = None
        async with anyio.create_task_group() as leaving:  # the processes end side by side
            for stop in (comparing.stop, background.stop, jobs.stop):
                leaving.start_soon(anyio.to_thread.run_sync, stop)


def _on_leaving(act: Callable[[], None]) -> Callable[[], None]:
    """Call ``act`` when the server is told to stop; returns what undoes that.

    A server waits for open connections before it ends, and an event stream never ends by itself.
    """
    if threading.current_thread() is not threading.main_thread():
        return lambda: None
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def leave(number: int, frame: FrameType | None) -> None:
        act()
        usual = before[signal.Signals(number)]
        if callable(usual):
            usual(number, frame)

    for number in before:
        signal.signal(number, leave)

    def restore() -> None:
        for number, usual in before.items():
            signal.signal(number, usual)

    return restore


def _desk(service: jobs.Jobs) -> Desk:
    """A desk that asks for fits and is told of them before the visitors are."""

    def refit(project: int, after: float) -> None:
        service.request_fit(project, after=after, asked=False)

    desk = Desk(service.store, load=state.topics_of, refit=refit, hasten=service.hasten)
    service.prepare = desk.prepare
    return desk


def _api() -> Api:
    if _Running.api is None:
        raise StudioError("The server is still starting.")
    return _Running.api


def hosts() -> set[str]:
    """Names this server answers to; none means any, for those who open it to a network."""
    address = st.get_option("server.address")
    allowed = set(st.get_option("server.allowedHosts") or ())
    if "*" in allowed:
        return set()
    return LOCAL | allowed if address in LOCAL else allowed


def script_failed(error: Exception) -> bool:
    """Log what broke; the visitor reads one sentence instead of a traceback."""
    LOG.error("The page failed.", exc_info=error)
    st.error(texts.PAGE_FAILED)
    return True


def parts() -> dict[str, Any]:
    """What the app needs beside its script."""
    return {"lifespan": lifespan, "routes": routes(_api), "on_script_error": script_failed}


def build() -> st.App:
    """The app as the command line starts it."""
    return st.App(SCRIPT, **parts())


def run(app: st.App, settings: Mapping[str, Any] | None = None) -> None:
    """Serve until stopped; ``settings`` win over the settings that ship with the app."""
    chosen = {**shipped_settings(), **(settings or {})}
    if chosen.get("server.address") in LOCAL:  # a name that resolves here is not enough
        chosen.setdefault("server.allowedHosts", sorted(LOCAL))
    app.run(config=chosen)


def shipped_settings() -> dict[str, Any]:
    """``.streamlit/config.toml`` as dotted names, found wherever the app is started from."""
    for folder in (HERE, HERE.parent):
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
