"""The map: distances mean something, refits do not shake it, every lasso finds its documents."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.insight.document_map import (
    document_map,
    place_documents,
    place_topics,
    points_inside,
    representatives,
)
from core.spec import ModelSpec
from core.topics import Topics


def topics_of(n_docs: int = 60, n_topics: int = 6, seed: int = 0) -> Topics:
    rng = np.random.default_rng(seed)
    words = rng.gamma(0.3, size=(n_topics, 40))
    words[1] = 0.9 * words[0] + 0.1 * words[1]  # two topics that speak alike
    words /= np.linalg.norm(words, axis=1, keepdims=True)
    return Topics(
        doc_topic=rng.gamma(0.2, size=(n_docs, n_topics)),
        topic_term=words,
        terms=tuple(f"w{j}" for j in range(40)),
        doc_ids=tuple(map(str, range(n_docs))),
        names=tuple(f"t{k}" for k in range(n_topics)),
        spec=ModelSpec(),
    )


def lay(topics: Topics, places: np.ndarray) -> dict[str, list[float]]:
    return dict(zip(topics.names, places.tolist(), strict=True))


def test_alike_topics_lie_closest():
    places = place_topics(topics_of())
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2) + 9 * np.eye(6)
    assert np.unravel_index(gaps.argmin(), gaps.shape) == (0, 1)


def test_the_same_topics_make_the_same_map():
    one, two = document_map(topics_of()), document_map(topics_of())
    assert np.array_equal(one.topics, two.topics)
    assert np.array_equal(one.documents, two.documents)
    assert one.documents.dtype == np.float32


def test_a_refit_leaves_topics_where_they_were():
    before = topics_of(n_topics=12)
    places = place_topics(before)
    noise = np.random.default_rng(1).uniform(0.95, 1.05, before.topic_term.shape)
    after = replace(before, topic_term=before.topic_term * noise)
    moved = np.linalg.norm(place_topics(after, lay(before, places)) - places, axis=1)
    spacing = np.linalg.norm(places[:, None] - places[None], axis=2)
    assert moved.max() < 0.15 * np.median(spacing)


def test_columns_in_another_order_land_on_the_same_places():
    before = topics_of()
    places, order = place_topics(before), [5, 3, 1, 0, 2, 4]
    names = tuple(before.names[k] for k in order)
    after = replace(before, topic_term=before.topic_term[order], names=names, keys=names)
    assert place_topics(after, lay(before, places)) == pytest.approx(places[order], abs=0.02)


def test_a_new_topic_finds_a_place_and_a_gone_one_leaves_none():
    before = topics_of(n_topics=8)
    known = lay(before, place_topics(before))
    known.pop("t0")
    found = place_topics(before, known)
    assert np.isfinite(found).all()
    assert np.linalg.norm(found[0] - found[1]) < np.linalg.norm(found[0] - found[5])


def test_documents_lie_nearest_to_their_main_topic_and_nothing_lies_nowhere():
    topics = topics_of(n_topics=4)
    weights = np.eye(4)[np.arange(60) % 4]
    weights[7] = 0
    topics = replace(topics, doc_topic=weights)
    drawn = document_map(topics)
    gaps = np.linalg.norm(drawn.documents[:, None] - drawn.topics[None], axis=2)
    placed = drawn.placed
    assert 7 not in placed
    assert placed.size == 59
    assert (gaps[placed].argmin(axis=1) == placed % 4).all()


def test_a_document_keeps_its_step_aside():
    topics = topics_of(n_docs=50)
    places = place_topics(topics)
    fewer = replace(topics, doc_topic=topics.doc_topic[:50])
    assert np.array_equal(place_documents(topics, places), place_documents(fewer, places))


@pytest.mark.parametrize("n_topics", [1, 2, 3])
def test_few_topics_have_places_too(n_topics):
    drawn = document_map(topics_of(n_topics=max(n_topics, 2), n_docs=5))
    assert np.isfinite(drawn.topics).all()
    one = replace(
        topics_of(), topic_term=np.eye(1, 40), names=("a",), keys=("a",), doc_topic=np.ones((60, 1))
    )
    assert np.isfinite(document_map(one).documents).all()


def test_a_lasso_holds_what_lies_inside():
    square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    points = np.array([[0.5, 0.5], [1.5, 0.5], [0.9, 0.1], [np.nan, np.nan], [0.5, -0.1]])
    assert points_inside(points, square).tolist() == [True, False, True, False, False]
    drawn = document_map(topics_of())
    x, y = drawn.documents[3]
    assert 3 in drawn.within((x - 0.01, x + 0.01), (y + 0.01, y - 0.01))
    assert 3 in drawn.inside([(x - 1, y - 1), (x + 1, y - 1), (x, y + 1)])


def test_representatives_show_every_group_and_hardly_change():
    groups = np.repeat([0, 1, 2, -1], [9000, 900, 30, 70])
    shown = representatives(groups, 500, first=[9995, 4])
    assert shown.size == 500
    assert 4 in shown
    assert 9995 not in shown
    assert (np.bincount(groups[shown], minlength=3) >= [300, 40, 2]).all()
    again = representatives(np.where(np.arange(10_000) == 3, 1, groups), 500, first=[4])
    assert np.intersect1d(shown, again).size > 480
    assert representatives(groups[:10], 500).tolist() == list(range(10))
