"""Report: the results as files that open without Python."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

import streamlit as st

from core import report
from core.errors import StudioError
from core.report import default_summary
from core.store import REPORT_FIELD_LIMITS, EditReport, Project
from core.workspace.caches.store_cache import StoreCache
from core.workspace.reports import documents_table, material_key, report_material
from core.workspace.results import Results, true_labels
from tsnmf_ui import figures, jobs
from tsnmf_ui.figures import report as report_figures
from tsnmf_ui.pages import results
from tsnmf_ui.pages.scores import scoreboard
from tsnmf_ui.pages.widgets import results_header
from tsnmf_ui.pages.widgets.live import follow
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

PREVIEW_HEIGHT = 720  # pixels of the preview
PREVIEW_FRAME = (
    "<style>html,body{{margin:0;height:100%;overflow:hidden}}</style>"
    '<iframe sandbox="allow-scripts" title="Report" srcdoc="{page}" '
    'style="width:100%;height:100vh;border:0;border-radius:8px"></iframe>'
)

_report_pages: StoreCache[str] = StoreCache(max_entries=4)
_own_summaries: StoreCache[str] = StoreCache(max_entries=4)


def page() -> None:
    """Require a project; everything below follows the refits."""
    _body(results_header.open_page().id)


@st.fragment
def _body(project_id: int) -> None:
    project = state.store().project(project_id)
    follow(project_id, key="report-live", tasks=(jobs.EVALUATE,))
    found = results.load(project, resting=True)
    state.show_messages()
    results_header.head(project, found)
    if found is None:
        results_header.nothing_yet(project)
        return
    board = scoreboard.load(project)
    scoreboard.ask_for_scores(board)
    material = report_material(state.store(), found, results.colours(found), board)
    left, right = st.columns([0.34, 0.66], gap="small")
    with left, st.container(key="panel-wording"):
        _wording(project, material, _own_summary(found, material))
        page_html = _html(found, material)
        _downloads(project, page_html, found)
    with right, st.container(key="panel-preview"):
        _preview(page_html)


def _wording(project: Project, material: report.ReportInput, own: str) -> None:
    """Title and summary; what is typed is an event on the log, like a label."""
    st.html('<div class="ts-heading">Wording</div>')
    _title(project, material.title)
    _summary(project, material.summary, own)
    if material.summary_note:
        st.caption(texts.escape_markdown(material.summary_note))
    if not material.summary:
        st.button(
            "Edit summary",
            key="report.edit",
            type="tertiary",
            icon=":material/edit:",
            help="If left empty, the report uses the summary shown in grey.",
            on_click=_write,
            args=(project.id, "summary", own),
        )


def _title(project: Project, text: str) -> None:
    """With what stands on the log, also after an undo or a colleague's words."""
    key = f"report.title.{project.id}"
    state.set_value(key, text)
    st.text_input(
        "Title",
        key=key,
        max_chars=REPORT_FIELD_LIMITS["title"],
        on_change=_typed,
        args=(project.id, "title", key),
    )


def _summary(project: Project, text: str, own: str) -> None:
    """The same; ``own`` is what the report writes where nobody did."""
    key = f"report.summary.{project.id}"
    state.set_value(key, text)
    st.text_area(
        "Summary",
        key=key,
        max_chars=REPORT_FIELD_LIMITS["summary"],
        placeholder=own,
        height=250,
        on_change=_typed,
        args=(project.id, "summary", key),
    )


def _typed(project: int, name: str, key: str) -> None:
    _write(project, name, str(state.get_value(key, "")))


def _write(project: int, name: str, text: str) -> None:
    store = state.store()
    own = store.project(project).name if name == "title" else ""
    try:
        event = EditReport({name: "" if text.strip() == own else text})
        store.record(project, event, author=state.author())
    except StudioError as error:
        state.notify(texts.escape_markdown(str(error)), "error")


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


def _own_summary(found: Results, material: report.ReportInput) -> str:
    """What the report writes by itself; kept, for it reads some of the texts."""
    key = material_key(found, material)
    return _own_summaries.get(state.store(), key, lambda: default_summary(material))


def _html(found: Results, material: report.ReportInput) -> str:
    """The report as a page; kept, for drawing its figures takes a while."""
    key = material_key(found, material)
    return _report_pages.get(state.store(), key, lambda: _make_html(found, material))


def _make_html(found: Results, material: report.ReportInput) -> str:
    labels = true_labels(state.store(), found.project) or found.people_labels
    drawn = report_figures.report_figures(material, labels.names, labels.indicator)
    described = report.build_report(material, figures=drawn)
    return report.render_html(described, figures.plotly_js())


def _csv_maker(found: Results) -> Callable[[], bytes]:
    """Makes the table when somebody asks for it."""
    store = state.store()
    return lambda: documents_table(store, found)


def _file_name(name: str) -> str:
    """A name every file system takes."""
    return re.sub(r"[^\w]+", "-", name.lower()).strip("-")[:60] or "report"
