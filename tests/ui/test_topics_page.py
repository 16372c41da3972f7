"""The Topics page: opens empty and full, renames, creates, adopts and deletes topics."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.fitting import ModelSpec
from core.store import CreateTopic, Label, Store
from tests.ui import small
from tests.ui.results_app import fitted, html, opened, said
from tsnmf_ui import selections, worker


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
    app = opened(topics_page, project := small.project(store))
    assert "There are no topics yet" in said(app)
    app.button(key="empty-fit").click().run()
    assert asked == [project.id]


def test_all_topics_show_words_shares_and_quotes(store):
    page = html(opened(topics_page, fitted(store)))
    for word in ("Water", "Noise", "Parks", "Free 1", "pipe", "of 30 texts", "2 labelled"):
        assert word in page
    assert page.count('class="ts-quote"') >= 3
    assert "<mark>" in page


def test_a_found_topic_has_no_labels_in_the_table(store):
    app = opened(topics_page, fitted(store))
    app.segmented_control(key="topics.shape").set_value("Table").run()
    table = app.dataframe[0].value
    assert sorted(table["Labelled"]) == [0, 2, 2, 2]


def test_opening_a_topic_shows_its_documents(store):
    app = opened(topics_page, fitted(store))
    app.button(key="topics.open.1").click().run()
    assert '<span class="ts-topic" style="--c:#D55E00">Noise</span>' in html(app)
    assert "In their words" in html(app)
    app.segmented_control(key="topics.section").set_value("Texts").run()
    assert "Texts that speak most for it" in html(app)
    assert "Texts on the border" in html(app)


def test_documents_are_never_markup(store):
    project = fitted(store)
    store.record(project.id, CreateTopic("<img src=x> *b*"), author="ann")
    store.record(project.id, Label(8, (4,)), author="ann")
    worker.refit(store, project.id)
    page = html(opened(topics_page, store.project(project.id)))
    assert "&lt;img src=x&gt; *b*" in page
    assert "<img" not in page


def test_a_topic_gets_another_name(store):
    app = opened(topics_page, project := fitted(store), view="One topic")
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


def test_a_found_topic_is_locked_or_split_at_once(store, asked):
    app = opened(topics_page, project := fitted(store), view="One topic")
    app.button(key="topic-row-3").click().run()
    app.text_input(key="topics.free-name.lock.3").set_value("Odds and ends").run()
    app.button(key="topics.free-lock").click().run()
    assert not app.exception
    made = store.topics(project.id)[-1]
    assert made.name == "Odds and ends"
    assert made.id in store.wording(project.id).topics.held
    app.button(key="topics.undo").click().run()
    assert not store.wording(project.id).topics.held
    assert "A merge joins labels, and nobody has labelled this topic" in said(app)
    app.text_input(key="topics.free-name.split.3.2").set_value("Odds").run()
    app.button(key="topics.free-split").click().run()
    assert "too few to split it" in app.error[0].value  # this one holds nothing
    assert [topic.name for topic in store.topics(project.id)] == ["Water", "Noise", "Parks"]


def rows(app) -> list[str]:
    """The list of topics to choose from, shares left out."""
    listed = [button for button in app.button if str(button.key).startswith("topic-row-")]
    return [button.label.split(" :gray")[0] for button in listed]


def test_the_list_of_topics_and_the_choice_stay_put_when_a_refit_lands(store):
    app = opened(topics_page, project := fitted(store), view="One topic")
    assert rows(app) == ["Water", "Noise", "Parks", "Free 1"]
    app.button(key="topic-row-3").click().run()
    app.text_input(key="topics.adopt.3").set_value("Odds and ends").run()
    app.button(key="topics.adopt").click().run()
    assert ">Free 1</span>" in html(app)
    worker.refit(store, project.id)
    app.run()
    assert rows(app) == ["Water", "Noise", "Parks", "Odds and ends", "Free 1"]
    assert ">Odds and ends</span>" in html(app)


def test_a_split_opens_its_first_part_and_an_undo_the_whole(store, asked):
    app = opened(topics_page, project := fitted(store), view="One topic")
    app.button(key="topic-row-1").click().run()
    app.button(key="topics.split").click().run()
    assert ">Noise</span>" in html(app)  # until the fit is there
    worker.refit(store, project.id)
    app.run()
    assert f">{store.topics(project.id)[-2].name}</span>" in html(app)
    app.button(key="topics.undo").click().run()
    worker.refit(store, project.id)
    app.run()
    assert ">Noise</span>" in html(app)


def test_the_order_of_the_overview_is_still_there_after_a_look_at_one_topic(store):
    app = opened(topics_page, fitted(store))
    app.segmented_control(key="order").set_value("Name").run()
    app.segmented_control(key="view").set_value("One topic").run()
    app.segmented_control(key="view").set_value("All topics").run()
    assert app.segmented_control(key="order").value == "Name"


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
        from tsnmf_ui.widgets import topic_labels

        found = results.of(state.require_project())
        topic_labels.cell(found, results.truth(found.project), [{"customdata": [0, 1]}])

    app = opened(cell, fitted(store))
    assert "Labelled Noise" in html(app)
    assert html(app).count('class="ts-doc-row"') > 0
    assert app.button(key="topics.label-cell").label == "Label 10 texts"


def test_what_needs_a_look_comes_first_and_says_why(store):
    app = opened(topics_page, fitted(store))
    page = html(app)
    assert "4 of 4 topics need a look" in page
    assert "No text speaks of it." in page
    assert "Only 2 texts are labelled with it." in page
    assert "coherence" in page
    assert 'class="ts-spark"' in page  # the documents are dated
    first = [button.key for button in app.button if str(button.key).startswith("topics.open.")]
    assert first[0] == "topics.open.3"  # the topic that holds nothing


def test_the_table_has_a_row_for_every_topic(store):
    app = opened(topics_page, fitted(store))
    app.segmented_control(key="topics.shape").set_value("Table").run()
    table = app.dataframe[0].value
    assert sorted(table["Topic"]) == ["Free 1", "Noise", "Parks", "Water"]
    assert table["Share"].sum() == pytest.approx(100)


def test_company_time_and_classes_of_one_topic(store):
    app = opened(topics_page, fitted(store), view="One topic")
    app.segmented_control(key="topics.section").set_value("Company").run()
    assert "Alike in words" in html(app)
    app.segmented_control(key="topics.section").set_value("Time and classes").run()
    assert len(app.get("plotly_chart")) == 2
    assert app.segmented_control(key="topics.class").value == "district"


def test_all_topics_over_time_and_by_class(store):
    app = opened(topics_page, fitted(store), view="Time and classes")
    assert len(app.multiselect[0].value) == 3
    assert len(app.get("plotly_chart")) == 1
    app.segmented_control(key="topics.against").set_value("By district").run()
    assert not app.exception
    assert len(app.get("plotly_chart")) == 2


def test_likeness_draws_every_pair(store):
    app = opened(topics_page, fitted(store), view="Likeness")
    assert "The two that are most alike" in html(app)
    assert len(app.get("plotly_chart")) == 1


@pytest.mark.parametrize("colour", ["topic", "label given by people", "district", "date"])
def test_the_map_draws_in_every_colour(store, colour):
    app = opened(topics_page, fitted(store), view="Map")
    app.selectbox(key="topics.colours").set_value(colour).run()
    assert not app.exception
    assert len(app.get("plotly_chart")) == 1
    assert "Draw a line around some texts" in said(app)


def test_a_lasso_takes_documents_to_the_label_page(store, tmp_path):
    def lasso():
        from tsnmf_ui import results, state, topic_facts
        from tsnmf_ui.widgets import topic_map

        found = results.of(state.require_project())
        placed = topic_facts.laid_out(found, topic_facts.AT_ONCE)
        everything = {"x": [-9, 9, 9, -9], "y": [-9, -9, 9, 9]}
        chosen = topic_map._inside(placed, {"lasso": [everything], "box": [], "points": []})
        topic_map._chosen(found, chosen)

    app = opened(lasso, project := fitted(store))
    assert "30 texts" in html(app)
    app.button(key="topics.label-lasso").click().run()
    (kept,) = (tmp_path / "selections" / str(project.id)).glob("*.json")
    found = selections.find(tmp_path, project.id, kept.stem)
    assert found.positions == tuple(range(30))
    assert found.title.startswith("Lasso around ")


def test_the_map_stays_put_after_a_label(store):
    def places():
        import streamlit as st

        from tsnmf_ui import results, state, topic_facts

        found = results.of(state.require_project())
        placed = topic_facts.laid_out(found, topic_facts.AT_ONCE)
        st.json(dict(zip(topic_facts.references(found), placed.topics.tolist(), strict=True)))

    before = json.loads(opened(places, project := fitted(store)).json[0].value)
    store.record(project.id, Label(9, (1,)), author="ann")
    worker.refit(store, project.id)
    after = json.loads(opened(places, store.project(project.id)).json[0].value)
    assert before.keys() == after.keys()
    gaps = [abs(a - b) for k in before for a, b in zip(before[k], after[k], strict=True)]
    assert max(gaps) < 0.25


def test_nodes_are_shown_where_the_model_has_them(store):
    project = small.project(store)
    settings = project.settings
    spec = ModelSpec("pfa_ssi", n_topics=4, options={"max_iter": 40})
    store.update_settings(project.id, replace(settings, spec=spec))
    worker.refit(store, project.id)
    app = opened(topics_page, store.project(project.id), view="Nodes")
    assert "Nearest nodes" in html(app)
    app.segmented_control(key="topics.node-picture").set_value("Nodes beside nodes").run()
    assert not app.exception
    assert len(app.get("plotly_chart")) == 1
