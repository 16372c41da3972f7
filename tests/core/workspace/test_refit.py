"""What the other process does, done in this one."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from core.errors import Cancelled
from core.insight import summaries
from core.spec import with_size
from core.store import CreateTopic, Label, ProjectSettings, RenameTopic
from core.topics import Topics
from core.workspace.caches.matrices import forget_matrices, matrix_key, matrix_of
from core.workspace.caches.queue_hints import read_hints
from core.workspace.refits.refit import refit
from core.workspace.refits.refit_context import RefitContext
from tests.core.workspace import small


@pytest.fixture
def project(store):
    return small.project(store)


def test_a_run_is_kept_with_its_topics(store, project):
    run = refit(store, project.id)
    assert store.current_run(project.id) == run
    assert run.topic_ids == (1, 2, 3)
    assert run.revision == project.revision
    assert store.run_topics(run).names == (*small.TRUTH, "Free 1")


def test_labels_hold_exactly(store, project):
    run = refit(store, project.id)
    weights = store.run_topics(run).doc_topic
    assert run.outcome.scores.adherence == 1.0
    assert np.flatnonzero(weights[0]).tolist() == [0]


def test_scores_against_the_truth(store, project):
    scores = refit(store, project.id).outcome.scores
    assert scores.n_labels == 3
    assert scores.n_documents == 24
    assert scores.mean_jaccard > 0.5


def test_texts_that_came_without_a_label_do_not_lower_the_match(store, project):
    whole, part = small.corpus(), small.corpus()
    part = replace(part, labels=tuple(each if i % 2 else () for i, each in enumerate(whole.labels)))
    settings = ProjectSettings(truth=True, n_free=1)
    half = store.create_project("Half known", part, settings, author="ann")
    for name in small.TRUTH:
        store.record(half.id, CreateTopic(name), author="ann")
    for position in range(6):
        store.record(half.id, Label(position, (1 + position % 3,)), author="ann")
    scores = refit(store, half.id).outcome.scores
    assert scores.n_documents == 12
    assert scores.mean_jaccard == pytest.approx(
        refit(store, project.id).outcome.scores.mean_jaccard, abs=0.05
    )


def test_without_topics_the_model_finds_its_own(store):
    bare = small.project(store, topics=0, labelled=0)
    run = refit(store, bare.id)
    assert run.topic_ids == ()
    assert store.run_topics(run).names == ("Free 1",)


def test_forbidden_topics_and_nothing_fits(store, project):
    store.record(project.id, Label(9, (), forbidden=(1,)), author="ann")
    store.record(project.id, Label(10, nothing_fits=True), author="ann")
    weights = store.run_topics(refit(store, project.id)).doc_topic
    assert weights[9, 0] == 0
    assert not weights[10, :3].any()


def test_a_renamed_topic_keeps_its_column(store, project):
    first = store.run_topics(refit(store, project.id))
    store.record(project.id, RenameTopic(1, "Wet things"), author="ann")
    run = refit(store, project.id)
    after = store.run_topics(run)
    assert after.names[0] == "Wet things"
    assert np.allclose(after.topic_term[0], first.topic_term[0], atol=0.05)
    assert run.outcome.change.added == ()


def test_renaming_a_topic_keeps_its_identity_and_its_words(store):
    """The new name teaches instead of the old one, so weights move a little."""
    projects = [small.project(store) for _ in range(2)]
    for each in projects:
        refit(store, each.id)
    store.record(projects[0].id, RenameTopic(1, "Wet things"), author="ann")
    renamed, kept = (refit(store, each.id) for each in projects)
    one, other = store.run_topics(renamed), store.run_topics(kept)
    assert one.names == ("Wet things", *other.names[1:])
    assert one.keys == other.keys == (1, 2, 3, "Free 1")
    assert np.allclose(one.doc_topic, other.doc_topic, atol=0.05)
    assert np.allclose(one.topic_term, other.topic_term, atol=0.05)
    assert not summaries.compare(one, other).moved
    assert renamed.outcome.change.stability == kept.outcome.change.stability
    assert (renamed.outcome.change.added, renamed.outcome.change.removed) == ((), ())


def test_a_topic_may_be_called_like_a_free_one(store, project):
    refit(store, project.id)
    store.record(project.id, RenameTopic(1, "Free 1"), author="ann")
    topics = store.run_topics(refit(store, project.id))
    assert topics.names == ("Free 1", *small.TRUTH[1:], "Free 1")
    assert topics.keys == (1, 2, 3, "Free 1")


def test_topics_kept_before_there_were_keys_are_known_by_their_ids(store, project, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(Topics, "_arrays", without_keys(Topics._arrays))
        run = refit(store, project.id)
    assert Topics.load(run.factors).keys == (*small.TRUTH, "Free 1")
    store.record(project.id, RenameTopic(1, "Wet things"), author="ann")
    topics = store.run_topics(run)
    assert topics.keys == (1, 2, 3, "Free 1")
    assert topics.names == ("Wet things", *small.TRUTH[1:], "Free 1")
    assert refit(store, project.id).outcome.change.added == ()


def without_keys(arrays):
    """Topics as earlier versions saved them."""

    def written(topics):
        found = arrays(topics)
        about = json.loads(found["about"].tobytes())
        del about["keys"]
        return found | {"about": np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)}

    return written


def test_an_adopted_topic_starts_from_what_was_found(store, project):
    first = refit(store, project.id)
    found = CreateTopic("Mine", {"run": first.id, "topic": 3})
    store.record(project.id, found, author="ann")
    earlier = RefitContext.of(store, project.id).earlier
    assert (earlier.keys[3], earlier.names[3]) == (4, "Mine")


def test_a_refit_tells_what_it_changed(store, project):
    assert refit(store, project.id).outcome.change is None
    store.record(project.id, Label(9, (2,)), author="ann")
    change = refit(store, project.id).outcome.change
    assert change.moved >= 1
    assert 0 <= change.stability <= 1
    assert 0 <= change.untouched <= 1


def test_the_matrix_is_counted_once(store, project, monkeypatch):
    first = matrix_of(store, project)
    assert matrix_of(store, project) is first
    forget_matrices()
    monkeypatch.setattr(
        "core.workspace.caches.matrices.build_matrix", lambda *_: pytest.fail("counted again")
    )
    assert matrix_of(store, project).terms == first.terms


def test_a_broken_cache_is_counted_anew(store, project):
    first = matrix_of(store, project)
    forget_matrices()
    (path,) = (store.home / "cache").glob("*.npz")
    path.write_bytes(b"half a file")
    assert matrix_of(store, project).terms == first.terms


def test_other_settings_are_another_matrix(project):
    from core.text import TextSettings

    keys = {
        matrix_key("corpus", TextSettings()),
        matrix_key("corpus", TextSettings(ngrams=2)),
        matrix_key("another", TextSettings()),
    }
    assert len(keys) == 3


def test_a_cancelled_fit_leaves_no_run(store, project):
    with pytest.raises(Cancelled):
        refit(store, project.id, callback=lambda progress: True)
    assert store.current_run(project.id) is None


def test_a_topic_keeps_its_parts_under_another_name(store, project):
    spec = with_size(project.settings.spec, 1, 2)
    first = refit(store, project.id)
    store.update_settings(project.id, replace(project.settings, spec=spec))
    second = refit(store, project.id)
    assert second.outcome.change is not None  # another size is no reason to start afresh
    assert store.run_topics(second).parts[0] == (0, 1)
    store.record(project.id, RenameTopic(1, "Another name"), author="ann")
    third = store.run_topics(refit(store, project.id))
    assert (third.names[0], third.parts[0]) == ("Another name", (0, 1))
    assert store.run_topics(first).parts[0] == (0,)


def started(store, project):
    """The topics that a preview would start from."""
    context = RefitContext.of(store, project.id)
    counts = store.label_counts(project.id)
    labels = {topic.id: counts.get(topic.id, 0) for topic in store.topics(project.id)}
    return context.start(context.earlier, labels).keys


def test_a_topic_begins_again_in_a_preview_once_its_labels_have_grown(store):
    project = small.project(store, labelled=0)
    assert refit(store, project.id).outcome.began_with == {1: 0, 2: 0, 3: 0}
    for position in (0, 1):
        store.record(project.id, Label(position, (1 + position,)), author="ann")
    assert started(store, project) == (3, "Free 1")
    assert refit(store, project.id).outcome.began_with == {1: 1, 2: 1, 3: 0}
    store.record(project.id, Label(3, (1,)), author="ann")
    assert started(store, project) == (1, 2, 3, "Free 1")  # one more is not yet enough


def test_an_adopted_topic_does_not_begin_again_in_a_preview_with_its_first_label(store, project):
    first = refit(store, project.id)
    store.record(project.id, CreateTopic("Mine", {"run": first.id, "topic": 3}), author="ann")
    store.record(project.id, Label(20, (4,)), author="ann")
    assert started(store, project) == (1, 2, 3, 4)


def test_hints_speak_of_the_columns_of_the_run(store):
    """The fit takes the topics by the texts they were given to; the run has them by number."""
    project = small.project(store, labelled=0)
    for position, topic in ((2, 3), (5, 3), (7, 2), (10, 2), (12, 1), (15, 1)):
        store.record(project.id, Label(position, (topic,)), author="ann")
    run = refit(store, project.id)
    hints, topics = read_hints(store, run), store.run_topics(run)
    assert run.topic_ids == topics.keys[:3] == (1, 2, 3)
    for column, words in enumerate((small.WATER, small.NOISE, small.PARKS)):
        assert (hints.likely[column::3, 0] == column).all()
        assert {term for term, _ in topics.top_terms(column, 4)} <= set(words.split())
