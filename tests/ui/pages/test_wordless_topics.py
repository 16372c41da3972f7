"""Every page with a named topic that has no words and no texts yet, made by hand."""

from __future__ import annotations

import re

import pytest

from core.report import render_html
from core.store import CreateTopic
from core.workspace import Workspace
from core.workspace.scores import evaluate
from core.workspace.scores.left_out_trend import left_out_trend
from tests.core.workspace import small
from tests.ui.pages.results_app import html, keep_run, opened, report_page, scores_page, topics_page
from tsnmf_ui import figures
from tsnmf_ui.label.desk import Desk, Place

WATER, NOISE = {"water": 0.8, "pipe": 0.6}, {"noise": 0.8, "music": 0.6}
PARKS, FREE = {"park": 0.8, "tree": 0.6}, {"tree": 0.8, "park": 0.3}
CODE = 3  # the column of the topic without words


@pytest.fixture
def project(store):
    """Twenty-one labels, three topics, and the code C07 that nobody has used."""
    made = small.project(store, labelled=21)
    store.record(made.id, CreateTopic("C07"), author="ann")
    keep_run(store, [WATER, NOISE, PARKS, {}, FREE], [0, 1, 2, 0, 1, 4] * 5)
    return store.project(made.id)


@pytest.mark.parametrize("view", ["Labels and topics", "Map", "Time and groups", "Similarity"])
def test_every_picture_of_the_topics_is_drawn(store, project, view):
    app = opened(topics_page, project, view=view)
    assert app.get("plotly_chart")


def test_every_section_of_the_topic_opens(store, project):
    app = opened(topics_page, project, view="One topic")
    app.button(key=f"topic-row-{CODE}").click().run()
    sentences = {
        "Words": "No text has it as its main topic yet.",
        "Texts": "No borderline texts.",
        "Related topics": "No other topic uses its words.",
        "Time and groups": "C07",
    }
    for section, sentence in sentences.items():
        app.segmented_control(key="topics.section").set_value(section).run()
        assert not app.exception
        assert sentence in html(app)


def test_a_card_the_table_and_the_list_say_that_it_has_no_words(store, project):
    app = opened(topics_page, project)
    assert "No words yet." in html(app)
    app.segmented_control(key="topics.shape").set_value("Table").run()
    words = app.dataframe[0].value.set_index("Topic")["Words"]
    assert words["C07"] == "no words yet"
    app = opened(topics_page, project, view="One topic")
    rows = {button.key: button.help for button in app.button}
    assert rows[f"topic-row-{CODE}"] == "no words yet"


def test_the_map_names_only_topics_that_have_a_place(store, project):
    app = opened(topics_page, project, view="Map")
    assert any("1 topic without words yet has no place." in each.value for each in app.caption)


def test_the_label_page_says_so_too(store, project):
    view = Desk(store).view(Place(project.id))
    (code,) = (topic for topic in view["topics"] if topic["name"] == "C07")
    assert code["words"] == []
    assert [free["name"] for free in view["free_topics"]] == ["tree, park"]
    assert left_out_trend(store, store.current_run(project.id)) is None


def test_scores_are_counted_and_shown(store, project):
    evaluate.evaluate(store, project.id, {}, lambda share: False)
    app = opened(scores_page, project)
    assert "ts-numbers" in html(app)
    assert not re.search(r"\bnan\b", html(app))


def test_the_report_says_so(store, project):
    opened(report_page, project)
    material_of = Workspace(store, author="ann")
    page = render_html(material_of.report(project.id))
    assert "<h3>C07</h3>" in page
    assert "No words yet." in page
    assert "<h3>tree, park</h3>" in page
    assert "Free 1" not in page


def test_figures_say_that_there_are_no_words(store, project):
    from core.insight import summaries
    from core.insight.topic_titles import first_words
    from core.workspace.results import results_of

    found = results_of(store, project)
    bars = figures.keyword_bars(found.topics, CODE, colour="#123456")
    assert bars.layout.annotations[0].text == "No words yet"
    assert "no words yet" in figures.alt_text(bars)
    labels = found.people_labels
    table = summaries.association(found.topics, labels.indicator, labels.names)
    words = [first_words(found.topics, topic, 5) for topic in range(len(found.topics))]
    heat = figures.association(table, words=words, clickable=False)
    assert "no words yet" in heat.to_json()
    assert "C07: none" in figures.alt_text(heat)


def test_nothing_but_topics_without_words(store):
    made = small.project(store, topics=1, labelled=0)
    keep_run(store, [{}], [0] * 30)
    app = opened(topics_page, store.project(made.id))
    assert "No words yet" in html(app)
