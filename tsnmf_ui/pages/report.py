"""Report: the results as files that open without Python."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

import streamlit as st

from core import report
from core.store import Project
from tsnmf_ui import figures, past, report_figures, results, state
from tsnmf_ui.results import Results
from tsnmf_ui.widgets import results_head
from tsnmf_ui.widgets.live import follow

HEIGHT = 720  # pixels of the preview
FRAME = (
    "<style>html,body{{margin:0;height:100%;overflow:hidden}}</style>"
    '<iframe sandbox="allow-scripts" title="Report" srcdoc="{page}" '
    'style="width:100%;height:100vh;border:0;border-radius:8px"></iframe>'
)
FAIR = "Scored on the texts that nobody had labelled, against the labels the corpus came with."


def page() -> None:
    """Require a project; everything below follows the refits."""
    project = state.require_project()
    results_head.dress()
    _body(project.id)


@st.fragment
def _body(project_id: int) -> None:
    project = state.store().project(project_id)
    follow(project_id, key="report-live")
    found = results.of(project)
    results_head.head(project, found)
    if found is None:
        results_head.nothing_yet(project)
        return
    material = _material(found)
    left, right = st.columns([0.34, 0.66], gap="small")
    with left, st.container(key="panel-wording"):
        title, summary = _wording(project, material)
        page_html = _html(found.version, title, summary, found, material)
        _downloads(project, page_html, found)
    with right, st.container(key="panel-preview"):
        _preview(page_html)


def _wording(project: Project, material: report.Material) -> tuple[str, str]:
    """Title and summary; what the analyst typed stays until the project changes."""
    st.html('<div class="ts-heading">Wording</div>')
    title = st.text_input(
        "Title", value=project.name, key=f"report.title.{project.id}", persist_state="session"
    )
    own, key = report.default_summary(material), f"report.summary.{project.id}"
    summary = st.text_area("Summary", key=key, placeholder=own, height=250, persist_state="session")
    if not summary.strip():
        st.button(
            "Change this text",
            key="report.edit",
            type="tertiary",
            icon=":material/edit:",
            help="Left empty, the report writes the summary shown in grey.",
            on_click=state.remember,
            args=(key, own),
        )
    return title, summary.strip() or own


def _downloads(project: Project, page_html: str, found: Results) -> None:
    st.html('<div class="ts-heading">Take it with you</div>')
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
        "The report is one file: it opens offline in any browser and prints well. In the table, a "
        "cell that a spreadsheet could take for a formula begins with an apostrophe."
    )


def _preview(page_html: str) -> None:
    """The very file, in a frame within a frame: sandboxed, it cannot touch the app around it."""
    st.iframe(FRAME.format(page=escape(page_html)), height=HEIGHT, alt="Preview of the report")


def _material(found: Results) -> report.Material:
    """Everything the report is made from."""
    project = found.project
    matching = results.matching(found)
    return report.Material(
        topics=found.topics,
        corpus=results.corpus(project.id),
        supervision=found.supervision,
        text=found.run.spec.reads(project.settings.text),
        matching=matching,
        matched_with=FAIR if matching else "",
        people=report.work_of(
            state.store().events(project.id),
            found.annotations,
            agreement=past.agreement_of(state.store(), project.id, project.revision),
        ),
        colours=found.colours,
    )


@st.cache_resource(max_entries=4, show_spinner=False)
def _html(
    version: results.Version,
    title: str,
    summary: str,
    _found: Results,
    _material: report.Material,
) -> str:
    labels = results.truth(_found.project) or results.people(_found)
    drawn = report_figures.drawn(_material, labels.names, labels.indicator)
    described = report.build_report(_material, title=title, summary=summary, figures=drawn)
    return report.render_html(described, figures.plotly_js())


def _csv_maker(found: Results) -> Callable[[], bytes]:
    """Makes the table when somebody asks for it."""
    corpus = results.corpus(found.project.id)
    return lambda: report.documents_csv(found.topics, corpus, found.supervision)


def _file_name(name: str) -> str:
    """A name every file system takes."""
    return re.sub(r"[^\w]+", "-", name.lower()).strip("-")[:60] or "report"
