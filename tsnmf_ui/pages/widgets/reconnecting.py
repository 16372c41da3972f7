"""What a page says while the server does not answer; the browser's side is ``reconnecting.js``."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from tsnmf_ui.javascript.linker import link

RECONNECTING_SCRIPT = Path(__file__).with_suffix(".js")


@cache
def _observer() -> Any:
    hidden = "<span hidden></span>"
    return st.components.v2.component("ts_reconnecting", html=hidden, js=link(RECONNECTING_SCRIPT))


def watch_connection() -> None:
    """Once on every page."""
    _observer()(key="who-reconnecting", height=1)
