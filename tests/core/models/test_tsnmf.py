"""TS-NMF against the paper, written out densely."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from core import Supervision, build_matrix
from core.engine.losses import Frobenius, IDivergence
from core.engine.observed import excess, weigh
from core.engine.solvers import (
    CoordinateDescent,
    DivergenceDocuments,
    Multiplicative,
    MultiplicativeDivergence,
    MultiplicativeDocuments,
    SquaredDocuments,
    WeightedCells,
    relaxation_and_sweeps,
)
from core.errors import ModelError, SupervisionError
from core.loading import read_demo
from core.models import NMF, TSNMF
from tests.core.models.cases import LABELS, N_TOPICS, planted, some_labels
from tests.oracles import tsnmf as oracle

PLAIN = [{"solver": "cd"}, {"solver": "mu"}, {"solver": "mu", "loss": "i_divergence"}]


@pytest.fixture
def problem():
    """A weighted, masked problem with factors somewhere on the way."""
    rng = np.random.default_rng(3)
    V = planted(25, 18, seed=3)
    y = some_labels(V, seed=3)
    L, e = y.topic_mask(N_TOPICS), y.row_weight("inverse_rate", N_TOPICS)
    W = rng.uniform(0.1, 1, (25, N_TOPICS)) * L
    H = rng.uniform(0.1, 1, (N_TOPICS, 18))
    return V, W, H, L, e


@pytest.mark.parametrize(
    ("kind", "documents", "loss", "update_H", "update_W"),
    [
        (
            Multiplicative,
            MultiplicativeDocuments,
            oracle.loss,
            oracle.update_H,
            oracle.update_W,
        ),
        (
            MultiplicativeDivergence,
            DivergenceDocuments,
            oracle.divergence,
            oracle.divergence_update_H,
            oracle.divergence_update_W,
        ),
    ],
    ids=["squared error, as printed", "the same update with another loss"],
)
def test_multiplicative_step_is_the_paper_s(problem, kind, documents, loss, update_H, update_W):
    V, W, H, L, e = problem
    E = np.broadcast_to(e[:, None], V.shape)
    solver = kind(documents(sp.csr_array(V), W.copy(), e), H)
    assert_allclose(solver.first_objective(), loss(V, W, H, L, E), rtol=1e-10)
    objective = solver.step()
    H = update_H(V, W, H, L, E)
    W = update_W(V, W, H, L, E)
    assert_allclose(solver.factors()[0], W, rtol=1e-10)
    assert_allclose(solver.factors()[1], H, rtol=1e-10)
    assert_allclose(objective, loss(V, W, H, L, E), rtol=1e-10)


def cell_weights(shape):
    """Mostly 1; some cells count double, some half, some not at all."""
    rng = np.random.default_rng(8)
    return rng.choice([1.0, 1.0, 1.0, 2.0, 0.5, 0.0], size=shape)


def test_a_weight_for_each_cell_is_the_paper_s_step(problem):
    V, W, H, L, e = problem
    cells = cell_weights(V.shape)
    E = e[:, None] * cells
    extra = excess(cells, sp.csr_array(V))
    solver = WeightedCells(weigh(sp.csr_array(V), extra), extra, W.copy(), H, e)
    assert_allclose(solver.first_objective(), oracle.loss(V, W, H, L, E), rtol=1e-10)
    for _ in range(3):
        objective = solver.step()
        H = oracle.update_H(V, W, H, L, E)
        W = oracle.update_W(V, W, H, L, E)
        assert_allclose(solver.factors()[0], W, rtol=1e-9)
        assert_allclose(solver.factors()[1], H, rtol=1e-9)
        assert_allclose(objective, oracle.loss(V, W, H, L, E), rtol=1e-10)


@pytest.mark.parametrize("kind", [NMF, TSNMF])
def test_cells_that_are_not_observed_do_not_matter(kind):
    V = planted()
    y, hidden = some_labels(V), np.random.default_rng(1).random(V.shape) < 0.2
    model = kind(N_TOPICS, solver="mu", random_state=0, max_iter=20)
    first = model.fit(V, y, observed=np.where(hidden, 0.0, 1.0))
    W, trace = first.doc_topic_, first.trace_.objective
    assert all(after <= before * (1 + 1e-9) for before, after in pairwise(trace))
    assert_array_equal(
        kind(N_TOPICS, solver="mu", random_state=0, max_iter=20)
        .fit(np.where(hidden, 7.0, V), y, observed=np.where(hidden, 0.0, 1.0))
        .doc_topic_,
        W,
    )
    without = kind(N_TOPICS, solver="mu", random_state=0, max_iter=20).fit(V, y)
    ones = kind(N_TOPICS, solver="mu", random_state=0, max_iter=20)
    assert_array_equal(ones.fit(V, y, observed=np.ones(V.shape)).doc_topic_, without.doc_topic_)


@pytest.mark.parametrize("options", [{"solver": "cd"}, {"solver": "mu", "loss": "i_divergence"}])
def test_cells_are_weighed_by_the_printed_steps_alone(options):
    V = planted()
    with pytest.raises(ModelError, match='need solver="mu" and the squared error'):
        TSNMF(N_TOPICS, **options).fit(V, observed=cell_weights(V.shape))


def test_coordinate_descent_moves_a_cell_at_a_time(problem):
    V, W, H, L, e = problem
    solver = CoordinateDescent(SquaredDocuments(sp.csr_array(V), W.copy(), L, e), H)
    assert_allclose(solver.first_objective(), oracle.loss(V, W, H, L, e[:, None]), rtol=1e-10)
    for relax, sweeps in map(relaxation_and_sweeps, (1, 2, 3)):
        objective = solver.step()
        W, H = oracle.coordinate_pass(V, W, H, L, e, relax, sweeps)
        assert_allclose(solver.factors()[0], W, atol=1e-10)
        assert_allclose(solver.factors()[1], H, atol=1e-10)
        assert_allclose(objective, oracle.loss(V, W, H, L, e[:, None]), rtol=1e-9)


@pytest.mark.parametrize("loss", [Frobenius(), IDivergence()], ids=["frobenius", "i_divergence"])
def test_halves_are_the_gradient(problem, loss):
    V, W, H, _, _ = problem
    X, ones = sp.csr_array(V), np.ones(len(V))
    down, up = loss.halves(X, W, H.T.copy())
    factor = 2.0 if isinstance(loss, Frobenius) else 1.0  # F's halves leave out the 2
    for i, j in [(0, 1), (3, 0), (11, 2)]:
        move = np.zeros_like(W)
        move[i, j] = 1e-6
        after = loss.value(X, W + move, H.T.copy(), ones)
        before = loss.value(X, np.abs(W - move), H.T.copy(), ones)
        if W[i, j] > 0:
            slope = (after - before) / 2e-6
            assert_allclose(slope, factor * (up - down)[i, j], rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("options", PLAIN, ids=str)
def test_without_labels_it_is_plain_nmf(options):
    X = planted()
    free = TSNMF(N_TOPICS, random_state=1, **options).fit(X)
    plain = NMF(N_TOPICS, init="labels", random_state=1, **options).fit(X)
    assert_array_equal(free.doc_topic_, plain.doc_topic_)
    assert free.objective_ == plain.objective_


@pytest.mark.parametrize("options", PLAIN, ids=str)
def test_all_topics_permitted_is_plain_nmf(options):
    X = planted()
    everything = Supervision.of([LABELS] * len(X), LABELS)
    start = (np.ones((len(X), 3)), planted(3, X.shape[1], seed=5) + 1)
    told = TSNMF(3, guidance=0.0, **options).fit(X, everything, start=start)
    plain = NMF(3, **options).fit(X, start=start)
    assert_allclose(told.doc_topic_, plain.doc_topic_, rtol=1e-10)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
@example(6838)  # two labels known by the same texts: the guide must not choose by rounding
def test_permuting_documents_permutes_rows(seed):
    rng = np.random.default_rng(seed)
    X = planted(20, 15, seed=seed)
    y = some_labels(X, seed=seed)
    order = rng.permutation(len(X))
    start = (rng.uniform(size=(20, N_TOPICS)), rng.uniform(size=(N_TOPICS, 15)))
    names = [[y.names[j] for j in np.flatnonzero(row)] for row in y.permitted.toarray()]
    moved = Supervision.of([names[i] for i in order], LABELS)
    here = TSNMF(N_TOPICS, max_iter=5).fit(X, Supervision.of(names, LABELS), start=start)
    there = TSNMF(N_TOPICS, max_iter=5).fit(X[order], moved, start=(start[0][order], start[1]))
    # A labelled document that would end without weight gets 1e-6; rounding may decide that.
    assert_allclose(there.doc_topic_, here.doc_topic_[order], atol=2e-6)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["cd", "mu"]))
def test_a_document_twice_at_half_weight_counts_once(seed, solver):
    X = planted(20, 15, seed=seed)
    rng = np.random.default_rng(seed)
    W, H = rng.uniform(size=(20, N_TOPICS)), rng.uniform(size=(N_TOPICS, 15))
    model = TSNMF(N_TOPICS, solver=solver, max_iter=5)
    once = model.fit(X, start=(W, H)).components_
    doubled = np.vstack([X[:1], X])
    weight = np.r_[0.5, 0.5, np.ones(19)]
    twice = model.fit(doubled, start=(np.vstack([W[:1], W]), H), document_weight=weight)
    assert_allclose(twice.components_, once, atol=1e-8)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from(PLAIN),
    st.sampled_from([0.3, 1.0, "inverse_rate"]),
    st.sampled_from([1, 2]),
)
def test_the_objective_never_rises(seed, options, labelled_weight, parts):
    """Random masks, weights, empty rows and columns."""
    X = planted(15, 12, seed=seed)
    rng = np.random.default_rng(seed)
    X[rng.uniform(size=15) < 0.2] = 0
    X[:, rng.uniform(size=12) < 0.2] = 0
    more = {"guidance": 0.0, "labelled_weight": labelled_weight, "parts": parts}
    model = TSNMF(N_TOPICS, tol=0.0, max_iter=20, random_state=seed, **options, **more)
    counted = rng.choice([0.0, 0.5, 1.0, 3.0], size=15)
    trace = model.fit(X, some_labels(X, seed), document_weight=counted).trace_.objective
    assert all(b <= a + 1e-9 * max(trace) for a, b in pairwise(trace))


def test_nothing_fits_leaves_the_free_topics_only():
    X = planted()
    y = Supervision.of([["a"], ["b"]] + [[]] * 58, nothing_fits=[False] * 59 + [True])
    W = TSNMF(4, random_state=0).fit(X, y).doc_topic_
    assert not W[59, :2].any()
    assert W[59, 2:].sum() > 0


def test_nothing_fits_without_free_topics_counts_nothing():
    X = planted()
    y = Supervision.of([["a"], ["b"]] + [[]] * 58, nothing_fits=[False] * 59 + [True])
    assert y.row_weight(1.0, 2)[59] == 0
    assert not TSNMF(2, random_state=0).fit(X, y).doc_topic_[59].any()


def test_labels_pull_their_topic_to_their_words():
    X = np.zeros((40, 6))
    X[:20, :3], X[20:, 3:] = 1, 1
    y = Supervision.of([["right"]] + [[]] * 38 + [["left"]], ["left", "right"])
    model = TSNMF(2, random_state=0).fit(X, y)
    assert model.components_[0, 3:].min() > model.components_[0, :3].max()
    assert (model.doc_topic_[:20].argmax(axis=1) == 1).all()


def test_a_start_of_the_wrong_shape_is_refused():
    X = planted()
    with pytest.raises(ModelError, match="does not fit 60 documents"):
        NMF(4).fit(X, start=(np.ones((3, 4)), np.ones((4, 40))))


def test_labels_for_another_corpus_are_refused():
    with pytest.raises(SupervisionError, match="Labels for 2 documents, but the matrix has 60"):
        TSNMF(4).fit(planted(), [["a"], []])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"solver": "newton"}, "solver is one of cd, mu"),
        ({"loss": "i_divergence"}, 'needs solver="mu"'),
        ({"n_topics": 0}, "n_topics is a whole number"),
        ({"tol": -1}, "tol is a number of at least 0"),
        ({"init": "magic"}, "init is one of"),
    ],
)
def test_bad_options_are_refused_with_a_sentence(options, sentence):
    with pytest.raises(ModelError, match=sentence):
        TSNMF(**{"n_topics": 4, **options}).fit(planted())


def test_transform_solves_nonnegative_least_squares():
    from scipy.optimize import nnls

    X = planted()
    model = NMF(N_TOPICS, random_state=0).fit(X)
    W = model.transform(X)
    for i in (0, 17, 42):
        assert_allclose(W[i], nnls(model.components_.T, X[i])[0], atol=1e-4)


def test_a_warm_start_goes_on_where_the_last_fit_stopped():
    X = planted()
    first = NMF(N_TOPICS, random_state=0).fit(X)
    again = NMF(N_TOPICS).fit(X, start=(first.doc_topic_, first.components_))
    assert_allclose(again.trace_.objective[0], first.objective_, rtol=1e-9)
    assert again.n_iter_ <= 2


@pytest.mark.parametrize("size", [1e-4, 1.0, 1e4])
def test_the_grain_of_a_document_without_weight_is_on_its_own_scale(size):
    """It shares no word with its topic, whose length is arbitrary: the loss must not feel it."""
    X = size * np.array([[0.0, 0.0, 1.0], [1.0, 0.5, 0.0], [0.5, 1.0, 0.0]])
    y = Supervision.of([["alpha"], ["alpha"], []])
    start = (np.zeros((3, 2)), np.array([[1e12, 1e12, 0.0], [1.0, 0.0, 0.0]]))
    model = TSNMF(2, guidance=0.0, max_iter=8, tol=0.0).fit(X, y, start=start)
    trace = np.array(model.trace_.objective)
    assert (np.diff(trace) <= 1e-9 * trace[0]).all()
    assert model.components_[0, 2] > 0


def test_a_topic_with_nothing_but_rounding_keeps_its_words() -> None:
    """Two labels met in the same texts begin alike; one of them explains what both could."""
    rng = np.random.default_rng(0)
    words, amount = rng.uniform(size=(1, 7)), rng.uniform(1, 2, (20, 1))
    X = sp.csr_array((amount @ words + rng.uniform(0, 0.1, (20, 7))).astype(np.float32))
    W = np.hstack([amount, np.full_like(amount, 1e-22)]).astype(np.float32)
    H = np.vstack([words, words]).astype(np.float32)
    solver = CoordinateDescent(SquaredDocuments(X, W, np.ones((20, 2), bool), np.ones(20)), H)
    before, reached = solver.first_objective(), solver.step()
    assert_array_equal(solver.factors()[1][1], H[1])
    assert 0 < reached < before


def test_first_texts_that_share_labels_give_topics() -> None:
    """The first three texts of an analyst carry two or three labels each, some of them the same."""
    corpus = read_demo()
    X, names = build_matrix(corpus).X, corpus.label_names
    rows: list[list[str]] = [[] for _ in corpus.ids]
    for row, labels in {294: (4, 5, 9), 260: (8, 3, 5), 252: (7, 10)}.items():
        rows[row] = [names[label] for label in labels]
    model = TSNMF(len(names), guidance=0, random_state=0).fit(X, Supervision.of(rows, names))
    assert np.isfinite(model.components_).all()
    assert np.isfinite(model.doc_topic_).all()
    assert 0 < model.objective_ < Frobenius().constant(X, np.ones(len(rows)))
