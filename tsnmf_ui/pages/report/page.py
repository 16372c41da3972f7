"""Report: the results as files that open without Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from pathlib import Path

import streamlit as st

from core import report
from core.errors import StudioError
from core.report import default_summary
from core.store import REPORT_FIELD_LIMITS, EditReport, Project
from core.workspace.caches.store_cache import StoreCache
from core.workspace.reports import describe_report, material_key, report_material
from core.workspace.results import Results
from tsnmf_ui import jobs
from tsnmf_ui.pages import results
from tsnmf_ui.pages.report import arrangement_form, files, present
from tsnmf_ui.pages.report.privacy_form import privacy_form
from tsnmf_ui.pages.scores import scoreboard
from tsnmf_ui.pages.widgets import results_header, slow_parts
from tsnmf_ui.pages.widgets.live import follow
from tsnmf_ui.pages.widgets.slow_parts import SlowParts
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

CSS = Path(__file__).with_name("style.css")
PREVIEW_HEIGHT = 900  # pixels of the preview
PREVIEW_FRAME = (
    "<style>html,body{{margin:0;height:100%;overflow:hidden}}</style>"
    '<iframe sandbox title="Report" srcdoc="{page}" '
    'style="width:100%;height:100vh;border:0;border-radius:8px"></iframe>'
)

_report_pages: SlowParts[str] = SlowParts(max_entries=4)
_gathered: SlowParts[bool] = SlowParts(max_entries=8)
_own_summaries: StoreCache[str] = StoreCache(max_entries=4)


def page() -> None:
    """Require a project; everything below follows the refits."""
    if present.present_asked():
        present.show()
        return
    _body(results_header.open_page(CSS).id)


@st.fragment
def _body(project_id: int) -> None:
    project = state.store().project(project_id)
    follow(project_id, key="report-live", tasks=(jobs.EVALUATE, jobs.REPORT))
    found = results.load(project, resting=True)
    state.show_messages()
    results_header.head(project, found)
    if found is None:
        results_header.nothing_yet(project)
        return
    board = scoreboard.load(project)
    scoreboard.ask_for_scores(board)
    gather = partial(report_material, state.store(), found, results.colours(found), board)
    if not _gathered_before(found, gather):
        return
    material = gather()
    write = partial(_write, project_id)
    may_change = state.may_change(project_id)
    if may_change:
        with st.container(key="panel-privacy"):
            privacy_form(project_id, material.privacy, write)
    left, right = st.columns([0.36, 0.64], gap="small")
    with left:
        with st.container(key="panel-files"):
            files.downloads(found, material)
            _present_buttons()
        if may_change:
            with st.container(key="panel-wording"):
                _wording(project, material, _own_summary(found, material))
                _arrangement(found, material)
    with right, st.container(key="panel-preview"):
        _preview(found, material)


def _present_buttons() -> None:
    """On the whole screen: this report as it is now, or one from a file."""
    with st.container(horizontal=True):
        for title, value in (("Present", "1"), ("Present a file", "file")):
            if st.button(title, key=f"report.present.{value}", icon=":material/slideshow:"):
                state.open_page("report", present=value)


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
            args=(project.id, {"summary": own}),
        )


def _arrangement(found: Results, material: report.ReportInput) -> None:
    """Order, hidden topics, comments, quotes and logo, each where it is asked for."""
    write = partial(_write, found.project.id)
    with st.expander("Order, hidden topics and comments"):
        arrangement_form.topic_grid(found, material, write)
    if material.privacy.quotes == "chosen":
        with st.expander("Choose the quotes", expanded=True):
            arrangement_form.quote_choice(state.store(), found, material, write)
    with st.expander("Logo"):
        arrangement_form.logo_form(found.project.id, material.arrangement.logo, write)


def _title(project: Project, text: str) -> None:
    """With what stands on the log, also after an undo or a colleague's words."""
    key = f"report.title.{project.id}"
    state.set_value(key, text)
    st.text_input(
        "Title",
        key=key,
        max_chars=REPORT_FIELD_LIMITS["title"],
        on_change=_typed,
        args=(project, "title", key),
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
        height=220,
        on_change=_typed,
        args=(project, "summary", key),
    )


def _typed(project: Project, name: str, key: str) -> None:
    text = str(state.get_value(key, ""))
    own = project.name if name == "title" else ""
    _write(project.id, {name: "" if text.strip() == own else text})


def _write(project: int, fields: Mapping[str, str]) -> None:
    try:
        if fields:
            state.store().record(project, EditReport(fields), author=state.author())
    except StudioError as error:
        state.notify(texts.escape_markdown(str(error)), "error")


def _preview(found: Results, material: report.ReportInput) -> None:
    """The very page, in a frame within a frame: sandboxed, it cannot touch the app around it."""
    try:
        page_html = _html(found, material)
    except StudioError as error:
        st.warning(texts.escape_markdown(str(error)))
        return
    if page_html is None:
        return
    st.iframe(
        PREVIEW_FRAME.format(page=escape(page_html)),
        height=PREVIEW_HEIGHT,
        alt="Preview of the report",
    )


def _own_summary(found: Results, material: report.ReportInput) -> str:
    """What the report writes by itself; kept, for it reads some of the texts."""
    key = material_key(found, material)
    return _own_summaries.get(state.store(), key, lambda: default_summary(material))


def _html(found: Results, material: report.ReportInput) -> str | None:
    """The report as a page; kept, so that nothing is drawn twice. None while it is being drawn."""
    store, key = state.store(), material_key(found, material)

    def draw() -> str:
        return report.render_html(describe_report(store, found, material))

    return _report_pages.show(store, key, draw, "The report is being drawn.", wait=_small(found))


def _gathered_before(found: Results, gather: Callable[[], object]) -> bool:
    """Whether texts, people and what is to be masked are in memory; else they are being read."""
    key = (found.version, found.project.texts_revision)
    sentence = "The texts and labels of the report are being read."
    gathered = _gathered.show(
        state.store(), key, lambda: gather() is not None, sentence, wait=_small(found)
    )
    return gathered is not None


def _small(found: Results) -> bool:
    """Few enough texts to wait for."""
    return found.project.n_docs <= slow_parts.TEXTS_WAITED_FOR
