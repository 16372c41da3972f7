"""Double coding on the History page: how many texts two people label, and what waits."""

from __future__ import annotations

from html import escape

import streamlit as st

from core.errors import StudioError
from core.store import DoubleCoding, Project
from core.store.coding.double_coding import seed_of
from core.values import percent
from tsnmf_ui import jobs
from tsnmf_ui.pages.widgets.author import ask_name
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

SHARE_FIELD = "people.share"  # percent
DOUBLE_HELP = (
    "Two people label these texts, mixed in with the others. Neither sees the other’s label, nor "
    "anything that follows from it, before both are done; until then the model does not use it. "
    "Agreement is measured on these texts alone."
)


def double_coding_form(project: Project) -> None:
    """The share, what waits, and the way to use labels without a second person."""
    store = state.store()
    now = store.double_coding(project.id)
    with st.container(key="panel-double", gap="small"):
        st.html('<h2 class="ts-heading">Double coding</h2>')
        st.caption(DOUBLE_HELP)
        if asks_name(now):
            ask_name("Double coding needs to tell people apart. What is your name?")
            return
        share = 0 if now is None else round(100 * now.share)
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.number_input(
                "Texts that two people label, in %",
                0,
                100,
                share,
                5,
                key=SHARE_FIELD,
                help="0 turns it off. Texts that have a label already stay as they are.",
            )
            st.button("Save share", key="people.double", on_click=_save, args=(project, now))
        if now is not None:
            _what_waits(project)


def asks_name(now: DoubleCoding | None) -> bool:
    """Whether this form waits for a name, so that no other on the page asks for it, too."""
    return state.is_unnamed() and not (now and now.share)


def _what_waits(project: Project) -> None:
    """Counts only: whose labels wait may be known, what they say may not."""
    store, author = state.store(), state.author()
    waiting = store.waiting_labels(project.id, store.annotations(project.id))
    spoken = [labels for labels in waiting.values() if any(each.spoken for each in labels.values())]
    own = sum(author in labels and labels[author].spoken for labels in spoken)
    if not spoken:
        return
    verb = "waits" if len(spoken) == 1 else "wait"
    sentence = f"{texts.count(len(spoken), 'text')} {verb} for a second person; {own:,} by you."
    st.html(f'<div class="ts-quiet">{escape(sentence)}</div>')
    if own:
        st.button(
            f"Use my {texts.count(own, 'label')} now",
            key="people.release",
            type="tertiary",
            on_click=_release,
            args=(project.id,),
            help="Without a second person: everybody sees these labels, and agreement does not "
            "count them. You can undo this.",
        )


def _save(project: Project, now: DoubleCoding | None) -> None:
    share = int(state.get_value(SHARE_FIELD) or 0) / 100
    if share == (0.0 if now is None else now.share):
        return
    seed = seed_of(project.fingerprint) if now is None else now.seed
    try:
        state.store().record(project.id, DoubleCoding(share, seed), author=state.author())
    except StudioError as error:
        state.notify(texts.escape_markdown(str(error)), "error")
        return
    state.notify(
        f"Two people label {percent(share)} of the texts. You can undo this."
        if share
        else "No further text is labelled by two people. You can undo this."
    )


def _release(project: int) -> None:
    try:
        state.store().release_labels(project, author=state.author())
    except StudioError as error:
        state.notify(texts.escape_markdown(str(error)), "error")
        return
    jobs.service().request(jobs.FIT, project)
    state.notify("Your labels are used now. You can undo this.")
