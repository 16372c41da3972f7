"""The open project: its texts, how their words are counted, and its model."""

from __future__ import annotations

from html import escape

import streamlit as st

from core.corpus import Corpus
from core.errors import StudioError
from core.store import Project
from core.workspace.caches.corpora import corpus_of
from core.workspace.column_roles import with_roles
from core.workspace.projects import needs_of_project
from core.workspace.refits.when_to_refit import worth_a_refit
from tsnmf_ui import jobs
from tsnmf_ui.pages.corpus import intake, model_catalogue, model_form, overview
from tsnmf_ui.pages.corpus.add_texts import add_texts
from tsnmf_ui.pages.corpus.column_roles import column_roles
from tsnmf_ui.pages.corpus.meaning_form import meaning_form
from tsnmf_ui.pages.corpus.model_advice import TAKEN_SUGGESTION, model_advice
from tsnmf_ui.pages.corpus.new_texts import new_texts
from tsnmf_ui.pages.corpus.word_settings import word_settings
from tsnmf_ui.pages.widgets.errors import try_or_show_error
from tsnmf_ui.pages.widgets.live import follow
from tsnmf_ui.pages.widgets.memos import memos
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

NO_REFIT_NOTE = (
    "This model ignores labels and takes a while on {n:,} texts: it is refitted only when you ask."
)


def render(project: Project) -> None:
    """Overview, words, meaning and model, one panel each."""
    head, new = st.columns([0.8, 0.2], vertical_alignment="center")
    with head:
        overview.page_title(
            project.name, "The texts of this project, and how their words are counted."
        )
    new.button(
        "Read another file",
        key="corpus.new",
        width="stretch",
        icon=":material/add:",
        on_click=state.close_project,
    )
    corpus = intake.corpus_of_project(project)
    described = with_roles(corpus, project.settings)
    left, right = st.columns([0.66, 0.34])
    with left, st.container(key="panel-glance"):
        overview.heading("Overview")
        overview.figures(described)
        overview.first_documents(described, _first_texts(project))
    with right, st.container(key="panel-labels"):
        overview.label_counts(described)
    may_change = state.may_change(project.id)
    if corpus.side and may_change:
        with st.container(key="panel-columns"):
            column_roles(project, corpus)
    with st.container(key="panel-memos"):
        _memos(project.id)
    if may_change:
        _settings(project, corpus)


def _first_texts(project: Project) -> list[str]:
    first = range(min(overview.TEXTS_SHOWN, project.n_docs))
    return [document.text for document in state.store().documents(project.id, first)]


def _settings(project: Project, corpus: Corpus) -> None:
    """What can be changed: words, meaning, model and texts."""
    with st.container(key="panel-words"):
        try_or_show_error(_change_words, project, corpus)
    with st.container(key="panel-meaning"):
        meaning_form(project.id)
    with st.container(key="panel-model"):
        _model(project.id)
    with st.container(key="panel-add-texts"):
        add_texts(project.id)
    with st.container(key="panel-new-texts"):
        new_texts(project.id)


@st.fragment
def _memos(project_id: int) -> None:
    """What people noted about the project; a fragment, so that writing reads nothing again."""
    overview.heading("Memos")
    memos(state.store().project(project_id), None, key="corpus-memos")
    state.show_messages()


@st.fragment
def _model(project_id: int) -> None:
    """The chooser; a fragment, so that looking at models does not read the words again."""
    follow(project_id, key="corpus-live")
    state.show_messages()
    project = state.store().project(project_id)
    overview.heading("Model")
    n_named, key = len(state.store().topics(project.id)), f"corpus.project.{project.id}"
    side = corpus_of(state.store(), project.id, texts=False).side
    model_advice(needs_of_project(state.store(), project), f"{key}.advice", grouped=bool(side))
    chosen = model_form.model_form(project.settings, n_named, key, side)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Use this model",
            key="corpus.model",
            type="primary",
            disabled=not chosen.differs(project.settings),
            on_click=_model_changed,
            args=(project, chosen),
        )
        st.button(
            "Refit from scratch",
            key="corpus.again",
            on_click=jobs.fit_afresh,
            args=(jobs.service(), project.id),
        )
        st.html(f'<div class="ts-quiet">{_fit_status(project.id)}</div>')
    if not worth_a_refit(project):
        st.caption(NO_REFIT_NOTE.format(n=project.n_docs))
    model_form.model_page(chosen.spec.model)


def _model_changed(project: Project, chosen: model_form.ChosenModel) -> None:
    try:
        intake.change_model(project, chosen.spec, n_free=chosen.n_free, levels=chosen.levels)
    except StudioError as error:
        state.notify(texts.escape_markdown(str(error)), "error")
        return
    state.clear_values(TAKEN_SUGGESTION)
    state.notify("The model is being fitted. Topics and Scores update when it is done.")


def _fit_status(project: int) -> str:
    """Where the fit stands; a model that refuses says why."""
    fit = jobs.fit_state(jobs.service(), project)
    if fit.active:
        return "The model is being fitted."
    if fit.phase == "failed" and fit.error:
        return f'<span class="ts-bad">{escape(fit.error)}</span>'
    run = state.store().current_run(project)
    if run is None:
        return "Not fitted yet."
    model = escape(model_catalogue.title(run.spec.model))
    return f"Fitted with {model} in {texts.seconds(run.seconds)}."


def _change_words(project: Project, corpus: Corpus) -> None:
    now = project.settings
    key = f"corpus.project.{project.id}"
    seen = intake.SampledTexts.of_project(project)
    text = word_settings(seen, key, now.text, "the current settings")
    with st.container(horizontal=True, vertical_alignment="center"):
        truth = now.truth
        if corpus.label_names and now.column_in("truth") is None:
            truth = st.checkbox(
                "Score against the labels in the file", now.truth, key=f"{key}.truth"
            )
        changed = text is not None and (text != now.text or truth != now.truth)
        if (
            st.button("Save and refit", key="corpus.refit", type="primary", disabled=not changed)
            and text
        ):
            intake.change_text(project, text, truth=truth)
            state.notify("Saved. The model is being refitted.")
            st.rerun()
        if jobs.fit_state(jobs.service(), project.id).active:
            st.html('<div class="ts-quiet">The model is being fitted.</div>')
