"""Corpus: drop a file, check how it was read and how its words are counted, create a project."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from html import escape
from pathlib import Path
from typing import TypeVar

import streamlit as st

from core.corpus import Corpus
from core.errors import StudioError
from core.recommendation import free_topics
from core.store import Project
from core.text import TextSettings
from tsnmf_ui import intake, jobs, model_choice, state, texts
from tsnmf_ui.intake import Choice, Plan, Upload, Use
from tsnmf_ui.widgets import column_choice as columns_widget
from tsnmf_ui.widgets import corpus_glance
from tsnmf_ui.widgets import model_form as model_widget
from tsnmf_ui.widgets import text_form as words_widget
from tsnmf_ui.widgets.collections_list import COLLECTION, collections_list
from tsnmf_ui.widgets.live import follow
from tsnmf_ui.widgets.model_advice import TAKEN, model_advice

Result = TypeVar("Result")

KINDS = "CSV, TSV, XLSX, JSON lines, Parquet, or a ZIP of .txt files, up to 200 MB."
DEAF = (
    "This model hears no labels, and {n:,} texts take it a while: it is fitted again when you "
    "ask, not after every label."
)
FILE, FOLDER = "One file", "A folder of .txt files"
USES: dict[Use, str] = {
    "truth": "Keep as truth for scores",
    "labels": "Start as labels",
    "ignore": "Ignore",
}
USE_SAYS: dict[Use, str] = {
    "truth": "The model does not see them; they tell how well its topics match.",
    "labels": "They become the first labels, and the model obeys them.",
    "ignore": "They stay with the texts and are not used.",
}
ENCODINGS = ("Guess", "utf-8", "cp1252", "latin-1", "cp1250", "cp1251", "utf-16", "shift_jis")
DELIMITERS = {"Guess": None, "Comma ,": ",", "Semicolon ;": ";", "Tab": "\t", "Bar |": "|"}


def page() -> None:
    """Show the open project's corpus, or read a new one."""
    st.html(f"<style>{_css()}</style>")
    project = state.project()
    if project is None:
        _new()
    else:
        _existing(project)


@cache
def _css() -> str:
    return (Path(__file__).parent.parent / "corpus.css").read_text(encoding="utf-8")


# A new project


def _new() -> None:
    chosen = state.recall(COLLECTION)
    if chosen:
        _new_from_collection(chosen)
        return
    _heading("New project", "Read a file of texts, name a few topics, and start to label.")
    left, right = st.columns([0.66, 0.34])
    with left, st.container(key="panel-drop"):
        upload = _drop()
    with right, st.container(key="panel-collections"):
        collections_list()
    if upload is not None:
        _new_from_upload(upload)


def _tried(step: Callable[..., Result], *args: object) -> Result | None:
    """Do a step, or show what is wrong as one sentence; nothing has been changed by then."""
    try:
        return step(*args)
    except StudioError as error:
        st.error(texts.literal(str(error)), icon=":material/error:")
        return None


def _drop() -> Upload | None:
    corpus_glance.heading("Your texts")
    way = st.segmented_control(
        "What to read",
        (FILE, FOLDER),
        default=FILE,
        required=True,
        key="corpus.way",
        label_visibility="collapsed",
    )
    if way == FOLDER:
        files = st.file_uploader(
            "Drop a folder of .txt files here",
            accept_multiple_files="directory",
            key="corpus.folder",
        )
        return intake.upload_of_folder(files) if files else None
    file = st.file_uploader("Drop a file here", key="corpus.file", help=KINDS)
    st.html(f'<div class="ts-quiet">{KINDS}</div>')
    return None if file is None else intake.upload_of(file)


def _new_from_collection(name: str) -> None:
    title, what, _ = intake.COLLECTIONS[name]
    head, back = st.columns([0.8, 0.2], vertical_alignment="center")
    with head:
        _heading(title, f"{what}.")
    back.button(
        "Choose another",
        key="corpus.back",
        width="stretch",
        on_click=state.forget,
        args=(COLLECTION,),
    )
    _tried(_collection_form, name, title)


def _collection_form(name: str, title: str) -> None:
    corpus = intake.collection(name)
    with st.container(key="panel-columns"):
        corpus_glance.heading("What is in the collection")
        corpus_glance.figures(corpus)
    _form(corpus, f"corpus.{name}", title)


def _new_from_upload(upload: Upload) -> None:
    key = f"corpus.{upload.key}"
    with st.container(key="panel-columns"):
        corpus_glance.heading("What is in the file")
        place = st.container()  # the ways out of a bad guess stay below, whatever is shown here
        encoding, delimiter, least = _overrides(key)
        with place:
            corpus = _tried(_choose_columns, upload, key, encoding, delimiter, least)
    if corpus is not None:
        _form(corpus, key, Path(upload.name).stem or "New project")


def _choose_columns(
    upload: Upload, key: str, encoding: str | None, delimiter: str | None, least: int
) -> Corpus:
    shown = intake.look(upload, encoding, delimiter)
    columns = columns_widget.column_choice(shown, f"{key}.{encoding}.{delimiter}")
    columns_widget.rows(shown, columns)
    corpus = intake.read(upload, Choice(columns, encoding, delimiter, least))
    corpus_glance.figures(corpus)
    return corpus


def _overrides(key: str) -> tuple[str | None, str | None, int]:
    with st.expander("Encoding, delimiter and short texts"):
        one, two, three = st.columns(3)
        encoding = one.selectbox("Encoding", ENCODINGS, key=f"{key}.encoding")
        delimiter = two.selectbox("Delimiter", list(DELIMITERS), key=f"{key}.delimiter")
        least = three.number_input(
            "Leave out texts under … characters", 1, 10_000, 1, key=f"{key}.least"
        )
    return None if encoding == "Guess" else encoding, DELIMITERS[delimiter], int(least)


def _form(corpus: Corpus, key: str, name: str) -> None:
    left, right = st.columns([0.66, 0.34])
    with left, st.container(key="panel-words"):
        text = _words(corpus, key, intake.usual_settings(corpus), "the usual settings")
    with right, st.container(key="panel-create"):
        _create(corpus, key, name, text)


def _create(corpus: Corpus, key: str, name: str, text: TextSettings | None) -> None:
    corpus_glance.heading("The project")
    named = st.text_input("Name", name, key=f"{key}.name", max_chars=120)
    use = _use(corpus, key)
    names = "\n".join(corpus.label_names) if use != "ignore" else ""
    typed = st.text_area(
        "Topics to begin with, one per line",
        names,
        key=f"{key}.topics.{use}.{corpus.reading.columns.labels}",
        height=190,
        placeholder="Billing\nNetwork\nStaff",
    )
    usual = free_topics(len(corpus))
    n_free = st.number_input(
        "Further topics the model may find itself", 0, 100, usual, key=f"{key}.free"
    )
    plan = Plan(
        name=named,
        text=text or TextSettings(),
        use=use,
        topics=intake.topic_names(typed),
        n_free=int(n_free),
    )
    problem = plan.problem()
    ready = text is not None and problem is None
    if st.button(
        "Create project", key="corpus.create", type="primary", width="stretch", disabled=not ready
    ):
        _tried(_created, corpus, plan)
    st.html(f'<div class="ts-quiet">{escape(problem or _summary(corpus, plan))}</div>')


def _use(corpus: Corpus, key: str) -> Use:
    """What the labels that came with the corpus are for; nothing to ask when there are none."""
    if not corpus.label_names:
        return "ignore"
    use: Use = st.selectbox(
        f"The {texts.count(len(corpus.label_names), 'label')} in the file",
        list(USES),
        format_func=lambda one: USES[one],
        key=f"{key}.use",
    )
    st.html(f'<div class="ts-quiet">{USE_SAYS[use]}</div>')
    return use


def _summary(corpus: Corpus, plan: Plan) -> str:
    named, free = texts.count(len(plan.topics), "named topic"), texts.count(plan.n_free, "free one")
    return f"{texts.count(len(corpus), 'text')}, {named} and {free}."


def _created(corpus: Corpus, plan: Plan) -> None:
    with st.spinner("Creating the project…"):
        project = intake.create(corpus, plan)
    state.forget(COLLECTION)
    state.tell(f"“{texts.literal(project.name)}” is ready to label.")
    state.go("label")


# The open project


def _existing(project: Project) -> None:
    head, new = st.columns([0.8, 0.2], vertical_alignment="center")
    with head:
        _heading(project.name, "The texts of this project, and how their words are counted.")
    new.button(
        "Read another file",
        key="corpus.new",
        width="stretch",
        icon=":material/add:",
        on_click=state.close_project,
    )
    corpus = intake.corpus_of(project)
    left, right = st.columns([0.66, 0.34])
    with left, st.container(key="panel-glance"):
        corpus_glance.heading("At a glance")
        corpus_glance.figures(corpus)
        corpus_glance.first_documents(corpus)
    with right, st.container(key="panel-labels"):
        corpus_glance.label_counts(corpus)
    with st.container(key="panel-words"):
        _tried(_change_words, project, corpus)
    with st.container(key="panel-model"):
        _model(project.id)


@st.fragment
def _model(project_id: int) -> None:
    """The chooser; a fragment, so that looking at models does not read the words again."""
    follow(project_id, key="corpus-live")
    state.show_messages()
    project = state.store().project(project_id)
    corpus_glance.heading("The model")
    n_named, key = len(state.store().topics(project.id)), f"corpus.project.{project.id}"
    side = intake.corpus_of(project).side
    model_advice(intake.needs_of_project(project), f"{key}.advice", grouped=bool(side))
    chosen = model_widget.model_form(project.settings, n_named, key, side)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Use this model",
            key="corpus.model",
            type="primary",
            disabled=not chosen.differs(project.settings),
            on_click=_model_changed,
            args=(project, chosen),
        )
        st.button("Fit again", key="corpus.again", on_click=jobs.request_fit, args=(project.id,))
        st.html(f'<div class="ts-quiet">{_fit_said(project.id)}</div>')
    if not jobs.worth_a_fit(project):
        st.caption(DEAF.format(n=project.n_docs))
    model_widget.model_page(chosen.spec.model)


def _model_changed(project: Project, chosen: model_widget.Chosen) -> None:
    try:
        intake.change_model(project, chosen.spec, n_free=chosen.n_free, levels=chosen.levels)
    except StudioError as error:
        state.tell(texts.literal(str(error)), "error")
        return
    state.forget(TAKEN)
    state.tell("The model is chosen and being fitted; Topics and Scores follow by themselves.")


def _fit_said(project: int) -> str:
    """Where the fit stands; a model that refuses says why."""
    fit = jobs.fit_state(project)
    if fit.phase in ("waiting", "running"):
        return "The model is being fitted."
    if fit.phase == "failed" and fit.error:
        return f'<span class="ts-bad">{escape(fit.error)}</span>'
    run = state.store().current_run(project)
    if run is None:
        return "Not fitted yet."
    return (
        f"Fitted in {texts.seconds(run.seconds)} by {escape(model_choice.title(run.spec.model))}."
    )


def _change_words(project: Project, corpus: Corpus) -> None:
    now = project.settings
    key = f"corpus.project.{project.id}"
    text = _words(corpus, key, now.text, "the settings in use")
    with st.container(horizontal=True, vertical_alignment="center"):
        truth = now.truth
        if corpus.label_names:
            truth = st.checkbox(
                "Use the labels in the file as truth for scores", now.truth, key=f"{key}.truth"
            )
        changed = text is not None and (text != now.text or truth != now.truth)
        if (
            st.button("Save and refit", key="corpus.refit", type="primary", disabled=not changed)
            and text
        ):
            intake.change_text(project, text, truth=truth)
            state.tell("The texts are read the new way; the model is being fitted.")
            st.rerun()
        running = jobs.fit_state(project.id).phase in ("waiting", "running")
        if running:
            st.html('<div class="ts-quiet">The model is being fitted.</div>')


# Both


def _words(corpus: Corpus, key: str, start: TextSettings, against: str) -> TextSettings | None:
    """The text settings and what they do; None when they leave nothing to count."""
    corpus_glance.heading("How words are counted")
    settings, effect = st.columns([0.5, 0.5], gap="medium")
    with settings:
        text = words_widget.text_form(start, f"{key}.words")
    with effect:
        number = st.number_input(
            "Text to look at", 1, len(corpus), 1, key=f"{key}.document", width=180
        )
        position = int(number) - 1
        seen = _tried(intake.try_words, corpus, text, start, position)
        if seen is None:
            return None
        words_widget.document_seen(corpus, position, seen.spans)
        words_widget.vocabulary(seen, len(corpus), against=against)
    return text


def _heading(title: str, sentence: str) -> None:
    st.html(
        f'<div class="ts-title">{escape(title)}</div><div class="ts-quiet">{escape(sentence)}</div>'
    )
