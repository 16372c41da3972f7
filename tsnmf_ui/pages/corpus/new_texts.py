"""New texts: read another file by the project's model, and take the model along."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import streamlit as st

from core.store import Project
from core.workspace.caches.corpora import corpus_of
from core.workspace.fitted_models import model_of
from core.workspace.new_texts import PredictedTexts, keep_upload
from tsnmf_ui import jobs
from tsnmf_ui.pages.corpus import intake, overview
from tsnmf_ui.pages.corpus.intake import Upload
from tsnmf_ui.pages.widgets.errors import try_or_show_error
from tsnmf_ui.pages.widgets.file_link import file_link
from tsnmf_ui.pages.widgets.live import follow
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

WHAT_IT_DOES = (
    "The model of this project tells topics and labels of texts it has not seen, such as next "
    "month's. They are not added to the project; *Add texts* does that."
)
NOT_FITTED = "Once the project is fitted, new texts can be read by its model."
MODEL_HELP = "Words, weights and topics in one file, without the texts; for `tsnmf-studio predict`."
CARD_HELP = "What the model was fitted to, its scores with intervals, and its limits."
POLL_SECONDS = 0.5


@st.fragment
def new_texts(project_id: int) -> None:
    """A file in, a table out; a fragment, for the rest of the page has nothing to do with it."""
    project = state.store().project(project_id)
    follow(project_id, key="new-texts-live", tasks=(jobs.PREDICT,))
    overview.heading("New texts")
    st.caption(WHAT_IT_DOES)
    if state.store().resting_run(project_id) is None:
        st.caption(NOT_FITTED)
        return
    left, right = st.columns([0.66, 0.34])
    with left:
        _ask(project)
    with right:
        _model_files(project)
    _outcome(project)


def _ask(project: Project) -> None:
    file = st.file_uploader("A file of new texts", key=f"new-texts.file.{project.id}")
    if file is not None:
        try_or_show_error(_choose, project, intake.upload_of(file))


def _choose(project: Project, upload: Upload) -> None:
    shown = intake.preview_upload(upload, None, None)
    header = list(shown.header)
    place = header.index(shown.columns.text) if shown.columns.text in header else 0
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = st.selectbox("Text", header, index=place, key=f"new-texts.text.{upload.key}")
        st.button(
            "Find topics and labels",
            key="new-texts.predict",
            type="primary",
            disabled=jobs.service().state(jobs.PREDICT, project.id).active,
            on_click=_request,
            args=(project.id, upload, text),
        )


def _request(project: int, upload: Upload, text: str) -> None:
    where = keep_upload(state.store(), project, upload.data)
    columns = corpus_of(state.store(), project, texts=False).reading.columns
    arguments = {
        "upload": where,
        "name": upload.name,
        "text": text,
        "more_text": columns.more_text if text == columns.text else (),
        "author": state.author(),
    }
    jobs.service().request(jobs.PREDICT, project, arguments)


def _outcome(project: Project) -> None:
    job = jobs.service().state(jobs.PREDICT, project.id)
    if job.active:
        _running(project.id)
        return
    if job.phase == "failed" and job.error:
        st.error(texts.escape_markdown(job.error))
    found = _own_result(project.id, job.result)
    if found is not None and Path(found.table).is_file():
        _found(project, found)


def _own_result(project: int, newest: object) -> PredictedTexts | None:
    """What came of the visitor's last file, also after others asked; theirs is not shown."""
    key = f"new-texts.found.{project}"
    if isinstance(newest, PredictedTexts) and newest.author == state.author():
        state.set_value(key, newest)
    own: PredictedTexts | None = state.get_value(key)
    return own


@st.fragment(run_every=POLL_SECONDS)
def _running(project: int) -> None:
    job = jobs.service().state(jobs.PREDICT, project)
    st.progress(min(max(job.share, 0.0), 1.0), text="Reading the texts")
    cancel = (jobs.PREDICT, project)
    st.button("Cancel", key="new-texts.cancel", on_click=jobs.service().cancel, args=cancel)


def _found(project: Project, found: PredictedTexts) -> None:
    run = state.store().resting_run(project.id)
    old = run is not None and run.id != found.run
    since = ["There has been another fit since; ask again for its answer."] if old else []
    st.caption(texts.escape_markdown(" ".join([*found.notes, *since])))
    st.dataframe(
        list(found.first),
        hide_index=True,
        height=300,
        column_config={
            "text": st.column_config.TextColumn("text", width="large"),
            "main topic share": st.column_config.NumberColumn(format="percent"),
            "chance of first label": st.column_config.NumberColumn(format="percent"),
        },
        alt="The first new texts with their topics and labels",
    )
    file_link(
        "All texts with topics and labels (CSV)",
        project.id,
        Path(found.table),
        name=f"{texts.file_stem(Path(found.file).stem)}-topics.csv",
        media_type="text/csv",
    )


def _model_files(project: Project) -> None:
    """The model and its card, made when somebody asks for them."""
    stem = texts.file_stem(project.name)
    for title, suffix, help, make in (
        ("Model", ".tsnmf", MODEL_HELP, _model_maker(project)),
        ("Model card", ".card.md", CARD_HELP, _card_maker(project)),
    ):
        st.download_button(
            title,
            data=make,
            file_name=f"{stem}{suffix}",
            mime="application/octet-stream",
            key=f"new-texts{suffix}",
            help=help,
            icon=":material/download:",
            width="stretch",
            on_click="ignore",
        )


def _model_maker(project: Project) -> Callable[[], bytes]:
    store = state.store()

    def make() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.tsnmf"
            model_of(store, project).save(path)
            return path.read_bytes()

    return make


def _card_maker(project: Project) -> Callable[[], bytes]:
    store = state.store()
    return lambda: model_of(store, project).card.to_markdown().encode("utf-8", "replace")
