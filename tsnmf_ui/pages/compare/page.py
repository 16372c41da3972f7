"""Compare: models and runs on the same labels, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import TypedDict

import streamlit as st

from core.errors import StudioError
from core.evaluation.comparison import Comparison
from core.store import Project, Run
from core.store.runs import comparisons
from core.store.runs.comparisons import ComparisonSummary
from core.workspace.caches.store_cache import StoreCache
from core.workspace.comparisons import ComparisonRequest, refusals_of, use_candidate, use_run
from tsnmf_ui import jobs
from tsnmf_ui.pages.compare import form, rate_results, run_list, score_view, tables, topic_views
from tsnmf_ui.pages.compare.tables import ComparisonView
from tsnmf_ui.pages.widgets import results_header
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

CSS = Path(__file__).parent / "style.css"
SCORES_VIEW, WORDS_VIEW, DIFFERENCES_VIEW, RATES_VIEW, RUNS_VIEW = (
    "Scores",
    "Words",
    "Where they differ",
    "Supervision rates",
    "Runs",
)
COMPARISON_VIEWS = (SCORES_VIEW, WORDS_VIEW, DIFFERENCES_VIEW, RATES_VIEW, RUNS_VIEW)
FEW_SECONDS = 10  # seconds that are not worth counting
POLL_SECONDS = 2.0  # seconds between looks at a comparison that runs
NO_COMPARISON = (
    "No comparisons yet. Choose two or more models: each is fitted to the same labels, and you see "
    "which scores best, how certain that is, and where they differ."
)
NO_TRUTH = (
    "These curves show how scores grow with the share of labelled texts. They need a true label "
    "for every text, and this corpus has no label column marked as true."
)
UNDO_DELETION = "compare.undo"
WATCHED_PROJECT = "compare.watched"  # the project whose comparison this tab saw running
DELETE_WARNING = "This deletes the comparison for good. Labels, topics and runs are kept."

_comparisons: StoreCache[Comparison] = StoreCache(max_entries=8)


class Signed(TypedDict):
    """Who makes a run current, and what it is called on the log."""

    author: str
    title: str


def page() -> None:
    """Require a project; nothing here reads factors, so a large project opens at once."""
    project = results_header.open_page(CSS)
    results_header.head(project, None)
    view = results_header.choice("View", COMPARISON_VIEWS, "compared", in_address=True)
    _status(project)
    kept = comparisons.summaries(state.store().home, project.id)
    if view == RATES_VIEW:
        _rates(project, [each for each in kept if each.kind == "rates"])
    elif view == RUNS_VIEW:
        _runs(project)
    else:
        _models(project, [each for each in kept if each.kind == "models"], view)


def _status(project: Project) -> None:
    """What runs, what went wrong, and what was just made current."""
    now = jobs.service().state(jobs.COMPARISON, project.id)
    if now.active:
        _running(project.id)
    elif now.phase == "failed" and now.error:
        st.html(tables.refused([now.error]))
    elif now.phase == "cancelled" and state.get_value(WATCHED_PROJECT) == project.id:
        st.html('<div class="ts-quiet">The comparison was cancelled; nothing was changed.</div>')
        state.clear_values(WATCHED_PROJECT)  # said once, to whoever saw it run
    _offer_undo(project)


@st.fragment(run_every=POLL_SECONDS)
def _running(project_id: int) -> None:
    now = jobs.service().state(jobs.COMPARISON, project_id)
    if not now.active:
        st.rerun()
    state.set_value(WATCHED_PROJECT, project_id)
    with st.container(key="panel-running"):
        st.html(f'<h2 class="ts-heading">{escape(now.title)}</h2>')
        st.progress(min(now.share, 1.0), text=texts.escape_markdown(_standing(now)))
        if not state.may_change(project_id):
            return
        st.button(
            "Cancel",
            key="compare.cancel",
            on_click=jobs.service().cancel,
            args=(jobs.COMPARISON, project_id),
        )


def _standing(now: jobs.JobState) -> str:
    if now.phase == "waiting":
        return "Waiting for another comparison"
    if not now.doing:
        return "Reading the texts"
    if now.seconds_left is None:
        return f"{now.doing}; time left unknown until the first round is done"
    if now.seconds_left < FEW_SECONDS:
        return f"{now.doing}; a few seconds left"
    return f"{now.doing}; about {texts.seconds(now.seconds_left)} left"


def _models(project: Project, kept: list[ComparisonSummary], view: str) -> None:
    if state.may_change(project.id):
        with _question("New comparison", unfolded=not kept):
            n_named = len(state.store().topics(project.id))
            _ask(form.models_form(project, n_named, _runs_kept(project), state.author()))
    if not kept:
        st.html(f'<div class="ts-quiet ts-none">{NO_COMPARISON}</div>')
        return
    shown = _shown(project, _chosen(project, kept))
    if view != SCORES_VIEW:
        st.html(f'<div class="ts-quiet">{score_view.state_compared(project, shown)}</div>')
    if view == WORDS_VIEW:
        topic_views.words_side_by_side(shown)
    elif view == DIFFERENCES_VIEW:
        topic_views.differences(project, shown)
    elif place := score_view.scores(project, shown):
        _make_current(project, shown, place - 1)


def _chosen(project: Project, kept: list[ComparisonSummary]) -> ComparisonSummary:
    """The comparison to look at, and beside it the way to be rid of it."""
    with st.container(key="compare-chosen", horizontal=True, vertical_alignment="center"):
        chosen = score_view.choose(kept)
        if not state.may_change(project.id):
            return chosen
        with st.popover("Delete", icon=":material/delete:", key=f"compare.box.{chosen.number}"):
            st.markdown(DELETE_WARNING)
            st.button(
                "Delete this comparison",
                key="compare.delete",
                type="primary",
                on_click=_deleted,
                args=(project.id, chosen.number),
            )
    return chosen


def _deleted(project_id: int, number: int) -> None:
    if state.may_change(project_id):
        comparisons.remove(state.store().home, project_id, number)
        state.notify("The comparison was deleted.")


@contextmanager
def _question(title: str, *, unfolded: bool) -> Iterator[None]:
    with (
        st.container(key="compare-ask"),
        st.expander(title, expanded=unfolded, icon=":material/add:"),
    ):
        yield


def _shown(project: Project, kept: ComparisonSummary) -> ComparisonView:
    named = {topic.id: topic for topic in state.store().topics(project.id)}
    return ComparisonView(kept, _found(project.id, kept), named)


def _found(project_id: int, kept: ComparisonSummary) -> Comparison:
    """A comparison never changes once it is kept."""
    store = state.store()
    return _comparisons.get(
        store,
        (project_id, kept.number, kept.made),
        lambda: Comparison.from_dict(comparisons.results(store.home, project_id, kept.number)),
    )


def _ask(ask: ComparisonRequest | None) -> None:
    """Start what was asked, or say why it cannot be."""
    if ask is None:
        return
    try:
        refusals = refusals_of(state.store(), ask)
        if not refusals:
            jobs.service().request(jobs.COMPARISON, ask.project, {"request": ask}, title=ask.title)
    except StudioError as error:
        refusals = [str(error)]
    if refusals:
        st.html(tables.refused(refusals))
    else:
        st.rerun()


def _make_current(project: Project, shown: ComparisonView, place: int) -> None:
    entry = shown.found.entries[place]
    before = state.current_run(project)
    by: Signed = {"author": state.author(), "title": entry.title}
    try:
        with st.spinner("Switching the model"):
            if entry.run is not None:
                run = use_run(state.store(), project, entry.run, **by)
            else:
                run = use_candidate(state.store(), project, shown.kept.number, place, **by)
            _announce(run)
    except StudioError as error:
        state.notify(texts.escape_markdown(str(error)), "error")
    else:
        _made(entry.title, before)
    st.rerun()


def _announce(run: Run) -> None:
    """Every open page follows to a run that was made current here."""
    jobs.service().announce(jobs.FIT, run.project, jobs.FinishedFit(run.id))


def _made(title: str, before: Run | None) -> None:
    state.notify(f"{texts.escape_markdown(title)} is now the model of this project.")
    if before is not None:
        state.set_value(UNDO_DELETION, (before.project, before.id, title))


def _offer_undo(project: Project) -> None:
    """The way back stays on the page until it is taken or the tab is closed."""
    undo = state.get_value(UNDO_DELETION)
    if undo is None or undo[0] != project.id:
        return
    with st.container(key="panel-undo", horizontal=True, vertical_alignment="center"):
        st.html(
            f"<div><b>{escape(undo[2])}</b> is now the model of this project: every page "
            "shows its topics, and labels refit it.</div>"
        )
        if st.button("Undo", key="compare.undo.button", icon=":material/undo:"):
            state.clear_values(UNDO_DELETION)
            store = state.store()
            title = form.run_title(store.run(project.id, undo[1]))
            _announce(use_run(store, project, undo[1], author=state.author(), title=title))
            state.notify("The previous model is back.")
            st.rerun()


def _rates(project: Project, kept: list[ComparisonSummary]) -> None:
    if not project.settings.has_truth:
        with st.container(key="empty-state"):
            st.markdown(NO_TRUTH)
        return
    if state.may_change(project.id):
        with _question("New curves", unfolded=not kept):
            _ask(form.rates_form(project, state.author()))
    if kept:
        chosen = _chosen(project, kept)
        found = comparisons.results(state.store().home, project.id, chosen.number)
        rate_results.render(found, project.n_docs)
    else:
        st.html(f'<div class="ts-quiet ts-none">{rate_results.NO_RATES}</div>')


def _runs_kept(project: Project) -> list[Run]:
    """Runs whose topics are still there, newest first."""
    runs = state.store().runs(project.id)[: 2 * form.SHOWN_RUNS]
    return [run for run in runs if run.factors.exists()][: form.SHOWN_RUNS]


def _runs(project: Project) -> None:
    runs = _runs_kept(project)
    if not runs:
        results_header.nothing_yet(project)
        return
    chosen = run_list.choose_run(runs)
    if chosen is None:
        return
    try:
        title = form.run_title(chosen)
        _announce(use_run(state.store(), project, chosen.id, author=state.author(), title=title))
    except StudioError as error:
        state.notify(texts.escape_markdown(str(error)), "error")
    else:
        _made(title, runs[0])
    st.rerun()
