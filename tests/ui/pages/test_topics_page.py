"""The Topics page: opens empty and full, renames, creates, adopts and deletes topics."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core import report
from core.spec import ModelSpec
from core.store import CreateTopic, Label, ProjectSettings, Store
from core.workspace.refits.refit import refit
from core.workspace.results import topics_of
from tests.core.workspace import small
from tests.ui.pages.results_app import fitted, html, opened, said, topics_page
from tsnmf_ui.jobs import FULL_FIT, JobState
from tsnmf_ui.label import selections
from tsnmf_ui.pages import results
from tsnmf_ui.pages.topics import topic_table
from tsnmf_ui.server import state


@pytest.fixture
def asked(recorded_jobs):
    """Jobs asked for."""
    return recorded_jobs.requested


def test_without_a_project_it_says_what_to_do(store):
    assert "Open a project first" in said(opened(topics_page))


def test_before_the_first_fit_it_offers_one(store, asked):
    app = opened(topics_page, project := small.project(store))
    assert "No topics yet" in said(app)
    app.button(key="empty-fit").click().run()
    assert asked == [("fit", project.id)]


def free_title(store, project):
    """What the free topic of the last fit is called: by its words, if any text uses it."""
    return topics_of(store, project.id).names[-1]


def test_all_topics_show_words_shares_and_quotes(store):
    page = html(opened(topics_page, project := fitted(store)))
    for word in (
        "Water",
        "Noise",
        "Parks",
        free_title(store, project),
        "pipe",
        "of 30 texts",
        "2 labelled",
    ):
        assert word in page
    assert page.count('class="ts-quote"') >= 3
    assert "<mark>" in page


def test_a_free_topic_has_no_labels_in_the_table(store):
    app = opened(topics_page, fitted(store))
    app.segmented_control(key="topics.shape").set_value("Table").run()
    table = app.dataframe[0].value
    assert sorted(table["Labelled"]) == [0, 2, 2, 2]


def test_opening_a_topic_shows_its_documents(store):
    app = opened(topics_page, fitted(store))
    app.button(key="topics.open.1").click().run()
    assert '<span class="ts-topic" style="--c:#D55E00">Noise</span>' in html(app)
    assert "Quotes" in html(app)
    app.segmented_control(key="topics.section").set_value("Texts").run()
    assert "Strongest texts" in html(app)
    assert "Borderline texts" in html(app)


def test_documents_are_never_markup(store):
    project = fitted(store)
    store.record(project.id, CreateTopic("<img src=x> *b*"), author="ann")
    store.record(project.id, Label(8, (4,)), author="ann")
    refit(store, project.id)
    page = html(opened(topics_page, store.project(project.id)))
    assert "&lt;img src=x&gt; *b*" in page
    assert "<img" not in page


def test_a_topic_gets_another_name(store, asked):
    app = opened(topics_page, project := fitted(store), view="One topic")
    app.button(key="topic-row-1").click().run()
    app.text_input(key="topics.name.2").set_value("Loud nights")
    app.button(key="topics.rename").click().run()
    assert [topic.name for topic in store.topics(project.id)][1] == "Loud nights"
    assert "Loud nights" in html(app)
    assert asked == [("fit", project.id)]


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
    assert "Topic “Roads” was created" in app.toast[0].value
    assert asked == [("fit", project.id)]


def test_a_free_topic_can_be_kept(store, asked):
    app = opened(topics_page, project := fitted(store), view="One topic")
    app.button(key="topic-row-3").click().run()
    app.text_input(key="topics.adopt.3").set_value("Odds and ends")
    app.button(key="topics.adopt").click().run()
    event = store.events(project.id, newest_first=True)[0]
    assert event.payload["found"] == {"run": 1, "topic": 3}


def test_a_free_topic_is_locked_or_split_at_once(store, asked):
    app = opened(topics_page, project := small.parks_free(store), view="One topic")
    app.button(key="topic-row-2").click().run()
    app.text_input(key="topics.free-name.lock.2").set_value("Odds and ends").run()
    app.button(key="topics.free-lock").click().run()
    assert not app.exception
    made = store.topics(project.id)[-1]
    assert made.name == "Odds and ends"
    assert made.id in store.word_rules(project.id).topics.held
    app.button(key="topics.undo").click().run()
    assert not store.word_rules(project.id).topics.held
    app.text_input(key="topics.free-name.split.2.2").set_value("Odds").run()
    app.button(key="topics.free-split").click().run()
    assert len(store.topics(project.id)) == 4  # its two parts beside the two that were named


def test_a_topic_that_no_text_uses_cannot_be_split(store, asked):
    app = opened(topics_page, project := fitted(store), view="One topic")
    app.button(key="topic-row-3").click().run()
    app.text_input(key="topics.free-name.split.3").set_value("Odds").run()
    app.button(key="topics.free-split").click().run()
    assert "too few to split it" in app.error[0].value  # this one holds nothing
    assert [topic.name for topic in store.topics(project.id)] == ["Water", "Noise", "Parks"]


def rows(app) -> list[str]:
    """The list of topics to choose from, shares left out."""
    listed = [button for button in app.button if str(button.key).startswith("topic-row-")]
    return [button.label.split(" :gray")[0] for button in listed]


def test_the_list_of_topics_and_the_choice_stay_put_when_a_refit_lands(store):
    app = opened(topics_page, project := fitted(store), view="One topic")
    free = free_title(store, project)
    assert rows(app) == ["Water", "Noise", "Parks", free]
    app.button(key="topic-row-3").click().run()
    app.text_input(key="topics.adopt.3").set_value("Odds and ends")
    app.button(key="topics.adopt").click().run()
    assert f">{free}</span>" in html(app)
    refit(store, project.id)
    app.run()
    named = ["Water", "Noise", "Parks", "Odds and ends"]
    assert rows(app) == [*named, free_title(store, project)]
    assert ">Odds and ends</span>" in html(app)


def test_a_split_opens_its_first_part_and_an_undo_the_whole(store, asked):
    app = opened(topics_page, project := fitted(store), view="One topic")
    app.button(key="topic-row-1").click().run()
    app.button(key="topics.split").click().run()
    assert ">Noise</span>" in html(app)  # until the fit is there
    refit(store, project.id)
    app.run()
    assert f">{store.topics(project.id)[1].name}</span>" in html(app)
    app.button(key="topics.undo").click().run()
    refit(store, project.id)
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
    assert asked == [("fit", project.id)]


def test_labels_and_topics_draw_the_map(store):
    app = opened(topics_page, fitted(store), view="Labels and topics")
    assert "Click a cell to read its texts" in said(app)
    assert len(app.get("plotly_chart")) == 1


def test_the_cell_lists_its_documents(store):
    def cell():
        from core.workspace.results import true_labels
        from tsnmf_ui.pages import results
        from tsnmf_ui.pages.topics import heat_map
        from tsnmf_ui.server import state

        found = results.load(state.require_project())
        heat_map.cell(found, true_labels(state.store(), found.project), [{"customdata": [0, 1]}])

    app = opened(cell, fitted(store))
    assert "Texts labelled Noise" in html(app)
    assert html(app).count('class="ts-doc-row"') > 0
    assert app.button(key="topics.label-cell").label == "Label 10 texts"


def test_topics_say_what_is_the_matter_and_an_empty_free_one_comes_last(store):
    app = opened(topics_page, project := fitted(store))
    page = html(app)
    assert "4 topics: none needs a look; 4 have a minor note." in page
    assert "No text has it as its main topic yet." in page
    assert free_title(store, project) == "Free 1"  # the labels cover every text
    assert "Only 2 texts have this label." in page
    assert page.count("ts-remarks") == 4  # two labels each is no trouble of a single topic
    assert "coherence" in page
    assert 'class="ts-spark"' not in page  # each day has a text or two, which is no trend
    first = [button.key for button in app.button if str(button.key).startswith("topics.open.")]
    assert first == [f"topics.open.{k}" for k in range(4)]  # the empty free one last


def test_the_table_has_a_row_for_every_topic(store):
    app = opened(topics_page, project := fitted(store))
    app.segmented_control(key="topics.shape").set_value("Table").run()
    table = app.dataframe[0].value
    assert set(table["Topic"]) == {"Noise", "Parks", "Water", free_title(store, project)}
    assert table["Share"].sum() == pytest.approx(1)


def test_company_time_and_classes_of_one_topic(store):
    app = opened(topics_page, fitted(store), view="One topic")
    app.segmented_control(key="topics.section").set_value("Related topics").run()
    assert "Similar words" in html(app)
    app.segmented_control(key="topics.section").set_value("Time and groups").run()
    assert len(app.get("plotly_chart")) == 2
    assert app.segmented_control(key="topics.class").value == "district"


def test_texts_that_no_chart_counts_are_said(store):
    whole = small.corpus(30)
    corpus = replace(
        whole,
        texts=("n/a", "-", *whole.texts[2:]),
        dates=(None, *whole.dates[1:-1], None),
    )
    project = store.create_project(
        "Desk", corpus, ProjectSettings(n_free=1, meaning="off"), author="ann"
    )
    for name in small.TRUTH:
        store.record(project.id, CreateTopic(name), author="ann")
    for position in range(3, 9):
        store.record(project.id, Label(position, (1 + position % 3,)), author="ann")
    refit(store, project.id)
    app = opened(topics_page, store.project(project.id), view="Time and groups")
    left_out = "2 texts without a date and 1 text without a topic"
    assert left_out in " ".join(caption.value for caption in app.caption)
    page = html(opened(topics_page, store.project(project.id)))
    assert "of 28 texts" in page
    assert "2 texts have no topic." in page


def test_all_topics_over_time_and_by_class(store):
    app = opened(topics_page, fitted(store), view="Time and groups")
    assert len(app.multiselect[0].value) == 3
    assert len(app.get("plotly_chart")) == 1
    app.segmented_control(key="topics.against").set_value("By district").run()
    assert not app.exception
    assert len(app.get("plotly_chart")) == 2
    assert any("Less than 5 is shown by colour alone" in each.value for each in app.caption)


def test_likeness_draws_every_pair(store):
    app = opened(topics_page, fitted(store), view="Similarity")
    assert "Most similar pair" in html(app)
    assert len(app.get("plotly_chart")) == 1


@pytest.mark.parametrize("colour", ["topic", "your label", "district", "date"])
def test_the_map_draws_in_every_colour(store, colour):
    app = opened(topics_page, fitted(store), view="Map")
    app.selectbox(key="topics.colours").set_value(colour).run()
    assert not app.exception
    assert len(app.get("plotly_chart")) == 1
    assert "Draw a lasso around some texts" in said(app)


def test_a_lasso_takes_documents_to_the_label_page(store, tmp_path):
    def lasso():
        from tsnmf_ui.pages import results
        from tsnmf_ui.pages.topics.map import map_layout, topic_map
        from tsnmf_ui.server import state

        found = results.load(state.require_project())
        placed = map_layout.document_map(found, map_layout.BETWEEN_TOPICS)
        everything = {"x": [-9, 9, 9, -9], "y": [-9, -9, 9, 9]}
        chosen = topic_map._inside(placed, {"lasso": [everything], "box": [], "points": []})
        topic_map._chosen(found, chosen)

    app = opened(lasso, project := fitted(store))
    assert "30 texts" in html(app)
    app.button(key="topics.label-lasso").click().run()
    (kept,) = (tmp_path / "selections" / str(project.id)).glob("*.json")
    found = selections.load(tmp_path, project.id, kept.stem)
    assert found.positions == tuple(range(30))
    assert found.title.startswith("Lasso around ")


def test_the_map_stays_put_after_a_label(store):
    def places():
        import streamlit as st

        from tsnmf_ui.pages import results
        from tsnmf_ui.pages.topics.map import map_layout
        from tsnmf_ui.server import state

        found = results.load(state.require_project())
        placed = map_layout.document_map(found, map_layout.BETWEEN_TOPICS)
        st.json(dict(zip(map(str, found.topics.keys), placed.topics.tolist(), strict=True)))

    before = json.loads(opened(places, project := small.parks_free(store)).json[0].value)
    store.record(project.id, Label(12, (1,)), author="ann")
    refit(store, project.id)
    after = json.loads(opened(places, store.project(project.id)).json[0].value)
    assert before.keys() == after.keys()
    gaps = [abs(a - b) for k in before for a, b in zip(before[k], after[k], strict=True)]
    assert max(gaps) < 0.25


def test_nodes_are_shown_where_the_model_has_them(store):
    project = small.project(store)
    settings = project.settings
    spec = ModelSpec("pfa_ssi", n_topics=4, options={"max_iter": 40})
    store.update_settings(project.id, replace(settings, spec=spec))
    refit(store, project.id)
    app = opened(topics_page, store.project(project.id), view="Nodes")
    assert "Nearest nodes" in html(app)
    app.segmented_control(key="topics.node-picture").set_value("Similar nodes").run()
    assert not app.exception
    assert len(app.get("plotly_chart")) == 1


@pytest.fixture
def slow_fits(monkeypatch):
    """Every fit counts as a long one, so that it gets a preview."""
    monkeypatch.setattr("core.workspace.refits.when_to_refit.QUICK_SECONDS", -1.0)


def test_a_preview_says_so_and_its_full_fit_is_asked_for(store, recorded_jobs, slow_fits):
    project = fitted(store)
    assert "preview" not in html(opened(topics_page, project))
    refit(store, project.id, preview=True)
    assert "preview; the full fit follows" in html(opened(topics_page, store.project(project.id)))
    assert recorded_jobs.requested == [(FULL_FIT, project.id)]  # nobody else would finish it
    stopped = JobState(FULL_FIT, project.id, phase="cancelled", number=3)
    recorded_jobs.states[FULL_FIT] = stopped
    page = html(opened(topics_page, store.project(project.id)))
    assert "preview; the full fit was stopped" in page
    assert len(recorded_jobs.requested) == 1


def test_fit_afresh_asks_for_a_full_fit(store, asked):
    app = opened(topics_page, project := fitted(store))
    app.button(key="results.afresh").click().run()
    assert asked == [(FULL_FIT, project.id, {"afresh": True})]


def test_a_topic_of_a_preview_that_is_gone_is_named_all_the_same(store, asked, slow_fits):
    project = small.parks_free(store)
    preview = refit(store, project.id, preview=True)
    app = opened(topics_page, store.project(project.id), view="One topic")
    app.button(key="topic-row-2").click().run()
    app.text_input(key="topics.adopt.2").set_value("Parks")
    full = refit(store, project.id)
    app.button(key="topics.adopt").click().run()
    event = store.events(project.id, newest_first=True)[0]
    assert event.payload["found"] == {"run": full.id, "topic": 2} != {"run": preview.id, "topic": 2}
    assert set(event.payload["words"]) >= set(small.PARKS.split())


@pytest.mark.parametrize("act", ["topics.lock", "topics.split"])
def test_a_topic_of_a_preview_that_is_gone_is_locked_and_split_all_the_same(
    store, asked, slow_fits, act
):
    project = fitted(store)
    refit(store, project.id, preview=True)
    app = opened(topics_page, store.project(project.id), view="One topic")
    refit(store, project.id)
    app.button(key=act).click().run()
    kinds = [event.kind for event in store.events(project.id, after=project.revision)]
    assert kinds[0] in ("lock_topic", "split_topic", "batch")


def test_what_a_page_keeps_belongs_to_its_store(tmp_path, monkeypatch):
    """Two stores, a project 1 with a run 1 in each, of as many events, with the same names."""
    captions = []
    for n in (122, 150):
        with Store.open(home=tmp_path / str(n)) as own:
            monkeypatch.setattr(state, "store", lambda own=own: own)
            found = results.load(fitted(own, n=n))
            captions.append([caption for _, caption in topic_table.sparkline(found, 0)])
    assert captions[0] != captions[1]


def test_a_card_leaves_out_days_of_a_few_texts(store):
    project = fitted(store, n=122)  # five on each of ten days, four on the others
    found = results.load(project)
    captions = [caption for _, caption in topic_table.sparkline(found, 0)]
    sizes = [int(caption.rpartition(" of ")[2]) for caption in captions]
    assert sizes == [report.MIN_GROUP] * 10
    assert 'class="ts-spark"' in html(opened(topics_page, project))


def test_groups_of_cells_with_several_values_are_said(store):
    codes = ("late; rude", "late", "rude")
    side = {"codes": tuple(codes[i % 3] for i in range(30))}
    coded = store.create_project("Coded", replace(small.corpus(), side=side), author="ann")
    store.record(coded.id, CreateTopic("Water"), author="ann")
    refit(store, coded.id)
    app = opened(topics_page, store.project(coded.id), view="Time and groups")
    app.segmented_control(key="topics.against").set_value("By codes").run()
    assert any("counts in each of them" in caption.value for caption in app.caption)
