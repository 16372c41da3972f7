"""Several topics per label: the same model with the label's column of the mask repeated."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from core import Supervision
from core.engine.solvers import relaxation_and_sweeps
from core.errors import ModelError
from core.models import TSNMF
from tests.core.models.cases import (
    LABELS,
    N_TOPICS,
    doubt_of_topics,
    planted,
    price_of_doubt,
    some_labels,
)
from tests.core.models.test_guided import guided_pass, loss
from tests.oracles import tsnmf as oracle

SIZES = (3, 1, 2, 1)
GROUPED = {"parts": SIZES[:3], "random_state": 0}


@pytest.fixture(scope="module")
def X():
    return planted()


@pytest.fixture(scope="module")
def y(X):
    return some_labels(X)


def expanded(y):
    return np.repeat(y.topic_mask(N_TOPICS), SIZES, axis=1)


def start(X, y, seed=0):
    rng = np.random.default_rng(seed)
    L = expanded(y)
    return rng.uniform(0.1, 1, L.shape) * L, rng.uniform(0.1, 1, (L.shape[1], X.shape[1]))


def unit(W, H):
    length = np.linalg.norm(H, axis=1)
    return W * length, H / length[:, None]


def test_a_coordinate_step_is_the_one_with_the_expanded_mask(X, y):
    (W, H), L, e = start(X, y), expanded(y), y.row_weight(1.0, N_TOPICS)
    model = TSNMF(N_TOPICS, guidance=0.0, max_iter=1, **GROUPED).fit(X, y, start=(W, H))
    W, H = oracle.coordinate_pass(X, W, H, L, e, *relaxation_and_sweeps(1))
    assert_allclose(model.objective_, oracle.loss(X, W, H, L, e[:, None]), rtol=1e-9)
    W, H = unit(W, H)
    assert_allclose(model.part_doc_topic_, W, atol=1e-9)
    assert_allclose(model.part_components_, H, atol=1e-9)


def test_a_printed_step_is_the_one_with_the_expanded_mask(X, y):
    X = X + 0.01  # every word in every document, so that lifting a start changes nothing
    (W, H), L = start(X, y), expanded(y)
    E = np.broadcast_to(y.row_weight(1.0, N_TOPICS)[:, None], X.shape)
    model = TSNMF(N_TOPICS, solver="mu", max_iter=1, **GROUPED).fit(X, y, start=(W, H))
    H = oracle.update_H(X, W, H, L, E)
    W, H = unit(oracle.update_W(X, W, H, L, E), H)
    assert_allclose(model.part_doc_topic_, W, atol=1e-5)
    assert_allclose(model.part_components_, H, atol=1e-5)


def test_a_guided_step_has_one_price_for_all_parts_of_a_label(X, y):
    (W, H), L, e = start(X, y), expanded(y), y.row_weight(1.0, N_TOPICS)
    model = TSNMF(N_TOPICS, guidance=0.7, max_iter=1, **GROUPED).fit(X, y, start=(W, H))
    doubt = doubt_of_topics(X, y, model)
    c = 0.7 * price_of_doubt(X)[:, None] * np.repeat(doubt, SIZES, axis=1)
    c[y.labelled] = 0
    W, H = guided_pass(X, *unit(W, H), L, e, c, *relaxation_and_sweeps(1))
    assert_allclose(model.part_doc_topic_, W, atol=1e-6)
    assert_allclose(model.objective_, loss(X, W, H, e, c), rtol=1e-6)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0.0, "auto"]))
def test_a_group_is_the_sum_of_its_parts_and_zero_where_forbidden(seed, guidance):
    X = planted(30, 20, seed=seed)
    y = some_labels(X, seed)
    model = TSNMF(N_TOPICS, guidance=guidance, max_iter=8, **GROUPED).fit(X, y)
    sums = [model.part_doc_topic_[:, list(columns)].sum(axis=1) for columns in model.parts_]
    assert_allclose(model.doc_topic_, np.column_stack(sums), rtol=1e-12)
    assert not model.part_doc_topic_[~expanded(y)].any()
    assert not model.doc_topic_[~y.topic_mask(N_TOPICS)].any()


def test_a_group_is_represented_by_the_mean_of_its_parts_as_used(X, y):
    model = TSNMF(N_TOPICS, **GROUPED).fit(X, y)
    for row, columns in zip(model.components_, map(list, model.parts_), strict=True):
        use = model.part_doc_topic_[:, columns].sum(axis=0)
        if not use.any():
            continue  # a topic that no document uses
        mean = use @ model.part_components_[columns]
        assert_allclose(row, mean / np.linalg.norm(mean), atol=1e-9)


def test_one_part_each_is_the_model_without_parts_to_the_last_bit(X, y):
    plain = TSNMF(N_TOPICS, random_state=0).fit(X, y)
    for parts in (1, (1, 1, 1), {"*": 1}, {"unheard of": 5}):
        same = TSNMF(N_TOPICS, parts=parts, random_state=0).fit(X, y)
        assert_array_equal(same.doc_topic_, plain.doc_topic_)
        assert_array_equal(same.components_, plain.components_)
        assert same.part_components_ is same.components_


def test_shuffled_documents_have_the_same_topics(X, y):
    (W, H), order = start(X, y), np.random.default_rng(1).permutation(len(X))
    model = TSNMF(N_TOPICS, max_iter=10, **GROUPED)
    straight = model.fit(X, y, start=(W, H)).doc_topic_
    labels = [[LABELS[j] for j in np.flatnonzero(row)] for row in y.permitted.toarray()[order]]
    forbidden = [[LABELS[j] for j in np.flatnonzero(row)] for row in y.forbidden.toarray()[order]]
    turned = Supervision.of(
        labels, LABELS, forbidden=forbidden, confidence=y.confidence[order].tolist()
    )
    mixed = model.fit(X[order], turned, start=(W[order], H)).doc_topic_
    assert_allclose(mixed, straight[order], atol=1e-5)


def test_a_warm_start_of_parts_goes_on_where_the_last_fit_stopped(X, y):
    model = TSNMF(N_TOPICS, guidance=0.0, **GROUPED).fit(X, y)
    first = model.objective_
    again = model.fit(X, y, start=(model.part_doc_topic_, model.part_components_), sizes=SIZES)
    assert_allclose(again.trace_.objective[0], first, rtol=1e-9)
    assert again.n_iter_ <= 3


def test_new_documents_hold_the_sum_of_the_parts(X, y):
    model = TSNMF(N_TOPICS, **GROUPED).fit(X, y)
    parts = model._part_weights_of(sp.csr_array(X[:6]), None)
    assert parts.shape == (6, 7)
    assert_allclose(model.transform(X[:6])[:, 0], parts[:, :3].sum(axis=1), rtol=1e-9)


def two_sided(n=40):
    """A label with two kinds of documents, one with one kind, and a theme nobody has named."""
    rng = np.random.default_rng(0)
    kind = np.repeat(np.arange(4), n)
    X = rng.poisson(0.1, (4 * n, 12)).astype(float)
    for k in range(4):
        X[kind == k, 3 * k : 3 * k + 3] += rng.poisson(3, (n, 3)) + 1
    names = ("wide", "wide", "narrow", None)
    labels = [[names[k]] if names[k] and i % 2 else [] for i, k in enumerate(kind)]
    return X, Supervision.of(labels, ["wide", "narrow"]), kind


@pytest.mark.parametrize("guidance", [0.0, "auto"])
@pytest.mark.parametrize("size", [2, 3])
def test_parts_find_the_kinds_of_a_label_and_leave_the_free_topic_its_own(guidance, size):
    X, y, kind = two_sided()
    model = TSNMF(3, parts={"wide": size}, guidance=guidance, random_state=0).fit(X, y)
    best = model.part_doc_topic_[:, :size].argmax(axis=1)
    assert not set(best[kind == 0]) & set(best[kind == 1])
    assert_array_equal(model.doc_topic_.argmax(axis=1), [0] * 80 + [1] * 40 + [2] * 40)


@pytest.mark.parametrize("parts", [0, "many", 1.5, True, (1, 0), {"alpha": -1}])
def test_what_is_no_number_of_parts_is_refused(parts, X, y):
    with pytest.raises(ModelError, match="parts are “auto” or a whole number"):
        TSNMF(N_TOPICS, parts=parts).fit(X, y)


def test_a_size_for_every_label_or_none(X, y):
    with pytest.raises(ModelError, match="2 sizes in parts for 3 labels"):
        TSNMF(N_TOPICS, parts=(1, 2)).fit(X, y)
