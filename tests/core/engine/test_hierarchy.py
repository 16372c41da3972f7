"""Side information: who hangs from whom."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core import Supervision
from core.engine.gibbs.hierarchy import Hierarchy, node_shares
from core.errors import SupervisionError


def rows(links):
    return [row.tolist() for row in np.split(links.indices, links.indptr[1:-1])]


def test_plain_is_one_node_for_all():
    plain = Hierarchy.plain(3)
    assert rows(plain.links[0]) == [[0], [0], [0]]
    assert_array_equal(plain.links[0].children, [3])
    assert plain.depth == 1


def test_a_document_may_hang_from_several_nodes():
    hierarchy = Hierarchy.of(Supervision.of([["b"], ["a", "b"]]))
    assert hierarchy.names == (("a", "b"),)
    assert rows(hierarchy.links[0]) == [[1], [0, 1]]
    assert not hierarchy.unlabelled


def test_a_document_without_a_label_hangs_from_a_node_of_its_own_kind():
    hierarchy = Hierarchy.of(Supervision.of([["a"], [], []], hierarchy=[{"a": ["up"]}]))
    assert hierarchy.names == (("a", "unlabelled"), ("up",))
    assert rows(hierarchy.links[0]) == [[0], [1], [1]]
    assert rows(hierarchy.links[1]) == [[0], []]
    assert hierarchy.unlabelled


def test_a_label_called_unlabelled_keeps_its_name():
    hierarchy = Hierarchy.of(Supervision.of([["unlabelled"], []]))
    assert hierarchy.names == (("unlabelled", "unlabelled′"),)


def test_three_levels_many_to_many():
    up = [{"a": ["p", "q"], "b": ["q"]}, {"q": ["top"]}]
    hierarchy = Hierarchy.of(Supervision.of([["a"], ["b"]], hierarchy=up))
    assert hierarchy.names == (("a", "b"), ("p", "q"), ("top",))
    assert rows(hierarchy.links[1]) == [[0, 1], [1]]
    assert rows(hierarchy.links[2]) == [[], [0]]
    assert_array_equal(hierarchy.links[1].children, [1, 2])


def test_a_node_of_the_hierarchy_alone_has_no_documents():
    hierarchy = Hierarchy.of(Supervision.of([["a"]], hierarchy=[{"a": ["p"], "new": ["p"]}]))
    assert hierarchy.names[0] == ("a", "new")
    assert_array_equal(hierarchy.links[0].children, [1, 0])


def test_a_level_without_parents_is_refused():
    with pytest.raises(SupervisionError, match="names no parents"):
        Hierarchy.of(Supervision.of([["a"]], hierarchy=[{"a": []}]))


def test_shares_of_nodes_are_means_of_what_hangs_from_them():
    up = [{"a": ["p"], "b": ["p"], "bare": ["p"]}]
    hierarchy = Hierarchy.of(Supervision.of([["a"], ["a"], ["b"]], ["a", "b", "c"], hierarchy=up))
    documents = np.array([[1.0, 0.0], [0.0, 900.0], [3.0, 1.0]])  # a long one counts once, too
    labels, above = node_shares(hierarchy, documents, np.ones((4, 2)))
    assert_allclose(labels, [[0.5, 0.5], [0.75, 0.25], [0, 0], [0.625, 0.375]])
    assert_allclose(above, [[0.625, 0.375]])


def test_a_document_of_two_nodes_is_divided_by_their_weights():
    hierarchy = Hierarchy.of(Supervision.of([["a", "b"]]))
    (labels,) = node_shares(hierarchy, np.array([[2.0, 2.0]]), np.array([[9.0, 1.0], [1.0, 9.0]]))
    assert_allclose(labels, [[0.9, 0.1], [0.1, 0.9]])
