"""The sweep of Poisson factor analysis: what it must preserve, and what it draws from."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from core import Supervision
from core.engine.gibbs.hierarchy import Hierarchy
from core.engine.gibbs.sweep import Counts, Priors, Sampler
from core.engine.kernels import threads as parts
from core.engine.kernels.topic_draw import HELD_OUT
from tests.oracles import pfa as oracle

N, M, R = 40, 23, 5
LABELS = [[], ["a"], ["b"], ["a", "b"], ["c"]]
PRIORS = Priors(word_prior=0.5, concentration=4.0, sparsity=0.3, top_shape=2.0, node_rate=1.5)


def supervision(n_docs=N):
    rows = [LABELS[i % 5] for i in range(n_docs)]
    up = [{"a": ["p", "q"], "b": ["q"], "c": ["p"]}, {"p": ["top"], "q": ["top"]}]
    return Supervision.of(rows, hierarchy=up)


def some_counts(*, binary=False, held=0, n_docs=N, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.poisson(rng.gamma(0.4, 2.0, (n_docs, M)))
    X[0, 0], X[1] = 4000, 0
    X = np.minimum(X, 1) if binary else X
    X[rng.random(X.shape) < held] = HELD_OUT
    sparse = sp.csr_array(X.astype(np.int32))
    return Counts(sparse.indptr, sparse.indices, sparse.data, X.shape, binary), X


def sampler(counts, *, hierarchy=None, seed=1, priors=PRIORS):
    hierarchy = Hierarchy.of(supervision(counts.shape[0])) if hierarchy is None else hierarchy
    rng = np.random.default_rng(seed)
    W, H = np.ones((counts.shape[0], R)), rng.uniform(size=(R, M))
    chain = Sampler(counts, hierarchy, priors, seed, W, H)
    for _ in range(3):
        chain.sweep()
    return chain


def owners(links):
    """Whose each link is."""
    return np.repeat(np.arange(links.n_below), np.diff(links.indptr))


def by_document(chain):
    return np.add.reduceat(chain.found, chain.hierarchy.links[0].indptr[:-1], axis=0)


def test_every_word_is_allotted_once():
    counts, X = some_counts()
    chain = sampler(counts)
    assert_array_equal(by_document(chain).sum(axis=1), X.sum(axis=1))
    assert_array_equal(chain.table.sum(axis=1), X.sum(axis=0))
    assert_array_equal(chain.topic_counts(), chain.found.sum(axis=0))
    assert not chain.table[:, R:].any()


def test_a_link_is_one_latent_word_or_more():
    counts, X = some_counts(binary=True)
    chain = sampler(counts)
    assert (by_document(chain).sum(axis=1) >= X.sum(axis=1)).all()
    assert_array_equal(by_document(chain).sum(axis=1) == 0, X.sum(axis=1) == 0)


def test_topics_are_distributions_over_terms():
    chain = sampler(some_counts()[0])
    assert chain.topics.min() >= 0
    assert_allclose(chain.topics[:, :R].sum(axis=0), 1, rtol=1e-5)


def test_tables_lie_between_one_and_their_customers():
    chain = sampler(some_counts()[0])
    chain.draw_nodes()
    links = chain.hierarchy.links
    seats = np.zeros_like(chain.tables[0])
    for edge, node in enumerate(links[0].indices):
        seats[node] += chain.found[edge]
    assert (chain.tables[0] <= seats).all()
    assert_array_equal(chain.tables[0] > 0, seats > 0)
    for level in (0, 1):
        up = links[level + 1]
        has_parents = np.diff(up.indptr) > 0
        split = np.zeros_like(chain.tables[level])
        np.add.at(
            split, np.repeat(np.arange(up.n_below), np.diff(up.indptr)), chain.tables_by[level]
        )
        assert_array_equal(split[has_parents], chain.tables[level][has_parents])


def test_a_node_weighs_what_its_parents_give():
    chain = sampler(some_counts()[0])
    for level, up in enumerate(chain.hierarchy.links[1:3]):
        given = np.zeros_like(chain.weight[level])
        np.add.at(given, owners(up), chain.share[level])
        has_parents = np.diff(up.indptr) > 0
        assert_allclose(given[has_parents], chain.weight[level][has_parents])


def test_the_objective_is_the_log_likelihood_of_the_known_cells():
    counts, X = some_counts(held=0.1)
    chain = sampler(counts)
    rate = chain.document_weights().astype(float) @ chain.topics[:, :R].T.astype(float)
    known = X != HELD_OUT
    expected = stats.poisson.logpmf(X[known], np.maximum(rate[known], 1e-37)).sum()
    assert_allclose(chain.log_likelihood(), expected, rtol=1e-4)


def test_the_objective_for_links_is_that_of_bernoulli_draws():
    counts, X = some_counts(binary=True, held=0.1)
    chain = sampler(counts)
    rate = chain.document_weights().astype(float) @ chain.topics[:, :R].T.astype(float)
    expected = np.log(-np.expm1(-rate[X == 1])).sum() - rate[X == 0].sum()
    assert_allclose(chain.log_likelihood(), expected, rtol=1e-4)


def test_held_out_cells_are_drawn_at_their_rate():
    counts, X = some_counts(held=0.3)
    chain = sampler(counts)
    known, drawn, rate = np.where(X == HELD_OUT, 0, X).sum(), [], chain.rate[counts.held].sum()
    for _ in range(500):
        chain.allocate()
        drawn.append(chain.table.sum() - known)
    assert abs(np.mean(drawn) - rate) < 5 * np.sqrt(rate / 500)


def residuals(draw, shape, scale):
    """Standardised gamma draws: mean 0 and variance 1 if shape and scale are right."""
    return (draw - shape * scale) / (np.sqrt(shape) * scale)


def assert_standard(values):
    values = np.concatenate([np.ravel(value) for value in values])
    assert abs(values.mean()) < 5 / np.sqrt(values.size)
    assert abs((values**2).mean() - 1) < 5 * (values**2).std() / np.sqrt(values.size)


@pytest.fixture(scope="module")
def two_levels():
    """A sampler with two levels, and the same model in the paper's letters."""
    rows = [LABELS[1 + i % 4] for i in range(N)]
    y = Supervision.of(rows, hierarchy=[{"a": ["p", "q"], "b": ["q"], "c": ["p"]}])
    model = oracle.Model(
        nodes=y.indicator().toarray().astype(int),
        parents=np.array([[1, 1], [0, 1], [1, 0]]),
        M=M, R=R, alpha=0.5, c=4.0, epsilon=0.3, s=2.0, beta0=1.5, beta1=1.0,
    )  # fmt: skip
    return sampler(some_counts()[0], hierarchy=Hierarchy.of(y)), model


def test_topics_are_drawn_from_the_papers_dirichlet(two_levels):
    chain, model = two_levels
    shape = oracle.topics(model, chain.table[:, :R])
    draws = []
    for _ in range(1000):
        chain.draw_topics()
        draws.append(chain.topics[:, :R].copy())
    mean = shape / shape.sum(axis=0)
    variance = mean * (1 - mean) / (shape.sum(axis=0) + 1)
    z = (np.mean(draws, axis=0) - mean) / np.sqrt(variance / 1000)
    assert abs(z).max() < 5
    assert_allclose(np.var(draws, axis=0).sum(), variance.sum(), rtol=0.05)


def test_scales_are_drawn_from_the_papers_beta(two_levels):
    chain, model = two_levels
    a, b = oracle.odds(model, chain.topic_counts(), chain.weight[0])
    draws = []
    for _ in range(2000):
        chain.draw_odds()
        draws.append(chain.scale())
    z = (np.mean(draws, axis=0) - a / (a + b)) / np.sqrt(stats.beta.var(a, b) / 2000)
    assert abs(z).max() < 5


def test_node_weights_are_drawn_from_the_models_gammas(two_levels):
    chain, model = two_levels
    links, level_one, level_two = chain.hierarchy.links[1], [], []
    child = owners(links)
    for _ in range(1000):
        chain.draw_nodes()
        shape, scale = oracle.level_two(model, chain.scale(), chain.tables[1])
        level_two.append(residuals(chain.weight[1], shape, scale))
        by = np.zeros((3, 2, R))
        by[child, links.indices] = chain.tables_by[0]
        shape, scale = oracle.level_one(model, chain.scale(), chain.weight[1], by)
        drawn = (
            shape[child, links.indices],
            np.broadcast_to(scale, shape.shape)[child, links.indices],
        )
        level_one.append(residuals(chain.share[0], *drawn))
    assert_standard(level_two)
    assert_standard(level_one)


def test_document_weights_are_drawn_from_the_papers_gamma(two_levels):
    chain, model = two_levels
    links = chain.hierarchy.links[0]
    owner = owners(links)
    x = np.zeros((N, 3, R))
    x[owner, links.indices] = chain.found
    shape, scale = oracle.documents(model, chain.scale(), chain.weight[0], x)
    values = []
    for _ in range(500):
        chain.draw_documents()
        values.append(residuals(chain.contribution, shape[owner, links.indices], scale))
    assert_standard(values)


@pytest.mark.parametrize("binary", [False, True])
def test_threads_and_parts_change_nothing(monkeypatch, binary):
    def run(threads, most):
        monkeypatch.setattr(parts, "n_threads", lambda: threads)
        monkeypatch.setattr(parts, "MIN_WORK_PER_RANGE", 50)
        monkeypatch.setattr(parts, "MAX_RANGES", most)
        chain = sampler(some_counts(binary=binary, held=0.1, n_docs=200)[0])
        assert len(chain.parts) == most
        return chain

    first, second = run(1, 1), run(4, 7)
    assert_array_equal(first.contribution, second.contribution)
    assert_array_equal(first.topics, second.topics)
    assert first.log_likelihood() == second.log_likelihood()


def test_blocks_of_terms_in_several_threads_change_nothing(monkeypatch):
    def run(threads):
        monkeypatch.setattr(parts, "n_threads", lambda: threads)
        monkeypatch.setattr("core.engine.gibbs.sweep.TERMS_PER_BLOCK", 4)
        return sampler(some_counts()[0]).topics

    assert_array_equal(run(1), run(3))


def test_a_tiny_word_prior_gives_one_word_topics_not_nan():
    counts, _ = some_counts()
    chain = sampler(counts, priors=Priors(word_prior=1e-5))
    chain.table[:] = 0
    chain.draw_topics()
    assert_allclose(chain.topics[:, :R].sum(axis=0), 1)
    assert_allclose(chain.topics[:, :R].max(axis=0), 1)


def test_topics_can_be_dropped_in_the_middle_of_a_chain():
    counts, X = some_counts()
    chain = sampler(counts)
    chain.keep(np.array([0, 2, 3]))
    chain.allocate()
    chain.sweep()
    assert chain.document_weights().shape == (N, 3)
    assert_array_equal(chain.table.sum(axis=1), X.sum(axis=0))
