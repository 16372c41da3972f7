"""The Scores page: empty, without truth, with truth, and honest about a fit that got worse."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest

from core.fitting import ModelSpec
from core.progress import Judged, Point
from core.store import Label, LockTopic, Store, evaluations
from tests.ui import small
from tests.ui.results_app import html, opened, said
from tsnmf_ui import background, comparing, evaluating, scoreboard, state, worker
from tsnmf_ui.background import TaskState


def scores_page():
    from tsnmf_ui.pages import scores

    scores.page()


@pytest.fixture
def store(tmp_path, monkeypatch):
    import streamlit as st

    from tsnmf_ui import state

    st.cache_resource.clear()
    with Store.open(home=tmp_path) as opened_store:
        monkeypatch.setattr(state, "store", lambda: opened_store)
        yield opened_store


def scored(store: Store, *, labelled: int = 6, truth: bool = True, n: int = 60):
    """A small project after its first fit and its first scores."""
    made = small.project(store, labelled=labelled, n=n)
    store.update_settings(made.id, replace(made.settings, truth=truth))
    refit(store, made.id)
    return store.project(made.id)


def refit(store: Store, project: int) -> Point:
    worker.refit(store, project)
    evaluating.evaluate(store, project, {}, lambda share: False)
    return evaluations.history(store.home, project)[-1]


def label(store: Store, project: int, positions: range) -> None:
    for position in positions:
        store.record(project, Label(position, (1 + position % 3,)), author="ann")


def rewritten(store: Store, point: Point, right: int) -> None:
    """As if the fit had been right about so many documents."""
    known = evaluations.judged(store.home, 1, point.run)
    hits = Judged(known.positions, np.arange(known.positions.size) < right)
    evaluations.keep(store.home, point, 1, {}, hits)


def test_without_a_project_it_says_what_to_do(store):
    assert "Open a project first" in said(opened(scores_page))


def test_before_the_first_fit_it_offers_one(store):
    assert "There are no topics yet" in said(opened(scores_page, small.project(store)))


def test_a_fit_that_is_not_scored_yet_asks_for_its_scores(store, monkeypatch):
    asked = []
    monkeypatch.setattr(background, "request", lambda *task: asked.append(task))
    project = small.project(store)
    worker.refit(store, project.id)
    page = html(opened(scores_page, store.project(project.id)))
    assert "are being counted" in page
    assert asked == [("evaluate", project.id)]


def test_the_first_scores_have_nothing_to_compare_with(store):
    app = opened(scores_page, scored(store))
    page = html(app)
    assert "first fit with a score" in page
    assert "on 54 texts that nobody has labelled" in page
    assert "Right first" in page
    assert "Whole set right" in page
    assert len(app.get("plotly_chart")) == 2  # coverage, matching; no line yet, no forecast


def test_every_number_opens_its_definition(store):
    page = html(opened(scores_page, scored(store)))
    assert page.count("<details>") == page.count("Definition") >= 11
    assert "Kuhn–Munkres" in page


def test_without_truth_labels_are_kept_aside_and_it_says_so(store):
    app = opened(scores_page, scored(store, labelled=36, truth=False))
    assert "Judged by your own labels, kept aside in turn" in html(app)
    assert "36 texts" in html(app)
    assert len(app.get("plotly_chart")) == 3  # and the forecast
    assert any("50 more labels should take" in caption.value for caption in app.caption)


def test_without_truth_few_labels_give_no_score(store):
    page = html(opened(scores_page, scored(store, truth=False)))
    assert "No score yet: 6 texts labelled, and 20 are needed" in page
    assert "Right first" not in page
    assert "Adherence" in page


def test_a_corpus_too_small_to_score_is_told_so(store):
    app = opened(scores_page, scored(store, truth=False, n=12))
    assert "Too small to score: this corpus has 12 texts, and 20 labelled" in html(app)
    captions = " ".join(caption.value for caption in app.caption)
    assert "too small to foresee anything: it takes 30 labels" in captions


@pytest.mark.parametrize(
    ("before", "sentence"),
    [
        (0, '<span class="ts-good">Better than before your last 12 labels.</span>'),
        (54, '<span class="ts-bad">Worse than before your last 12 labels.</span>'),
        (30, "The same, within noise, as before your last 12 labels."),
    ],
)
def test_whether_the_labels_helped_is_said_on_top(store, before, sentence):
    project = scored(store)
    rewritten(store, evaluations.history(store.home, project.id)[0], before)
    label(store, project.id, range(6, 18))
    run = worker.refit(store, project.id)
    evaluating.evaluate(store, project.id, {}, lambda share: False)
    if before:  # a fit of small texts is right about all: let it be right about some
        point, tables = (
            evaluations.history(store.home, 1)[-1],
            dict(evaluations.tables(store.home, 1, run.id)),
        )
        known = evaluations.judged(store.home, 1, run.id)
        hits = Judged(known.positions, np.arange(known.positions.size) < 20)
        tables["verdict"] = evaluating._verdict(store, 1, point, hits)
        evaluations.keep(store.home, point, 1, tables, hits)
    page = html(opened(scores_page, store.project(project.id)))
    assert sentence in page
    assert "of the same 42 texts" in page


def test_a_first_drop_is_told_without_alarm(store):
    project = scored(store)
    rewritten(store, evaluations.history(store.home, project.id)[0], 54)
    for positions in (range(6, 9), range(9, 18)):
        label(store, project.id, positions)
        point = refit(store, project.id)  # right about all, and then, it is said, about few
    known = evaluations.judged(store.home, 1, point.run)
    hits = Judged(known.positions, np.arange(known.positions.size) < 20)
    tables = {"verdict": evaluating._verdict(store, 1, point, hits)}
    evaluations.keep(store.home, point, 1, tables, hits)
    page = html(opened(scores_page, store.project(project.id)))
    assert "Perhaps worse than before your last 12 labels; the next fit will tell." in page
    assert "ts-bad" not in page
    assert "±2.0 for the luck of a fit (taken as usual" in page


def test_thin_topics_are_labelled_in_their_own_queue(store, monkeypatch):
    from tsnmf_ui import state

    gone = []
    monkeypatch.setattr(state, "go", lambda *page, **more: gone.append((*page, more)))
    opened(scores_page, scored(store)).button(key="scores.thin").click().run()
    assert gone == [("label", {"mode": "thin"})]


def test_locks_left_out_are_told(store):
    project = scored(store, labelled=36, truth=False)
    store.record(project.id, LockTopic(1, {"water": 1.0}), author="ann")
    refit(store, project.id)
    page = html(opened(scores_page, store.project(project.id)))
    assert "They leave locks out (1 topic)" in page


def test_another_model_is_not_praised_for_it(store):
    project = scored(store)
    settings = replace(project.settings, spec=ModelSpec(options={"guidance": 0}))
    store.update_settings(project.id, settings)
    label(store, project.id, range(6, 18))
    refit(store, project.id)
    app = opened(scores_page, store.project(project.id))
    page = html(app)
    assert len(app.get("plotly_chart")) == 3  # the line, with the other model in grey
    assert "not held against those before" in page
    assert "ts-good" not in page


def test_a_run_that_is_made_current_shows_no_scores_but_its_own(store):
    first = scored(store)
    settings = replace(first.settings, spec=ModelSpec(options={"guidance": 0}))
    store.update_settings(first.id, settings)
    refit(store, first.id)
    evaluating.over_seeds(store, first.id, {"seeds": 2}, lambda share: False)
    comparing.make_run_current(store, store.project(first.id), 1, author="ann", title="A run")
    page = html(opened(scores_page, store.project(first.id)))
    assert "The scores of this run are being counted" in page
    assert "ts-numbers" not in page
    evaluating.evaluate(store, first.id, {}, lambda share: False)
    page = html(opened(scores_page, store.project(first.id)))
    assert "ts-numbers" in page
    assert "other starts" not in page  # they were tried with the other model


def test_scores_of_labels_that_an_earlier_run_did_not_know_are_not_shown(store):
    project = scored(store)
    label(store, project.id, range(6, 18))
    refit(store, project.id)
    comparing.make_run_current(store, project, 1, author="ann", title="A run")
    page = html(opened(scores_page, store.project(project.id)))
    assert "The scores of this run are being counted" in page


def test_until_a_refit_is_scored_the_scores_before_stand_and_say_so(store):
    project = scored(store)
    label(store, project.id, range(6, 18))
    worker.refit(store, project.id)
    page = html(opened(scores_page, store.project(project.id)))
    assert "The present fit is being scored; below are the scores with 6 labels." in page
    assert "ts-numbers" in page


def test_other_starts_are_asked_for_and_shown(store, monkeypatch):
    project = scored(store)
    asked = []
    monkeypatch.setattr(background, "request", lambda *task: asked.append(task))
    app = opened(scores_page, project)
    app.button(key="scores.seeds").click().run()
    assert asked == [("seeds", project.id, {"seeds": 5})]
    evaluating.over_seeds(store, project.id, {"seeds": 2}, lambda share: False)
    assert "In 2 fits from other starts" in html(opened(scores_page, project))


def test_other_starts_show_progress_and_can_be_cancelled(store, monkeypatch):
    project = scored(store)
    running = TaskState("seeds", "running", 4, share=0.4, seconds_left=12.0)
    monkeypatch.setattr(background, "task_state", lambda *task: running)
    stopped = []
    monkeypatch.setattr(background, "cancel", lambda *task: stopped.append(task))
    app = opened(scores_page, project)
    app.button(key="scores.seeds-cancel").click().run()
    assert stopped == [("seeds", project.id)]


def test_numbers_read_as_people_write_them():
    assert scoreboard.number("first", 0.614) == "61\u00a0%"
    assert scoreboard.number("resolved", 43.0) == "43"
    assert scoreboard.number("coherence", -0.123) == "−0.12"
    assert scoreboard.shown("jaccard", [0.4, 0.35, 0.46]) == "0.40 (0.35 to 0.46)"
    assert scoreboard.shown("diversity", [0.8, None, None]) == "80\u00a0%"


def test_times_are_those_of_the_visitors_clock(monkeypatch):
    monkeypatch.setattr(state, "zone", lambda: timezone(timedelta(hours=9)))
    assert state.moment(datetime(2026, 3, 1, 20, 30, tzinfo=UTC)) == "02 Mar 2026, 05:30"
