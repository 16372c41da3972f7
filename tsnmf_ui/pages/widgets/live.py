"""A hidden listener that reruns its fragment, or its page, when a refit or a score has arrived.

Call ``follow(project.id)`` once per page (best inside the fragment that shows topics): the
browser holds one event stream, and the server does nothing until there is news. The browser's side
is ``live.js``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from tsnmf_ui.javascript.linker import link
from tsnmf_ui.server import state, tokens

LIVE_SCRIPT = Path(__file__).with_suffix(".js")


@cache
def _listener() -> Any:
    return st.components.v2.component("ts_live", html="<span hidden></span>", js=link(LIVE_SCRIPT))


def follow(project: int, key: str = "live", tasks: Sequence[str] = ()) -> None:
    """Rerun where this is called as soon as a newer fit of the project is there.

    ``tasks`` are kinds of work in the background whose end is news here too.
    """
    state.require_sign_in()  # a fragment that draws itself again never meets the gate
    run = state.store().current_run(project)
    url = f"api/events?project={project}&token={tokens.token(state.author())}"
    data = {"url": url, "run": None if run is None else run.id, "tasks": list(tasks)}
    _listener()(key=f"{key}-{project}", data=data, on_run_change=lambda: None, height=1)
