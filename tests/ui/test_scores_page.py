"""The Scores page: empty, without truth, with truth, and honest about a refit that hurt."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.metrics.matching import match_topics
from core.store import CreateTopic, Label, ProjectSettings, Store
from tests.ui import small
from tests.ui.results_app import fitted, html, opened, said
from tsnmf_ui import worker


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


def test_without_a_project_it_says_what_to_do(store):
    assert "Open a project first" in said(opened(scores_page))


def test_before_the_first_fit_it_offers_one(store):
    assert "There are no topics yet" in said(opened(scores_page, small.project(store)))


def test_the_first_fit_has_nothing_to_compare_with(store):
    page = html(opened(scores_page, fitted(store)))
    assert "On the <b>24 documents</b> nobody has labelled, <b>3 of 3</b> labels" in page
    assert "first fit" in page
    assert "<b>100\u00a0%</b><span>adherence" in page


def test_a_second_fit_is_compared_on_the_same_documents(store):
    project = fitted(store)
    store.record(project.id, Label(6, (1,)), author="ann")
    worker.refit(store, project.id)
    app = opened(scores_page, store.project(project.id))
    assert "On the <b>23 documents</b>" in html(app)
    assert "last refit" in html(app)
    assert len(app.get("plotly_chart")) == 2  # matching and history


@pytest.mark.parametrize(
    ("was", "sentence"),
    [
        (0.7, '<span class="ts-bad">The last refit made it worse: it was 0.70 before.</span>'),
        (0.3, '<span class="ts-good">The last refit helped: it was 0.30 before.</span>'),
        (0.501, "The last refit changed little (0.501 before)."),
    ],
)
def test_whether_the_refit_helped_is_said_plainly(was, sentence):
    from tsnmf_ui.pages.scores import _difference

    now = replace(match_topics(np.eye(2), np.eye(2), label_names="ab"), mean_jaccard=0.5)
    assert _difference(now, replace(now, mean_jaccard=was)) == sentence


def test_all_documents_can_be_scored_with_a_caution(store):
    app = opened(scores_page, fitted(store))
    app.segmented_control(key="scope").set_value("All documents").run()
    assert "<b>30 documents</b> of the corpus" in html(app)
    assert "not as a test" in html(app)


def test_without_truth_no_score_is_claimed(store):
    made = store.create_project("No truth", small.corpus(), ProjectSettings(), author="ann")
    store.record(made.id, CreateTopic("Water"), author="ann")
    store.record(made.id, Label(0, (1,)), author="ann")
    worker.refit(store, made.id)
    page = html(opened(scores_page, store.project(made.id)))
    assert "cannot be told here" in page
    assert "Jaccard" not in page
    assert "<b>1 document</b>" in page
