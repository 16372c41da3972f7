"""Krippendorff's alpha against the worked examples of its author."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import ModelError
from core.evaluation.metrics import krippendorff_alpha, krippendorff_interval
from core.evaluation.metrics.agreement import DISTANCES

_ = None
FOUR = [  # Krippendorff (2011), four observers, twelve units, five values
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]
TWO = [  # the same, two observers, binary
    [0, 1, 0, 0, 0, 0, 0, 0, 1, 0],
    [1, 1, 1, 0, 0, 1, 0, 0, 0, 0],
]


def test_published_examples():
    assert krippendorff_alpha(FOUR) == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(TWO) == pytest.approx(0.095, abs=5e-4)


def test_binary_example_by_hand():
    # coincidences: 4 of 10 units differ; 14 zeros and 6 ones among 20 judgements
    assert krippendorff_alpha(TWO) == pytest.approx(1 - 19 * 8 / (2 * 14 * 6))


def test_single_labels_and_their_sets_agree():
    sets = [[None if v is None else {v} for v in row] for row in FOUR]
    for distance in ("nominal", "jaccard", "masi"):
        assert krippendorff_alpha(sets, distance=distance) == pytest.approx(
            krippendorff_alpha(FOUR)
        )


def test_overlapping_sets_are_half_an_agreement():
    first, second = [["a"], ["a", "b"], []], [["a"], ["a"], []]
    # pairs over all six judgements: {a}×3, {ab}, ∅×2; jaccard: a–ab ½, a–∅ 1, ab–∅ 1
    observed, expected = 2 * 0.5 / 6, 2 * (3 * 0.5 + 6 * 1 + 2 * 1) / 30
    found = krippendorff_alpha([first, second], distance="jaccard")
    assert found == pytest.approx(1 - observed / expected)
    # nested sets: ½ · 2/3
    observed, expected = 2 * (2 / 3) / 6, 2 * (3 * 2 / 3 + 6 * 1 + 2 * 1) / 30
    found = krippendorff_alpha([first, second], distance="masi")
    assert found == pytest.approx(1 - observed / expected)


def test_perfect_agreement_is_one_and_opposition_is_negative():
    assert krippendorff_alpha([["a", "b"], ["a", "b"]]) == 1
    assert krippendorff_alpha([["a", "b"], ["b", "a"]]) < 0


def test_without_variation_or_pairs_there_is_no_answer():
    assert math.isnan(krippendorff_alpha([["a", "a"], ["a", "a"]]))
    assert math.isnan(krippendorff_alpha([["a", None], [None, "b"]]))
    assert math.isnan(krippendorff_alpha([[], []]))


def test_an_unknown_distance_is_refused():
    with pytest.raises(ModelError, match="nominal, jaccard, masi"):
        krippendorff_alpha(TWO, distance="euclidean")


def test_the_interval_is_that_of_drawing_documents_anew():
    rng, values = np.random.default_rng(3), []
    judged = np.array(TWO * 1).T.repeat(4, axis=0)
    for _ in range(2_000):
        drawn = judged[rng.integers(0, len(judged), len(judged))].T.tolist()
        values.append(krippendorff_alpha(drawn))
    expected = np.nanquantile(values, (0.025, 0.975))
    found = krippendorff_interval(judged.T.tolist())
    assert found == pytest.approx(expected, abs=0.04)
    assert found == krippendorff_interval(judged.T.tolist())
    assert found == pytest.approx(krippendorff_interval(TWO, times=[4] * 10), abs=0.04)


def test_there_is_no_interval_without_any_spread():
    assert krippendorff_interval([["a", "b"] * 20, ["a", "b"] * 20]) is None
    assert krippendorff_interval([["a"] * 20, ["a"] * 20]) is None
    assert krippendorff_interval([[], []]) is None


@settings(deadline=None)
@given(st.lists(st.frozensets(st.sampled_from("abcd")), min_size=2, max_size=6, unique=True))
def test_distances_of_sets_are_the_definitions(sets):
    jaccard, masi = (DISTANCES[name](sets) for name in ("jaccard", "masi"))
    for (i, a), (j, b) in product(enumerate(sets), repeat=2):
        index = len(a & b) / len(a | b) if a | b else 1
        kind = 1 if a == b else 2 / 3 if a <= b or b <= a else 1 / 3
        assert jaccard[i, j] == pytest.approx(1 - index)
        assert masi[i, j] == pytest.approx(1 - index * kind)
