"""What the guide gets right on documents left out, counted by hand."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp

from core.evaluation.left_out import LeftOut, direction, judge_left_out
from core.guide.classifier import fit_guide
from core.supervision import Supervision


def judged(labels, left_out, positions=None):
    supervision = Supervision.of(labels)
    at = np.flatnonzero(supervision.labelled) if positions is None else np.array(positions)
    return judge_left_out(SimpleNamespace(positions=at, left_out=np.array(left_out)), supervision)


def test_a_document_is_right_if_one_of_its_labels_is_the_likeliest():
    labels = [["a"], ["a"], ["b"], [], ["b", "a"]]
    chances = [[0.9, 0.1], [0.2, 0.8], [0.1, 0.7], [0.3, 0.4]]
    assert judged(labels, chances) == LeftOut(right=3, of=4)


def test_a_tie_is_not_right_and_the_only_example_of_a_label_is_not_counted():
    labels = [["a"], ["a"], ["b"]]
    assert judged(labels, [[0.5, 0.5], [0.6, 0.5], [0.1, 0.2]]) == LeftOut(1, 2, alone=1)


def test_a_second_label_that_others_carry_makes_a_document_count():
    assert judged([["a", "b"], ["a"]], [[0.1, 0.9], [0.9, 0.1]]) == LeftOut(2, 2)


@pytest.mark.parametrize(
    ("found", "missing", "second"),
    [
        (LeftOut(0, 0), 5, False),
        (LeftOut(0, 0, alone=1), 4, False),
        (LeftOut(3, 4), 1, False),
        (LeftOut(0, 0, alone=7), 3, True),
        (LeftOut(1, 2, alone=3), 2, True),
        (LeftOut(1, 5, alone=3), 0, False),
    ],
)
def test_below_five_it_says_how_many_labels_are_missing(found, missing, second):
    assert (found.missing, found.second_labels_missing) == (missing, second)
    assert found.enough == (missing == 0)


def test_a_small_difference_is_none():
    assert direction(LeftOut(50, 100), LeftOut(49, 100)) == "same"
    assert direction(LeftOut(53, 100), LeftOut(49, 100)) == "up"
    assert direction(LeftOut(49, 100), LeftOut(53, 100)) == "down"


def test_it_agrees_with_a_real_guide():
    X = sp.csr_array(np.kron(np.eye(2), np.ones((4, 3))) + 0.01)
    supervision = Supervision.of([["a"], ["a"], ["a"], [], ["b"], ["b"], ["b"], []])
    guide = fit_guide(X, supervision)
    assert judge_left_out(guide, supervision) == LeftOut(6, 6)
    assert guide.skill == pytest.approx((6 + 5 * 0.5) / 11)  # and what is assumed beforehand
