"""Report: the results as files that open without Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from html import escape

import streamlit as st

from core import report
from core.store import Project
from core.workspace.reports import documents_table, material_key, report_material
from core.workspace.results import Results, true_labels
from core.workspace.scores import score_history
from tsnmf_ui import figures, jobs
from tsnmf_ui.figures import report as report_figures
from tsnmf_ui.pages import results
from tsnmf_ui.pages.scores import scoreboard
from tsnmf_ui.pages.widgets import results_header
from tsnmf_ui.pages.widgets.live import follow
from tsnmf_ui.server import state

PREVIEW_HEIGHT = 720  # pixels of the preview
PREVIEW_FRAME = (
    "<style>html,body{{margin:0;height:100%;overflow:hidden}}</style>"
    '<iframe sandbox="allow-scripts" title="Report" srcdoc="{page}" '
    'style="width:100%;height:100vh;border:0;border-radius:8px"></iframe>'
)


def page() -> None:
    """Require a project; everything below follows the refits."""
    project = state.require_project()
    results_header.inject_style()
    _body(project.id)


@st.fragment
def _body(project_id: int) -> None:
    project = state.store().project(project_id)
    follow(project_id, key="report-live", tasks=(jobs.EVALUATE,))
    found = results.load(project, resting=True)
    results_header.head(project, found)
    if found is None:
        results_header.nothing_yet(project)
        return
    scoreboard.ask_for_scores(score_history(state.store(), project))
    material = report_material(state.store(), found, results.colours(found))
    left, right = st.columns([0.34, 0.66], gap="small")
    with left, st.container(key="panel-wording"):
        title, summary = _wording(project, material)
        page_html = _html(material_key(found, material), title, summary, found, material)
        _downloads(project, page_html, found)
    with right, st.container(key="panel-preview"):
        _preview(page_html)


def _wording(project: Project, material: report.ReportInput) -> tuple[str, str]:
    """Title and summary; what the analyst typed stays until the project changes."""
    st.html('<div class="ts-heading">Wording</div>')
    title = st.text_input(
        "Title", value=project.name, key=f"report.title.{project.id}", persist_state="session"
    )
    own, key = report.default_summary(material), f"report.summary.{project.id}"
    summary = st.text_area("Summary", key=key, placeholder=own, height=250, persist_state="session")
    if not summary.strip():
        st.button(
            "Edit summary",
            key="report.edit",
            type="tertiary",
            icon=":material/edit:",
            help="If left empty, the report uses the summary shown in grey.",
            on_click=state.set_value,
            args=(key, own),
        )
    return title, summary.strip() or own


def _downloads(project: Project, page_html: str, found: Results) -> None:
    st.html('<div class="ts-heading">Download</div>')
    name = _file_name(project.name)
    st.download_button(
        "Report (HTML)",
        data=page_html,
        file_name=f"{name}.html",
        mime="text/html",
        key="report.html",
        type="primary",
        icon=":material/description:",
        width="stretch",
        on_click="ignore",
    )
    st.download_button(
        "Texts with topics and labels (CSV)",
        data=_csv_maker(found),
        file_name=f"{name}.csv",
        mime="text/csv",
        key="report.csv",
        icon=":material/table:",
        width="stretch",
        on_click="ignore",
    )
    st.caption(
        "The report is one file that opens offline in any browser. In the table, cells that a "
        "spreadsheet could read as a formula start with an apostrophe."
    )


def _preview(page_html: str) -> None:
    """The very file, in a frame within a frame: sandboxed, it cannot touch the app around it."""
    st.iframe(
        PREVIEW_FRAME.format(page=escape(page_html)),
        height=PREVIEW_HEIGHT,
        alt="Preview of the report",
    )


@st.cache_resource(max_entries=4, show_spinner=False)
def _html(
    key: Hashable,
    title: str,
    summary: str,
    _found: Results,
    _material: report.ReportInput,
) -> str:
    labels = true_labels(state.store(), _found.project) or _found.people_labels
    drawn = report_figures.report_figures(_material, labels.names, labels.indicator)
    described = report.build_report(_material, title=title, summary=summary, figures=drawn)
    return report.render_html(described, figures.plotly_js())


def _csv_maker(found: Results) -> Callable[[], bytes]:
    """Makes the table when somebody asks for it."""
    store = state.store()
    return lambda: documents_table(store, found)


def _file_name(name: str) -> str:
    """A name every file system takes."""
    return re.sub(r"[^\w]+", "-", name.lower()).strip("-")[:60] or "report"
