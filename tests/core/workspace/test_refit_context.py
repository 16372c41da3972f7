"""What a refit makes of operations on topics, and what it says about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from core.spec import ModelSpec
from core.steering import operations, starting_words
from core.store import Label, Project, Run, State, Store
from core.topics import Topics
from core.workspace.caches.matrices import matrix_of
from core.workspace.refits import refit_context
from core.workspace.refits.inputs import supervision_of
from core.workspace.refits.refit import refit
from tests.core.workspace import small


@pytest.fixture
def project(store) -> Project:
    made = small.project(store)
    refit(store, made.id)
    return made


def fitted(store: Store, project: Project) -> Topics:
    run = store.current_run(project.id)
    assert run is not None
    return store.run_topics(run)


def do(store: Store, project: Project, operate: Callable[[State], operations.Operation]) -> Run:
    operation = operate(store.state(project.id))
    store.record_batch(project.id, operation.title, operation.events, author="ann")
    return refit(store, project.id)


def verdicts(run: Run) -> list[tuple[str, str]]:
    return [(each.kind, each.degree) for each in run.outcome.verdicts]


def test_merged_topics_are_one_with_the_words_of_both(store, project):
    run = do(store, project, lambda s: operations.merge(s, (1, 2), name="Wet and loud"))
    topics = fitted(store, project)
    assert run.topic_ids == (1, 3)
    assert topics.names == ("Wet and loud", "Parks", "Free 1")
    words = {term for term, _ in topics.top_terms(0, 12)}
    assert {"pipe", "music"} <= words
    assert run.outcome.scores.adherence == 1.0
    assert verdicts(run) == [("rename_topic", "fully"), ("merge_topics", "fully")]
    assert "20 of their 20 texts" in run.outcome.verdicts[1].sentence


def test_undoing_a_merge_brings_both_back(store, project):
    before = fitted(store, project)
    do(store, project, lambda s: operations.merge(s, (1, 2)))
    store.undo(project.id, author="ann")
    run = refit(store, project.id)
    after = fitted(store, project)
    assert run.topic_ids == (1, 2, 3)
    assert verdicts(run) == []
    for k in range(3):
        assert before.topic_term[k] @ after.topic_term[k] > 0.95


def without_word(topics: Topics, word: str) -> Topics:
    """The same topics, the first without one of its words."""
    rows = topics.topic_term.copy()
    rows[0, topics.terms.index(word)] = 0
    rows[0] /= np.linalg.norm(rows[0])
    return replace(topics, topic_term=rows)


def test_locked_words_keep_their_weights_whatever_is_labelled(store, project):
    before = without_word(fitted(store, project), "water")
    run = do(store, project, lambda s: operations.lock(s, 1, topics=before, column=0))
    assert verdicts(run) == [("lock_topic", "fully")]
    for position in range(7, 12):
        store.record(project.id, Label(position, (1,)), author="ann")
    refit(store, project.id)
    assert np.allclose(fitted(store, project).topic_term[0], before.topic_term[0], atol=1e-5)
    do(store, project, lambda s: operations.unlock(s, 1))
    assert not np.allclose(fitted(store, project).topic_term[0], before.topic_term[0], atol=0.05)


def test_a_lock_outlives_another_seed(store, project):
    before = fitted(store, project)
    do(store, project, lambda s: operations.lock(s, 1, topics=before, column=0))
    settings = store.project(project.id).settings
    other = replace(settings, spec=replace(settings.spec, random_state=5))
    store.update_settings(project.id, other)
    refit(store, project.id)
    assert np.allclose(fitted(store, project).topic_term[0], before.topic_term[0], atol=1e-5)


def test_a_split_comes_apart_by_words(store):
    mixed = small.project(store, topics=3, labelled=6)
    for position in range(6):  # Water stands for water and noise together
        store.record(mixed.id, Label(position, (3,) if position % 3 == 2 else (1,)), author="ann")
    refit(store, mixed.id)
    topics, matrix = fitted(store, mixed), matrix_of(store, mixed)
    split = {"topics": topics, "column": 0, "X": matrix.X, "names": ("Wet", "Loud")}
    run = do(store, mixed, lambda s: operations.split(s, 1, 2, **split))
    after = fitted(store, mixed)
    children = [after.names.index(name) for name in ("Wet", "Loud")]
    tops = [{term for term, _ in after.top_terms(k, 4)} for k in children]
    assert verdicts(run) == [("split_topic", "fully")]
    assert not tops[0] & tops[1]
    assert run.outcome.scores.adherence == 1.0


def test_words_go_out_and_come_in(store, project):
    run = do(store, project, lambda s: operations.remove_word(s, 1, "pipe"))
    topics = fitted(store, project)
    place = topics.terms.index("pipe")
    assert topics.topic_term[0, place] == 0
    assert run.outcome.verdicts[0].degree in ("fully", "partly")
    run = do(store, project, lambda s: operations.add_word(s, 1, "music"))
    assert verdicts(run) == [("add_word", "fully")]
    assert "music" in [term for term, _ in fitted(store, project).top_terms(0, 10)]


def test_a_stop_word_is_read_by_no_topic_and_comes_back(store, project):
    run = do(store, project, lambda s: operations.add_stop_word(s, "pipe"))
    topics = fitted(store, project)
    assert not topics.topic_term[:, topics.terms.index("pipe")].any()
    assert verdicts(run) == [("add_stop_word", "fully")]
    store.undo(project.id, author="ann")
    refit(store, project.id)
    assert fitted(store, project).topic_term[:, topics.terms.index("pipe")].any()


def test_a_topic_made_of_words_finds_its_documents(store):
    made = small.project(store, topics=2)
    for position, topic in ((0, 1), (3, 1), (1, 2), (4, 2)):
        store.record(made.id, Label(position, (topic,)), author="ann")
    run = refit(store, made.id)
    words, found = ["tree", "bench"], starting_words.find_free_topic
    column = found(fitted(store, made), words, first=2)
    assert column == 2
    about = {"matrix": matrix_of(store, made), "free_topic": {"run": run.id, "topic": column}}
    run = do(store, made, lambda s: operations.create_from_words(s, "Trees", words, **about))
    topics = fitted(store, made)
    mine = topics.doc_topic.argmax(axis=1) == topics.names.index("Trees")
    assert mine[2::3].mean() >= 0.5 > mine[::3].mean()
    assert {degree for _, degree in verdicts(run)} == {"fully"}


def test_words_bring_their_neighbours(store, project):
    near = starting_words.related_words(matrix_of(store, project), ["tree"])
    assert set(near) == {"tree", "park", "bench", "grass", "garden", "playground"}
    assert near["tree"] == max(near.values())


def test_moved_documents_are_there(store, project):
    run = do(store, project, lambda s: operations.move_documents(s, [7, 8], 1))
    assert verdicts(run) == [("batch", "fully")]
    assert fitted(store, project).doc_topic[7].argmax() == 0


def test_a_model_that_finds_its_own_topics_says_what_it_cannot_do(store, project):
    topics = fitted(store, project)
    settings = store.project(project.id).settings
    own = replace(settings, spec=ModelSpec("nmf", 4))
    store.update_settings(project.id, own)
    refit(store, project.id)
    run = do(store, project, lambda s: operations.lock(s, 1, topics=topics, column=0))
    assert verdicts(run) == [("lock_topic", "not")]
    assert "only TS-NMF" in run.outcome.verdicts[0].sentence


def test_free_topics_stay_in_place_when_a_fit_starts_afresh(store):
    made = small.project(store, topics=0, labelled=0)
    settings = replace(store.project(made.id).settings, n_free=3)
    store.update_settings(made.id, settings)
    refit(store, made.id)
    before = fitted(store, made)
    for seed in (1, 2, 3):
        spec = replace(settings.spec, random_state=seed)
        store.update_settings(made.id, replace(settings, spec=spec))
        refit(store, made.id)
        after = fitted(store, made)
        assert after.names == before.names
        assert (np.diag(before.topic_term @ after.topic_term.T) > 0.9).all()


@pytest.fixture
def parks_free(store) -> Project:
    made = small.parks_free(store)
    assert {"park", "bench"} <= words(fitted(store, made), 2)
    return made


def words(topics: Topics, column: int) -> set[str]:
    return {term for term, _ in topics.top_terms(column, 12)}


FOUND = {"run": 1, "topic": 2}


def test_a_free_topic_is_locked_under_a_name_and_one_undo_takes_back_both(store, parks_free):
    topics = fitted(store, parks_free)

    def lock(state, number):
        return operations.lock(state, number, topics=topics, column=2)

    run = do(store, parks_free, lambda s: operations.adopt_free_topic(s, "Parks", FOUND, lock))
    assert fitted(store, parks_free).names == ("Water", "Noise", "Parks", "Free 2")
    assert ("lock_topic", "fully") in verdicts(run)
    store.undo(parks_free.id, author="ann")
    assert [topic.name for topic in store.topics(parks_free.id)] == ["Water", "Noise"]
    assert not store.word_rules(parks_free.id).topics.held


def test_a_free_topic_is_split(store, parks_free):
    topics = fitted(store, parks_free)
    X = matrix_of(store, parks_free).X

    def split(state, number):
        return operations.split(state, number, 2, topics=topics, column=2, X=X)

    do(store, parks_free, lambda s: operations.adopt_free_topic(s, "Parks", FOUND, split))
    names = fitted(store, parks_free).names
    assert len(names) == 5
    assert all(name.startswith("Parks: ") for name in names[2:4])


def start_of(store: Store, project: Project) -> Topics:
    """What a preview starts from."""
    context = refit_context.RefitContext.of(store, project.id)
    supervision = supervision_of(
        project.n_docs, store.topics(project.id), store.annotations(project.id)
    )
    assert context.earlier is not None
    return context.start(context.earlier, supervision.counts())


def test_a_free_topic_that_is_adopted_and_merged_brings_its_words_along(store, parks_free):
    before = fitted(store, parks_free)
    operation = operations.adopt_free_topic(
        store.state(parks_free.id), "Parks", FOUND, lambda s, new: operations.merge(s, (1, new))
    )
    store.record_batch(parks_free.id, operation.title, operation.events, author="ann")
    start = start_of(store, parks_free)
    assert {"pipe", "bench"} <= words(start, 0)
    assert start.doc_topic[:, 0] == pytest.approx(before.doc_topic[:, [0, 2]].sum(axis=1))


def test_an_adoption_that_was_taken_back_leaves_the_free_topic_as_it_was(store, parks_free):
    before = fitted(store, parks_free)
    operation = operations.adopt_free_topic(store.state(parks_free.id), "Parks", FOUND)
    store.record_batch(parks_free.id, operation.title, operation.events, author="ann")
    store.undo(parks_free.id, author="ann")
    start = start_of(store, parks_free)
    assert (start.keys, start.names) == (before.keys, before.names)
