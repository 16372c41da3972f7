"""vbNMF and supervised vbNMF against their paper, and what their bound promises."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import gammaln, psi

from core import Supervision
from core.engine.checks import canonical_csr
from core.engine.kernels.gammas import psi_and_log_gamma, share_out
from core.engine.kernels.threads import parts_of
from core.engine.variational import ascent
from core.engine.variational.ascent import Ascent, LabelPrior, SharedPrior
from core.engine.variational.gamma_priors import SHAPE_RANGE, GammaPrior, GammaSums, best_shape
from core.errors import ModelError
from core.models import VBNMF, SupervisedVBNMF
from tests.core.models.cases import planted, some_labels
from tests.core.models.posterior import bound, gammas, posterior, present_groups
from tests.oracles import vbnmf as oracle

N_TOPICS = 4
MODELS = (VBNMF, SupervisedVBNMF)


@pytest.fixture(scope="module")
def X():
    return planted()


@pytest.fixture(scope="module")
def y(X):
    return some_labels(X)


@pytest.fixture
def factors(X):
    rng = np.random.default_rng(5)
    return rng.gamma(1.0, 1.0, (len(X), N_TOPICS)), rng.gamma(1.0, 1.0, (N_TOPICS, X.shape[1]))


def label_ascent(X, y, factors, *, burn_in=0, learn=False):
    groups = sp.csr_array(present_groups(y))
    prior = LabelPrior(groups, N_TOPICS, GammaPrior(3.0, 2.0), burn_in, learn)
    topics = SharedPrior(GammaPrior(0.4, 1.5), N_TOPICS, "both" if learn else "nothing")
    return Ascent(canonical_csr(X), factors, groups, prior, topics)


def state(ascent):
    """The climber's q and priors in the paper's letters."""
    documents, terms = ascent.documents, ascent.terms
    labels, topics = ascent.weight_prior, ascent.topic_prior.gamma
    return oracle.State(
        terms.shape.copy(), 1 / terms.rate, documents.shape.T.copy(), 1 / documents.rate.T,
        labels.label_shape.T, 1 / labels.label_rate.T,
        np.array(topics.shape), np.array(1 / topics.rate),
        np.array(labels.gamma.shape), np.array(1 / labels.gamma.rate),
    )  # fmt: skip


# --- pieces ---------------------------------------------------------------------------------


@njit
def special(x):
    return psi_and_log_gamma(x)


@pytest.mark.parametrize("x", [1e-2, 0.3, 1.0, 1.4616321, 2.0, 7.999, 8.0, 55.5, 1e6])
def test_digamma_and_log_gamma_agree_with_scipy(x):
    assert_allclose(special(x), (psi(x), gammaln(x)), rtol=1e-14, atol=1e-14)


def test_shares_at_the_non_zeros_equal_the_dense_products(X, factors):
    W, H = factors
    down, across = np.empty_like(W), np.empty_like(H.T)
    Xs = canonical_csr(X)
    total = share_out(
        Xs.indptr, Xs.indices, Xs.data, 0, len(X), W, np.ascontiguousarray(H.T), down, across
    )
    ratio = X / (W @ H)
    assert_allclose(down, ratio @ H.T, rtol=1e-12)
    assert_allclose(across, (W.T @ ratio).T, rtol=1e-12)
    assert_allclose(total, (X * np.log(W @ H)).sum(), rtol=1e-12)


@settings(deadline=None)
@given(st.floats(-3.5, 8.0), st.floats(-4.0, 8.0))
def test_newton_finds_the_shape_from_anywhere(log_shape, log_first):
    shape = np.exp(log_shape)
    found = best_shape(np.log(shape) - psi(shape), np.exp(log_first))
    assert_allclose(found, shape, rtol=1e-5 if shape > 100 else 1e-8)


@pytest.mark.parametrize(("gap", "edge"), [(1e9, SHAPE_RANGE[0]), (1e-12, SHAPE_RANGE[1])])
def test_a_learned_shape_stays_in_its_range(gap, edge):
    assert_allclose(best_shape(gap), edge, rtol=1e-6)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_learning_a_prior_never_lowers_its_bound(seed):
    rng = np.random.default_rng(seed)
    q = GammaSums.of(rng.gamma(0.3, 5.0, 20) + 0.01, rng.gamma(1.0, 1.0, 20) + 0.01)
    prior = GammaPrior(*(rng.gamma(1.0, 1.0, 2) + 0.02))
    assert prior.with_best_rate(q).bound(q) >= prior.bound(q) - 1e-9
    assert prior.with_best_shape(q).bound(q) >= prior.with_best_rate(q).bound(q) - 1e-9


# --- the paper ------------------------------------------------------------------------------


@pytest.mark.parametrize("burn_in", [0, 10])
def test_one_step_matches_the_paper(X, y, factors, burn_in):
    climber = label_ascent(X, y, factors, burn_in=burn_in)
    before = state(climber)
    climber.step()
    after, expected = (
        state(climber),
        oracle.step(X.T, present_groups(y), before, fixed_lambda=burn_in > 0),
    )
    for name in ("t", "v", "lambda"):
        for kind in ("alpha", "beta"):
            ours, theirs = (getattr(s, f"{kind}_{name}") for s in (after, expected))
            assert_allclose(ours, theirs * np.ones_like(ours), rtol=1e-10)


@pytest.mark.parametrize("learn", [True, False])
def test_the_bound_equals_the_dense_one_at_every_step(X, y, factors, learn):
    climber = label_ascent(X, y, factors, burn_in=2, learn=learn)
    assert_allclose(
        climber.bound(), oracle.bound(X.T, present_groups(y), state(climber)), rtol=1e-11
    )
    for _ in range(5):
        reached = climber.step()
        assert_allclose(reached, oracle.bound(X.T, present_groups(y), state(climber)), rtol=1e-11)


def printed_bounds(X, Delta, s, **printed):
    """The bound over ten steps of table A3."""
    bounds = []
    for _ in range(10):
        bounds.append(oracle.bound(X.T, Delta, s))
        s = oracle.step(X.T, Delta, s, **printed)
    return np.diff(bounds)


@pytest.mark.parametrize("printed", [{"newest": False}, {"accumulate": True}], ids=str)
def test_table_A3_as_printed_can_lower_the_bound(X, y, factors, printed):
    """A finding: with the old E_t for V, or with shapes that accumulate, the bound falls."""
    s, Delta = state(label_ascent(X, y, factors)), present_groups(y)
    s = replace(s, alpha_t=s.alpha_t * 30)  # topics far from the scale of the data
    assert (printed_bounds(X, Delta, s) > 0).all()
    assert printed_bounds(X, Delta, s, **printed).min() < -1.0


def test_shares_of_several_labels_sum_to_one(y):
    assert (y.groups().toarray() > 0).sum(axis=1).max() > 1
    assert_allclose(y.groups().sum(axis=1), 1)


def test_a_document_of_two_labels_has_the_mean_of_their_rates(X, factors):
    y = Supervision.of([["a"], ["b"], ["a", "b"], *([[]] * (len(X) - 3))])
    climber = label_ascent(X, y, factors)
    climber.step()
    climber.step()
    prior_part = climber.documents.rate - climber.documents.other_total
    assert_allclose(prior_part[2], prior_part[:2].mean(axis=0))
    assert not np.allclose(prior_part[0], prior_part[1])


# --- the bound ------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    kind=st.sampled_from(MODELS),
    learn=st.booleans(),
    init=st.sampled_from(["labels", "acol", "nndsvd"]),
    mass=st.sampled_from([0.05, 1.0, 40.0]),
    unit=st.sampled_from(["auto", 1.0]),
)
def test_the_bound_never_falls(seed, kind, learn, init, mass, unit):
    rng = np.random.default_rng(seed)
    X = mass * planted(20, 12, seed)
    X[rng.integers(20, size=2)] = 0
    X[:, rng.integers(12, size=2)] = 0
    labels = [[name for name in "abc" if rng.uniform() < 0.3] for _ in X]
    model = kind(
        3, learn_priors=learn, init=init, unit=unit, tol=0.0, max_iter=40, random_state=seed
    )
    trace = np.array(model.fit(X, Supervision.of(labels, "abc")).trace_.objective)
    assert np.isfinite(trace).all()
    assert (np.diff(trace) >= -1e-11 * np.abs(trace[1:])).all()


def slope(value, at):
    """Of the bound, by the logarithm of a parameter."""
    return (value(at * 1.0001) - value(at / 1.0001)) / (2 * np.log(1.0001))


def test_learned_priors_are_stationary_points_of_the_bound(X, y):
    model = SupervisedVBNMF(N_TOPICS, max_iter=25, tol=0.0, random_state=0).fit(X, y)
    s, Delta = posterior(model, y), present_groups(y)
    for name in ("At", "Bt", "Bl"):
        gradient = slope(
            lambda v, n=name: oracle.bound(X.T, Delta, replace(s, **{n: v})), getattr(s, name)
        )
        assert abs(gradient) < 1e-3
    assert abs(slope(lambda v: oracle.bound(X.T, Delta, replace(s, Al=v)), s.Al)) > 1e-2


def test_the_scale_of_plain_weights_is_a_stationary_point(X):
    model = VBNMF(N_TOPICS, weight_shape=0.7, max_iter=25, tol=0.0, random_state=0).fit(X)
    s, scale = posterior(model), 1 / model.weight_rate_[:, None]
    assert abs(slope(lambda v: oracle.plain_bound(X.T, s, v), scale)) < 1e-3
    assert abs(slope(lambda v: oracle.plain_bound(X.T, replace(s, Av=v), scale), 0.7)) > 1e-2


@pytest.mark.parametrize("kind", MODELS)
def test_a_light_matrix_is_fitted_in_units_of_its_mean_cell(X, y, kind):
    heavy = kind(N_TOPICS, unit=1.0, random_state=0).fit(X / X[X > 0].mean(), y)
    light = kind(N_TOPICS, random_state=0).fit(0.01 * X, y)
    assert_allclose(light.unit_, 0.01 * X[X > 0].mean())
    assert_allclose(light.objective_, heavy.objective_, rtol=1e-9)
    assert_allclose(light.objective_, bound(0.01 * X, y, light), rtol=1e-9)
    assert_allclose(light.doc_topic_, heavy.doc_topic_ * light.unit_, rtol=1e-6)
    new = light.transform(0.01 * X)
    assert_allclose(new, heavy.transform(X / X[X > 0].mean()) * light.unit_, rtol=1e-6)


@pytest.mark.parametrize("kind", MODELS)
def test_without_learning_the_priors_stay(X, y, kind):
    model = kind(N_TOPICS, learn_priors=False, topic_shape=0.3, max_iter=15).fit(X, y)
    assert model.topic_shape_ == 0.3
    assert_allclose(model.objective_, bound(X, y, model), rtol=1e-9)


# --- reductions and properties --------------------------------------------------------------


def test_one_group_with_one_rate_is_plain_vbnmf(X, factors):
    options = {"learn_priors": False, "tol": 0.0, "max_iter": 15}
    plain = VBNMF(N_TOPICS, **options).fit(X, start=factors)
    sure = SupervisedVBNMF(N_TOPICS, label_sparsity=1e9, burn_in=0, **options)
    sure.fit(X, start=factors)
    assert_allclose(sure.doc_topic_, plain.doc_topic_, rtol=1e-5)
    assert_allclose(sure.components_, plain.components_, rtol=1e-5)
    assert_allclose(sure.objective_, plain.objective_, rtol=1e-6)


@pytest.mark.parametrize("kind", MODELS)
def test_permuting_documents_permutes_rows(X, y, factors, kind):
    W, H = factors
    order = np.random.default_rng(0).permutation(len(X))
    moved = Supervision.of(y.indicator()[order], y.names)
    model = kind(N_TOPICS, max_iter=20)
    first = model.fit(X, Supervision.of(y.indicator(), y.names), start=(W, H)).doc_topic_
    assert_allclose(
        model.fit(X[order], moved, start=(W[order], H)).doc_topic_, first[order], rtol=1e-7
    )


@pytest.mark.parametrize("kind", MODELS)
def test_results_do_not_depend_on_threads(kind, monkeypatch):
    monkeypatch.setattr("core.engine.kernels.threads.MIN_WORK_PER_RANGE", 10_000)
    X = np.random.default_rng(0).poisson(0.5, (900, 200)).astype(float)
    model = kind(12, max_iter=12, tol=0.0, random_state=0)
    assert len(parts_of(canonical_csr(X))) > 1
    threaded = model.fit(X).doc_topic_
    monkeypatch.setattr(ascent, "each_part", lambda work, parts: [work(*part) for part in parts])
    assert_array_equal(model.fit(X).doc_topic_, threaded)


# --- burn-in, groups, start -----------------------------------------------------------------


def test_labels_wait_until_the_burn_in_is_over(X, y):
    def spread(max_iter):
        model = SupervisedVBNMF(N_TOPICS, max_iter=max_iter, tol=0.0, random_state=0).fit(X, y)
        return np.ptp(model.label_topic_, axis=0).max()

    assert spread(10) < 1e-12 < spread(11)


def test_the_stop_rule_is_deaf_during_the_burn_in(X, y):
    model = SupervisedVBNMF(N_TOPICS, burn_in=7, tol=10.0, random_state=0).fit(X, y)
    assert (model.n_iter_, model.trace_.stopped) == (8, "converged")
    assert len(model.trace_.objective) == 9


def test_the_callback_counts_both_phases(X, y):
    seen = []
    model = SupervisedVBNMF(N_TOPICS, burn_in=2, max_iter=4, tol=0.0, random_state=0)
    model.fit(X, y, callback=seen.append)
    assert [(p.iteration, p.max_iter) for p in seen] == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_unlabelled_documents_form_a_group(X):
    y = Supervision.of([["a"]] * 20 + [[]] * (len(X) - 20))
    model = SupervisedVBNMF(N_TOPICS, random_state=0).fit(X, y)
    assert model.label_topic_.shape == (1, N_TOPICS)
    assert not np.allclose(model.label_topic_[0], model.unlabelled_topic_)


def test_a_label_without_documents_keeps_its_prior(X):
    y = Supervision.of([["a"]] * len(X), ["a", "b"])
    model = SupervisedVBNMF(N_TOPICS, label_sparsity=2.0, random_state=0).fit(X, y)
    assert_allclose(model.label_topic_[1], 1 / (2.0 * model.label_scale_))


def test_more_labels_than_topics_are_fine(X):
    y = Supervision.of([[f"label {n % 9}"] for n in range(len(X))])
    assert SupervisedVBNMF(3, random_state=0).fit(X, y).label_topic_.shape == (9, 3)


@pytest.mark.parametrize("kind", MODELS)
def test_a_warm_start_is_ahead_of_a_cold_one(X, y, kind):
    cold = kind(N_TOPICS, tol=0.0, max_iter=40, random_state=0).fit(X, y)
    warm = kind(N_TOPICS, tol=0.0, max_iter=10).fit(X, y, start=(cold.doc_topic_, cold.components_))
    assert warm.objective_ > cold.trace_.objective[15]


def test_a_start_of_the_wrong_shape_is_refused(X, factors):
    with pytest.raises(ModelError, match="does not fit"):
        VBNMF(N_TOPICS + 1).fit(X, start=factors)


# --- new documents --------------------------------------------------------------------------


@pytest.mark.parametrize("kind", MODELS)
def test_a_projection_is_where_the_papers_step_for_V_rests(X, y, kind):
    model = kind(N_TOPICS, random_state=0).fit(X, y)
    W = model.transform(X)
    alpha_t, beta_t = gammas(model.components_.T, model.components_spread_.T)
    rate = (model.weight_rate_ + model.components_.sum(axis=1))[:, None]
    s = replace(
        posterior(model), alpha_t=alpha_t, beta_t=beta_t, alpha_v=W.T * rate, beta_v=1 / rate
    )
    assert_allclose(model.weight_shape + oracle.sources(X.T, s).sum(axis=0), W.T * rate, rtol=1e-4)


@pytest.mark.parametrize("kind", MODELS)
def test_a_projection_knows_nothing_of_its_neighbours(X, y, kind):
    model = kind(N_TOPICS, random_state=0).fit(X, y)
    assert_array_equal(model.transform(X[7:9])[0], model.transform(X)[7])


def test_an_unseen_term_and_an_empty_document_do_no_harm(X):
    X = X.copy()
    X[:, 3] = 0
    model = VBNMF(N_TOPICS, random_state=0).fit(X)
    new = np.zeros((2, X.shape[1]))
    new[0, 3] = 5
    W = model.transform(new)
    assert np.isfinite(W).all()
    assert_allclose(W[1], model.weight_shape / (model.weight_rate_ + model.components_.sum(axis=1)))


@pytest.mark.parametrize(
    ("kind", "options", "word"),
    [
        (VBNMF, {"weight_shape": 0.0}, "weight_shape"),
        (VBNMF, {"topic_shape": -1.0}, "topic_shape"),
        (VBNMF, {"learn_priors": "yes"}, "learn_priors"),
        (VBNMF, {"unit": 0.0}, "unit"),
        (VBNMF, {"unit": "token"}, "unit"),
        (SupervisedVBNMF, {"label_sparsity": 0.0}, "label_sparsity"),
        (SupervisedVBNMF, {"burn_in": 1.5}, "burn_in"),
        (SupervisedVBNMF, {"burn_in": -1}, "burn_in"),
    ],
)
def test_impossible_options_are_refused(X, kind, options, word):
    with pytest.raises(ModelError, match=word):
        kind(N_TOPICS, **options).fit(X)


def test_unobserved_cells_are_refused(X):
    with pytest.raises(ModelError, match="unobserved"):
        VBNMF(N_TOPICS).fit(X, observed=sp.csr_array(X.shape))
