"""History: every event, by whom and when; restore an earlier state, export and import labels."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import QueryError, StudioError
from core.store import Codebook, EditCodebook, Event, Project, Restore
from core.store.history.sentences import describe_kind
from tsnmf_ui import jobs
from tsnmf_ui.pages.history import event_list, rows
from tsnmf_ui.pages.history.codebook_transfer import codebook_transfer
from tsnmf_ui.pages.history.label_transfer import label_transfer
from tsnmf_ui.pages.history.memo_list import memo_list
from tsnmf_ui.pages.history.people import people
from tsnmf_ui.pages.history.rows import HistoryQuery
from tsnmf_ui.pages.widgets import results_header
from tsnmf_ui.pages.widgets.author import author_menu
from tsnmf_ui.pages.widgets.live import follow
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

CSS = Path(__file__).parent / "style.css"
RESTORE_EVENT = "history.restoring"  # the event whose point the visitor may restore
OPEN_BATCH = "history.unfolded"  # the batch whose events are listed
NO_EVENTS = "No events yet. Every label and every change of a topic will be listed here."
NO_MATCH = "No event matches these filters."


def page() -> None:
    """Require a project; everything below follows the refits."""
    _body(results_header.open_page(CSS).id)


@st.fragment
def _body(project_id: int) -> None:
    project = state.store().project(project_id)
    follow(project_id, key="history-live")
    state.show_messages()
    _head(project)
    part = results_header.choice("Part", tuple(HISTORY_VIEWS), "part", in_address=True)
    HISTORY_VIEWS[part](project)


def _head(project: Project) -> None:
    name, you, undo, redo = st.columns([0.58, 0.18, 0.12, 0.12], vertical_alignment="center")
    with you:
        author_menu()
    with name:
        events = texts.count(project.revision, "event")
        st.html(
            f'<div class="ts-head"><b>History</b><span class="ts-quiet">{events}, '
            f"{project.n_labelled:,} of {project.n_docs:,} texts labelled</span></div>"
        )
    if not state.may_change(project.id):
        return
    for column, verb, icon in ((undo, "Undo", "undo"), (redo, "Redo", "redo")):
        column.button(
            verb,
            key=f"history.{verb.lower()}",
            icon=f":material/{icon}:",
            width="stretch",
            help=f"{verb} your last change. Which model is current is changed on Compare.",
            on_click=_undo_or_redo,
            args=(project.id, verb.lower()),
        )


# The list of events


def _events(project: Project) -> None:
    if not project.revision:
        with st.container(key="panel-empty"):
            st.markdown(NO_EVENTS)
        return
    asked, store = _query_form(project), state.store()
    try:
        pages = rows.pages(store, project.id, asked, state.time_zone())
    except QueryError as error:
        st.error(texts.escape_markdown(str(error)))
        return
    panel = st.container(key="panel-events", gap=None)
    number = st.pagination(pages, key="page", bind="query-params") if pages > 1 else 1
    shown = rows.read(store, project.id, asked, number, state.time_zone())
    with panel:
        if shown.lines:
            event_list.show_events(
                shown,
                state.time_zone(),
                _ask_to_restore,
                _open_batch,
                partial(_use_entry, project.id),
                may_change=state.may_change(project.id),
            )
        else:
            st.markdown(NO_MATCH)
    _restoring(project)


def _query_form(project: Project) -> HistoryQuery:
    inside = state.get_value(OPEN_BATCH)
    if inside is not None:
        return _inside(inside)
    store, names = state.store(), state.store().topic_names(project.id)
    who, what, topic, words, days = st.columns([0.18, 0.22, 0.2, 0.22, 0.18])
    return HistoryQuery(
        authors=who.multiselect(
            "Who",
            store.authors(project.id),
            key="who",
            placeholder="Anyone",
            on_change=_first_page,
            bind="query-params",
        ),
        kinds=what.multiselect(
            "What",
            store.kinds(project.id),
            format_func=describe_kind,
            key="what",
            placeholder="Any event",
            on_change=_first_page,
            bind="query-params",
        ),
        topic=topic.selectbox(
            "Topic",
            list(names),
            index=None,
            format_func=lambda number: names[number],
            key="topic",
            placeholder="Any topic",
            on_change=_first_page,
            bind="query-params",
        ),
        words=words.text_input(
            "Text",
            key="words",
            placeholder="Id or search",
            max_chars=500,
            help="An id, or a search as on the Label page: words, phrases, filters.",
            on_change=_first_page,
            bind="query-params",
        ),
        days=_days(days),
    )


def _days(column: DeltaGenerator) -> tuple[date, ...]:
    chosen = column.date_input(
        "When", value=[], key="days", on_change=_first_page, bind="query-params"
    )
    return tuple(chosen) if isinstance(chosen, tuple | list) else (chosen,)


def _first_page() -> None:
    """Another question is answered from its beginning."""
    state.clear_values("page")


def _inside(batch: tuple[int, int]) -> HistoryQuery:
    head, count = batch
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"Events of batch {head:,}")
        st.button("All events", key="history.fold", on_click=state.clear_values, args=(OPEN_BATCH,))
    return HistoryQuery(within=range(head + 1, head + 1 + count))


def _open_batch(head: int, count: int) -> None:
    state.set_value(OPEN_BATCH, (head, count))
    state.clear_values("page")


# Undo, and restoring a point


def _ask_to_restore(event: int) -> None:
    state.set_value(RESTORE_EVENT, event)


def _restoring(project: Project) -> None:
    event = state.get_value(RESTORE_EVENT)
    if event is not None:
        _dialog(project, event)


def _dismissed() -> None:
    """Until then the question stays, also when a refit draws the page anew."""
    state.clear_values(RESTORE_EVENT)


@st.dialog("Restore this state?", on_dismiss=_dismissed)
def _dialog(project: Project, event: int) -> None:
    """Say what will change before anything does."""
    found = state.store().difference_to(project.id, event)
    sentences = rows.restore_sentences(found)
    kept = rows.kept_texts_sentence(found)
    if not sentences:
        nothing = f"{kept} Nothing else" if kept else "Nothing"
        st.markdown(texts.escape_markdown(f"{nothing} has changed since this event."))
        return
    st.markdown(f"Restoring the state after event {event:,}:")
    st.markdown("\n".join(f"- {texts.escape_markdown(sentence)}" for sentence in sentences))
    undo = "You can undo this, and the history keeps every event."
    st.caption(texts.escape_markdown(f"{kept} {undo}"))
    if st.button(
        "Restore",
        key="history.confirm",
        type="primary",
        on_click=_restored,
        args=(project.id, event),
    ):
        st.rerun()  # closes the dialog


def _restored(project: int, event: int) -> None:
    restore = Restore(event)
    _dismissed()
    if _record(project, lambda: state.store().record(project, restore, author=state.author())):
        state.notify("Restored. You can undo this.")


def _use_entry(project: int, event: Event) -> None:
    """An earlier entry of the codebook once more, as a new event."""
    entry = EditCodebook.read(event.payload)
    now = state.store().codebook(project).get(entry.topic, Codebook())
    if now == Codebook(entry.definition, entry.include, entry.exclude, entry.examples):
        state.notify("The codebook says this already.", "info")
    elif _record(project, lambda: state.store().record(project, entry, author=state.author())):
        state.notify("The codebook has this entry again. You can undo this.")


def _undo_or_redo(project: int, verb: str) -> None:
    move = state.store().undo if verb == "undo" else state.store().redo
    if _record(project, lambda: move(project, author=state.author())) is None:
        state.notify(f"You have nothing to {verb}.", "info")


def _record(project: int, record: Callable[[], Event | None]) -> Event | None:
    """An event on the log, and a fit after it; or the sentence why not."""
    try:
        done = record()
    except StudioError as error:
        state.notify(texts.escape_markdown(str(error)), "error")
        return None
    if done is not None:
        jobs.service().request(jobs.FIT, project)
    return done


def _transfer(project: Project) -> None:
    label_transfer(project)
    codebook_transfer(project)


HISTORY_VIEWS: dict[str, Callable[[Project], None]] = {
    "Events": _events,
    "Memos": memo_list,
    "Export and import": _transfer,
    "People": people,
}
