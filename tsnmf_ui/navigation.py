"""The pages, in the order of the walk."""

from __future__ import annotations

import importlib
from types import ModuleType

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from tsnmf_ui import state

WALK = ("projects", "corpus", "label", "topics", "scores", "report")
HELP = {
    "projects": "Open, create or remove a project, or try the demo.",
    "corpus": "Read a file of texts and choose how its words are counted.",
    "label": "Say which topics a text may contain; the model follows.",
    "topics": "What the topics say: keywords, shares, quotes.",
    "scores": "How good the topics are, and whether labelling helped.",
    "report": "Take the results out of the house.",
}


def show() -> None:
    """Draw the navigation, then the chosen page."""
    pages = {name: _page(name) for name in WALK}
    chosen = st.navigation(list(pages.values()), position="top")
    state.keep_pages(pages)
    state.show_messages()
    chosen.run()


def _page(name: str) -> StreamlitPage:
    return st.Page(
        _module(name).page,
        title=name.capitalize(),
        url_path=name,
        default=name == WALK[0],
        help=HELP[name],
    )


def _module(name: str) -> ModuleType:
    try:
        return importlib.import_module(f"tsnmf_ui.pages.{name}")
    except ModuleNotFoundError:
        stub = ModuleType(name)
        stub.page = lambda: st.caption("This page is being built.")  # type: ignore[attr-defined]
        return stub
