"""Present: the page behind ``?present=1``."""

from __future__ import annotations

from html import escape
from pathlib import Path

import streamlit as st

from core import report
from core.errors import StudioError
from core.report import MAX_REPORT_BYTES
from core.store import Project
from core.workspace.reports import describe_report, report_material
from tsnmf_ui import figures
from tsnmf_ui.pages import results
from tsnmf_ui.pages.report.present.screens import (
    OVER_TIME,
    TOGETHER,
    Screen,
    screens_of,
    trends_figure,
)
from tsnmf_ui.pages.report.present.together import show_together
from tsnmf_ui.pages.widgets.live import follow
from tsnmf_ui.server import state
from tsnmf_ui.theme import style, texts

CSS = Path(__file__).with_name("style.css")
ADDRESS_KEY = "present"
SCREEN_NUMBER, OPENED_FILE = "present.screen", "present.report"


def present_asked() -> bool:
    """Whether the address asks for the whole screen."""
    return ADDRESS_KEY in st.query_params


def show() -> None:
    """The project's report, live; or one from a file."""
    style.add_style_sheet(CSS)
    project = state.project()
    if st.query_params.get(ADDRESS_KEY) == "file" or project is None:
        _from_file()
    else:
        _live(project.id)


@st.fragment
def _live(project_id: int) -> None:
    """Drawn again as soon as a new fit is there."""
    project = state.store().project(project_id)
    follow(project_id, key="present-live")
    found = results.load(project, resting=True)
    if found is None:
        st.html('<p class="ts-p-said">No topics yet: label a few texts first.</p>')
        return
    material = report_material(state.store(), found, results.colours(found))
    try:
        described = describe_report(state.store(), found, material)
    except StudioError as error:
        st.html(f'<p class="ts-p-said">{escape(str(error))}</p>')
        return
    _screens(described, project)


@st.fragment
def _from_file() -> None:
    described: report.Report | None = state.get_value(OPENED_FILE)
    if described is None:
        st.html('<h1 class="ts-p-heading">Present a report</h1>')
        given = st.file_uploader(
            "A report as JSON, from the Report page or the command line",
            type=["json"],
            key="present.file",
            max_upload_size=MAX_REPORT_BYTES // 10**6,
        )
        if given is not None:
            _open_file(given.getvalue())
        return
    _screens(described, None)


def _open_file(data: bytes) -> None:
    try:
        state.set_value(OPENED_FILE, report.read_report(data))
    except StudioError as error:
        st.error(texts.escape_markdown(str(error)))
        return
    st.rerun(scope="fragment")


def _screens(described: report.Report, project: Project | None) -> None:
    screens = screens_of(described, live=project is not None)
    number = min(int(state.get_value(SCREEN_NUMBER, 0)), len(screens) - 1)
    screen = screens[number]
    with st.container(key="present-screen"):
        if screen.html:
            st.html(f'<div class="ts-p-screen" data-screen="{number}">{screen.html}</div>')
        if screen.kind == OVER_TIME:
            _chart(described)
        if screen.kind == TOGETHER and project is not None:
            show_together(project, described.privacy)
    _controls(number, screens)


def _chart(described: report.Report) -> None:
    """The largest topics over time."""
    figure = trends_figure(described)
    st.plotly_chart(
        figure,
        key="present-chart",
        theme=None,
        alt=figures.alt_text(figure),
        config={"displayModeBar": False},
    )


def _controls(number: int, screens: list[Screen]) -> None:
    """Arrow keys and small buttons; Escape leaves."""
    with st.container(key="present-controls", horizontal=True, vertical_alignment="center"):
        st.html(f'<span class="ts-p-place">{number + 1} / {len(screens)}</span>')
        st.button(
            "Back",
            key="present.back",
            shortcut="Left",
            disabled=number == 0,
            on_click=_go,
            args=(number - 1,),
        )
        st.button(
            "Next",
            key="present.on",
            shortcut="Right",
            disabled=number == len(screens) - 1,
            on_click=_go,
            args=(number + 1,),
        )
        if st.button("Leave", key="present.leave", shortcut="Escape"):
            state.clear_values(SCREEN_NUMBER, OPENED_FILE)
            state.open_page("report")


def _go(number: int) -> None:
    state.set_value(SCREEN_NUMBER, number)
