"""Assignment on the History page: who is to label how many texts, and what is left for each."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import streamlit as st

from core.errors import StudioError
from core.store import Event, Project
from core.workspace import assignment
from tsnmf_ui.pages.history.double_coding_form import asks_name
from tsnmf_ui.pages.widgets.author import ask_name
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

PEOPLE_FIELD, PERCENT_FIELD, HOW_FIELD = "assign.people", "assign.share", "assign.how"
EQUAL_PARTS, ONE_SHARE = "All, in equal parts", "A share to each"
ASSIGN_HELP = (
    "Assigned texts come first in a person’s queue, and no longer in that of others. To assign the "
    "texts of a search or a selection, open it on the Label page and press G."
)


def assignment_form(project: Project) -> None:
    """What is left for whom, and the form that gives texts to people."""
    with st.container(key="panel-assign", gap="small"):
        st.html('<h2 class="ts-heading">Assign texts</h2>')
        st.caption(ASSIGN_HELP)
        if state.is_unnamed():
            if asks_name(state.store().double_coding(project.id)):
                st.caption("Say your name above first.")
            else:
                ask_name("What is your name? Texts are assigned by name.")
            return
        _work(project)
        _form(project)


def _work(project: Project) -> None:
    work = assignment.assigned_work(state.store(), project.id)
    if not work:
        return
    rows = "".join(
        f'<tr><td>{escape(each.person)}</td><td class="n">{each.left:,} of {each.assigned:,}</td>'
        "</tr>"
        for each in work
    )
    st.html(
        '<table class="ts-table"><thead><tr><th>Person</th><th class="n">Left</th></tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )
    with st.container(horizontal=True, gap="small"):
        for each in work:
            st.button(
                texts.escape_markdown(f"Take back from {each.person}"),
                key=f"assign.back.{each.person}",
                type="tertiary",
                on_click=_take_back,
                args=(project.id, each.person),
            )


def _form(project: Project) -> None:
    store = state.store()
    known = sorted(
        {*store.authors(project.id), state.author(), *store.assignments(project.id).by_person}
    )
    free = len(assignment.unassigned_texts(store, project))
    st.multiselect(
        "People",
        known,
        key=PEOPLE_FIELD,
        accept_new_options=True,
        placeholder="Choose, or type a name",
    )
    st.selectbox(
        f"Of {texts.count(free, 'text')} that nobody has labelled or been given",
        (EQUAL_PARTS, ONE_SHARE),
        key=HOW_FIELD,
    )
    if state.get_value(HOW_FIELD) == ONE_SHARE:
        st.number_input("Share for each person, in %", 1, 100, 10, 5, key=PERCENT_FIELD)
    st.button("Assign at random", key="assign.go", on_click=_assign, args=(project,))


def _assign(project: Project) -> None:
    people = list(state.get_value(PEOPLE_FIELD) or ())
    store, author = state.store(), state.author()
    if state.get_value(HOW_FIELD) == ONE_SHARE:
        share = int(state.get_value(PERCENT_FIELD) or 10) / 100
        _try(lambda: assignment.assign_shares(store, project, people, share, author=author))
    else:
        _try(lambda: assignment.assign_equal_parts(store, project, people, author=author))


def _take_back(project: int, person: str) -> None:
    _try(lambda: assignment.take_back(state.store(), project, person, author=state.author()))


def _try(record: Callable[[], Event]) -> None:
    try:
        record()
    except StudioError as error:
        state.notify(texts.escape_markdown(str(error)), "error")
        return
    state.notify("Done. You can undo this.")
