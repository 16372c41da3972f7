"""The Topics page: opens empty and full, renames, creates, adopts and deletes topics."""

from __future__ import annotations

import pytest

from core.store import CreateTopic, Label, Store
from tests.ui.results_app import fitted, html, opened, said
from tsnmf_ui import worker


def topics_page():
    from tsnmf_ui.pages import topics

    topics.page()


@pytest.fixture
def store(tmp_path, monkeypatch):
    import streamlit as st

    from tsnmf_ui import state

    st.cache_resource.clear()
    with Store.open(home=tmp_path) as opened_store:
        monkeypatch.setattr(state, "store", lambda: opened_store)
        yield opened_store


@pytest.fixture
def asked(monkeypatch):
    """Fits asked for, by project."""
    from tsnmf_ui import jobs

    requests: list[int] = []
    monkeypatch.setattr(jobs, "request_fit", requests.append)
    return requests


def test_without_a_project_it_says_what_to_do(store):
    assert "Open a project first" in said(opened(topics_page))


def test_before_the_first_fit_it_offers_one(store, asked):
    from tests.ui import small

    app = opened(topics_page, project := small.project(store))
    assert "There are no topics yet" in said(app)
    app.button(key="empty-fit").click().run()
    assert asked == [project.id]


def test_all_topics_show_words_shares_and_quotes(store):
    page = html(opened(topics_page, fitted(store)))
    for word in ("Water", "Noise", "Parks", "Free 1", "pipe", "of 30 documents", "2 labelled"):
        assert word in page
    assert page.count('class="ts-quote"') >= 3
    assert "<mark>" in page


def test_opening_a_topic_shows_its_documents(store):
    app = opened(topics_page, fitted(store))
    app.button(key="topics.open.1").click().run()
    assert "Documents that speak most for it" in html(app)
    assert '<span class="ts-topic" style="--c:#D55E00">Noise</span>' in html(app)


def test_documents_are_never_markup(store):
    project = fitted(store)
    store.record(project.id, CreateTopic("<img src=x> *b*"), author="ann")
    store.record(project.id, Label(8, (4,)), author="ann")
    worker.refit(store, project.id)
    page = html(opened(topics_page, store.project(project.id)))
    assert "&lt;img src=x&gt; *b*" in page
    assert "<img" not in page


def test_a_topic_gets_another_name(store):
    app = opened(topics_page, project := fitted(store), view="One topic", order="Name")
    app.button(key="topic-row-1").click().run()
    app.text_input(key="topics.name.2").set_value("Loud nights").run()
    app.button(key="topics.rename").click().run()
    assert [topic.name for topic in store.topics(project.id)][1] == "Loud nights"
    assert "Loud nights" in html(app)


def test_a_bad_name_is_refused_in_a_sentence(store):
    app = opened(topics_page, project := fitted(store))
    app.button(key="topics.create").click().run()
    assert "needs a name" in app.error[0].value
    assert len(store.topics(project.id)) == 3


def test_a_new_topic_asks_for_a_fit(store, asked):
    app = opened(topics_page, project := fitted(store))
    app.text_input(key="topics.new").set_value("Roads").run()
    app.button(key="topics.create").click().run()
    assert [topic.name for topic in store.topics(project.id)][-1] == "Roads"
    assert "“Roads” is a topic now" in app.toast[0].value
    assert asked == [project.id]


def test_a_found_topic_can_be_kept(store, asked):
    app = opened(topics_page, project := fitted(store), view="One topic")
    app.button(key="topic-row-3").click().run()
    app.text_input(key="topics.adopt.3").set_value("Odds and ends").run()
    app.button(key="topics.adopt").click().run()
    event = store.events(project.id, newest_first=True)[0]
    assert event.payload["found"] == {"run": 1, "topic": 3}


def test_a_deleted_topic_is_gone_and_the_page_still_stands(store, asked):
    app = opened(topics_page, project := fitted(store), view="One topic")
    app.button(key="topic-row-0").click().run()
    app.button(key="topics.delete").click().run()
    assert not app.exception
    assert [topic.name for topic in store.topics(project.id)] == ["Noise", "Parks"]
    assert asked == [project.id]


def test_labels_and_topics_draw_the_map(store):
    app = opened(topics_page, fitted(store), view="Labels and topics")
    assert "Click a cell of the map" in said(app)
    assert len(app.get("plotly_chart")) == 1


def test_the_cell_lists_its_documents(store):
    def cell():
        from tsnmf_ui import results, state
        from tsnmf_ui.pages import topics

        found = results.of(state.require_project())
        topics._cell(found, results.truth(found.project), [{"customdata": [0, 1]}])

    page = html(opened(cell, fitted(store)))
    assert "Labelled Noise" in page
    assert page.count('class="ts-doc-row"') > 0
