"""The labelling pane: one component that talks to our routes and draws what they answer."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from tsnmf_ui.javascript.linker import link

__all__ = ["label_pane"]

PANE_FOLDER = Path(__file__).parent


@cache
def _component() -> Any:
    """Registered once per server."""
    return st.components.v2.component(
        "ts_label_pane",
        html=(PANE_FOLDER / "pane.html").read_text(encoding="utf-8"),
        css=(PANE_FOLDER / "pane.css").read_text(encoding="utf-8"),
        js=link(PANE_FOLDER / "component.js"),
    )


def label_pane(
    project: int,
    author: str,
    token: str,
    modes: list[tuple[str, str, str]],
    *,
    named: bool = True,
    reader: bool = False,
) -> None:
    """Mount the pane. It keeps itself up to date; only a lost token makes it ask for a rerun.

    ``named``: the author gave a name, and does not go by that of the machine's user.
    ``reader``: the author may change nothing.
    """
    data = {"project": project, "author": author, "token": token, "modes": modes}
    data |= {"named": named, "reader": reader}
    _component()(key="label-pane", data=data, on_renew_change=lambda: None)
