"""CNMF against the papers, written out densely."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from core import Supervision
from core.engine.checks import canonical_csr
from core.errors import ModelError
from core.models.cnmf import CNMF, TiedSteps
from core.models.nmf import NMF
from tests.core.models.cases import LABELS, N_TOPICS, planted, some_labels
from tests.oracles import cnmf as oracle

ROWS = [[0], [], [1, 2], [0], [1], [], [0, 1], [2], [], []]


def steps(X, labels, seed=0):
    """Our solver and the paper's letters at the same point."""
    rng = np.random.default_rng(seed)
    names = [[LABELS[j] for j in row] for row in labels]
    y = Supervision.of(names, LABELS)
    W, H = rng.uniform(0.1, 1, (len(X), 4)), rng.uniform(0.1, 1, (4, X.shape[1]))
    at = TiedSteps(canonical_csr(X), W, H, y.ties())
    return at, at.Ht.copy(), at.Z.T.copy(), oracle.label_matrix(labels, len(LABELS))


def random_labels(rng, n_docs):
    return [
        sorted(rng.choice(3, size=rng.integers(1, 3), replace=False)) if u < 0.5 else []
        for u in rng.uniform(size=n_docs)
    ]


def test_one_step_is_the_paper_s():
    X = planted(10, 8, seed=2)
    at, V, P, A = steps(X, ROWS)
    assert_allclose(at.first_objective(), oracle.loss(X.T, V, P, A), rtol=1e-10)
    objective = at.step()
    V = oracle.update_V(X.T, V, P, A)
    P = oracle.update_P(X.T, V, P, A)
    assert_allclose(at.Ht, V, rtol=1e-10)
    assert_allclose(at.Z.T, P, rtol=1e-10)
    assert_allclose(at.W.T, P @ A, rtol=1e-10)
    assert_allclose(objective, oracle.loss(X.T, V, P, A), rtol=1e-9)


def test_halves_are_the_gradient():
    X = planted(10, 8, seed=2)
    at, V, P, A = steps(X, ROWS)
    down, up = at._halves()
    for cell in [(0, 1), (1, 3), (2, 0), (5, 2)]:
        move = np.zeros_like(P)
        move[cell[::-1]] = 1e-5
        slope = oracle.loss(X.T, V, P + move, A) - oracle.loss(X.T, V, P - move, A)
        assert_allclose(slope / 2e-5, 2 * (up - down)[cell], rtol=1e-5)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_the_loss_never_rises(seed):
    rng = np.random.default_rng(seed)
    X = planted(15, 12, seed=seed)
    X[rng.uniform(size=15) < 0.2] = 0
    X[:, rng.uniform(size=12) < 0.2] = 0
    at, *_ = steps(X, random_labels(rng, 15), seed)
    trace = [at.first_objective(), *(at.step() for _ in range(20))]
    assert all(b <= a + 1e-9 * max(trace) for a, b in pairwise(trace))


def test_without_labels_it_is_plain_nmf():
    X, rng = planted(), np.random.default_rng(0)
    start = (rng.uniform(0.1, 1, (60, N_TOPICS)), rng.uniform(0.1, 1, (N_TOPICS, 40)))
    ours = CNMF(N_TOPICS).fit(X, start=start)
    plain = NMF(N_TOPICS, solver="mu").fit(X, start=start)
    assert_allclose(ours.doc_topic_, plain.doc_topic_, rtol=1e-8)
    assert ours.objective_ == pytest.approx(plain.objective_)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000))
def test_permuting_documents_permutes_rows(seed):
    rng = np.random.default_rng(seed)
    X = planted(20, 15, seed=seed)
    names = [[LABELS[j] for j in row] for row in random_labels(rng, 20)]
    order = rng.permutation(20)
    W, H = rng.uniform(0.1, 1, (20, 4)), rng.uniform(0.1, 1, (4, 15))
    here = CNMF(4, max_iter=5).fit(X, Supervision.of(names, LABELS), start=(W, H))
    moved = Supervision.of([names[i] for i in order], LABELS)
    there = CNMF(4, max_iter=5).fit(X[order], moved, start=(W[order], H))
    assert_allclose(there.doc_topic_, here.doc_topic_[order], rtol=1e-8)


def test_documents_of_one_label_share_a_row():
    X = planted()
    y = some_labels(X)
    model = CNMF(N_TOPICS, random_state=0).fit(X, y)
    for i in np.flatnonzero(np.diff(y.permitted.indptr)):
        labels = y.permitted.indices[y.permitted.indptr[i] : y.permitted.indptr[i + 1]]
        assert_allclose(model.doc_topic_[i], model.label_topic_[labels].mean(axis=0), rtol=1e-10)


def test_fewer_topics_than_labels_are_fine():
    X = planted()
    assert CNMF(2, random_state=0).fit(X, some_labels(X)).doc_topic_.shape == (60, 2)


def test_a_label_without_documents_is_harmless():
    X = planted(12, 8)
    y = Supervision.of([["a"], ["a"]] + [[]] * 10, ["a", "b"])
    model = CNMF(3, random_state=0).fit(sp.csr_array(X), y)
    assert not model.label_topic_[1].any()
    assert np.isfinite(model.objective_)


def test_weights_are_refused():
    with pytest.raises(ModelError, match="ssnmf can"):
        CNMF(3).fit(planted(), observed=sp.csr_array((60, 40)))
