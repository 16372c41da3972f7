"""Add texts: another file for the open project, shown before it is done, with the way back."""

from __future__ import annotations

import streamlit as st

from core.errors import StudioError
from core.store import Event, Project
from core.store.history.sentences import event_sentence
from core.workspace import added_texts
from core.workspace.added_texts import AdditionPlan, Existing, Vocabulary
from core.workspace.caches.corpora import corpus_of
from tsnmf_ui import jobs
from tsnmf_ui.pages.corpus import intake, overview
from tsnmf_ui.pages.corpus.intake import Upload
from tsnmf_ui.pages.widgets.errors import try_or_show_error
from tsnmf_ui.pages.widgets.upload import forget_upload, upload
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

WHAT_IT_DOES = (
    "A further file of the same kind joins the project. Labels and history stay; the model is then "
    "fitted from scratch to all texts."
)
EXISTING_TITLES: dict[Existing, str] = {"skip": "Leave as they are", "update": "Update"}
VOCABULARY_TITLES: dict[Vocabulary, str] = {
    "same": "The same words as before",
    "new": "Choose the words anew",
}
FILE_FIELD = "add-texts.file"


@st.fragment
def add_texts(project_id: int) -> None:
    """A file in, a preview, one button; a fragment, for the rest of the page stays as it is."""
    project = state.store().project(project_id)
    overview.heading("Add texts")
    st.caption(WHAT_IT_DOES)
    file = upload(FILE_FIELD, "A file of further texts")
    if file is not None:
        try_or_show_error(_offer, project, intake.upload_of(file))
    _last_addition(project)


def _offer(project: Project, upload: Upload) -> None:
    shown = intake.preview_upload(upload, None, None)
    reading = corpus_of(state.store(), project.id, texts=False).reading
    strip = False
    if shown.html_columns and not reading.html_removed:  # else it is done without asking
        strip = st.checkbox("Remove HTML tags", value=True, key=f"add-texts.html.{upload.key}")
    plan = intake.plan_addition(project, upload, strip_html=strip)
    existing, vocabulary = _choose(plan)
    sentences = plan.sentences(existing, vocabulary)
    st.markdown("\n".join(f"- {texts.escape_markdown(each)}" for each in sentences))
    n_updated = len(plan.differing) if existing == "update" else 0
    wanted = st.button(
        _button_title(plan.n_new, n_updated),
        key="add-texts.do",
        type="primary",
        disabled=not plan.n_new + n_updated,
    )
    if wanted:
        _add(plan, existing, vocabulary)
        st.rerun()


def _choose(plan: AdditionPlan) -> tuple[Existing, Vocabulary]:
    existing: Existing = "skip"
    with st.container(horizontal=True, gap="large"):
        if plan.n_known:
            existing = st.radio(
                "Texts whose ids are here already",
                list(EXISTING_TITLES),
                format_func=EXISTING_TITLES.__getitem__,
                key="add-texts.existing",
                horizontal=True,
            )
        vocabulary: Vocabulary = st.radio(
            "Words that count",
            list(VOCABULARY_TITLES),
            format_func=VOCABULARY_TITLES.__getitem__,
            key="add-texts.vocabulary",
            horizontal=True,
        )
    return existing, vocabulary


def _button_title(n_new: int, n_updated: int) -> str:
    add = f"Add {texts.count(n_new, 'text')}" if n_new or not n_updated else ""
    update = f"update {n_updated:,}" if n_updated else ""
    title = " and ".join(filter(None, (add, update)))
    return title[0].upper() + title[1:]


def _add(plan: AdditionPlan, existing: Existing, vocabulary: Vocabulary) -> None:
    try:
        event = added_texts.add_texts(
            state.store(), plan, author=state.author(), existing=existing, vocabulary=vocabulary
        )
    except StudioError as error:
        state.notify(texts.escape_markdown(str(error)), "error")
        return
    forget_upload(FILE_FIELD)
    jobs.fit_afresh(jobs.service(), plan.project.id)
    state.notify(
        f"{texts.escape_markdown(event_sentence(event, {}))}. "
        "The model is being fitted to all texts."
    )


def _last_addition(project: Project) -> None:
    """What was added last, and the way back as long as there is one."""
    additions = state.store().additions(project.id)
    if not additions:
        return
    last = additions[-1]
    with st.container(horizontal=True, vertical_alignment="center"):
        sentence = f"{event_sentence(last, {})}, {last.time.day} {last.time:%B %Y}."
        st.caption(texts.escape_markdown(sentence))
        mine = last.author == state.author()
        can_be = mine and state.store().can_take_texts_back(project.id, last)
        if can_be and st.button("Undo", key="add-texts.undo"):
            _undo(project.id, last)
            st.rerun()


def _undo(project: int, added: Event) -> None:
    """The addition, if nothing of the person's own came after it."""
    later = state.store().events(project, after=added.id)
    if any(each.author == added.author and each.undoes is None for each in later):
        state.notify("You have done other things since; undo them first, under History.", "error")
        return
    undone = state.store().undo(project, author=added.author, after=added.id - 1)
    if undone is None:
        state.notify("Somebody has labelled one of the texts meanwhile, so they stay.", "error")
        return
    jobs.fit_afresh(jobs.service(), project)
    state.notify("The added texts were removed. The model is being fitted again.")
