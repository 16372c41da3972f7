"""From fit to fit: merged topics start together, free ones keep their places, stop words go."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from core.continuity import carried, in_earlier_order, joined
from core.fitting import ModelSpec
from core.groups import Groups
from core.matrix import DocumentTermMatrix
from core.silencing import without_words
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
    topics = topics_of(np.eye(3, 4), ("A", "B", "Free 1"), 2)
    start = carried(topics, {1: 0, 2: 1}, {1: (1,), 2: (1,)}, {1: "Both"})
    assert start.names[0] == "Both"
    assert start.names[2] == "Free 1"
    assert start.names[1] not in ("A", "B", "Both")
    assert start.doc_topic[:, 0].tolist() == [3.0, 9.0, 15.0]
    assert np.linalg.norm(start.topic_term[0]) == pytest.approx(1)
    assert (start.topic_term[0, :2] > 0).all()


def test_what_was_split_or_deleted_starts_nothing():
    topics = topics_of(np.eye(3, 4), ("A", "B", "C"), 3)
    heirs = {1: (4, 5), 2: (), 3: (3,)}
    start = carried(topics, {1: 0, 2: 1, 3: 2}, heirs, {3: "C", 4: "A", 5: "New"})
    assert start.names[2] == "C"
    assert not {"A", "B", "New"} & set(start.names)


def test_a_topic_merged_into_a_newer_one_lives_on_there():
    topics = topics_of(np.eye(2, 4), ("A", "B"), 2)
    start = carried(topics, {1: 0, 2: 1}, {1: (7,), 2: (2,)}, {2: "B", 7: "Newer"})
    assert start.names == ("Newer", "B")


def test_groups_are_joined_part_by_part():
    groups = Groups((2, 1), np.arange(9.0).reshape(3, 3), np.eye(3, 4))
    topics = topics_of(np.eye(2, 4), ("A", "B"), 2, groups=groups)
    found = joined(topics, 1, 0).groups
    assert found is not None
    assert found.sizes == (2, 3)
    assert found.doc_part[0].tolist() == [0, 1, 2, 0, 1]


def test_free_topics_take_the_places_of_those_they_are_like():
    earlier = topics_of(np.eye(4), ("A", "Free 1", "Free 2", "Free 3"), 1)
    order = [0, 3, 1, 2]
    now = topics_of(np.eye(4)[order], earlier.names, 1)
    found = in_earlier_order(now, earlier)
    assert np.array_equal(found.topic_term, earlier.topic_term)
    assert found.names == earlier.names


def test_more_or_fewer_free_topics_still_find_their_places():
    earlier = topics_of(np.eye(4)[[0, 1, 2]], ("Free 1", "Free 2", "Free 3"))
    more = topics_of(np.eye(4)[[3, 2, 0, 1]], ("Free 1", "Free 2", "Free 3", "Free 4"))
    fewer = topics_of(np.eye(4)[[1, 0]], ("Free 1", "Free 2"))
    assert np.array_equal(in_earlier_order(more, earlier).topic_term, np.eye(4))
    assert np.array_equal(in_earlier_order(fewer, earlier).topic_term, np.eye(4)[:2])


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
