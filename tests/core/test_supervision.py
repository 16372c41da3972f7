"""Every view of the labels, by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from core import Supervision
from core.errors import SupervisionError

LABELS = [["b"], [], ["a", "b"], []]


def test_labels_are_named_in_sorted_order_unless_told():
    assert Supervision.of(LABELS).names == ("a", "b")
    assert Supervision.of(LABELS, ["b", "a"]).names == ("b", "a")


def test_mask_permits_labels_only_and_everything_to_the_unlabelled():
    mask = Supervision.of(LABELS).topic_mask(3)
    assert_array_equal(mask, [[0, 1, 0], [1, 1, 1], [1, 1, 0], [1, 1, 1]])


def test_forbidden_only_leaves_the_rest_permitted_and_unlabelled():
    y = Supervision.of(LABELS, forbidden=[[], ["a"], [], []])
    assert_array_equal(y.topic_mask(3)[1], [0, 1, 1])
    assert not y.labelled[1]
    assert y.row_weight(7.0)[1] == 1


def test_nothing_fits_is_a_label():
    y = Supervision.of(LABELS, nothing_fits=[0, 0, 0, 1])
    assert_array_equal(y.topic_mask(3)[3], [0, 0, 1])
    assert y.labelled[3]


def test_weight_is_the_inverse_rate_times_confidence():
    y = Supervision.of(LABELS, confidence=["expert", None, "unsure", "sure"])
    assert_allclose(y.row_weight(), [4.0, 1.0, 1.0, 1.0])
    assert_allclose(y.row_weight(3.0), [6.0, 1.0, 1.5, 1.0])


def test_indicator_and_groups():
    y = Supervision.of(LABELS)
    assert_array_equal(y.indicator().toarray(), [[0, 1], [0, 0], [1, 1], [0, 0]])
    assert_array_equal(y.groups().toarray(), [[0, 1, 0], [0, 0, 1], [0.5, 0.5, 0], [0, 0, 1]])


def test_ties_give_unlabelled_documents_their_own_row():
    ties = Supervision.of(LABELS).ties().toarray()
    assert_array_equal(ties, [[0, 1, 0, 0], [0, 0, 1, 0], [0.5, 0.5, 0, 0], [0, 0, 0, 1]])


@pytest.mark.parametrize("form", [np.array, sp.csr_array, sp.coo_matrix])
def test_an_indicator_matrix_is_understood(form):
    y = Supervision.of(form([[0, 1], [0, 0], [1, 1]]), ["x", "y"])
    assert_array_equal(y.indicator().toarray(), [[0, 1], [0, 0], [1, 1]])


def test_integers_are_understood_with_minus_one_for_unlabelled():
    y = Supervision.of(np.array([1, -1, 0]))
    assert_array_equal(y.indicator().toarray(), [[0, 1], [0, 0], [1, 0]])


def test_strings_stand_for_one_label_each():
    assert_array_equal(Supervision.of(["b", "a"]).indicator().toarray(), [[0, 1], [1, 0]])


def test_targets_become_a_column():
    assert Supervision.of([[], []], targets=[0.5, 2]).targets.shape == (2, 1)


def test_of_takes_a_supervision_as_it_is():
    y = Supervision.of(LABELS)
    assert Supervision.of(y) is y


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"forbidden": [["b"], [], [], []]}, "Document 1 has “b” both permitted and forbidden"),
        ({"nothing_fits": [1, 0, 0, 0]}, "Document 1 has labels, yet “nothing fits”"),
        ({"names": ["a"]}, "Unknown label “b”"),
        ({"names": ["a", "b", "a"]}, "Two labels have the same name"),
        ({"confidence": ["certain"] * 4}, "unsure, sure or expert"),
        ({"confidence": [0] * 4}, "positive number"),
        ({"confidence": [1]}, "1 values for 4 documents"),
        ({"forbidden": [[]]}, "1 values for 4 documents"),
        ({"targets": [1, 2]}, "2 rows for 4 documents"),
    ],
)
def test_contradictions_end_in_a_sentence(arguments, sentence):
    with pytest.raises(SupervisionError, match=sentence):
        Supervision.of(LABELS, **arguments)


@pytest.mark.parametrize("labels", [[0.5, 1.0], [-2, 0]])
def test_numbers_that_are_no_labels_are_refused(labels):
    with pytest.raises(SupervisionError):
        Supervision.of(labels)


@pytest.mark.parametrize("weight", ["rate", 0.0, -1.0, None, float("inf"), True])
def test_a_weight_must_be_positive(weight):
    with pytest.raises(SupervisionError, match="labelled_weight"):
        Supervision.of(LABELS).row_weight(weight)


@given(st.lists(st.sets(st.sampled_from("abc")), min_size=1, max_size=12))
def test_mask_agrees_with_the_lists(rows):
    mask = Supervision.of([sorted(row) for row in rows], list("abc")).topic_mask(4)
    for row, permitted in zip(rows, mask, strict=True):
        expected = row or set("abcd")
        assert {"abcd"[j] for j in np.flatnonzero(permitted)} == expected


def equal(one: Supervision, other: Supervision) -> bool:
    """Whether two say the same, cell by cell."""
    same = [
        (getattr(one, name) != getattr(other, name)).nnz == 0 for name in ("permitted", "forbidden")
    ]
    arrays = [
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("nothing_fits", "confidence")
    ]
    return one.names == other.names and all(same) and all(arrays)


def test_a_few_documents_told_by_position_are_the_same_as_all_in_a_row():
    names = ["b", "a", "c"]
    whole = Supervision.of(
        [(), ["c", "a"], (), (), "b", ()],
        names,
        confidence=["sure", "expert", None, 0.25, "unsure", 1.0],
        forbidden=[["b"], (), (), ("a", "c"), (), ()],
        nothing_fits=[False, False, False, False, False, True],
    )
    some = Supervision.of_some(
        6,
        names,
        {4: ["b"], 1: ["c", "a"]},
        confidence={1: "expert", 3: 0.25, 4: "unsure"},
        forbidden={3: ["c", "a"], 0: ["b"]},
        nothing_fits=[5],
    )
    assert equal(some, whole)
    assert some.permitted.has_sorted_indices
    assert equal(Supervision.none(4), Supervision.of([(), (), (), ()], ()))


@pytest.mark.parametrize(
    ("labels", "more", "sentence"),
    [
        ({0: ["x"]}, {}, "Unknown label"),
        ({0: ["a"]}, {"forbidden": {0: ["a"]}}, "both permitted and forbidden"),
        ({0: ["a"]}, {"nothing_fits": [0]}, "nothing fits"),
        ({}, {"confidence": {1: "perhaps"}}, "Confidence"),
    ],
)
def test_a_few_documents_are_checked_like_all(labels, more, sentence):
    with pytest.raises(SupervisionError, match=sentence):
        Supervision.of_some(2, ["a"], labels, **more)


def test_names_numbers_and_indicators_say_the_same():
    named = Supervision.of([["label 2"], [], ["label 1"], ["label 3"]])
    numbers = Supervision.of(np.array([1, -1, 0, 2]))
    dense = np.array([[0, 1, 0], [0, 0, 0], [1, 0, 0], [0, 0, 1]])
    assert equal(named, numbers)
    assert equal(named, Supervision.of(dense))
    matrix = sp.coo_array(([1, 2, 3, 0, 4], ([0, 0, 2, 2, 3], [1, 1, 0, 2, 2])), shape=(4, 3))
    assert equal(named, Supervision.of(matrix))
    assert matrix.nnz == 5  # what was given is left as it was


def test_none_and_yes_or_no_are_understood():
    assert equal(Supervision.of([None, "a", ["b"]]), Supervision.of([[], ["a"], ["b"]]))
    assert equal(Supervision.of(np.array([True, False])), Supervision.of(np.array([1, 0])))
    assert equal(Supervision.of_some(2, ["a b"], {1: "a b"}), Supervision.of([[], ["a b"]]))


@pytest.mark.parametrize("labels", [[[1, 0], [0, 1]], [["a"], [None]], [["a"], 3]])
def test_what_is_no_name_is_refused(labels):
    with pytest.raises(SupervisionError, match="name"):
        Supervision.of(labels)


def test_one_parent_needs_no_list():
    y = Supervision.of([["a"]], hierarchy=[{"a": "news"}])
    assert y.hierarchy == ({"a": ("news",)},)


@pytest.mark.parametrize("gap", [None, float("nan"), np.nan, pd.NA])
def test_gaps_are_unlabelled_documents(gap):
    y = Supervision.of(["b", gap, ["a", "b"], []])
    assert_array_equal(y.indicator().toarray(), [[0, 1], [0, 0], [1, 1], [0, 0]])
    assert_array_equal(Supervision.of([1, gap, 0]).indicator().toarray(), [[0, 1], [0, 0], [1, 0]])


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(["b", None, "a"]),
        pd.Series(["b", np.nan, "a"], index=[7, 3, 5]),
        pd.Series(["b", pd.NA, "a"], dtype="string"),
        pd.Series(["b", None, "a"], dtype="category"),
    ],
)
def test_a_pandas_column_of_names_may_have_gaps(column):
    y = Supervision.of(column)
    assert y.names == ("a", "b")
    assert_array_equal(y.indicator().toarray(), [[0, 1], [0, 0], [1, 0]])


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([1.0, np.nan, 0.0]),
        pd.Series([1, pd.NA, 0], dtype="Int64"),
        pd.Series([True, None, False], dtype="boolean"),
        pd.Series([1, -1, 0]),
    ],
)
def test_a_pandas_column_of_numbers_may_have_gaps(column):
    y = Supervision.of(column)
    assert_array_equal(y.indicator().toarray(), [[0, 1], [0, 0], [1, 0]])


@pytest.mark.parametrize("values", [[[0, 1], [0, 0]], [[False, True], [False, False]]])
def test_the_columns_of_an_indicator_frame_are_the_names(values):
    y = Supervision.of(pd.DataFrame(values, columns=["x", "y"]))
    assert y.names == ("x", "y")
    assert_array_equal(y.indicator().toarray(), [[0, 1], [0, 0]])
    wider = Supervision.of(pd.DataFrame(values, columns=["x", "y"]), ["y", "z", "x"])
    assert_array_equal(wider.indicator().toarray(), [[1, 0, 0], [0, 0, 0]])


def test_gaps_in_an_indicator_frame_are_zeros():
    frame = pd.DataFrame({"x": [1, None], "y": pd.Series([pd.NA, True], dtype="boolean")})
    assert_array_equal(Supervision.of(frame).indicator().toarray(), [[1, 0], [0, 1]])


@pytest.mark.parametrize("labels", [["a", ""], [["a"], ["", "b"]], pd.Series(["a", " "])])
def test_a_label_without_a_name_is_refused(labels):
    with pytest.raises(SupervisionError, match="A label needs a name"):
        Supervision.of(labels)


def test_names_given_are_not_empty_either():
    with pytest.raises(SupervisionError, match="A label needs a name"):
        Supervision.of([[], ["a"]], ["a", ""])
    with pytest.raises(SupervisionError, match="A label needs a name"):
        Supervision.of(pd.DataFrame([[1, 0]], columns=["a", ""]))


def test_a_frame_of_other_numbers_is_refused():
    with pytest.raises(SupervisionError, match="holds 0 and 1"):
        Supervision.of(pd.DataFrame({"x": [2, 0]}))


def test_supervisions_compare_by_what_they_say():
    assert Supervision.of(LABELS) == Supervision.of(LABELS)
    assert Supervision.of(LABELS) != Supervision.of(LABELS, forbidden=[[], ["a"], [], []])
