"""A free topic that joins a named one: on the log, in the next fit, and in one from nothing."""

from __future__ import annotations

import pytest

from core.errors import StoreError
from core.fitting import fit
from core.steering import operations
from core.steering.free_topics import clearest_documents, merge_free_topic
from core.store import Label, LockTopic, Project, RemoveWord, Store
from core.topics import Topics
from core.workspace.caches.matrices import forget_matrices, matrix_of
from core.workspace.refits.inputs import spec_of, supervision_of
from core.workspace.refits.refit import refit
from tests.core.workspace import small

PARKS = 2  # the column of the free topic


@pytest.fixture
def store(tmp_path):
    forget_matrices()
    with Store.open(home=tmp_path) as store:
        yield store


@pytest.fixture
def project(store) -> Project:
    """Water and Noise are named; the free topic is about parks."""
    made = small.project(store, topics=2)
    for position in (at for at in range(12) if at % 3 < 2):
        store.record(made.id, Label(position, (1 + position % 3,)), author="ann")
    refit(store, made.id)
    return store.project(made.id)


@pytest.fixture
def topics(store, project) -> Topics:
    return store.run_topics(store.current_run(project.id))


def merged(store: Store, topics: Topics, **more):
    return merge_free_topic(store.state(1), 1, topics=topics, column=PARKS, run=1, **more)


def do(store: Store, operation: operations.Operation) -> None:
    store.record_batch(1, operation.title, operation.events, author="ann")


def words(topics: Topics, column: int, n: int = 10) -> set[str]:
    return {term for term, _ in topics.top_terms(column, n)}


def test_its_first_words_are_added_and_nothing_is_labelled(store, topics):
    before = store.annotations(1)
    do(store, merged(store, topics))
    assert [topic.name for topic in store.topics(1)] == ["Water", "Noise"]
    added = store.word_rules(1).topics.added
    assert added == {1: dict.fromkeys(words(topics, PARKS, 5), 1.0)}
    assert store.annotations(1) == before
    store.undo(1, author="ann")
    assert not store.word_rules(1).topics
    assert [topic.name for topic in store.topics(1)] == ["Water", "Noise"]


def test_the_title_says_which_into_which(store, topics):
    title = merged(store, topics).title
    assert title.startswith("Merge “")
    assert title.endswith("” into “Water”")
    assert "Free 1" not in title


def test_texts_are_labelled_if_somebody_says_so(store, topics):
    clear = clearest_documents(topics, PARKS, 3, skip=store.annotations(1))
    assert len(clear) == 3
    assert all(at % 3 == 2 for at in clear)
    do(store, merged(store, topics, label=clear))
    assert all(store.annotations(1)[at].permitted == (1,) for at in clear)
    store.undo(1, author="ann")
    assert not set(clear) & set(store.annotations(1))


def test_words_that_were_taken_out_or_added_already_are_left_as_they_are(store, topics):
    kept_out = topics.top_terms(PARKS, 1)[0].term
    store.record(1, RemoveWord(1, kept_out), author="ann")
    do(store, merged(store, topics))
    assert store.word_rules(1).topics.removed == {1: (kept_out,)}
    assert kept_out not in store.word_rules(1).topics.added[1]
    again = merged(store, topics)
    assert [event.kind for event in again.events[1:]] == ["merge_topics"]  # no word is new


def test_a_locked_topic_and_a_topic_without_words_are_refused(store, topics):
    none = topics.renamed(topics.names)
    none.topic_term[PARKS] = 0
    with pytest.raises(StoreError, match="“Free 1” has no words yet"):
        merged(store, none)
    store.record(1, LockTopic(1, {"pipe": 1.0}), author="ann")
    with pytest.raises(StoreError, match="locked"):
        merged(store, topics)


def test_a_name_that_is_taken_is_no_obstacle(store, topics):
    free = merged(store, topics).events[0].name
    do(store, operations.rename(store.state(1), 2, free))
    do(store, merged(store, topics))
    assert len(store.topics(1)) == 2


def test_the_next_fit_takes_its_texts_along_and_says_so(store, project, topics):
    theirs = set(topics.doc_topic.argmax(axis=1).tolist())
    assert PARKS in theirs
    do(store, merged(store, topics))
    run = refit(store, project.id)
    verdict = run.outcome.verdicts[0]
    assert (verdict.kind, verdict.degree) == ("merge_topics", "fully")
    assert "are mainly in “Water” now" in verdict.sentence


def test_a_fit_that_starts_afresh_knows_of_it(store, project, topics):
    do(store, merged(store, topics))
    matrix, named = matrix_of(store, project), store.topics(project.id)
    supervision = supervision_of(project.n_docs, named, store.annotations(project.id))
    steering = store.word_rules(project.id).topics
    afresh = fit(matrix, supervision, spec_of(project, named), steering=steering)
    assert len(words(afresh, 0) & words(topics, PARKS, 5)) >= 3
    assert words(afresh, 0) & words(topics, 0, 5)  # and it is about water still
