"""The neighbour index: copies are found, neighbours are right, first picks cover the corpus."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from core.engine.kernels import threads
from core.guide.classifier import fit_guide
from core.queue import Hints, NeighbourIndex, build_neighbour_index, informative, next_documents
from core.queue.context import QueueContext
from core.queue.influential import greedy_cover
from core.spec import ModelSpec
from core.supervision import Supervision
from core.text.vectors import unit_rows
from core.topics import Topics

N_TOPICS, EACH, WORDS = 5, 30, 12


def blocks(seed: int = 0) -> sp.csr_array:
    """Five groups of thirty documents, each group with twelve words of its own."""
    rng = np.random.default_rng(seed)
    X = np.zeros((N_TOPICS * EACH, N_TOPICS * WORDS), dtype=np.float32)
    for row in range(len(X)):
        own = np.arange(WORDS) + WORDS * (row % N_TOPICS)
        X[row, rng.choice(own, 6, replace=False)] = rng.uniform(0.5, 1.5, 6)
    return sp.csr_array(X)


def topics(X: sp.csr_array) -> Topics:
    n = X.shape[0]
    return Topics(
        doc_topic=np.full((n, N_TOPICS), 0.2),
        topic_term=np.eye(N_TOPICS, X.shape[1]),
        terms=("",) * X.shape[1],
        doc_ids=("",) * n,
        names=tuple("ABCDE"),
        n_supervised=N_TOPICS,
        spec=ModelSpec(),
    )


def test_copies_are_found() -> None:
    X = blocks()
    near = X[[3]] * 2.0
    near.data[0] *= 1.1
    again = build_neighbour_index(sp.csr_array(sp.vstack([X, X[[0]], near, X[[0]] * 0])))
    assert again.first_copy[-3:].tolist() == [0, 3, len(again.first_copy) - 1]


def test_copies_are_told_from_texts_of_the_same_words() -> None:
    heavy = np.array([[9.0, 1, 1], [1, 1, 9]], dtype=np.float32)
    X = sp.csr_array(np.tile(heavy, (4, 1)))
    assert build_neighbour_index(X).first_copy.tolist() == [0, 1] * 4


def meaning_of(X: sp.csr_array, seed: int = 0, n_dimensions: int = 80) -> np.ndarray:
    """Vectors of length one: a direction for each group, and a little noise."""
    rng = np.random.default_rng(seed)
    groups = rng.normal(size=(N_TOPICS, n_dimensions))
    noise = rng.normal(size=(X.shape[0], n_dimensions))
    return unit_rows(groups[np.arange(X.shape[0]) % N_TOPICS] + 0.8 * noise)


def test_vectors_find_copies_that_words_alone_would_miss() -> None:
    rng = np.random.default_rng(1)
    words = np.zeros((2, 30), dtype=np.float32)
    words[0, :8] = words[1, 1:9] = 1  # one word of eight is misspelt: cosine 0.875
    others = (rng.random((40, 30)) < 0.2).astype(np.float32)
    X = sp.csr_array(np.vstack([words, others]))
    meaning = unit_rows(rng.normal(size=(42, 20)))
    assert build_neighbour_index(X, meaning=meaning).first_copy[1] == 1
    meaning[1] = meaning[0]
    assert build_neighbour_index(X).first_copy[1] == 1
    assert build_neighbour_index(X, meaning=meaning).first_copy[1] == 0


def test_texts_of_the_same_words_and_another_meaning_are_no_copies() -> None:
    X = sp.csr_array(np.ones((2, 6), dtype=np.float32))
    same, other = np.array([[1.0, 0]] * 2, "f4"), np.array([[1.0, 0], [0.6, 0.8]], "f4")
    assert build_neighbour_index(X, meaning=same).first_copy.tolist() == [0, 0]
    assert build_neighbour_index(X, meaning=other).first_copy.tolist() == [0, 1]


def test_texts_without_a_vector_are_compared_by_words() -> None:
    X = sp.csr_array(np.ones((3, 6), dtype=np.float32))
    meaning = np.array([[1.0, 0], [0, 0], [0, 0]], "f4")
    assert build_neighbour_index(X, meaning=meaning).first_copy.tolist() == [0, 0, 0]


def test_without_vectors_nothing_changes() -> None:
    X = blocks()
    assert_same_index(build_neighbour_index(X), build_neighbour_index(X, meaning=None))


def test_vectors_bring_texts_together_that_share_no_word() -> None:
    """Forty documents with one word each; by their vectors they are twenty pairs."""
    X = sp.csr_array(np.eye(40, dtype=np.float32))
    pairs = np.arange(0, 40, 2)
    index = build_neighbour_index(X, meaning=np.repeat(np.eye(20, dtype=np.float32), 2, axis=0))
    near = index.landmark_similarity.toarray()
    assert (near[pairs, pairs + 1] > 0).all()
    apart = build_neighbour_index(X).landmark_similarity.toarray()
    assert (apart[pairs, pairs + 1] > 0).mean() < 0.5


def test_many_dimensions_are_brought_down_and_keep_their_cosines() -> None:
    X = blocks()
    meaning = meaning_of(X, n_dimensions=200)
    index = build_neighbour_index(X, meaning=meaning)
    assert index.vectors is not None
    latent = build_neighbour_index(X).vectors
    assert latent is not None
    kept = index.vectors[:, latent.shape[1] :].astype(np.float64)
    assert kept.shape[1] == 64
    found, true = 2 * kept @ kept.T, meaning @ meaning.T
    assert np.corrcoef(found.ravel(), true.ravel())[0, 1] > 0.95
    assert np.linalg.norm(index.vectors.astype(float), axis=1) == pytest.approx(1, abs=0.01)


def test_an_index_with_vectors_is_saved_and_ranks(tmp_path) -> None:
    X = blocks()
    index = build_neighbour_index(X, meaning=meaning_of(X))
    index.save(tmp_path / "index.npz")
    assert_same_index(NeighbourIndex.load(tmp_path / "index.npz"), index)
    found = next_documents(
        topics(X),
        [0, 1],
        n_docs=X.shape[0],
        limit=12,
        labels={0: [0], 1: [1]},
        neighbour_index=index,
    )
    assert len({item.position for item in found}) == 12


def assert_same_index(one: NeighbourIndex, other: NeighbourIndex) -> None:
    assert np.array_equal(one.first_copy, other.first_copy)
    assert np.array_equal(one.landmarks, other.landmarks)
    assert (one.landmark_similarity != other.landmark_similarity).nnz == 0
    assert one.vectors is not None
    assert other.vectors is not None
    assert np.array_equal(one.vectors, other.vectors)


@pytest.mark.parametrize("mode", ["in_order", "random", "mixed"])
def test_a_text_is_offered_once(mode: str) -> None:
    once = sp.csr_array(np.eye(9, 10) + np.eye(9, 10, 1))
    X = sp.csr_array(sp.vstack([once, once]))
    offered = next_documents(
        topics(X), [10], n_docs=18, limit=18, neighbour_index=build_neighbour_index(X), mode=mode
    )
    assert sorted(item.position for item in offered) == [0, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("fitted", [False, True])
def test_the_first_picks_cover_the_corpus(fitted: bool) -> None:
    X = blocks()
    known = topics(X) if fitted else None
    items = next_documents(
        known, [], n_docs=X.shape[0], limit=N_TOPICS, neighbour_index=build_neighbour_index(X)
    )
    assert {item.position % N_TOPICS for item in items} == set(range(N_TOPICS))
    assert {item.kind for item in items} == {"influential"}


def test_coverage_goes_to_texts_that_the_guide_is_unsure_of_once_labels_taught_it() -> None:
    """Sure of every group but the fourth."""
    X = blocks()
    chances = np.full((X.shape[0], N_TOPICS), 1e-3)
    chances[np.arange(X.shape[0]), np.arange(X.shape[0]) % N_TOPICS] = 1
    chances[3::N_TOPICS] = 0.5

    def groups(n_labels: int) -> set[int]:
        labels = {row: [row % N_TOPICS] for row in range(n_labels)}
        items = next_documents(
            topics(X), labels, labels=labels, n_docs=X.shape[0], mode="influential", limit=5,
            hints=Hints.of(chances), neighbour_index=build_neighbour_index(X),
        )  # fmt: skip
        return {item.position % N_TOPICS for item in items}

    assert groups(0) == set(range(N_TOPICS))
    assert groups(20) == {3}


def test_what_resembles_no_label_is_new() -> None:
    X = blocks()
    labels = {row: [row % N_TOPICS] for row in range(40) if row % N_TOPICS != 2}
    items = next_documents(
        topics(X),
        labels,
        labels=labels,
        n_docs=X.shape[0],
        mode="novel",
        limit=20,
        neighbour_index=build_neighbour_index(X),
    )
    assert {item.position % N_TOPICS for item in items[:10]} == {2}
    assert items[0].reason == "Not similar to any labelled text"


def test_neighbours_are_counted() -> None:
    neighbour_index = build_neighbour_index(blocks())
    alone = sp.csr_array(np.eye(4, dtype=np.float32))
    assert build_neighbour_index(alone).neighbour_counts.tolist() == [0, 0, 0, 0]
    assert 0 < neighbour_index.neighbour_counts.mean() < EACH


@settings(deadline=None)
@given(st.integers(0, 1000), st.integers(1, 6))
def test_the_lazy_choice_is_the_greedy_one(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    near = sp.random_array((20, 8), density=0.4, format="csr", rng=rng, dtype=np.float64)
    covered, weight = rng.uniform(0, 0.3, 8), rng.uniform(0.1, 1, 8)
    dense = near.toarray()
    expected, reached = [], covered.copy()
    for _ in range(n):
        gains = (np.maximum(dense - reached, 0) * weight).sum(axis=1)
        expected.append(gains.max())
        reached = np.maximum(reached, dense[gains.argmax()])
    everyone = np.ones(20, dtype=bool)
    found = [gain for _, gain in greedy_cover(near, covered, everyone, weight, 20)][:n]
    positive = [gain for gain in expected if gain > 1e-6]
    np.testing.assert_allclose(found[: len(positive)], positive, rtol=1e-9)


def test_a_wrong_label_is_doubted() -> None:
    X = blocks()
    labels = {row: [row % N_TOPICS] for row in range(60)}
    labels[7] = [4]  # belongs to the third group
    rows = [["ABCDE"[c] for c in labels.get(i, [])] for i in range(X.shape[0])]
    supervision = Supervision.of(rows, tuple("ABCDE"))
    guide = fit_guide(X, supervision)
    assert guide is not None
    hints = Hints.from_guide(guide, X, supervision)
    items = next_documents(
        topics(X), labels, labels=labels, n_docs=X.shape[0], mode="mislabelled", hints=hints
    )
    assert [item.position for item in items] == [7]
    assert "labelled E, reads like C" in items[0].reason


def test_neighbour_index_and_hints_survive_saving(tmp_path) -> None:
    X = blocks()
    neighbour_index, hints = (
        build_neighbour_index(X),
        Hints.of(np.random.default_rng(0).random((9, 3))),
    )
    neighbour_index.save(tmp_path / "index.npz")
    hints.save(tmp_path / "hints.npz")
    again, hints_again = (
        NeighbourIndex.load(tmp_path / "index.npz"),
        Hints.load(tmp_path / "hints.npz"),
    )
    assert (again.landmark_similarity != neighbour_index.landmark_similarity).nnz == 0
    np.testing.assert_array_equal(again.first_copy, neighbour_index.first_copy)
    for each in fields(Hints):
        np.testing.assert_array_equal(getattr(hints_again, each.name), getattr(hints, each.name))


def test_hints_of_nothing() -> None:
    hints = Hints.of(np.zeros((3, 2)))
    assert hints.likely.tolist() == [[-1, -1]] * 3
    assert hints.entropy.tolist() == [0, 0, 0]
    even = Hints.of(np.ones((1, 4)))
    assert even.entropy[0] == pytest.approx(1)
    assert replace(even, entropy=even.entropy).chance[0].tolist() == [0.25, 0.25]


@pytest.mark.parametrize("n_docs", [0, 1, 2])
def test_tiny_corpora_have_a_neighbour_index(n_docs: int) -> None:
    neighbour_index = build_neighbour_index(sp.csr_array(np.ones((n_docs, 3), dtype=np.float32)))
    assert neighbour_index.landmark_similarity.shape[0] == n_docs
    assert next_documents(None, [], n_docs=n_docs, neighbour_index=neighbour_index) == [] or n_docs


def test_the_same_seed_gives_the_same_neighbour_index() -> None:
    X = blocks()
    assert (
        build_neighbour_index(X).landmark_similarity != build_neighbour_index(X).landmark_similarity
    ).nnz == 0


def test_what_would_teach_most_lowers_the_doubt_about_all_most() -> None:
    """Against the variance of every landmark's score, with and without each label, in full;
    a document that the guide is surer of counts less."""
    X = blocks()
    neighbour_index, labels = build_neighbour_index(X), {0: [0], 1: [1], 7: [2]}
    assert neighbour_index.vectors is not None
    hints = Hints.of(np.random.default_rng(1).random((X.shape[0], N_TOPICS)))
    n_docs = X.shape[0]
    context = QueueContext(
        topics(X),
        np.ones(n_docs, bool),
        labels,
        frozenset(),
        4,
        np.zeros(n_docs),
        hints,
        neighbour_index,
    )
    places = neighbour_index.vectors.astype(np.float64)
    doubt_of = 1 - (hints.chance[:, 0] - hints.chance[:, 1]).astype(np.float64)
    weight = 0.01 + 0.99 * doubt_of[neighbour_index.landmarks] ** (2 * 3 / 20)  # three labels
    surer = (doubt_of[:, None] > doubt_of).mean(axis=1)  # share of documents that are
    surprise = 0.05 + 0.95 * surer

    def doubt(rows: list[int]) -> float:
        told = places[rows]
        spread = np.linalg.inv(told.T @ told / informative.RIDGE_PENALTY + np.eye(places.shape[1]))
        marks = places[neighbour_index.landmarks]
        return float(weight @ np.einsum("ij,jk,ik->i", marks, spread, marks) / weight.sum())

    told = list(labels)
    for item in informative.rank(context):
        fall = [doubt(told) - doubt([*told, row]) for row in range(X.shape[0])]
        worth = np.where(np.isin(np.arange(n_docs), told[3:]), 0, surprise * fall)
        assert worth[item.position] == pytest.approx(worth.max(), rel=1e-2)
        assert item.value == pytest.approx(worth[item.position], rel=1e-2)
        told.append(item.position)
    assert len({row % N_TOPICS for row in told[3:5]} & {0, 1, 2}) == 0


def test_hints_are_the_same_in_small_blocks_of_documents(monkeypatch):
    weights = np.random.default_rng(0).random((30, 4))
    weights[3] = 0
    whole = Hints.of(weights)
    monkeypatch.setattr(threads, "ROWS_PER_BLOCK", 7)
    blocks = Hints.of(weights)
    for name in ("likely", "chance", "entropy"):
        np.testing.assert_array_equal(getattr(blocks, name), getattr(whole, name))
    assert whole.likely[3].tolist() == [-1, -1]
