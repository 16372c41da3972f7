"""The server around the Streamlit script: settings, routes, and the worker's life."""

from __future__ import annotations

import logging
import tomllib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st

from tsnmf_ui import jobs, routes, state, texts

HERE = Path(__file__).parent
SCRIPT = HERE / "main_script.py"
LOG = logging.getLogger("tsnmf_ui")


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[dict[str, Any]]:
    """Warm the worker before the first visitor, and take it down with the server."""
    service = jobs.start(state.store())
    try:
        yield {"jobs": service}
    finally:
        jobs.stop()


def script_failed(error: Exception) -> bool:
    """Log what broke; the visitor reads one sentence instead of a traceback."""
    LOG.error("The page failed.", exc_info=error)
    st.error(texts.PAGE_FAILED)
    return True


def parts() -> dict[str, Any]:
    """What the app needs beside its script."""
    return {"lifespan": lifespan, "routes": routes.ROUTES, "on_script_error": script_failed}


def build() -> st.App:
    """The app as the command line starts it."""
    return st.App(SCRIPT, **parts())


def run(app: st.App, settings: Mapping[str, Any] | None = None) -> None:
    """Serve until stopped; ``settings`` win over the settings that ship with the app."""
    app.run(config={**shipped_settings(), **(settings or {})})


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
