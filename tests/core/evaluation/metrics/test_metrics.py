"""Every metric by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import poisson
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

from core.errors import ModelError
from core.evaluation import metrics

TRUTH = np.array([0, 0, 0, 1, 2, 2])
GIVEN = np.array([0, 0, 1, 1, 2, 0])
SETS = np.array([[1, 1, 0], [0, 1, 0], [1, 0, 0]])
GIVEN_SETS = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0]])


def test_public_names_are_sorted():
    assert sorted(metrics.__all__) == metrics.__all__


# prediction


def test_accuracy_by_hand():
    assert metrics.accuracy(TRUTH, GIVEN) == pytest.approx(4 / 6)
    assert metrics.accuracy(SETS, GIVEN_SETS) == pytest.approx(1 / 3)
    assert metrics.accuracy(sp.csr_array(SETS), GIVEN_SETS) == pytest.approx(1 / 3)


def test_accuracy_by_label_gives_a_rare_label_the_same_say():
    assert_allclose(metrics.accuracy_by_label(TRUTH, GIVEN), [2 / 3, 1, 1 / 2])
    assert metrics.averaged_accuracy(TRUTH, GIVEN) == pytest.approx(13 / 18)
    assert math.isnan(metrics.accuracy_by_label(SETS, GIVEN_SETS)[2])


def test_f1_by_hand():
    # label 0: 2·2/(2+2), label 1: 2·1/(2+2); label 2 is nobody's
    assert metrics.f1_macro(SETS, GIVEN_SETS) == pytest.approx((1 + 1 / 2) / 2)
    assert metrics.f1_micro(SETS, GIVEN_SETS) == pytest.approx(2 * 3 / 8)


def test_f1_of_single_labels_agrees_with_scikit_learn():
    for kind, ours in (("micro", metrics.f1_micro), ("macro", metrics.f1_macro)):
        assert ours(TRUTH, GIVEN) == pytest.approx(f1_score(TRUTH, GIVEN, average=kind))


def test_nothing_true_and_nothing_given_scores_nothing():
    nothing = np.zeros((2, 2))
    assert metrics.f1_micro(nothing, nothing) == metrics.f1_macro(nothing, nothing) == 0
    assert metrics.averaged_accuracy(nothing, nothing) == 0


def test_predictions_for_other_documents_are_refused():
    with pytest.raises(ModelError, match="cannot be held against"):
        metrics.accuracy([0, 1], [0])


def test_auc_by_hand():
    # pairs (true, false): .9>.5 .9>.1 .5=.5 .5>.1 → 3.5 of 4
    truth, scores = [1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1]
    assert metrics.auc(truth, scores) == pytest.approx(3.5 / 4)
    # recall ½ at precision 1, recall 1 at precision 2/3
    assert metrics.auc_pr(truth, scores) == pytest.approx(0.5 + 0.5 * 2 / 3)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=30))
def test_curves_agree_with_scikit_learn(cells):
    truth, scores = np.array(cells).T
    if truth.all() or not truth.any():
        with pytest.raises(ModelError, match="one true and one false"):
            metrics.auc(truth, scores)
        return
    assert metrics.auc(truth, scores) == pytest.approx(roc_auc_score(truth, scores))
    assert metrics.auc_pr(truth, scores) == pytest.approx(average_precision_score(truth, scores))


def test_held_out_log_likelihood_by_hand():
    W, H = np.array([[1.0, 0.0], [1.0, 2.0]]), np.array([[1.0, 2.0], [0.5, 0.0]])
    held = sp.coo_array(([3.0, 0.0], ([1, 0], [0, 1])), shape=(2, 2))  # rates 2 and 2
    expected = math.log(2**3 * math.exp(-2) / 6) - 2
    assert metrics.held_out_log_likelihood(held, W, H) == pytest.approx(expected)
    assert expected == pytest.approx(poisson.logpmf([3, 0], [2, 2]).sum())
    binary = math.log(1 - math.exp(-2)) - 2
    assert metrics.held_out_log_likelihood(held, W, H, binary=True) == pytest.approx(binary)


# clustering: score P


def test_score_p_by_hand():
    W = np.array([[3.0, 1.0], [1.0, 1.0], [0.0, 2.0], [0.0, 0.0]])
    groups = ["cars", "cars", "games", "games"]
    hard = metrics.score_p(W, groups, kind="hard")
    assert hard.table["subgroup"].tolist() == ["cars", "games"]
    assert_allclose(hard.table["score"], [1.0, 0.5])  # the fourth document belongs nowhere
    soft = metrics.score_p(W, groups, kind="soft")
    assert_allclose(soft.table["score"], [(0.75 + 0.5) / 2, 0.5])
    assert soft.mean == pytest.approx((0.625 + 0.5) / 2)


def test_score_p_takes_an_indicator_and_its_names():
    found = metrics.score_p(np.eye(2), sp.csr_array(np.eye(2)[:, ::-1]), names=["x", "y"])
    assert found.table["subgroup"].tolist() == ["y", "x"]
    assert found.mean == 1


def test_score_p_never_picks_an_empty_subgroup():
    found = metrics.score_p(np.eye(2), np.array([[0, 1], [0, 0]]), names=["none", "some"])
    assert found.table["subgroup"].tolist() == ["some", "some"]
    assert found.table["score"].tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("subgroups", "options", "sentence"),
    [
        ([0, 1, 2], {}, "2 documents, the subgroups 3"),
        ([0, 1], {"kind": "medium"}, "hard or soft"),
        ([0, 1], {"names": ["a"]}, "1 names for 2 subgroups"),
    ],
)
def test_score_p_refuses_what_does_not_fit(subgroups, options, sentence):
    with pytest.raises(ModelError, match=sentence):
        metrics.score_p(np.eye(2), subgroups, **options)


# diversity and sparsity


def test_diversity_by_hand():
    H = np.array([[5.0, 4.0, 3.0, 0.0], [0.0, 4.0, 3.0, 5.0]])
    assert metrics.topic_diversity(H, n_words=2) == pytest.approx(3 / 4)  # 0 1 | 3 1
    assert metrics.topic_diversity(H) == pytest.approx(4 / 6)  # zeros are no words
    assert metrics.topic_diversity(np.zeros((2, 3))) == 0


def test_hoyer_by_hand():
    assert metrics.hoyer([0, 0, 7, 0]) == pytest.approx(1)
    assert metrics.hoyer([2, 2, 2, 2]) == pytest.approx(0)
    assert metrics.hoyer([3, 4, 0, 0]) == pytest.approx(2 - 7 / 5)
    assert_allclose(metrics.hoyer([[1, 0], [1, 1]], axis=1), [1, 0], atol=1e-12)
    assert math.isnan(metrics.hoyer([0, 0]))
    assert math.isnan(metrics.hoyer([1]))


def test_hoyer_does_not_depend_on_scale():
    x = np.random.default_rng(0).uniform(size=20)
    assert metrics.hoyer(x * 1e200) == pytest.approx(metrics.hoyer(x))


def test_inter_label_sparsity_by_hand():
    W = np.array([[1.0, 0.0], [1.0, 2.0], [0.0, 1.0], [9.0, 9.0]])
    Y = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]])  # sums: 1.5 1 | 0.5 2
    expected = (2 - 5 / math.sqrt(1.5**2 + 1 + 0.25 + 4)) / (2 - 1)
    assert metrics.inter_label_sparsity(W, Y) == pytest.approx(expected)
    with pytest.raises(ModelError, match="4 documents, the labels 3"):
        metrics.inter_label_sparsity(W, Y[:3])


# stability


def test_a_fit_with_its_topics_shuffled_is_the_same_fit():
    rng = np.random.default_rng(1)
    W, H = rng.uniform(size=(9, 3)), rng.uniform(size=(3, 8)) ** 4
    order = [2, 0, 1]
    found = metrics.compare_fits((W, H), (W[:, order], 5 * H[order]))
    assert found.table["second"].tolist() == [1, 2, 0]
    assert found.word_overlap == found.document_agreement == 1
    assert_allclose(found.table["cosine"], 1)


def test_stability_by_hand():
    H = np.array([[3.0, 2.0, 1.0, 0.0], [0.0, 0.0, 1.0, 5.0]])
    other = np.array([[0.0, 0.0, 1.0, 4.0], [3.0, 0.0, 2.0, 0.0]])
    W, other_W = np.array([[1.0, 0.0], [0, 1], [0, 1], [0, 0]]), np.eye(4, 2)
    found = metrics.compare_fits((W, H), (other_W, other), n_words=2)
    assert_allclose(found.table["word_overlap"], [1 / 3, 1])  # {0 1} {0 2} | {3 2} {3 2}
    assert found.document_agreement == 0  # documents 0 and 1 count, and both moved


def test_only_comparable_fits_are_compared():
    with pytest.raises(ModelError, match="same documents and terms"):
        metrics.compare_fits((np.eye(2), np.eye(2)), (np.eye(3, 2), np.eye(2)))
