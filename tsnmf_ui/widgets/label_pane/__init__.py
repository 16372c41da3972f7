"""The labelling pane: one component that talks to our routes and draws what they answer."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

HERE = Path(__file__).parent
SCRIPTS = (  # in this order: later ones use earlier ones
    "link.js",
    "place.js",
    "draw.js",
    "patch.js",
    "sheet.js",
    "card.js",
    "topics.js",
    "list.js",
    "search.js",
    "codebook.js",
    "bulk.js",
    "changes.js",
    "forms.js",
    "drawing.js",
    "turns.js",
    "keys.js",
    "pane.js",
)


@cache
def _component() -> Any:
    """Registered once per server."""
    return st.components.v2.component(
        "ts_label_pane",
        html=_read("pane.html"),
        css=_read("pane.css"),
        js="\n".join(_read(name) for name in SCRIPTS),
    )


def _read(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def label_pane(project: int, author: str, token: str, modes: list[tuple[str, str, str]]) -> None:
    """Mount the pane. It keeps itself up to date; only a lost token makes it ask for a rerun."""
    data = {"project": project, "author": author, "token": token, "modes": modes}
    _component()(key="label-pane", data=data, on_renew_change=lambda: None)
