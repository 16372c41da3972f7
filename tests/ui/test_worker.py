"""What the other process does, done in this one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.errors import Cancelled
from core.groups import topic_key, with_size
from core.store import CreateTopic, Label, ProjectSettings, RenameTopic, Store
from tests.ui import small
from tsnmf_ui import worker


@pytest.fixture
def store(tmp_path):
    worker._matrices.clear()
    with Store.open(home=tmp_path) as store:
        yield store


@pytest.fixture
def project(store):
    return small.project(store)


def test_a_run_is_kept_with_its_topics(store, project):
    run = worker.refit(store, project.id)
    assert store.current_run(project.id) == run
    assert run.topic_ids == (1, 2, 3)
    assert run.revision == project.revision
    assert store.run_topics(run).names == (*small.TRUTH, "Free 1")


def test_labels_hold_exactly(store, project):
    run = worker.refit(store, project.id)
    weights = store.run_topics(run).doc_topic
    assert run.scores["adherence"] == 1.0
    assert np.flatnonzero(weights[0]).tolist() == [0]


def test_scores_against_the_truth(store, project):
    scores = worker.refit(store, project.id).scores
    assert scores["n_labels"] == scores["n_labels_all"] == 3
    assert (scores["n_documents"], scores["n_documents_all"]) == (24, 30)
    assert scores["mean_jaccard"] > 0.5


def test_texts_that_came_without_a_label_do_not_lower_the_match(store, project):
    whole, part = small.corpus(), small.corpus()
    part = replace(part, labels=tuple(each if i % 2 else () for i, each in enumerate(whole.labels)))
    settings = ProjectSettings(truth=True, n_free=1)
    half = store.create_project("Half known", part, settings, author="ann")
    for name in small.TRUTH:
        store.record(half.id, CreateTopic(name), author="ann")
    for position in range(6):
        store.record(half.id, Label(position, (1 + position % 3,)), author="ann")
    scores = worker.refit(store, half.id).scores
    assert (scores["n_documents"], scores["n_documents_all"]) == (12, 15)
    assert scores["mean_jaccard"] == pytest.approx(
        worker.refit(store, project.id).scores["mean_jaccard"], abs=0.05
    )


def test_without_topics_the_model_finds_its_own(store):
    bare = small.project(store, topics=0, labelled=0)
    run = worker.refit(store, bare.id)
    assert run.topic_ids == ()
    assert store.run_topics(run).names == ("Free 1",)


def test_forbidden_topics_and_nothing_fits(store, project):
    store.record(project.id, Label(9, (), forbidden=(1,)), author="ann")
    store.record(project.id, Label(10, nothing_fits=True), author="ann")
    weights = store.run_topics(worker.refit(store, project.id)).doc_topic
    assert weights[9, 0] == 0
    assert not weights[10, :3].any()


def test_a_renamed_topic_keeps_its_column(store, project):
    first = store.run_topics(worker.refit(store, project.id))
    store.record(project.id, RenameTopic(1, "Wet things"), author="ann")
    run = worker.refit(store, project.id)
    after = store.run_topics(run)
    assert after.names[0] == "Wet things"
    assert np.allclose(after.topic_term[0], first.topic_term[0], atol=0.05)
    assert run.scores["change"]["added"] == []


def test_an_adopted_topic_starts_from_what_was_found(store, project):
    first = worker.refit(store, project.id)
    found = CreateTopic("Mine", {"run": first.id, "topic": 3})
    store.record(project.id, found, author="ann")
    assert worker._warm_start(store, first).names[3] == "Mine"


def test_a_refit_tells_what_it_changed(store, project):
    assert worker.refit(store, project.id).scores["change"] is None
    store.record(project.id, Label(9, (2,)), author="ann")
    change = worker.refit(store, project.id).scores["change"]
    assert change["moved"] >= 1
    assert 0 <= change["stability"] <= 1
    assert 0 <= change["untouched"] <= 1


def test_the_matrix_is_counted_once(store, project, monkeypatch):
    first = worker.matrix_of(store, project)
    assert worker.matrix_of(store, project) is first
    worker._matrices.clear()
    monkeypatch.setattr(worker, "build_matrix", lambda *_: pytest.fail("counted again"))
    assert worker.matrix_of(store, project).terms == first.terms


def test_a_broken_cache_is_counted_anew(store, project):
    first = worker.matrix_of(store, project)
    worker._matrices.clear()
    (path,) = (store.home / "cache").glob("*.npz")
    path.write_bytes(b"half a file")
    assert worker.matrix_of(store, project).terms == first.terms


def test_other_settings_are_another_matrix(project):
    from core.text import TextSettings

    keys = {
        worker.matrix_key("corpus", TextSettings()),
        worker.matrix_key("corpus", TextSettings(ngrams=2)),
        worker.matrix_key("another", TextSettings()),
    }
    assert len(keys) == 3


def test_a_cancelled_fit_leaves_no_run(store, project):
    with pytest.raises(Cancelled):
        worker.refit(store, project.id, callback=lambda progress: True)
    assert store.current_run(project.id) is None


def test_a_topic_keeps_its_parts_under_another_name(store, project):
    spec = with_size(project.settings.spec, topic_key(1), 2)
    first = worker.refit(store, project.id)
    store.update_settings(project.id, replace(project.settings, spec=spec))
    second = worker.refit(store, project.id)
    assert second.scores["change"] is not None  # another size is no reason to start afresh
    assert store.run_topics(second).parts[0] == (0, 1)
    store.record(project.id, RenameTopic(1, "Another name"), author="ann")
    third = store.run_topics(worker.refit(store, project.id))
    assert (third.names[0], third.parts[0]) == ("Another name", (0, 1))
    assert store.run_topics(first).parts[0] == (0,)


def test_a_topic_begins_again_once_its_labels_have_grown(store):
    project = small.project(store, labelled=0)
    assert worker.refit(store, project.id).scores["begun"] == {"1": 0, "2": 0, "3": 0}
    for position in (0, 1):
        store.record(project.id, Label(position, (1 + position,)), author="ann")
    assert worker.refit(store, project.id).scores["begun"] == {"1": 1, "2": 1, "3": 0}
    store.record(project.id, Label(3, (1,)), author="ann")
    run = worker.refit(store, project.id)
    assert run.scores["begun"] == {"1": 1, "2": 1, "3": 0}  # one more is not yet enough
    assert store.run_topics(run).names[:3] == small.TRUTH


def test_an_adopted_topic_does_not_begin_again_with_its_first_label(store, project):
    first = worker.refit(store, project.id)
    store.record(project.id, CreateTopic("Mine", {"run": first.id, "topic": 3}), author="ann")
    store.record(project.id, Label(20, (4,)), author="ann")
    assert worker.refit(store, project.id).scores["begun"]["4"] == 4
