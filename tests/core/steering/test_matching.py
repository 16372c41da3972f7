"""From fit to fit: merged topics start together, free ones keep their places, stop words go."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from core.engine.groups import Groups
from core.matrix import DocumentTermMatrix
from core.spec import ModelSpec
from core.steering.matching import (
    carry_over,
    is_outgrown,
    keep_free_order,
    merge_columns,
    outgrown_topics,
)
from core.steering.stop_words import without_words
from core.supervision import Supervision
from core.text import TextSettings
from core.topics import Topics

TERMS = ("a", "b", "c", "d")


def topics_of(H: np.ndarray, names: tuple[str, ...], supervised: int = 0, **more) -> Topics:
    return Topics(
        doc_topic=np.arange(1.0, 1 + 3 * len(H)).reshape(3, len(H)),
        topic_term=np.asarray(H, float),
        terms=TERMS,
        doc_ids=("x", "y", "z"),
        names=names,
        n_supervised=supervised,
        spec=ModelSpec(n_topics=len(H)),
        **more,
    )


def test_a_merged_topic_starts_from_both_in_the_place_of_the_first():
    topics = topics_of(np.eye(3, 4), ("A", "B", "Free 1"), 2, keys=(1, 2, "Free 1"))
    start = carry_over(topics, {1: (1,), 2: (1,)})
    assert start.keys == (1, "Free 1")
    assert start.n_supervised == 1
    assert start.doc_topic[:, 0].tolist() == [3.0, 9.0, 15.0]
    assert np.linalg.norm(start.topic_term[0]) == pytest.approx(1)
    assert (start.topic_term[0, :2] > 0).all()


def test_what_was_split_or_deleted_starts_nothing():
    topics = topics_of(np.eye(3, 4), ("A", "B", "C"), 3, keys=(1, 2, 3))
    start = carry_over(topics, {1: (4, 5), 2: (), 3: (3,)})
    assert (start.keys, start.names) == ((3,), ("C",))
    assert start.topic_term.tolist() == np.eye(3, 4)[2:].tolist()


def test_a_topic_merged_into_a_newer_one_lives_on_there():
    topics = topics_of(np.eye(3, 4), ("A", "B", "C"), 3, keys=(1, 2, 3))
    assert carry_over(topics, {1: (7,), 2: (2,)}).keys == (7, 2, 3)
    both = carry_over(topics, {1: (7,), 2: (7,)})
    assert both.keys == (7, 3)
    assert both.doc_topic[:, 0].tolist() == topics.doc_topic[:, :2].sum(axis=1).tolist()


def test_topics_whose_keys_are_what_they_were_are_carried_over_as_they_are():
    topics = topics_of(np.eye(2, 4), ("A", "Free 1"), 1, keys=(1, "Free 1"))
    start = carry_over(topics, {1: (1,)})
    assert start.keys == topics.keys
    assert start.doc_topic is topics.doc_topic


def test_groups_are_joined_part_by_part():
    groups = Groups((2, 1), np.arange(9.0).reshape(3, 3), np.eye(3, 4))
    topics = topics_of(np.eye(2, 4), ("A", "B"), 2, groups=groups)
    found = merge_columns(topics, 1, 0).groups
    assert found is not None
    assert found.sizes == (2, 3)
    assert found.doc_part[0].tolist() == [0, 1, 2, 0, 1]


def test_free_topics_take_the_places_of_those_they_are_like():
    earlier = topics_of(np.eye(4), ("A", "Free 1", "Free 2", "Free 3"), 1)
    order = [0, 3, 1, 2]
    now = topics_of(np.eye(4)[order], earlier.names, 1)
    found = keep_free_order(now, earlier)
    assert np.array_equal(found.topic_term, earlier.topic_term)
    assert found.names == earlier.names


def test_a_new_free_topic_gets_a_number_that_none_had():
    names = ("A", "Free 1", "Free 2", "Free 4")
    earlier = topics_of(np.eye(4), names, 1, keys=(1, 7, "Free 2", "Free 4"))  # Free 1 is adopted
    now = topics_of(np.eye(4)[[0, 1, 3, 2]], ("A", "Free 1", "Free 2", "Free 3"), 1)
    found = keep_free_order(now, earlier)
    assert found.keys[1:] == found.names[1:] == ("Free 2", "Free 4", "Free 5")
    assert np.array_equal(found.topic_term, np.eye(4)[[0, 2, 3, 1]])
    assert keep_free_order(now, earlier, last_number=9).keys[3] == "Free 10"


def test_more_or_fewer_free_topics_still_find_their_places():
    earlier = topics_of(np.eye(4)[[0, 1, 2]], ("Free 1", "Free 2", "Free 3"))
    more = topics_of(np.eye(4)[[3, 2, 0, 1]], ("Free 1", "Free 2", "Free 3", "Free 4"))
    fewer = topics_of(np.eye(4)[[1, 0]], ("Free 1", "Free 2"))
    assert np.array_equal(keep_free_order(more, earlier).topic_term, np.eye(4))
    assert np.array_equal(keep_free_order(fewer, earlier).topic_term, np.eye(4)[:2])


@pytest.mark.parametrize(
    ("begun", "labels", "again"),
    [(0, 0, False), (0, 1, True), (1, 2, False), (1, 3, True), (10, 12, False), (10, 13, True)],
)
def test_a_fifth_more_and_one_at_least(begun, labels, again):
    assert is_outgrown(begun, labels) == again


BINS = topics_of(np.eye(3, 4), ("Bins", "Roads", "Free 1"), 2, keys=(1, 2, "Free 1"))


def test_only_the_topic_that_grew_begins_again():
    again = outgrown_topics(BINS, {1: 2, 2: 5}, {1: 4, 2: 6})
    assert again == {1}
    start = BINS.without(again)
    assert (start.keys, start.names, start.n_supervised) == ((2, "Free 1"), ("Roads", "Free 1"), 1)


def test_held_words_stay():
    assert outgrown_topics(BINS, {1: 2}, {1: 4}, held={1}) == set()
    assert BINS.without(set()) is BINS
    assert len(BINS.without(BINS.keys)) == 0


def test_labels_are_counted_by_key():
    supervision = Supervision.of([["B"], ["A", "B"], []], "AB")
    assert supervision.counts() == {"A": 1, "B": 2}
    assert replace(supervision, keys=(7, 3)).counts() == {7: 1, 3: 2}


def test_a_silent_word_is_in_no_document_and_rows_keep_their_length():
    X = sp.csr_array(np.array([[0.6, 0.8, 0], [0, 0, 1], [0.8, 0, 0.6]], np.float32))
    matrix = DocumentTermMatrix(
        X=X,
        terms=("a", "b", "b c"),
        doc_ids=("x", "y", "z"),
        settings=TextSettings(),
        document_frequency=np.array([2, 1, 2]),
        fingerprint="f",
    )
    found = without_words(matrix, ["b"])
    assert found.X.toarray().tolist() == [[1, 0, 0], [0, 0, 0], [1, 0, 0]]
    assert found.empty == (1,)
    assert found.terms == matrix.terms
    assert found.document_frequency.tolist() == [2, 0, 0]
    assert found.fingerprint != matrix.fingerprint
    assert without_words(matrix, ["elsewhere"]) is matrix
