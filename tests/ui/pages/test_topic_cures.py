"""What helps a topic that needs a look, as buttons; and free topics merged from either side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.queue import Hints
from core.store import Label
from core.workspace.caches.paths import hints_path
from core.workspace.refits.refit import refit
from tests.core.workspace import small
from tests.ui.pages.results_app import NOWHERE, html, keep_run, opened, topics_page
from tsnmf_ui.label import selections
from tsnmf_ui.server import state


@pytest.fixture
def gone(monkeypatch):
    """Where pages sent their visitor."""
    from tsnmf_ui.server import state

    went: list[tuple[str, dict[str, str]]] = []
    monkeypatch.setattr(state, "open_page", lambda name, **more: went.append((name, more)))
    return went


@pytest.fixture
def store(store, monkeypatch):
    monkeypatch.setattr(state, "author", lambda: "ann")
    return store


WATER, NOISE = {"water": 0.8, "pipe": 0.6}, {"noise": 0.8, "music": 0.6}
PARKS, FOREIGN = {"park": 0.8, "tree": 0.6}, dict.fromkeys(NOWHERE, 0.7)
BY_KIND = [0, 1, 2] * 10


@pytest.fixture
def project(store):
    return small.project(store, labelled=15)


def test_words_that_are_not_in_the_labelled_texts_lead_to_these(store, project, gone):
    keep_run(store, [WATER, FOREIGN, PARKS], BY_KIND)
    app = opened(topics_page, project)
    assert "Its first words (zebra, yacht) are in none of its 5 labelled texts." in html(app)
    assert "1 of 3 topics needs a look" in html(app)
    app.button(key="cure.labelled.1").click().run()
    ((page, address),) = gone
    chosen = selections.load(store.home, 1, address["documents"])
    assert (page, chosen.title) == ("label", "Labelled Noise")
    assert chosen.positions == (13, 10, 7, 4, 1)  # newest first
    assert chosen.topic == 2


@pytest.fixture
def doubted(store, project):
    """A run whose guide reads four of the five texts labelled Parks like Water."""
    keep_run(store, [WATER, NOISE, PARKS], BY_KIND)
    judged = np.arange(15)
    own = np.where((judged % 3 == 2) & (judged < 14), 0.1, 0.9)
    rival = np.zeros(15, np.int32)
    hints = Hints.of(np.full((30, 3), 1 / 3))
    doubts = replace(hints, judged=judged, own=own, rival=rival, rival_chance=1 - own)
    path = hints_path(store, 1, 1)
    path.parent.mkdir(parents=True)
    doubts.save(path)
    return project


def test_labels_that_the_guide_doubts_lead_to_the_doubtful_texts(store, doubted, gone):
    app = opened(topics_page, doubted)
    sentence = "4 of its 5 labelled texts read like another topic, mostly “Water”, when"
    assert sentence in html(app)
    app.button(key="cure.possible.2").click().run()
    chosen = selections.load(store.home, 1, gone[0][1]["documents"])
    assert set(chosen.positions) == {2, 5, 8, 11}


def test_a_label_that_was_changed_since_is_no_doubt_of_the_run(store, doubted):
    for position in (2, 5, 8, 11):
        store.record(1, Label(position, (3, 1)), author="ann")
    assert "read like another topic" not in html(opened(topics_page, store.project(1)))


def test_a_topic_without_words_is_described_in_the_codebook(store, project, gone):
    keep_run(store, [WATER, NOISE, {}], [0, 1, 1] * 10)
    app = opened(topics_page, project)
    assert "The model knows nothing of it yet: label a text with it, or describe it" in html(app)
    app.button(key="cure.describe.2").click().run()
    assert gone == [("label", {"codebook": "3"})]


def test_two_named_topics_that_overlap_are_merged_with_one_button(store, project, recorded_jobs):
    keep_run(store, [WATER, WATER, PARKS], BY_KIND)
    app = opened(topics_page, project)
    app.button(key="cure.merge.1.0").click().run()
    assert not app.exception
    assert [topic.name for topic in store.topics(1)] == ["Noise", "Parks"]
    assert recorded_jobs.requested == [("fit", 1)]
    app.button(key="topics.undo").click().run()
    assert len(store.topics(1)) == 3


def test_a_free_topic_that_overlaps_is_merged_into_the_named_one(store, project, recorded_jobs):
    keep_run(store, [WATER, NOISE, PARKS, {"park": 0.9, "tree": 0.4}], [0, 1, 3] * 10)
    app = opened(topics_page, project, view="One topic")
    app.button(key="topic-row-3").click().run()
    app.button(key="cure.merge.3.2").click().run()
    assert not app.exception
    assert [topic.name for topic in store.topics(1)] == list(small.TRUTH)
    assert store.word_rules(1).topics.added == {3: {"park": 1.0, "tree": 1.0}}


@pytest.fixture
def parks_free(store):
    """Water and Noise are named; the free topic is about parks."""
    made = small.project(store, topics=2)
    for position in (at for at in range(12) if at % 3 < 2):
        store.record(made.id, Label(position, (1 + position % 3,)), author="ann")
    keep_run(store, [WATER, NOISE, PARKS], BY_KIND)
    return store.project(made.id)


def test_a_free_topic_is_merged_into_a_named_one_from_its_own_side(
    store, parks_free, recorded_jobs
):
    recorded_jobs.on_request = lambda kind, number: refit(store, number)
    app = opened(topics_page, parks_free, view="One topic")
    app.button(key="topic-row-2").click().run()
    app.selectbox(key="topics.free-into.2").set_value(2).run()
    assert any("The next fit starts from both" in caption.value for caption in app.caption)
    app.button(key="topics.free-merge").click().run()
    assert not app.exception
    assert store.word_rules(1).topics.added == {2: {"park": 1.0, "tree": 1.0}}
    assert not any(at % 3 == 2 for at in store.annotations(1))  # nothing was labelled
    app.run()
    assert "are mainly in “Noise” now" in html(app)
    app.button(key="topics.undo").click().run()
    assert not store.word_rules(1).topics


def test_a_named_topic_takes_over_a_free_one_with_its_clearest_texts(store, parks_free):
    app = opened(topics_page, parks_free, view="One topic")
    app.button(key="topic-row-0").click().run()
    app.segmented_control(key="topics.merge-kind.1").set_value("Take over a free topic…").run()
    app.checkbox(key="topics.take-over.1.label").check().run()
    app.button(key="topics.take-over").click().run()
    assert not app.exception
    labelled = {at for at, label in store.annotations(1).items() if label.permitted == (1,)}
    assert labelled == {0, 3, 6, 9, *range(2, 30, 3)}
    store.undo(1, author="ann")
    assert not any(at % 3 == 2 for at in store.annotations(1))
