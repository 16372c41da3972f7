"""Poisson factor analysis, with and without side information."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import roc_auc_score

from core import Supervision
from core.engine.learned import learned_by
from core.engine.prediction import cosines
from core.errors import ModelError
from core.models.pfa import PFA
from core.models.pfa_ssi import PFASSI

N_TOPICS = 4


def planted(n_docs=150, n_terms=60, seed=0, rate=40.0):
    """Each document has one main topic; each topic has words of its own."""
    rng = np.random.default_rng(seed)
    H = rng.dirichlet(np.full(n_terms, 0.1), N_TOPICS)
    kind = rng.integers(N_TOPICS, size=n_docs)
    W = np.full((n_docs, N_TOPICS), 0.05)
    W[np.arange(n_docs), kind] = 1
    return rng.poisson(rate * W @ H).astype(float), H, kind


def links(n_docs=80, seed=0):
    """Who is linked with whom: four groups, many links inside, few between."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(N_TOPICS, size=n_docs)
    chance = np.where(kind[:, None] == kind, 0.4, 0.03)
    return (rng.random((n_docs, n_docs)) < chance).astype(float), kind


@pytest.fixture(scope="module")
def corpus():
    return planted()


@pytest.fixture(scope="module")
def taught(corpus):
    """PFA-SSI with every label known, two labels under each of two parents, and a common top."""
    X, _, kind = corpus
    up = [{"a": ["ab"], "b": ["ab"], "c": ["cd"], "d": ["cd"]}, {"ab": ["all"], "cd": ["all"]}]
    y = Supervision.of([["abcd"[j]] for j in kind], tuple("abcd"), hierarchy=up)
    return PFASSI(n_topics=8, max_iter=200, random_state=0).fit(X, y)


def garbled(n_docs=120, seed=1):
    """Four kinds with words of their own; three endless documents of the first are garbage."""
    rng = np.random.default_rng(seed)
    kind = np.arange(n_docs) % N_TOPICS
    rate = np.where(kind[:, None] == np.arange(50) // 10, 3.0, 0.2)
    rate = np.hstack([rate, np.zeros((n_docs, 10))])
    rate[:12:4] = np.repeat([0.0, 300.0], [50, 10])
    return rng.poisson(rate).astype(float), kind


def held_out(shape, share=0.1, seed=5):
    """Explicit zeros, the weights of the cells that are not observed."""
    rows, columns = np.nonzero(np.random.default_rng(seed).random(shape) < share)
    return sp.csr_array((np.zeros(rows.size), (rows, columns)), shape=shape)


def test_planted_topics_are_found(corpus):
    X, H, _ = corpus
    model = PFA(n_topics=N_TOPICS, max_iter=200, random_state=0).fit(X)
    similarity = cosines(H, model.components_)
    rows, columns = linear_sum_assignment(-similarity)
    assert similarity[rows, columns].min() > 0.95


def test_the_product_is_the_expected_count(corpus):
    X, _, _ = corpus
    model = PFA(n_topics=N_TOPICS, max_iter=200, random_state=0).fit(X)
    expected = model.doc_topic_ @ model.components_
    assert_allclose(expected.sum(), X.sum(), rtol=0.02)
    assert np.corrcoef(expected.ravel(), X.ravel())[0, 1] > 0.9


def test_fractions_are_refused_in_one_sentence_and_whole_floats_are_not(corpus):
    X, _, _ = corpus
    with pytest.raises(ModelError, match="needs counts, whole numbers"):
        PFA(n_topics=2, max_iter=2).fit(X / 3)
    PFA(n_topics=2, max_iter=2).fit(X.astype(np.float32))
    PFA(n_topics=2, max_iter=2, data="binary").fit(X / 3)


def test_more_words_than_can_be_counted_are_refused():
    with pytest.raises(ModelError, match="too many to count"):
        PFA(n_topics=2).fit(np.full((2, 2), 1e9))


@pytest.mark.parametrize(
    ("burn_in", "thin", "draws"), [(None, 1, 15), (10, 1, 20), (10, 7, 3), (0, 1, 30)]
)
def test_burn_in_and_thinning(corpus, burn_in, thin, draws):
    model = PFA(n_topics=3, max_iter=30, burn_in=burn_in, thin=thin, random_state=0)
    assert model.fit(corpus[0]).n_draws_ == draws
    assert len(model.trace_.objective) == 31
    assert model.objective_ == model.trace_.objective[-1]


def test_spreads_tell_how_sure_the_means_are(corpus):
    X, _, _ = corpus
    model = PFA(n_topics=N_TOPICS, max_iter=100, random_state=0).fit(X)
    assert model.doc_topic_spread_.shape == model.doc_topic_.shape
    assert model.components_spread_.shape == model.components_.shape
    frequent = model.components_ > 0.2
    assert (model.components_spread_[frequent] < 0.5 * model.components_[frequent]).all()
    assert (model.doc_topic_spread_[X.sum(axis=1) > 0].max(axis=1) > 0).all()


def test_unused_topics_are_pruned_and_keep_their_places(corpus):
    X, _, _ = corpus
    model = PFA(n_topics=60, max_iter=120, random_state=0, sparsity=1e-4).fit(X)
    dropped = np.setdiff1d(np.arange(60), model.active_topics_)
    assert 0 < dropped.size < 60
    assert model.doc_topic_.shape == (150, 60)
    assert not model.doc_topic_[:, dropped].any()
    assert not model.components_[dropped].any()
    assert not model.transform(X[:3])[:, dropped].any()


def test_pruning_can_be_declined(corpus):
    model = PFA(n_topics=60, max_iter=40, random_state=0, sparsity=1e-4, prune=False)
    assert model.fit(corpus[0]).active_topics_.size == 60


def test_of_several_chains_the_likeliest_is_kept(corpus):
    model = PFA(n_topics=3, max_iter=40, n_chains=3, random_state=0).fit(corpus[0])
    means = [np.mean(trace.objective[20:]) for trace in model.chain_traces_]
    assert len(means) == 3
    assert model.trace_.objective == model.chain_traces_[int(np.argmax(means))].objective
    assert model.r_hat_ > 0.9


def test_progress_counts_the_sweeps_of_all_chains(corpus):
    seen = []
    PFA(n_topics=2, max_iter=3, n_chains=2).fit(corpus[0], callback=seen.append)
    assert [progress.iteration for progress in seen] == [1, 2, 3, 4, 5, 6]
    assert {progress.max_iter for progress in seen} == {6}


def test_a_warm_start_begins_where_the_last_fit_ended(corpus):
    X, _, _ = corpus
    cold = PFA(n_topics=N_TOPICS, max_iter=60, random_state=0).fit(X)
    warm = PFA(n_topics=N_TOPICS, max_iter=5, random_state=1)
    warm.fit(X, start=(cold.doc_topic_, cold.components_))
    assert warm.trace_.objective[0] > np.median(cold.trace_.objective) - 100
    with pytest.raises(ModelError, match="does not fit"):
        warm.fit(X, start=(cold.doc_topic_[:, :2], cold.components_))


def test_what_was_in_a_held_out_cell_is_not_looked_at(corpus):
    X, _, _ = corpus
    unseen = held_out(X.shape)
    changed = X.copy()
    changed[unseen.tocoo().coords] = 777
    first, second = (
        PFA(n_topics=3, max_iter=10, random_state=0).fit(data, observed=unseen)
        for data in (X, changed)
    )
    assert_array_equal(first.doc_topic_, second.doc_topic_)


def test_held_out_counts_are_foretold(corpus):
    X, _, _ = corpus
    unseen = held_out(X.shape)
    model = PFA(n_topics=N_TOPICS, max_iter=150, random_state=0).fit(X, observed=unseen)
    truth = X[unseen.tocoo().coords]
    assert model.held_out_.nnz == unseen.nnz
    expected = np.asarray(model.held_out_[unseen.tocoo().coords]).ravel()
    assert np.corrcoef(expected, truth)[0, 1] > 0.7


def test_cells_cannot_be_weighted(corpus):
    X, _, _ = corpus
    weights = held_out(X.shape)
    weights.data += 0.5
    with pytest.raises(ModelError, match="never weighted"):
        PFA(n_topics=2).fit(X, observed=weights)


@pytest.mark.parametrize("kind", [PFA, PFASSI])
def test_held_out_links_are_foretold_better_than_by_chance(kind):
    A, groups = links()
    unseen = held_out(A.shape)
    cells = unseen.tocoo().coords
    labels = [[f"group {g}"] for g in groups]
    model = kind(n_topics=10, data="binary", max_iter=200, n_chains=2, random_state=0)
    model.fit(A, labels, observed=unseen)
    chance = np.asarray(model.held_out_[cells]).ravel()
    assert chance.min() >= 0
    assert chance.max() <= 1
    assert roc_auc_score(A[cells], chance) > 0.75


def test_new_documents_do_not_depend_on_their_neighbours(taught, corpus):
    X, _, _ = corpus
    whole = taught.transform(X)
    assert_array_equal(taught.transform(X[40:50]), whole[40:50])
    assert_array_equal(taught.transform(X[::-1]), whole[::-1])


def test_new_documents_are_placed_as_the_known_ones(taught, corpus):
    X, _, _ = corpus
    pairs = cosines(taught.transform(X), taught.doc_topic_).diagonal()
    assert np.median(pairs) > 0.95


@pytest.mark.parametrize("level", [0, 1])
def test_nodes_are_predicted_at_every_level(taught, corpus, level):
    X, _, kind = planted(seed=0)
    truth = np.array(["abcd"[k] if level == 0 else ("ab", "cd")[k // 2] for k in kind])
    assert np.mean(taught.predict(X, level=level) == truth) > 0.8
    assert taught.decision_function(X, level).shape == (150, 4 if level == 0 else 2)


def test_embeddings_at_every_level(taught):
    assert taught.node_names_ == (tuple("abcd"), ("ab", "cd"), ("all",))
    assert [weights.shape for weights in taught.node_topic_] == [(4, 8), (2, 8), (1, 8)]
    assert all((spread >= 0).all() for spread in taught.node_topic_spread_)
    own, other = taught.similarity(0, 1)[[0, 1, 2, 3], [0, 0, 1, 1]], taught.similarity(0, 1)
    assert own.mean() > other.mean()


def test_a_topic_of_a_few_garbled_documents_does_not_swamp_the_nodes():
    X, kind = garbled()
    up = [{"a": ["ab"], "b": ["ab"], "c": ["cd"], "d": ["cd"], "new": ["cd"]}]
    y = Supervision.of(["abcd"[k] for k in kind], tuple("abcd"), hierarchy=up)
    H = np.array([X[kind == k].sum(axis=0) * (np.arange(60) < 50) for k in range(4)])
    H = np.vstack([H, np.arange(60) >= 50]) + 0.01
    model = PFASSI(n_topics=5, max_iter=100, random_state=0)
    model.fit(X, y, start=(np.ones((len(X), 5)), H))
    sane = np.arange(len(X)) >= 12
    found = model.predict(X[sane], level=1)
    assert np.mean(found == np.array(["ab", "cd"])[kind[sane] // 2]) > 0.95
    assert np.mean(model.predict(X[sane & (kind == 0)]) == "a") > 0.9
    assert model.similarity(0, 1).argmax(axis=1).tolist() == [0, 0, 1, 1, 1]
    nodes = learned_by(model, y).nodes
    assert_allclose(nodes.similarity(0, 1).to_numpy(), model.similarity(0, 1), atol=1e-6)
    (first, _), (second, _) = (nodes.main_topics(1, node, 1)[0] for node in (0, 1))
    assert first != second


def test_a_level_that_is_not_there_is_refused(taught, corpus):
    with pytest.raises(ModelError, match="There are 3 levels"):
        taught.predict(corpus[0], level=3)


def test_without_labels_there_is_nothing_to_predict(corpus):
    X, _, _ = corpus
    model = PFASSI(n_topics=3, max_iter=5, random_state=0).fit(X)
    assert model.node_names_ == (("unlabelled",),)
    with pytest.raises(ModelError, match="no label to predict"):
        model.predict(X)


def test_documents_of_several_nodes(corpus):
    X, _, kind = corpus
    rows = [["abcd"[j], "abcd"[(j + 1) % 4]] if i % 3 else [] for i, j in enumerate(kind)]
    model = PFASSI(n_topics=6, max_iter=60, random_state=0).fit(X, Supervision.of(rows))
    assert model.candidates(0) == tuple("abcd")
    assert model.node_names_[0][-1] == "unlabelled"
    assert np.isfinite(model.node_topic_[0]).all()
    assert model.label_names_ == tuple("abcd")


def test_only_nodes_with_documents_or_parents_are_predicted(corpus):
    X, _, kind = corpus
    up = [{"a": ["ab"], "b": ["ab"], "e": ["ab"]}]
    rows = ["abcd"[j] for j in kind]
    model = PFASSI(n_topics=6, max_iter=30, random_state=0)
    model.fit(X, Supervision.of(rows, [*"abcd", "nowhere"], hierarchy=up))
    assert model.label_names_ == (*"abcd", "nowhere", "e")
    assert model.is_placed_.tolist() == [True, True, True, True, False, True]
    assert "nowhere" not in set(model.predict(X))


def test_one_common_node_is_plain_pfa(corpus):
    X, _, _ = corpus
    plain = PFA(n_topics=3, max_iter=10, random_state=0).fit(X)
    labels = [["all"]] * len(X)
    common = PFASSI(n_topics=3, max_iter=10, random_state=0)
    common.fit(X, labels, start=(np.ones((len(X), 3)), np.ones((3, X.shape[1]))))
    again = PFA(n_topics=3, max_iter=10, random_state=0)
    again.fit(X, start=(np.ones((len(X), 3)), np.ones((3, X.shape[1]))))
    assert_array_equal(common.doc_topic_, again.doc_topic_)
    assert plain.node_names_ == (("all documents",),)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("burn_in", 500), ("burn_in", 2.5), ("thin", 0), ("n_chains", 0), ("data", "words"),
        ("sparsity", 1.0), ("word_prior", 0.0), ("top_rate", -1.0), ("concentration", "x"),
    ],
)  # fmt: skip
def test_options_are_checked(corpus, option, value):
    with pytest.raises(ModelError, match=option):
        PFA(**{option: value}).fit(corpus[0])
