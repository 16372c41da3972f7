"""Meaning: whether texts that say the same in other words are recognised, and from where."""

from __future__ import annotations

from html import escape
from pathlib import Path

import streamlit as st

from core.store import Project
from core.text.encoders import INSTALL_COMMAND, wordllama_installed
from core.workspace.meaning import Meaning, meaning_of
from tsnmf_ui import jobs
from tsnmf_ui.pages.corpus import intake, overview
from tsnmf_ui.pages.widgets.errors import try_or_show_error
from tsnmf_ui.pages.widgets.live import follow
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

WHAT_IT_DOES = (
    "Texts that say the same in other words count as similar: labels reach further, and the queue, "
    "near copies, “Texts like this one” and like: searches use it too."
)
POLL_SECONDS = 1.0  # between two looks at how far a large corpus is read
MEANING_AUTO, MEANING_OWN, MEANING_FOLDER, MEANING_OFF = "auto", "own", "folder", "off"
MEANING_CHOICES = {
    MEANING_AUTO: "Built in",
    MEANING_OWN: "Your own vectors",
    MEANING_FOLDER: "A model folder",
    MEANING_OFF: "Off",
}
MEANING_HELP = {
    MEANING_AUTO: "The static embedding wordllama: it is installed with the app's extra, works "
    "offline and needs no graphics card.",
    MEANING_OWN: "A NumPy file (.npy) with a row for each text, or a Parquet file with a column of "
    "lists of numbers, up to 200 MB.",
    MEANING_FOLDER: "A folder on the machine that runs the app, with a model2vec or "
    "sentence-transformers model. Nothing is downloaded.",
    MEANING_OFF: "Only words count.",
}


@st.fragment
def meaning_form(project_id: int) -> None:
    """A fragment, so that the end of reading a large corpus draws only this again."""
    follow(project_id, key="meaning-live", tasks=(jobs.ENCODE,))
    project = state.store().project(project_id)
    overview.heading("Meaning")
    reading = jobs.service().state(jobs.ENCODE, project_id).active
    st.fragment(_show_status, run_every=POLL_SECONDS if reading else None)(project_id)
    st.html(f'<div class="ts-quiet">{WHAT_IT_DOES}</div>')
    now, key = _way_of(project.settings.meaning), f"corpus.meaning.{project.id}"
    way = st.segmented_control(
        "Where meaning comes from",
        list(MEANING_CHOICES),
        format_func=MEANING_CHOICES.__getitem__,
        default=now,
        required=True,
        key=f"{key}.way",
        label_visibility="collapsed",
    )
    st.html(f'<div class="ts-quiet">{MEANING_HELP[way]}</div>')
    try_or_show_error(_choose, project, way, key)


def _show_status(project_id: int) -> None:
    status = _status(state.store().project(project_id))
    st.html(f'<div class="ts-vocabulary">{status}</div>')


def _way_of(setting: str) -> str:
    return setting if setting in MEANING_CHOICES else MEANING_FOLDER


def _status(project: Project) -> str:
    """On, and from where; on its way, and how far; or off, and what would help."""
    job = jobs.service().state(jobs.ENCODE, project.id)
    if job.active:
        left = f", about {texts.seconds(job.seconds_left)} left" if job.seconds_left else ""
        return f"<b>On its way.</b> The texts are being read: {texts.percent(job.share)}{left}."
    found = meaning_of(state.store(), project)
    if found.on:
        return f"<b>On</b>, from {escape(found.source)}."
    if job.phase == "failed" and job.error and job.title == project.settings.meaning:
        return f'<b>Off.</b> <span class="ts-bad">{escape(job.error)}</span>'
    return _not_on(found)


def _not_on(found: Meaning) -> str:
    if found.waiting:
        return "<b>On its way.</b> The texts are read with the next fit."
    return f"<b>Off.</b> {escape(found.missing)}".strip()


def _choose(project: Project, way: str, key: str) -> None:
    if way == MEANING_OWN:
        _own(project, key)
    elif way == MEANING_FOLDER:
        _folder(project, key)
    else:
        if way == MEANING_AUTO and not wordllama_installed():
            st.code(INSTALL_COMMAND, language=None)
        _save(project, key, way, changed=way != project.settings.meaning)


def _own(project: Project, key: str) -> None:
    file = st.file_uploader("Vectors", type=["npy", "parquet"], key=f"{key}.file")
    if file is not None:
        upload = intake.upload_of(file)
        column = _column(upload, key)
        if st.button("Use these vectors", key=f"{key}.use", type="primary"):
            intake.use_own_vectors(project, upload, column)
            _saved()
        return
    given = state.store().own_vectors_fingerprint(project.id) is not None
    if given:
        _save(project, key, MEANING_OWN, changed=project.settings.meaning != MEANING_OWN)


def _column(upload: intake.Upload, key: str) -> str | None:
    """Which list column of a Parquet file; nothing to ask where there is one at most."""
    if not upload.name.lower().endswith(".parquet"):
        return None
    columns = intake.preview_upload(upload, None, None).vector_columns
    if len(columns) < 2:
        return columns[0] if columns else None
    return str(st.selectbox("Column", columns, key=f"{key}.column"))


def _folder(project: Project, key: str) -> None:
    chosen = project.settings.meaning
    known = chosen if _way_of(chosen) == MEANING_FOLDER else ""
    typed = st.text_input(
        "Folder", known, key=f"{key}.folder", placeholder=str(Path("models") / "potion-base-8M")
    ).strip()
    _save(project, key, typed, changed=bool(typed) and typed != chosen)


def _save(project: Project, key: str, meaning: str, *, changed: bool) -> None:
    if st.button("Save and refit", key=f"{key}.save", type="primary", disabled=not changed):
        with st.spinner("Trying it out…"):
            intake.change_meaning(project, meaning)
        _saved()


def _saved() -> None:
    state.notify("Saved. The model is being refitted.")
    st.rerun()
