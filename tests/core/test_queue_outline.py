"""The outline: copies are found, neighbourhoods are right, and the first picks cover the corpus."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from core.fitting import ModelSpec
from core.guide import fit_guide
from core.queue import Hints, Outline, next_documents, outline_of, telling
from core.queue.influential import covering
from core.queue.view import View
from core.supervision import Supervision
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
    again = outline_of(sp.csr_array(sp.vstack([X, X[[0]], near, X[[0]] * 0])))
    assert again.first[-3:].tolist() == [0, 3, len(again.first) - 1]


def test_copies_are_told_from_texts_of_the_same_words() -> None:
    heavy = np.array([[9.0, 1, 1], [1, 1, 9]], dtype=np.float32)
    X = sp.csr_array(np.tile(heavy, (4, 1)))
    assert outline_of(X).first.tolist() == [0, 1] * 4


@pytest.mark.parametrize("mode", ["in_order", "random", "mixed"])
def test_a_text_is_offered_once(mode: str) -> None:
    once = sp.csr_array(np.eye(9, 10) + np.eye(9, 10, 1))
    X = sp.csr_array(sp.vstack([once, once]))
    offered = next_documents(topics(X), [10], n_docs=18, limit=18, outline=outline_of(X), mode=mode)
    assert sorted(item.position for item in offered) == [0, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("fitted", [False, True])
def test_the_first_picks_cover_the_corpus(fitted: bool) -> None:
    X = blocks()
    known = topics(X) if fitted else None
    items = next_documents(known, [], n_docs=X.shape[0], limit=N_TOPICS, outline=outline_of(X))
    assert {item.position % N_TOPICS for item in items} == set(range(N_TOPICS))
    assert {item.kind for item in items} == {"influential"}


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
        outline=outline_of(X),
    )
    assert {item.position % N_TOPICS for item in items[:10]} == {2}
    assert items[0].reason == "Unlike anything labelled so far"


def test_neighbours_are_counted() -> None:
    outline = outline_of(blocks())
    alone = sp.csr_array(np.eye(4, dtype=np.float32))
    assert outline_of(alone).neighbours.tolist() == [0, 0, 0, 0]
    assert 0 < outline.neighbours.mean() < EACH


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
    found = [gain for _, gain in covering(near, covered, everyone, weight, 20)][:n]
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
    assert "labelled E, reads as C" in items[0].reason


def test_outline_and_hints_survive_saving(tmp_path) -> None:
    X = blocks()
    outline, hints = outline_of(X), Hints.of(np.random.default_rng(0).random((9, 3)))
    outline.save(tmp_path / "outline.npz")
    hints.save(tmp_path / "hints.npz")
    again, hints_again = Outline.load(tmp_path / "outline.npz"), Hints.load(tmp_path / "hints.npz")
    assert (again.near != outline.near).nnz == 0
    np.testing.assert_array_equal(again.first, outline.first)
    for each in fields(Hints):
        np.testing.assert_array_equal(getattr(hints_again, each.name), getattr(hints, each.name))


def test_hints_of_nothing() -> None:
    hints = Hints.of(np.zeros((3, 2)))
    assert hints.likely.tolist() == [[-1, -1]] * 3
    assert hints.torn.tolist() == [0, 0, 0]
    even = Hints.of(np.ones((1, 4)))
    assert even.torn[0] == pytest.approx(1)
    assert replace(even, torn=even.torn).chance[0].tolist() == [0.25, 0.25]


@pytest.mark.parametrize("n_docs", [0, 1, 2])
def test_tiny_corpora_have_outlines(n_docs: int) -> None:
    outline = outline_of(sp.csr_array(np.ones((n_docs, 3), dtype=np.float32)))
    assert outline.near.shape[0] == n_docs
    assert next_documents(None, [], n_docs=n_docs, outline=outline) == [] or n_docs


def test_the_same_seed_gives_the_same_outline() -> None:
    X = blocks()
    assert (outline_of(X).near != outline_of(X).near).nnz == 0


def test_what_would_teach_most_lowers_the_doubt_about_all_most() -> None:
    """Against the variance of every landmark's score, with and without each label, in full."""
    X = blocks()
    outline, labels = outline_of(X), {0: [0], 1: [1], 7: [2]}
    assert outline.places is not None
    hints = Hints.of(np.random.default_rng(1).random((X.shape[0], N_TOPICS)))
    n_docs = X.shape[0]
    view = View(topics(X), np.ones(n_docs, bool), labels, frozenset(), 4, np.zeros(n_docs),
                hints, outline)  # fmt: skip
    places = outline.places.astype(np.float64)
    weight = telling.EVEN + hints.torn[outline.landmarks]

    def doubt(rows: list[int]) -> float:
        told = places[rows]
        spread = np.linalg.inv(told.T @ told / telling.RIDGE + np.eye(places.shape[1]))
        marks = places[outline.landmarks]
        return float(weight @ np.einsum("ij,jk,ik->i", marks, spread, marks) / weight.sum())

    told = list(labels)
    for item in telling.line(view):
        others = [doubt([*told, row]) for row in range(X.shape[0])]
        assert others[item.position] == pytest.approx(min(others), rel=1e-3)
        assert item.value == pytest.approx(doubt(told) - others[item.position], rel=1e-2)
        told.append(item.position)
    assert len({row % N_TOPICS for row in told[3:5]} & {0, 1, 2}) == 0
