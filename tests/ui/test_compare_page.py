"""The Compare page: empty, refused, running, done; words, differences, rates, runs."""

from __future__ import annotations

import pytest

from core.fitting import ModelSpec
from core.store import ProjectSettings, Store, comparisons
from tests.ui import small
from tests.ui.results_app import fitted, html, opened, said
from tests.ui.test_comparing import ask
from tsnmf_ui import comparing, comparison_worker
from tsnmf_ui.comparing import Progress


def compare_page():
    from tsnmf_ui.pages import compare

    compare.page()


@pytest.fixture
def store(tmp_path, monkeypatch):
    import streamlit as st

    from tsnmf_ui import state

    st.cache_resource.clear()
    with Store.open(home=tmp_path) as opened_store:
        monkeypatch.setattr(state, "store", lambda: opened_store)
        yield opened_store


@pytest.fixture
def requested(monkeypatch):
    """What the page asks for, instead of a process."""
    heard = []
    monkeypatch.setattr(comparing, "request", heard.append)
    return heard


@pytest.fixture
def compared(store):
    """A project with a comparison of two models, the second of them plain NMF."""
    project = fitted(store)
    comparison_worker.make(store, ask(project.id, "tsnmf", "nmf"))
    return project


def test_without_a_project_it_says_what_to_do(store):
    assert "Open a project first" in said(opened(compare_page))


def test_empty_it_offers_a_comparison(store, requested):
    project = small.project(store)
    app = opened(compare_page, project)
    assert "Nothing has been compared yet" in html(app)
    app.button(key="compare.go").click().run()
    [asked] = requested
    assert [each["spec"]["model"] for each in asked.candidates] == ["tsnmf", "nmf"]
    assert (asked.seeds, asked.judge) == ((0, 1, 2), "truth")
    assert asked.candidates[0]["spec"]["n_topics"] == 4


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


def test_running_shows_how_long_and_can_be_cancelled(store, monkeypatch):
    stopped = []
    now = Progress("running", "A <b>title</b>", 0.4, 32.0, "Plain NMF")
    monkeypatch.setattr(comparing, "progress", lambda project: now)
    monkeypatch.setattr(comparing, "cancel", stopped.append)
    app = opened(compare_page, small.project(store))
    assert "A &lt;b&gt;title" in html(app)
    bar = app.get("progress")[0].proto
    assert bar.value == 40
    assert "about 32" in bar.text.replace("\\", "")
    app.button(key="compare.cancel").click().run()
    assert stopped == [1]


def test_what_went_wrong_is_told(store, monkeypatch):
    failed = Progress("failed", error="No words are left.")
    monkeypatch.setattr(comparing, "progress", lambda project: failed)
    assert "No words are left." in html(opened(compare_page, small.project(store)))


def test_that_it_was_cancelled_is_told_once_and_to_those_who_saw_it(store, monkeypatch):
    now = {1: Progress("cancelled")}
    monkeypatch.setattr(comparing, "progress", now.get)
    app = opened(compare_page, small.project(store))
    assert "was cancelled" not in html(app)  # it was long ago
    now[1] = Progress("running", "Two models")
    app.run()
    now[1] = Progress("cancelled")
    assert "The comparison was cancelled; nothing was changed." in html(app.run())
    assert "was cancelled" not in html(app.run())


def test_done_it_tells_who_was_best_and_makes_one_current(store, compared):
    app = opened(compare_page, compared)
    page = html(app)
    assert "found the labels best: weighted Jaccard" in page
    assert "Judged by the true labels of 24 texts" in page
    assert "in use" in page  # the project's own model needs no button
    assert len(app.get("plotly_chart")) == 1
    app.button(key="compare.current.1").click().run()
    assert not app.exception
    assert store.project(compared.id).settings.spec.model == "nmf"
    app.button(key="compare.undo.button").click().run()
    assert store.project(compared.id).settings == compared.settings


def test_words_of_matched_topics_stand_side_by_side(store, compared):
    page = html(opened(compare_page, compared, compared="Words"))
    assert page.count("<th>") == 3
    assert "Water" in page
    assert "alike" in page


def test_documents_go_to_the_label_page_as_a_selection(store, compared):
    app = opened(compare_page, compared, compared="Where they differ")
    number = comparisons.listed(store.home, compared.id)[0].number
    listed = comparisons.found(store.home, compared.id, number)["documents"]
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
    comparison_worker.make(
        store, ask(project.id, kind="rates", variants=variants, rates=(0.2, 0.5), n_sets=2)
    )
    app = opened(compare_page, project, compared="Supervision rates")
    assert len(app.get("plotly_chart")) == 4


def test_rates_need_a_truth_column(store):
    made = store.create_project("No truth", small.corpus(), ProjectSettings(), author="ann")
    app = opened(compare_page, made, compared="Supervision rates")
    assert "came without a label column" in said(app)


def test_any_run_can_be_made_current(store, compared):
    comparing.make_current(store, compared, 1, 1, author="ann", title="A run")
    app = opened(compare_page, store.project(compared.id), compared="Runs")
    assert "Run 2: Plain NMF" in html(app)
    app.button(key="compare.run.1").click().run()
    assert store.project(compared.id).settings.spec.model == "tsnmf"
    assert store.current_run(compared.id).id == 3


def test_a_judge_without_truth_needs_labels_to_spare(store, requested):
    made = store.create_project("No truth", small.corpus(), ProjectSettings(), author="ann")
    app = opened(compare_page, made)
    assert app.selectbox(key="compare.judge").value.startswith("Nothing")
    app.pills(key="compare.models").set_value(["nmf", "vbnmf"])
    app.selectbox(key="compare.judge").set_value("A fifth of your labels, kept aside")
    app.button(key="compare.go").click().run()
    assert "at least 20 texts must be labelled" in html(app)
    assert requested == []


def test_unjudged_models_are_not_ranked(store):
    project = fitted(store)
    comparison_worker.make(store, ask(project.id, "tsnmf", "nmf", judge="nothing", seeds=(0,)))
    page = html(opened(compare_page, project))
    assert "none can be called better" in page
    assert "Jaccard" not in page


def test_settings_tell_the_model_in_use():
    from core.comparison import Entry
    from tsnmf_ui.widgets.compare_results import in_use

    entry = Entry("x", ModelSpec("nmf", 4), None, {}, ())
    project = type("P", (), {"settings": ProjectSettings(spec=ModelSpec("nmf", 4))})
    assert in_use(project, entry)
    other = Entry("x", ModelSpec("nmf", 5), None, {}, ())
    assert not in_use(project, other)


def test_a_comparison_is_deleted_once_that_is_confirmed(store, compared):
    comparison_worker.make(store, ask(compared.id, "nmf", "vbnmf"))
    app = opened(compare_page, compared)
    box = app.selectbox(key="compare.kept.models.2.2")
    box.set_value(1).run()
    app.button(key="compare.delete").click().run()
    assert not app.exception
    assert [each.number for each in comparisons.listed(store.home, compared.id)] == [2]
    app.button(key="compare.delete").click().run()
    assert "Nothing has been compared yet" in html(app)
    assert store.current_run(compared.id).id == 1


def test_curves_of_a_sample_say_so():
    from tsnmf_ui.widgets.rate_results import sample_sentence

    assert "10,000 of the 200,000 texts, drawn at random" in sample_sentence(200_000)
    assert sample_sentence(10_000) == ""


def test_what_looks_equally_good_is_marked_equally():
    from core.comparison import Entry
    from tsnmf_ui.widgets import compare_tables

    close = [Entry("x", ModelSpec("nmf"), None, {"jaccard": (v,)}, ()) for v in (0.601, 0.599, 0.5)]
    marked = ["best" in compare_tables.row(e, ["jaccard"], {"jaccard": 0.601}, 1) for e in close]
    assert marked == [True, True, False]
