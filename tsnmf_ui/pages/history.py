"""History: every act, by whom and when; restore any point, take labels out and bring them in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.act_words import kind_words
from core.errors import StudioError
from core.store import Event, Project, Restore
from tsnmf_ui import jobs, past, state, texts
from tsnmf_ui.past import Asked
from tsnmf_ui.widgets import act_list, results_head
from tsnmf_ui.widgets.label_transfer import label_transfer
from tsnmf_ui.widgets.live import follow
from tsnmf_ui.widgets.people import people
from tsnmf_ui.widgets.who import who

CSS = Path(__file__).parent.parent / "history.css"
RESTORING = "history.restoring"  # the event whose point the visitor may restore
UNFOLDED = "history.unfolded"  # the batch whose acts are listed
NOTHING = "Nothing has been done here yet. Every label and every topic will be listed."
NO_MATCH = "No act matches. Widen the search above."


def page() -> None:
    """Require a project; everything below follows the refits."""
    project = state.require_project()
    results_head.dress()
    st.html(f"<style>{_css()}</style>")
    _body(project.id)


@cache
def _css() -> str:
    return CSS.read_text(encoding="utf-8")


@st.fragment
def _body(project_id: int) -> None:
    project = state.store().project(project_id)
    follow(project_id, key="history-live")
    state.show_messages()
    _head(project)
    part = results_head.choice("Part", tuple(PARTS), "part", in_address=True)
    PARTS[part](project)


def _head(project: Project) -> None:
    name, you, undo, redo = st.columns([0.58, 0.18, 0.12, 0.12], vertical_alignment="center")
    with you:
        who()
    with name:
        told = texts.count(project.revision, "act")
        st.html(
            f'<div class="ts-head"><b>History</b><span class="ts-quiet">{told}, '
            f"{project.n_labelled:,} of {project.n_docs:,} texts labelled</span></div>"
        )
    for column, verb, icon in ((undo, "Undo", "undo"), (redo, "Redo", "redo")):
        column.button(
            verb,
            key=f"history.{verb.lower()}",
            icon=f":material/{icon}:",
            width="stretch",
            help=f"{verb} your own last act.",
            on_click=_turned,
            args=(project.id, verb.lower()),
        )


# The list of acts


def _acts(project: Project) -> None:
    if not project.revision:
        with st.container(key="panel-empty"):
            st.markdown(NOTHING)
        return
    asked, store = _asked(project), state.store()
    pages = past.pages(store, project.id, asked, state.zone())
    panel = st.container(key="panel-acts", gap=None)
    number = st.pagination(pages, key="page", bind="query-params") if pages > 1 else 1
    shown = past.read(store, project.id, asked, number, state.zone())
    with panel:
        if shown.lines:
            act_list.act_list(shown, state.zone(), _consider, _unfold)
        else:
            st.markdown(NO_MATCH)
    _restoring(project)


def _asked(project: Project) -> Asked:
    inside = state.recall(UNFOLDED)
    if inside is not None:
        return _inside(inside)
    store, names = state.store(), state.store().topic_names(project.id)
    who, what, topic, words, days = st.columns([0.18, 0.22, 0.2, 0.22, 0.18])
    return Asked(
        authors=who.multiselect(
            "Who",
            store.authors(project.id),
            key="who",
            placeholder="Anybody",
            on_change=_first_page,
            bind="query-params",
        ),
        kinds=what.multiselect(
            "What",
            list(store.kinds(project.id)),
            format_func=kind_words,
            key="what",
            placeholder="Anything",
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
            placeholder="Its id, or words in it",
            max_chars=200,
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
    state.forget("page")


def _inside(batch: tuple[int, int]) -> Asked:
    head, count = batch
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"The acts of act {head:,}")
        st.button("Back to all", key="history.fold", on_click=state.forget, args=(UNFOLDED,))
    return Asked(within=range(head + 1, head + 1 + count))


def _unfold(head: int, count: int) -> None:
    state.remember(UNFOLDED, (head, count))
    state.forget("page")


# Undo, and restoring a point


def _consider(event: int) -> None:
    state.remember(RESTORING, event)


def _restoring(project: Project) -> None:
    event = state.recall(RESTORING)
    if event is not None:
        _dialog(project, event)


def _dismissed() -> None:
    """Until then the question stays, also when a refit draws the page anew."""
    state.forget(RESTORING)


@st.dialog("Restore this point?", on_dismiss=_dismissed)
def _dialog(project: Project, event: int) -> None:
    """Say what will change before anything does."""
    told = past.changes(state.store().difference_to(project.id, event))
    if not told:
        st.markdown("Everything is already as it was after this act.")
        return
    st.markdown(f"Back to how it was right after act {event:,}:")
    st.markdown("\n".join(f"- {texts.literal(sentence)}" for sentence in told))
    st.caption("This is one act. You can undo it, and nothing is taken off the history.")
    if st.button(
        "Restore",
        key="history.confirm",
        type="primary",
        on_click=_restored,
        args=(project.id, event),
    ):
        st.rerun()  # closes the dialog


def _restored(project: int, event: int) -> None:
    act = Restore(event)
    _dismissed()
    if _do(project, lambda: state.store().record(project, act, author=state.author())):
        state.tell("Restored. Undo takes it back.")


def _turned(project: int, verb: str) -> None:
    move = state.store().undo if verb == "undo" else state.store().redo
    if _do(project, lambda: move(project, author=state.author())) is None:
        state.tell(f"There is nothing of yours to {verb}.", "info")


def _do(project: int, act: Callable[[], Event | None]) -> Event | None:
    """An act on the log, and a fit after it; or the sentence why not."""
    try:
        done = act()
    except StudioError as error:
        state.tell(str(error), "error")
        return None
    if done is not None:
        jobs.request_fit(project)
    return done


PARTS: dict[str, Callable[[Project], None]] = {
    "Acts": _acts,
    "Labels in and out": label_transfer,
    "People": people,
}
