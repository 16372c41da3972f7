"""The Scores page: empty, without truth, with truth, and honest about a fit that got worse."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest

from core.evaluation.progress import DocumentHits, EvaluatedRun
from core.spec import ModelSpec
from core.store import Label, LockTopic, Store
from core.store.runs import evaluations
from core.workspace.comparisons import use_run
from core.workspace.refits.refit import refit
from core.workspace.scores import evaluate, score_history
from tests.core.workspace import small
from tests.ui.pages.results_app import html, opened, said, scores_page
from tsnmf_ui.jobs import FULL_FIT, JobState
from tsnmf_ui.pages.scores import score_table
from tsnmf_ui.server import state


def scored(store: Store, *, labelled: int = 6, truth: bool = True, n: int = 60):
    """A small project after its first fit and its first scores."""
    made = small.project(store, labelled=labelled, n=n)
    store.update_settings(made.id, replace(made.settings, truth=truth))
    refit_and_score(store, made.id)
    return store.project(made.id)


def refit_and_score(store: Store, project: int) -> EvaluatedRun:
    refit(store, project)
    evaluate.evaluate(store, project, {}, lambda share: False)
    return evaluations.history(store.home, project)[-1]


def label(store: Store, project: int, positions: range) -> None:
    for position in positions:
        store.record(project, Label(position, (1 + position % 3,)), author="ann")


def rewritten(store: Store, point: EvaluatedRun, right: int) -> None:
    """As if the fit had been right about so many documents."""
    known = evaluations.judged(store.home, 1, point.run)
    hits = DocumentHits(known.positions, np.arange(known.positions.size) < right)
    evaluations.save(store.home, point, 1, {}, hits)


def test_a_whole_set_above_the_main_topic_is_explained(store):
    project = scored(store)
    point = evaluations.history(store.home, project.id)[-1]
    assert score_table.SECOND_TOPIC_COUNTS not in score_table.html(point, None)
    higher = {**point.scores, "first": [0.6, 0.5, 0.7, ""], "accuracy": [0.7, 0.6, 0.8, ""]}
    assert score_table.SECOND_TOPIC_COUNTS in score_table.html(replace(point, scores=higher), None)


def test_without_a_project_it_says_what_to_do(store):
    assert "Open a project first" in said(opened(scores_page))


def test_before_the_first_fit_it_offers_one(store):
    assert "No topics yet" in said(opened(scores_page, small.project(store)))


def test_a_fit_that_is_not_scored_yet_asks_for_its_scores(store, recorded_jobs):
    project = small.project(store)
    refit(store, project.id)
    page = html(opened(scores_page, store.project(project.id)))
    assert "are being computed" in page
    assert recorded_jobs.requested == [("evaluate", project.id)]


def test_the_first_scores_have_nothing_to_compare_with(store):
    app = opened(scores_page, scored(store))
    page = html(app)
    assert "first scored run" in page
    assert "on 54 texts that nobody has labelled" in page
    assert "Main topic correct" in page
    assert "All labels correct" in page
    assert len(app.get("plotly_chart")) == 2  # coverage, matching; no line yet, no forecast


def test_every_number_opens_its_definition(store):
    page = html(opened(scores_page, scored(store)))
    assert page.count("<details>") == page.count("Definition") >= 10
    assert "Kuhn–Munkres" in page


def test_without_truth_labels_are_kept_aside_and_it_says_so(store):
    app = opened(scores_page, scored(store, labelled=36, truth=False))
    assert "Scored on labels held out, by 5-fold cross-validation (36 texts)" in html(app)
    assert "36 texts" in html(app)
    assert len(app.get("plotly_chart")) == 3  # and the forecast
    assert any("50 more labels should bring" in caption.value for caption in app.caption)


def test_without_truth_few_labels_give_no_score(store):
    page = html(opened(scores_page, scored(store, truth=False)))
    assert "No score yet: 6 texts labelled, and a test needs 20" in page
    assert "Main topic correct" not in page
    assert "Adherence" not in page  # true by construction


def test_a_corpus_too_small_to_score_is_told_so(store):
    app = opened(scores_page, scored(store, truth=False, n=12))
    assert "Too small to score: this corpus has 12 texts, and a test needs 20" in html(app)
    captions = " ".join(caption.value for caption in app.caption)
    assert "too small for a forecast: it needs 30 labels" in captions


@pytest.mark.parametrize(
    ("before", "sentence"),
    [
        (0, '<span class="ts-good">Better than before your last 12 labels.</span>'),
        (54, '<span class="ts-bad">Worse than before your last 12 labels.</span>'),
        (30, "About the same as before your last 12 labels."),
    ],
)
def test_whether_the_labels_helped_is_said_on_top(store, before, sentence):
    project = scored(store)
    rewritten(store, evaluations.history(store.home, project.id)[0], before)
    label(store, project.id, range(6, 18))
    run = refit(store, project.id)
    evaluate.evaluate(store, project.id, {}, lambda share: False)
    if before:  # a fit of small texts is right about all: let it be right about some
        point, tables = (
            evaluations.history(store.home, 1)[-1],
            dict(evaluations.tables(store.home, 1, run.id)),
        )
        known = evaluations.judged(store.home, 1, run.id)
        hits = DocumentHits(known.positions, np.arange(known.positions.size) < 20)
        evaluations.save(store.home, point, 1, tables, hits)
    app = opened(scores_page, store.project(project.id))
    page = html(app)
    assert sentence in page
    assert "Of the 42 texts scored both times" in page
    assert any("“With 6 labels” counts all texts" in caption.value for caption in app.caption)


def test_a_first_drop_is_told_without_alarm(store):
    project = scored(store)
    rewritten(store, evaluations.history(store.home, project.id)[0], 54)
    for positions in (range(6, 9), range(9, 18)):
        label(store, project.id, positions)
        point = refit_and_score(store, project.id)  # right about all, then about fewer
    known = evaluations.judged(store.home, 1, point.run)
    hits = DocumentHits(known.positions, np.arange(known.positions.size) < 33)
    evaluations.save(store.home, point, 1, {}, hits)
    page = html(opened(scores_page, store.project(project.id)))
    assert "Possibly worse than before your last 12 labels; the next fit will show." in page
    assert "ts-bad" not in page
    assert "random variation between fits alone makes it ±5.5, an assumption" in page


def test_thin_topics_are_labelled_in_their_own_queue(store, monkeypatch):
    from tsnmf_ui.server import state

    gone = []
    monkeypatch.setattr(state, "open_page", lambda *page, **more: gone.append((*page, more)))
    opened(scores_page, scored(store)).button(key="scores.thin").click().run()
    assert gone == [("label", {"mode": "thin"})]


def test_locks_left_out_are_told(store):
    project = scored(store, labelled=36, truth=False)
    store.record(project.id, LockTopic(1, {"water": 1.0}), author="ann")
    refit_and_score(store, project.id)
    page = html(opened(scores_page, store.project(project.id)))
    assert "Locks are ignored there (1 topic)" in page


def test_another_model_is_not_praised_for_it(store):
    project = scored(store)
    settings = replace(project.settings, spec=ModelSpec(options={"guidance": 0}))
    store.update_settings(project.id, settings)
    label(store, project.id, range(6, 18))
    refit_and_score(store, project.id)
    app = opened(scores_page, store.project(project.id))
    page = html(app)
    assert len(app.get("plotly_chart")) == 3  # the line, with the other model in grey
    assert "not compared with earlier ones" in page
    assert "ts-good" not in page


def test_a_run_that_is_made_current_shows_no_scores_but_its_own(store):
    first = scored(store)
    settings = replace(first.settings, spec=ModelSpec(options={"guidance": 0}))
    store.update_settings(first.id, settings)
    refit_and_score(store, first.id)
    evaluate.over_seeds(store, first.id, {"seeds": 2}, lambda share: False)
    use_run(store, store.project(first.id), 1, author="ann", title="A run")
    page = html(opened(scores_page, store.project(first.id)))
    assert "The scores of this run are being computed" in page
    assert "ts-numbers" not in page
    evaluate.evaluate(store, first.id, {}, lambda share: False)
    page = html(opened(scores_page, store.project(first.id)))
    assert "ts-numbers" in page
    assert "other starts" not in page  # they were tried with the other model


def test_scores_of_labels_that_an_earlier_run_did_not_know_are_not_shown(store):
    project = scored(store)
    label(store, project.id, range(6, 18))
    refit_and_score(store, project.id)
    use_run(store, project, 1, author="ann", title="A run")
    page = html(opened(scores_page, store.project(project.id)))
    assert "The scores of this run are being computed" in page


def test_a_run_whose_labels_were_undone_stands_on_no_curve_and_judges_nobody(store):
    project = scored(store)
    label(store, project.id, range(6, 18))
    wrong = refit_and_score(store, project.id)
    label(store, project.id, range(18, 19))
    refit_and_score(store, project.id)
    store.undo(project.id, author="ann")  # the label of text 18, known to the last run only
    board = score_history(store, store.project(project.id))
    assert [point.labelled for point in board.history] == [6, 18, 19]  # the run itself counts
    for _ in range(12):
        store.undo(project.id, author="ann")
    label(store, project.id, range(20, 22))
    now = refit_and_score(store, project.id)
    board = score_history(store, store.project(project.id))
    assert [point.labelled for point in board.history] == [6, 8]
    assert (board.point.run, board.at(wrong.run)) == (now.run, None)
    assert board.compared_point.labelled == 6
    assert "With 6 labels" in html(opened(scores_page, store.project(project.id)))


def test_a_verdict_on_labels_that_were_undone_is_withdrawn(store):
    project = scored(store)
    for positions in (range(6, 9), range(9, 30)):
        label(store, project.id, positions)
        refit_and_score(store, project.id)
    history = score_history(store, store.project(project.id))
    assert history.verdict is not None
    for _ in range(24):
        store.undo(project.id, author="ann")
    assert history.verdict.reference.labelled == 9
    page = html(opened(scores_page, store.project(project.id)))
    assert "than before your last" not in page
    assert "Some of the labels of this run have been undone since" in page


def test_until_a_refit_is_scored_the_scores_before_stand_and_say_so(store):
    project = scored(store)
    label(store, project.id, range(6, 18))
    refit(store, project.id)
    page = html(opened(scores_page, store.project(project.id)))
    assert "The current run is not scored yet; these are the scores with 6 labels." in page
    assert "ts-numbers" in page


def test_other_starts_are_asked_for_and_shown(store, recorded_jobs):
    project = scored(store)
    app = opened(scores_page, project)
    app.button(key="scores.seeds").click().run()
    assert recorded_jobs.requested == [("seeds", project.id, {"seeds": 5})]
    evaluate.over_seeds(store, project.id, {"seeds": 2}, lambda share: False)
    assert "Across 2 fits from other starts" in html(opened(scores_page, project))


def test_a_run_below_all_other_starts_is_told_so(store):
    project = scored(store)
    found = {"run": 1, "labelled": 6, "seeds": 2, "words": [1.0], "documents": [1.0]}
    evaluations.save_seeds(store.home, project.id, {**found, "scores": {"first": [2.0, 3.0]}})
    page = html(opened(scores_page, project))
    assert "below all of them. Another seed may give a better fit (Corpus)." in page
    assert "would do better" not in page


def test_fit_afresh_is_offered_and_a_preview_is_not_scored(store, recorded_jobs, monkeypatch):
    monkeypatch.setattr("core.workspace.refits.when_to_refit.QUICK_SECONDS", -1.0)
    project = scored(store)
    app = opened(scores_page, project)
    app.button(key="results.afresh").click().run()
    assert recorded_jobs.requested == [(FULL_FIT, project.id, {"afresh": True})]
    before = html(app)
    refit(store, project.id, preview=True)
    recorded_jobs.requested.clear()
    app = opened(scores_page, store.project(project.id))
    assert html(app).count("ts-numbers") == before.count("ts-numbers") == 1
    assert recorded_jobs.requested == [(FULL_FIT, project.id)]  # and no scores of the preview


def test_other_starts_show_progress_and_can_be_cancelled(store, recorded_jobs):
    project = scored(store)
    running = JobState("seeds", project.id, "running", 4, share=0.4, seconds_left=12.0)
    recorded_jobs.states["seeds"] = running
    app = opened(scores_page, project)
    app.button(key="scores.seeds-cancel").click().run()
    assert recorded_jobs.cancelled == [("seeds", project.id)]


def test_times_are_those_of_the_visitors_clock(monkeypatch):
    monkeypatch.setattr(state, "time_zone", lambda: timezone(timedelta(hours=9)))
    assert state.local_time(datetime(2026, 3, 1, 20, 30, tzinfo=UTC)) == "02 Mar 2026, 05:30"
