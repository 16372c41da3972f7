"""The pages, in the order of the walk."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Literal

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from tsnmf_ui.pages.compare import page as compare
from tsnmf_ui.pages.corpus import page as corpus
from tsnmf_ui.pages.history import page as history
from tsnmf_ui.pages.label import page as label
from tsnmf_ui.pages.projects import page as projects
from tsnmf_ui.pages.report import page as report
from tsnmf_ui.pages.scores import page as scores
from tsnmf_ui.pages.topics import page as topics
from tsnmf_ui.pages.widgets import author, reconnecting
from tsnmf_ui.server import garbage, state
from tsnmf_ui.theme import texts

START_PAGE = "projects"
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
PAGE_HELP = {
    "projects": "Open, create or remove a project, or try the demo.",
    "corpus": "Read a file of texts and choose how its words are counted.",
    "label": "Label texts by topic; the model learns from every label.",
    "topics": "Keywords, shares and quotes of every topic.",
    "scores": "How good the topics are, and whether labelling helped.",
    "history": "Who did what and when; restore an earlier state, export and import labels.",
    "compare": "Compare models and earlier runs on the same labels.",
    "report": "Export the results as files.",
}


def show() -> None:
    """Draw the navigation, then the chosen page."""
    garbage.leave_out_modules()
    pages = {name: _page(name) for name in PAGES}
    position: Literal["hidden", "top"] = "hidden" if state.needs_sign_in() else "top"
    chosen = st.navigation(list(pages.values()), position=position)
    state.set_pages(pages)
    reconnecting.watch_connection()
    author.require_author()
    _name_page(chosen.title)
    _tell_reader(chosen.title)
    state.show_messages()
    chosen.run()


def _name_page(page: str) -> None:
    """Page and project, in the title of the tab and as the one heading of the first level."""
    project = None if page == START_PAGE.capitalize() else state.project()
    name = page if project is None else f"{page} · {project.name}"
    st.set_page_config(page_title=f"{name} · {texts.APP_NAME}")
    st.html(f'<h1 class="ts-unseen">{escape(name)}</h1>')


def _tell_reader(page: str) -> None:
    """Why a reader of the open project finds nothing to press."""
    project = None if page == START_PAGE.capitalize() else state.project()
    if project is not None and not state.may_change(project.id):
        st.caption(texts.READ_ONLY)


def _page(name: str) -> StreamlitPage:
    return st.Page(
        PAGES[name],
        title=name.capitalize(),
        url_path=name,
        default=name == START_PAGE,
        help=PAGE_HELP[name],
    )
