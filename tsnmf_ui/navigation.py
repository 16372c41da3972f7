"""The pages, in the order of the walk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from tsnmf_ui import state
from tsnmf_ui.pages import compare, corpus, history, label, projects, report, scores, topics
from tsnmf_ui.widgets import who

FIRST = "projects"
PAGES: dict[str, Callable[[], None]] = {
    "projects": projects.page,
    "corpus": corpus.page,
    "label": label.page,
    "topics": topics.page,
    "scores": scores.page,
    "compare": compare.page,
    "history": history.page,
    "report": report.page,
}
HELP = {
    "projects": "Open, create or remove a project, or try the demo.",
    "corpus": "Read a file of texts and choose how its words are counted.",
    "label": "Say which topics a text may contain; the model follows.",
    "topics": "What the topics say: keywords, shares, quotes.",
    "scores": "How good the topics are, and whether labelling helped.",
    "history": "Who did what; restore any point, take labels out and bring them in.",
    "compare": "Other models and earlier runs on the same labels, side by side.",
    "report": "Take the results out of the house.",
}


def show() -> None:
    """Draw the navigation, then the chosen page."""
    pages = {name: _page(name) for name in PAGES}
    position: Literal["hidden", "top"] = "hidden" if state.must_sign_in() else "top"
    chosen = st.navigation(list(pages.values()), position=position)
    state.keep_pages(pages)
    who.gate()
    state.show_messages()
    chosen.run()


def _page(name: str) -> StreamlitPage:
    return st.Page(
        PAGES[name],
        title=name.capitalize(),
        url_path=name,
        default=name == FIRST,
        help=HELP[name],
    )
