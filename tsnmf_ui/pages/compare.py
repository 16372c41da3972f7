"""Compare: models and runs on the same labels, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from html import escape
from pathlib import Path
from typing import TypedDict

import streamlit as st

from core.comparison import Comparison
from core.errors import StudioError
from core.store import Project, Run, comparisons
from core.store.comparisons import Kept
from tsnmf_ui import comparing, state, texts
from tsnmf_ui.comparison_worker import Ask
from tsnmf_ui.widgets import (
    compare_form,
    compare_results,
    compare_tables,
    rate_results,
    results_head,
)
from tsnmf_ui.widgets.compare_tables import Shown

CSS = Path(__file__).parent.parent / "compare.css"
SCORES, WORDS, APART, RATES, RUNS = (
    "Scores",
    "Words",
    "Where they differ",
    "Supervision rates",
    "Runs",
)
VIEWS = (SCORES, WORDS, APART, RATES, RUNS)
FEW = 10  # seconds that are not worth counting
LOOK = 2.0  # seconds between looks at a comparison that runs
EMPTY = (
    "Nothing has been compared yet. Choose two models or more: each is fitted to the same labels, "
    "and you see which reads your texts best, how sure that is, and where they part ways."
)
NO_TRUTH = (
    "These curves show how much labels bring, from hardly any to nearly all. They need the true "
    "label of every text, and this corpus came without a label column that is marked as true."
)
UNDO = "compare.undo"
WATCHED = "compare.watched"  # the project whose comparison this tab saw running
DELETING = (
    "What was found here goes for good. Labels, topics and runs stay as they are, also those that "
    "came from it."
)


class Signed(TypedDict):
    """Who makes a run current, and what it is called on the log."""

    author: str
    title: str


def page() -> None:
    """Require a project; nothing here reads factors, so a large project opens at once."""
    project = state.require_project()
    results_head.dress()
    st.html(f"<style>{_css()}</style>")
    results_head.head(project, None)
    view = results_head.choice("View", VIEWS, "compared", in_address=True)
    _news(project)
    kept = comparisons.listed(state.store().home, project.id)
    if view == RATES:
        _rates(project, [each for each in kept if each.kind == "rates"])
    elif view == RUNS:
        _runs(project)
    else:
        _models(project, [each for each in kept if each.kind == "models"], view)


@cache
def _css() -> str:
    return CSS.read_text(encoding="utf-8")


def _news(project: Project) -> None:
    """What runs, what went wrong, and what was just made current."""
    now = comparing.progress(project.id)
    if now.busy:
        _running(project.id)
    elif now.phase == "failed" and now.error:
        st.html(compare_tables.refused([now.error]))
    elif now.phase == "cancelled" and state.recall(WATCHED) == project.id:
        st.html('<div class="ts-quiet">The comparison was cancelled; nothing was changed.</div>')
        state.forget(WATCHED)  # said once, to whoever saw it run
    _take_back(project)


@st.fragment(run_every=LOOK)
def _running(project_id: int) -> None:
    now = comparing.progress(project_id)
    if not now.busy:
        st.rerun()
    state.remember(WATCHED, project_id)
    with st.container(key="panel-running"):
        st.html(f'<div class="ts-heading">{escape(now.title)}</div>')
        st.progress(min(now.share, 1.0), text=texts.literal(_standing(now)))
        st.button("Cancel", key="compare.cancel", on_click=comparing.cancel, args=(project_id,))


def _standing(now: comparing.Progress) -> str:
    if now.phase == "waiting":
        return "Waiting for another comparison to end"
    if not now.doing:
        return "Getting ready: a process of its own reads the texts"
    if now.seconds_left is None:
        return f"{now.doing}; how long it takes will be known after the first round"
    if now.seconds_left < FEW:
        return f"{now.doing}; a few seconds left"
    return f"{now.doing}; about {texts.seconds(now.seconds_left)} left"


def _models(project: Project, kept: list[Kept], view: str) -> None:
    with _question("New comparison", unfolded=not kept):
        store = state.store()
        runs = _runs_kept(project)
        n_named = len(store.topics(project.id))
        _ask(compare_form.models_form(project, n_named, runs, state.author()))
    if not kept:
        st.html(f'<div class="ts-quiet ts-none">{EMPTY}</div>')
        return
    shown = _shown(project, _chosen(project, kept))
    if view == WORDS:
        compare_results.words(shown)
    elif view == APART:
        compare_results.apart(project, shown)
    elif place := compare_results.scores(project, shown):
        _make_current(project, shown, place - 1)


def _chosen(project: Project, kept: list[Kept]) -> Kept:
    """The comparison to look at, and beside it the way to be rid of it."""
    with st.container(key="compare-chosen", horizontal=True, vertical_alignment="center"):
        chosen = compare_results.choose(kept)
        with st.popover("Delete", icon=":material/delete:", key=f"compare.box.{chosen.number}"):
            st.markdown(DELETING)
            st.button(
                "Delete this comparison",
                key="compare.delete",
                type="primary",
                on_click=_deleted,
                args=(project.id, chosen.number),
            )
    return chosen


def _deleted(project_id: int, number: int) -> None:
    comparisons.remove(state.store().home, project_id, number)
    state.tell("The comparison is deleted.")


@contextmanager
def _question(title: str, *, unfolded: bool) -> Iterator[None]:
    with (
        st.container(key="compare-ask"),
        st.expander(title, expanded=unfolded, icon=":material/add:"),
    ):
        yield


def _shown(project: Project, kept: Kept) -> Shown:
    named = {topic.id: topic for topic in state.store().topics(project.id)}
    return Shown(kept, _found(project.id, kept.number, kept.made.isoformat()), named)


@st.cache_resource(max_entries=8, show_spinner=False)
def _found(project_id: int, number: int, made: str) -> Comparison:
    """A comparison never changes once it is kept."""
    return Comparison.from_dict(comparisons.found(state.store().home, project_id, number))


def _ask(ask: Ask | None) -> None:
    """Start what was asked, or say why it cannot be."""
    if ask is None:
        return
    try:
        said = comparing.refused(state.store(), ask)
        if not said:
            comparing.request(ask)
    except StudioError as error:
        said = [str(error)]
    if said:
        st.html(compare_tables.refused(said))
    else:
        st.rerun()


def _make_current(project: Project, shown: Shown, place: int) -> None:
    entry = shown.found.entries[place]
    before = state.current_run(project)
    by: Signed = {"author": state.author(), "title": entry.title}
    try:
        with st.spinner("Bringing its topics to every page"):
            if entry.run is not None:
                comparing.make_run_current(state.store(), project, entry.run, **by)
            else:
                comparing.make_current(state.store(), project, shown.kept.number, place, **by)
    except StudioError as error:
        state.tell(str(error), "error")
    else:
        _made(entry.title, before)
    st.rerun()


def _made(title: str, before: Run | None) -> None:
    state.tell(f"{texts.literal(title)} is the model of this project now.")
    if before is not None:
        state.remember(UNDO, (before.project, before.id, title))


def _take_back(project: Project) -> None:
    """The way back stays on the page until it is taken or the tab is closed."""
    undo = state.recall(UNDO)
    if undo is None or undo[0] != project.id:
        return
    with st.container(key="panel-undo", horizontal=True, vertical_alignment="center"):
        st.html(
            f"<div><b>{escape(undo[2])}</b> is the model of this project now: every page "
            "shows its topics, and labels refit it.</div>"
        )
        if st.button("Take it back", key="compare.undo.button", icon=":material/undo:"):
            state.forget(UNDO)
            store = state.store()
            title = compare_form.run_title(store.run(project.id, undo[1]))
            comparing.make_run_current(store, project, undo[1], author=state.author(), title=title)
            state.tell("The model before is back.")
            st.rerun()


def _rates(project: Project, kept: list[Kept]) -> None:
    if not project.settings.truth:
        with st.container(key="empty-state"):
            st.markdown(NO_TRUTH)
        return
    with _question("New curves", unfolded=not kept):
        _ask(compare_form.rates_form(project, state.author()))
    if kept:
        chosen = _chosen(project, kept)
        found = comparisons.found(state.store().home, project.id, chosen.number)
        rate_results.draw(found, project.n_docs)
    else:
        st.html(f'<div class="ts-quiet ts-none">{rate_results.EMPTY}</div>')


def _runs_kept(project: Project) -> list[Run]:
    """Runs whose topics are still there, newest first."""
    runs = state.store().runs(project.id)[: 2 * compare_form.SHOWN_RUNS]
    return [run for run in runs if run.factors.exists()][: compare_form.SHOWN_RUNS]


def _runs(project: Project) -> None:
    runs = _runs_kept(project)
    if not runs:
        results_head.nothing_yet(project)
        return
    chosen = compare_results.runs(runs)
    if chosen is None:
        return
    try:
        title = compare_form.run_title(chosen)
        comparing.make_run_current(
            state.store(), project, chosen.id, author=state.author(), title=title
        )
    except StudioError as error:
        state.tell(str(error), "error")
    else:
        _made(title, runs[0])
    st.rerun()
