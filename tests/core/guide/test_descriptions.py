"""Names, codebook entries and seed words teach the guide, less so as labels come in."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core import Corpus, ModelSpec, Supervision, TextSettings, build_matrix, fit
from core.engine.limits import NO_LIMITS, Steering, TopicLimits
from core.guide.classifier import fit_guide
from core.guide.descriptions import describe_labels
from core.guide.ridge import RIDGE_PENALTY
from core.guide.teachers import Descriptions
from core.guide.views import BIAS_SQUARE, Views
from core.text import DocumentVectors

PARKS = "trees in the park need water, the lawn of the park is dry"
TRAMS = "the tram was late again, no tram stops at our station"
BINS = "the bin is full, nobody empties the bin in our street"
N = 12  # texts of each kind


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    texts = [f"{kind} number{i % 3}" for kind in (PARKS, TRAMS, BINS) for i in range(N)]
    return Corpus(ids=tuple(map(str, range(len(texts)))), texts=tuple(texts))


@pytest.fixture(scope="module")
def matrix(corpus):
    return build_matrix(corpus, TextSettings())


def unlabelled(matrix, names, **labels) -> Supervision:
    rows = [[] for _ in matrix.doc_ids]
    for name, positions in labels.items():
        for position in positions:
            rows[position] = [name]
    return Supervision.of(rows, names)


def main_topics(topics) -> list[list[int]]:
    best = topics.doc_topic.argmax(axis=1)
    return [sorted(set(best[k * N : (k + 1) * N].tolist())) for k in range(3)]


def test_names_alone_find_their_texts(matrix):
    topics = fit(matrix, unlabelled(matrix, ["Trams", "Bins", "Parks"]), ModelSpec("tsnmf", 3))
    assert main_topics(topics) == [[2], [0], [1]]
    assert "tram" in [term for term, _ in topics.top_terms(0, 3)]


def test_many_telling_names_are_not_all_likely(matrix):
    """Before any label a text is about one of them: else no topic would be dear."""
    names = ["Tram", "Late tram", "Tram stops", "Station", "Bins", "Full bin", "Lawn", "Dry lawn"]
    described = describe_labels(matrix, names, NO_LIMITS)
    guide = fit_guide(matrix.X, unlabelled(matrix, names), descriptions=described)
    likely = guide.probabilities(matrix.X)
    assert likely.sum(axis=1).mean() == pytest.approx(1, abs=0.01)
    best = likely.argmax(axis=1)
    assert set(best[:N]) <= {6, 7}
    assert set(best[N : 2 * N]) <= {0, 1, 2, 3}


def test_a_codebook_entry_teaches_where_the_name_says_nothing(matrix):
    y = unlabelled(matrix, ["C01", "C02", "C03"])
    y = y.described(
        {"C01": "C01. Everything about a full bin", "C02": "lawn, trees", "C03": "tram"}
    )
    assert main_topics(fit(matrix, y, ModelSpec("tsnmf", 3))) == [[1], [2], [0]]


def test_words_a_topic_begins_with_teach_too(matrix):
    steering = Steering(begun={"C01": {"tram": 1.0, "station": 0.5}})
    y = unlabelled(matrix, ["C01"])
    topics = fit(matrix, y, ModelSpec("tsnmf", 3), steering=steering)
    best = topics.doc_topic.argmax(axis=1)
    assert (best[N : 2 * N] == 0).all()
    assert not (best[:N] == 0).any()


def test_a_topic_of_which_nothing_is_known_has_no_words_and_no_texts(matrix):
    y = unlabelled(matrix, ["C07", "Trams"], Trams=[N])
    topics = fit(matrix, y, ModelSpec("tsnmf", 4))
    assert not topics.topic_term[0].any()
    assert not topics.doc_topic[:, 0].any()
    assert topics.top_terms(0) == []
    assert topics.doc_topic[:N].any(axis=1).all()  # free topics explain the rest


def test_a_named_topic_that_no_text_is_about_shows_its_own_name(matrix):
    y = unlabelled(matrix, ["Trams", "Bins", "Parks", "Number"], Trams=[N], Bins=[2 * N], Parks=[0])
    forbidden = [["Number"]] * len(matrix.doc_ids)
    y = Supervision.of(
        [list(np.array(y.names)[row.indices]) for row in y.permitted], y.names, forbidden=forbidden
    )
    topics = fit(matrix, y, ModelSpec("tsnmf", 4))
    assert not topics.doc_topic[:, 3].any()
    assert [term for term, _ in topics.top_terms(3)] in ([], ["number"])


def test_meaningless_codes_do_no_harm(matrix):
    labels = {"a": [0, 1], "b": [N, N + 1], "c": [2 * N, 2 * N + 1]}
    telling = unlabelled(matrix, ["a", "b", "c"], **labels)
    silent = telling.described(dict.fromkeys("abc", "X9"))
    guides = [
        fit_guide(matrix.X, y, descriptions=describe_labels(matrix, y.descriptions, TopicLimits()))
        for y in (silent, telling.described(dict.fromkeys("abc", "")))
    ]
    assert_allclose(guides[0].probabilities(matrix.X), guides[1].probabilities(matrix.X))


def test_one_label_takes_its_nearest_texts_and_leaves_the_rest_to_free_topics(matrix):
    y = unlabelled(matrix, ["Green"], Green=[0])
    topics = fit(matrix, y, ModelSpec("tsnmf", 3))
    best = topics.doc_topic.argmax(axis=1)
    assert (best[:N] == 0).sum() > N / 2
    assert not (best[N:] == 0).any()
    assert "park" in [term for term, _ in topics.top_terms(0, 4)]


def test_joined_words_in_names_are_read_apart(matrix):
    described = describe_labels(matrix, ["tram_late", "full-bin", "7"], TopicLimits())
    assert list(np.diff(described.rows.indptr)) == [2, 2, 0]
    assert described.informative.tolist() == [True, True, False]


class _Encoder:
    """Parks and trams mean the same here, bins something else."""

    name = key = "test"

    def encode(self, texts):
        rows = [[float("bin" not in text), float("bin" in text)] for text in texts]
        return np.array(rows, dtype=np.float32)


def test_meaning_carries_a_label_to_texts_that_share_no_word(corpus, matrix, monkeypatch):
    monkeypatch.setattr("core.guide.descriptions.encoder_of", lambda vectors: _Encoder())
    vectors = DocumentVectors.of(_Encoder().encode(corpus.texts), "test")
    y = unlabelled(matrix, ["A1", "B2"], A1=[0, 1], B2=[2 * N, 2 * N + 1])
    guide = fit(matrix.with_vectors(vectors), y, ModelSpec("tsnmf", 2)).guide
    chance = guide.probabilities(matrix.X, vectors.values)
    assert (chance[N : 2 * N, 0] > chance[N : 2 * N, 1]).all()
    described = describe_labels(matrix.with_vectors(vectors), ["A1", "tram"], TopicLimits())
    assert described.vectors[0].tolist() == [0, 0]  # a code has no meaning
    assert described.vectors[1].tolist() == [1, 0]


def dense_guide(X, vectors, described, y, given):
    """The weighted ridge regression written out in the primal."""
    views = Views.of(X, vectors)
    parts = [views.features(X, vectors), views.features(described.rows, described.vectors)]
    blocks = [
        np.column_stack([f.words.toarray(), f.places, f.meaning, np.full(len(f), BIAS_SQUARE**0.5)])
        for f in parts
    ]
    labels = y.indicator().toarray()
    taught = np.vstack([blocks[0][given], blocks[1]])
    targets = np.vstack([labels[given], np.eye(y.n_labels)])
    counts = targets.sum(axis=0)
    first = np.minimum(counts, 4)
    targets = targets * (counts.mean() / counts) ** 0.2 * (first.mean() / first) ** 0.25
    weight = np.concatenate([np.ones(len(given)), 3 / (3 + labels[given].sum(axis=0))])
    square = taught.T @ (weight[:, None] * taught) + RIDGE_PENALTY * np.eye(taught.shape[1])
    return blocks[0] @ np.linalg.solve(square, taught.T @ (weight[:, None] * targets))


def random_case(n_labelled=9):
    rng = np.random.default_rng(3)
    X = sp.csr_array(rng.poisson(0.6, (40, 15)).astype(float))
    vectors = rng.normal(size=(40, 6)).astype(np.float32)
    described = Descriptions(sp.csr_array(rng.poisson(0.4, (3, 15)).astype(float)), vectors[:3])
    labels = [[["a"], ["b"], ["c"]][i % 3] if i < n_labelled else [] for i in range(40)]
    return X, vectors, described, Supervision.of(labels, ["a", "b", "c"])


def test_the_guide_is_a_weighted_ridge_regression_on_three_views(monkeypatch):
    monkeypatch.setattr("core.guide.views.MAX_SAMPLE_DOCUMENTS", 0)  # labels and names alone
    X, vectors, described, y = random_case()
    guide = fit_guide(X, y, vectors=vectors, descriptions=described)
    expected = dense_guide(X, vectors, described, y, np.arange(9))
    p = guide.probabilities(X, vectors)
    assert_allclose(np.log(p / (1 - p)), guide.slope * expected + guide.offset, atol=2e-5)


def test_a_guide_with_descriptions_follows_one_more_label():
    X, vectors, described, y = random_case()
    _, _, _, later = random_case(10)
    before = fit_guide(X, y, vectors=vectors, descriptions=described)
    followed = fit_guide(X, later, before, vectors=vectors, descriptions=described)
    fresh = fit_guide(X, later, vectors=vectors, descriptions=described)
    assert_allclose(followed.inverse, fresh.inverse, atol=1e-10)
    other = fit_guide(X, later, before, vectors=vectors, descriptions=None)
    assert len(other.teachers) == 10
