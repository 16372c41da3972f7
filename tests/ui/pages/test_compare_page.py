"""The Compare page: empty, refused, running, done; words, differences, rates, runs."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.spec import ModelSpec
from core.store import Label, ProjectSettings
from core.store.runs import comparisons, evaluations
from core.workspace.comparisons import compare, use_candidate
from core.workspace.scores import evaluate
from tests.core.workspace import small
from tests.core.workspace.small import comparison as ask
from tests.ui.pages.results_app import compare_page, fitted, html, opened, said
from tsnmf_ui.jobs import COMPARISON, FIT, FinishedFit, JobState
from tsnmf_ui.pages.compare.form import _cost_sentence


@pytest.fixture
def requested(recorded_jobs):
    """What the page asks for, instead of a process."""
    heard = []
    recorded_jobs.on_request = lambda kind, project, arguments: heard.append(arguments["request"])
    return heard


def comparison(phase, title="", **now):
    return JobState(COMPARISON, 1, phase, 7, title, **now)


@pytest.fixture
def compared(store):
    """A project with a comparison of two models, the second of them plain NMF."""
    project = fitted(store)
    compare(store, ask(project.id, "tsnmf", "nmf"))
    return project


def test_another_number_on_scores_is_explained(store):
    project = fitted(store)
    compare(store, ask(project.id, "tsnmf", "nmf"))
    evaluate.evaluate(store, project.id, {}, lambda share: False)
    point = evaluations.history(store.home, project.id)[-1]
    worse = {**point.scores, "first": [0.5, 0.4, 0.6, ""]}
    evaluations.save(store.home, replace(point, scores=worse), project.id, {}, None)
    told = " ".join(each.value for each in opened(compare_page, project).caption)
    assert "100\u00a0% here, the mean of 2 seeds, and 50\u00a0% on Scores" in told


def test_without_a_project_it_says_what_to_do(store):
    assert "Open a project first" in said(opened(compare_page))


def test_empty_it_offers_a_comparison(store, requested):
    project = small.project(store)
    app = opened(compare_page, project)
    assert "No comparisons yet" in html(app)
    app.button(key="compare.go").click().run()
    [asked] = requested
    assert [each["spec"]["model"] for each in asked.candidates] == ["tsnmf", "nmf"]
    assert (asked.seeds, asked.judge) == ((0, 1, 2), "truth")
    assert asked.candidates[0]["spec"]["n_topics"] == 4


def test_one_model_uses_counts_and_two_use_them():
    assert "allocation uses plain counts" in _cost_sentence(["tsnmf", "lda"], 3, "truth")
    assert "analysis use plain counts" in _cost_sentence(["lda", "pfa"], 3, "truth")


def test_runs_and_the_papers_model_can_stand_beside(store, requested):
    app = opened(compare_page, fitted(store))
    app.pills(key="compare.models").set_value(["tsnmf_paper"])
    app.multiselect(key="compare.runs").set_value([1])
    app.button(key="compare.go").click().run()
    paper, run = requested[0].candidates
    assert paper["spec"]["options"]["labelled_weight"] == "inverse_rate"
    assert run["run"] == 1


def test_what_cannot_work_is_refused_and_nothing_starts(store, requested):
    app = opened(compare_page, small.project(store, labelled=0))
    app.button(key="compare.go").click().run()
    assert "learns from labels, and no text is labelled yet." in html(app)
    app.pills(key="compare.models").set_value(["nmf"])
    app.button(key="compare.go").click().run()
    assert "needs at least 2 models" in html(app)
    assert requested == []


def test_running_shows_how_long_and_can_be_cancelled(store, recorded_jobs):
    about = {"share": 0.4, "seconds_left": 32.0, "doing": "Plain NMF"}
    recorded_jobs.states[COMPARISON] = comparison("running", "A <b>title</b>", **about)
    app = opened(compare_page, small.project(store))
    assert "A &lt;b&gt;title" in html(app)
    bar = app.get("progress")[0].proto
    assert bar.value == 40
    assert "about 32" in bar.text.replace("\\", "")
    app.button(key="compare.cancel").click().run()
    assert recorded_jobs.cancelled == [(COMPARISON, 1)]


def test_what_went_wrong_is_told(store, recorded_jobs):
    recorded_jobs.states[COMPARISON] = comparison("failed", error="No words are left.")
    assert "No words are left." in html(opened(compare_page, small.project(store)))


def test_that_it_was_cancelled_is_told_once_and_to_those_who_saw_it(store, recorded_jobs):
    now = recorded_jobs.states
    now[COMPARISON] = comparison("cancelled")
    app = opened(compare_page, small.project(store))
    assert "was cancelled" not in html(app)  # it was long ago
    now[COMPARISON] = comparison("running", "Two models")
    app.run()
    now[COMPARISON] = comparison("cancelled")
    assert "The comparison was cancelled; nothing was changed." in html(app.run())
    assert "was cancelled" not in html(app.run())


def test_done_it_tells_who_was_best_and_makes_one_current(store, compared, recorded_jobs):
    app = opened(compare_page, compared)
    page = html(app)
    assert "matches the labels best: weighted Jaccard" in page
    assert "Scored on the true labels of 24 texts" in page
    assert "in use" in page  # the project's own model needs no button
    assert len(app.get("plotly_chart")) == 1
    app.button(key="compare.current.1").click().run()
    assert not app.exception
    assert store.project(compared.id).settings.spec.model == "nmf"
    app.button(key="compare.undo.button").click().run()
    assert store.project(compared.id).settings == compared.settings
    announced = [(FIT, 1, FinishedFit(2)), (FIT, 1, FinishedFit(3))]
    assert recorded_jobs.announced == announced  # pages follow, scores are counted


def test_words_of_matched_topics_stand_side_by_side(store, compared):
    page = html(opened(compare_page, compared, compared="Words"))
    assert page.count("<th>") == 3
    assert "Water" in page
    assert "similar" in page


def test_documents_go_to_the_label_page_as_a_selection(store, compared):
    app = opened(compare_page, compared, compared="Where they differ")
    number = comparisons.summaries(store.home, compared.id)[0].number
    listed = comparisons.results(store.home, compared.id, number)["documents"]
    page = html(app)
    assert page.count("ts-doc-row") == min(12, len(listed))
    app.button(key="compare.label").click().run()
    assert list(store.home.rglob("selections/*/*.json"))


def test_names_are_those_of_today_and_texts_are_escaped(store, compared):
    from core.store import RenameTopic

    store.record(compared.id, RenameTopic(1, "<i>Taps"), author="ann")
    page = html(opened(compare_page, store.project(compared.id), compared="Words"))
    assert "&lt;i&gt;Taps" in page
    assert "<i>Taps" not in page


def test_rates_are_asked_for_and_drawn(store, requested):
    project = small.project(store)
    app = opened(compare_page, project, compared="Supervision rates")
    app.button(key="rates.go").click().run()
    assert requested[0].kind == "rates"
    variants = requested[0].variants[:2]
    compare(store, ask(project.id, kind="rates", variants=variants, rates=(0.2, 0.5), n_sets=2))
    app = opened(compare_page, project, compared="Supervision rates")
    assert len(app.get("plotly_chart")) == 4


def test_rates_need_a_truth_column(store):
    made = store.create_project("No truth", small.corpus(), ProjectSettings(), author="ann")
    app = opened(compare_page, made, compared="Supervision rates")
    assert "has no label column" in said(app)


def test_any_run_can_be_made_current(store, compared):
    use_candidate(store, compared, 1, 1, author="ann", title="A run")
    app = opened(compare_page, store.project(compared.id), compared="Runs")
    assert "Run 2: Plain NMF" in html(app)
    app.button(key="compare.run.1").click().run()
    assert store.project(compared.id).settings.spec.model == "tsnmf"
    assert store.current_run(compared.id).id == 3


def test_a_judge_without_truth_needs_labels_to_spare(store, requested):
    made = store.create_project("No truth", small.corpus(), ProjectSettings(), author="ann")
    app = opened(compare_page, made)
    assert app.selectbox(key="compare.judge").value.startswith("Not scored")
    app.pills(key="compare.models").set_value(["nmf", "vbnmf"])
    app.selectbox(key="compare.judge").set_value("A held-out fifth of your labels")
    app.button(key="compare.go").click().run()
    assert "at least 20 texts must be labelled" in html(app)
    assert requested == []


def test_unjudged_models_are_not_ranked(store):
    project = fitted(store)
    compare(store, ask(project.id, "tsnmf", "nmf", judge="nothing", seeds=(0,)))
    page = html(opened(compare_page, project))
    assert "so none is better" in page
    assert "Jaccard" not in page


def test_settings_tell_the_model_in_use():
    from core.evaluation.comparison import ComparisonEntry
    from tsnmf_ui.pages.compare.score_view import in_use

    entry = ComparisonEntry("x", ModelSpec("nmf", 4), None, {}, ())
    project = type("P", (), {"settings": ProjectSettings(spec=ModelSpec("nmf", 4))})
    assert in_use(project, entry)
    other = ComparisonEntry("x", ModelSpec("nmf", 5), None, {}, ())
    assert not in_use(project, other)


def test_a_comparison_is_deleted_once_that_is_confirmed(store, compared):
    compare(store, ask(compared.id, "nmf", "vbnmf"))
    app = opened(compare_page, compared)
    box = app.selectbox(key="compare.kept.models.2.2")
    box.set_value(1).run()
    app.button(key="compare.delete").click().run()
    assert not app.exception
    assert [each.number for each in comparisons.summaries(store.home, compared.id)] == [2]
    app.button(key="compare.delete").click().run()
    assert "No comparisons yet" in html(app)
    assert store.current_run(compared.id).id == 1


def test_curves_of_a_sample_say_so():
    from tsnmf_ui.pages.compare.rate_results import sample_sentence

    assert "a random sample of 10,000 of the 200,000 texts" in sample_sentence(200_000)
    assert sample_sentence(10_000) == ""


def test_what_looks_equally_good_is_marked_equally():
    from core.evaluation.comparison import ComparisonEntry
    from tsnmf_ui.pages.compare import tables

    close = [
        ComparisonEntry("x", ModelSpec("nmf"), None, {"jaccard": (v,)}, ())
        for v in (0.601, 0.599, 0.5)
    ]
    marked = ["best" in tables.row(e, ["jaccard"], {"jaccard": 0.601}, 1) for e in close]
    assert marked == [True, True, False]


def test_a_model_that_starts_without_chance_is_no_better_for_agreeing_with_itself():
    from core.evaluation.comparison import ComparisonEntry
    from tsnmf_ui.pages.compare import tables

    entries = tuple(
        ComparisonEntry("x", ModelSpec("nmf"), None, {"jaccard": (value,)}, (), agreement=agreed)
        for value, agreed in ((0.5, 1.0), (0.6, 0.9))
    )
    found = SimpleNamespace(entries=entries)
    assert tables.best_values(found, ["jaccard", tables.SAME_SEED]) == {"jaccard": 0.6}
    assert "by construction" in tables.explained(tables.SAME_SEED)


@pytest.mark.parametrize("view", ["Scores", "Words", "Where they differ"])
def test_a_comparison_made_before_later_labels_says_so(store, compared, view):
    assert "since then" not in html(opened(compare_page, compared, compared=view))
    store.record(compared.id, Label(20, (3,)), author="ann")
    page = html(opened(compare_page, store.project(compared.id), compared=view))
    assert "6 of 30 texts labelled, 2 seeds each. 1 event since then." in page
