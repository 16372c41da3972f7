"""Guided TS-NMF: prices, unit topics, prediction."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from core import Supervision
from core.engine.kernels import threads
from core.engine.solvers import GuidedDescent, SquaredDocuments, relaxation_and_sweeps
from core.errors import ModelError
from core.guide.teachers import Descriptions
from core.models import NMF, TSNMF
from tests.core.models.cases import LABELS, N_TOPICS, planted, some_labels


def guided_pass(V, W, H, L, e, c, relax, sweeps):
    """One pass a cell at a time, straight from the gradient; topics by their closed form."""
    W, H = W.copy(), H.copy()
    for i, _, j in np.ndindex(W.shape[0], sweeps, W.shape[1]):
        if L[i, j]:
            slope = (W[i] @ H - V[i]) @ H[j] + c[i, j]
            W[i, j] = max(0.0, W[i, j] - relax * slope / (H[j] @ H[j]))
    for k in range(H.shape[0]):
        rest = V - W @ H + np.outer(W[:, k], H[k])
        wanted = np.maximum(rest.T @ (e * W[:, k]), 0)
        if wanted.any():
            H[k] = wanted / np.linalg.norm(wanted)
    return W, H


def loss(V, W, H, e, c):
    return float(e @ (((V - W @ H) ** 2).sum(axis=1) + 2 * (c * W).sum(axis=1)))


def test_a_guided_pass_is_the_one_written_out():
    rng = np.random.default_rng(2)
    V = planted(25, 18, seed=2)
    y = some_labels(V, seed=2)
    L, e = y.topic_mask(N_TOPICS), y.row_weight(2.0)
    W, H = rng.uniform(0.1, 1, L.shape) * L, rng.uniform(0.1, 1, (N_TOPICS, 18))
    c = rng.uniform(0, 0.5, L.shape) * ~y.labelled[:, None]
    H /= np.linalg.norm(H, axis=1, keepdims=True)
    solver = GuidedDescent(SquaredDocuments(sp.csr_array(V), W, L, e, c), H)
    assert_allclose(solver.first_objective(), loss(V, W, H, e, c), rtol=1e-10)
    for relax, sweeps in map(relaxation_and_sweeps, (1, 2, 3)):
        objective = solver.step()
        W, H = guided_pass(V, W, H, L, e, c, relax, sweeps)
        assert_allclose(solver.factors()[0], W, atol=1e-9)
        assert_allclose(solver.factors()[1], H, atol=1e-9)
        assert_allclose(objective, loss(V, W, H, e, c), rtol=1e-9)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.05, 3.0))
@example(seed=196, guidance=3.0)  # documents with a forbidden topic, all others too dear
@example(seed=69, guidance=1.0)
def test_the_guided_objective_never_rises(seed, guidance):
    X = planted(18, 14, seed=seed)
    rng = np.random.default_rng(seed)
    X[rng.uniform(size=18) < 0.15] = 0
    model = TSNMF(N_TOPICS, guidance=guidance, tol=0.0, max_iter=20, random_state=seed)
    trace = np.array(model.fit(X, some_labels(X, seed)).trace_.objective)
    assert (np.diff(trace) <= 1e-9 * trace.max()).all()


def test_a_guided_refit_is_the_same_in_small_blocks_of_rows(monkeypatch):
    X = planted(80, 30)
    y, more = some_labels(X), some_labels(X, seed=1)

    def refitted() -> TSNMF:
        first = TSNMF(N_TOPICS, random_state=0, max_iter=3).fit(X, y)
        again = TSNMF(N_TOPICS, random_state=0, max_iter=2)
        return again.fit(X, more, start=(first.doc_topic_, first.components_))

    whole = refitted()
    monkeypatch.setattr(threads, "ROWS_PER_BLOCK", 7)
    monkeypatch.setattr(threads, "n_threads", lambda: 3)
    assert len(threads.row_blocks(80)) == 12
    blocks = refitted()
    assert_allclose(blocks.doc_topic_, whole.doc_topic_, rtol=1e-12)
    assert_allclose(blocks.components_, whole.components_, rtol=1e-12)


def test_guidance_moves_unlabelled_documents_towards_their_label():
    """Documents share most words; one rare word that the labels single out tells them apart."""
    rng = np.random.default_rng(0)
    X = rng.poisson(rng.gamma(0.4, 4, (300, 1)) * rng.uniform(0.2, 2, (300, 12))).astype(float)
    kind = rng.integers(2, size=300)
    X[np.arange(300), kind] += 4
    y = Supervision.of([[LABELS[kind[i]]] if i < 60 else [] for i in range(300)], LABELS[:2])

    def right(guidance):
        W = TSNMF(2, guidance=guidance, random_state=0).fit(X, y).doc_topic_[60:]
        return (W.argmax(axis=1) == kind[60:]).mean()

    assert right(1.0) > right(0.0)


def test_one_label_for_each_topic_does_not_leave_the_rest_to_free_topics():
    """Whoever looks for topics without a label meets each once, though there are no others."""
    rng = np.random.default_rng(0)
    kind = rng.integers(6, size=400)
    X = (rng.random((400, 90)) < 0.06).astype(float)
    own = kind[:, None] * 10 + rng.integers(10, size=(400, 4))
    np.add.at(X, (np.arange(400)[:, None], own), 1.0)
    names = "abcdef"
    first = [int(np.flatnonzero(kind == k)[0]) for k in range(6)]
    y = Supervision.of([[names[kind[i]]] if i in first else [] for i in range(400)], names)
    told = Descriptions(sp.csr_array(np.repeat(np.eye(6, 9), 10, axis=1)))
    W = TSNMF(9, random_state=0).fit(X, y, descriptions=told).doc_topic_
    waiting = ~y.labelled
    assert (W.argmax(axis=1) == kind)[waiting].mean() > 0.6


def test_no_labels_is_plain_nmf_whatever_the_guidance():
    X = planted()
    guided = TSNMF(N_TOPICS, guidance=1.0, random_state=0).fit(X)
    plain = NMF(N_TOPICS, init="labels", random_state=0).fit(X)
    assert_array_equal(guided.doc_topic_, plain.doc_topic_)


def test_guidance_needs_coordinate_descent():
    with pytest.raises(ModelError, match="Guidance needs solver"):
        TSNMF(4, guidance=0.5, solver="mu").fit(planted())


@pytest.mark.parametrize("guidance", [-1, "much"])
def test_guidance_is_a_number_or_auto(guidance):
    with pytest.raises(ModelError, match="guidance is a number"):
        TSNMF(4, guidance=guidance).fit(planted())


def test_a_model_without_guidance_predicts_by_the_shares_of_its_labels_topics():
    X = planted(200, 40)
    model = TSNMF(N_TOPICS, guidance=0.0, random_state=0).fit(X, some_labels(X))
    assert model.guide_ is None
    weights = model.transform(X).astype(np.float64)
    used = weights.any(axis=1)
    shares = weights[used] / weights[used].sum(axis=1, keepdims=True)
    chances = model.label_probabilities(X)[used]
    assert_allclose(chances, shares[:, :3])
    given = (chances >= 0.5 * chances.max(axis=1, keepdims=True)) & (chances > 0)
    assert_array_equal(model.predict(X)[used], given)  # documents carry several labels


def test_predict_names_likely_labels_likeliest_first():
    X = planted(200, 40)
    y = some_labels(X)
    model = TSNMF(N_TOPICS, random_state=0).fit(X, y)
    chances = model.label_probabilities(X)
    assert chances.shape == (200, 3)
    assert ((chances > 0) & (chances < 1)).all()
    assert_array_equal(model.predict(X), chances >= 0.5)  # documents carry several labels
    assert_array_equal(model.predict_proba(X).argmax(axis=1), chances.argmax(axis=1))
    unlikely = chances.max(axis=1) < 0.9
    assert_array_equal([not found for found in model.predict_labels(X, least=0.9)], unlikely)
    for row, found in zip(chances, model.predict_labels(X, least=0.4), strict=True):
        expected = [LABELS[j] for j in np.argsort(-row) if row[j] >= 0.4]
        assert list(found) == expected


def test_the_likeliest_label_is_predicted_where_documents_carry_one():
    X = planted(200, 40)
    rows = [[LABELS[i % 3]] if i < 60 else [] for i in range(200)]
    model = TSNMF(N_TOPICS, random_state=0).fit(X, rows)
    best = model.label_probabilities(X).argmax(axis=1)
    assert_array_equal(model.predict(X), np.array(LABELS, dtype=object)[best])


def test_predict_without_labels_is_refused():
    model = TSNMF(N_TOPICS).fit(planted())
    with pytest.raises(ModelError, match="No document carried a label"):
        model.predict(planted())


def test_an_earlier_guide_changes_nothing_but_the_time():
    X = planted(120, 40)
    y = some_labels(X)
    first = TSNMF(N_TOPICS, random_state=0).fit(X, y)
    again = TSNMF(N_TOPICS, random_state=0).fit(X, y, guide=first.guide_)
    assert_allclose(again.doc_topic_, first.doc_topic_, atol=1e-8)


def test_chances_of_new_documents_come_true():
    """Of the labels given a chance near p, about the share p is right, on documents never seen."""
    rng = np.random.default_rng(0)
    words = rng.dirichlet(np.full(80, 0.5), 4)
    kind = rng.integers(4, size=3000)
    X = np.stack([rng.multinomial(8, words[k]) for k in kind]).astype(float)
    names = [[f"label {k}"] if i < 250 else [] for i, k in enumerate(kind[:600])]
    model = TSNMF(4, random_state=0).fit(X[:600], Supervision.of(names))
    chance = model.label_probabilities(X[600:]).ravel()
    true = (kind[600:, None] == np.arange(4)).ravel()
    for low, high in [(0.0, 0.1), (0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 1.0)]:
        here = (chance >= low) & (chance < high)
        assert here.sum() > 50
        assert abs(true[here].mean() - chance[here].mean()) < 0.1
