"""The report as files: at once where there are few texts, by a job with progress where many."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import streamlit as st

from core import report
from core.report import FORMATS, ReportFormat
from core.store import Store
from core.workspace.reports import report_file, write_project_report
from core.workspace.results import Results
from tsnmf_ui import jobs
from tsnmf_ui.pages.widgets.file_link import file_link
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

TEXTS_AT_ONCE = 20_000  # so many texts are written while a person waits for the download
POLL_SECONDS = 1.0  # between two looks at the job
TEXTS_LEFT_OUT = "The texts themselves are left out; see “What they will see”."


def downloads(found: Results, material: report.ReportInput) -> None:
    """Choose a format and get the file."""
    st.html('<div class="ts-heading">Files</div>')
    name = st.selectbox(
        "Format",
        list(FORMATS),
        key="report.format",
        format_func=lambda each: FORMATS[each].title,
        label_visibility="collapsed",
    )
    chosen = FORMATS[name]
    left_out = chosen.row_by_row and not material.privacy.shows_texts
    st.caption(f"{chosen.sentence} {TEXTS_LEFT_OUT}" if left_out else chosen.sentence)
    if chosen.row_by_row and found.project.n_docs > TEXTS_AT_ONCE:
        _by_job(found, material, chosen)
    else:
        _download(found, chosen, _maker(state.store(), found, material, chosen))


def _download(found: Results, chosen: ReportFormat, data: Callable[[], bytes]) -> None:
    st.download_button(
        "Download",
        data=data,
        file_name=_file_name(found, chosen),
        mime=chosen.media_type,
        key=f"report.{chosen.name}",
        type="primary",
        icon=":material/download:",
        width="stretch",
        on_click="ignore",
    )


def _file_name(found: Results, chosen: ReportFormat) -> str:
    return f"{texts.file_stem(found.project.name)}{chosen.suffix}"


def _maker(
    store: Store, found: Results, material: report.ReportInput, chosen: ReportFormat
) -> Callable[[], bytes]:
    """Makes the file when somebody asks for it."""

    def make() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"report{chosen.suffix}"
            write_project_report(store, found, material, path, format=chosen.name)
            return path.read_bytes()

    return make


def _by_job(found: Results, material: report.ReportInput, chosen: ReportFormat) -> None:
    """A button, then progress, then the file."""
    project = found.project
    job = jobs.service().state(jobs.REPORT, project.id)
    if job.active:
        _running(project.id)
        return
    path = report_file(state.store(), found, material, chosen.name)
    if path.is_file():
        file_link(
            f"Download ({texts.bytes_in_words(path.stat().st_size)})",
            project.id,
            path,
            name=_file_name(found, chosen),
            media_type=chosen.media_type,
        )
        return
    if job.error:
        st.error(texts.escape_markdown(job.error))
    st.button(
        f"Write the file ({texts.count(project.n_docs, 'text')})",
        key="report.make",
        type="primary",
        width="stretch",
        on_click=jobs.service().request,
        args=(jobs.REPORT, project.id, {"format": chosen.name, "colours": tuple(material.colours)}),
    )


@st.fragment(run_every=POLL_SECONDS)
def _running(project: int) -> None:
    """How far it is; the end draws the page again."""
    job = jobs.service().state(jobs.REPORT, project)
    st.progress(job.share, _progress_sentence(job))
    st.button(
        "Cancel", key="report.cancel", on_click=jobs.service().cancel, args=(jobs.REPORT, project)
    )


def _progress_sentence(job: jobs.JobState) -> str:
    """Before the first row is written, what is counted and quoted takes a while."""
    if job.phase == "waiting":
        return "Waiting for other work"
    if job.seconds_left is None:
        return "Preparing"
    return f"Writing, about {texts.seconds(job.seconds_left)} left"
