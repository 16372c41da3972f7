"""A named topic that the model knows nothing of yet: no words, no documents, and no accident."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from core.errors import StoreError
from core.evaluation import scoring
from core.evaluation.comparison.differences import document_differences
from core.evaluation.forecast import coverage
from core.evaluation.label_names import name_after_labels
from core.evaluation.metrics import compare_fits, topic_coherence, topic_diversity
from core.evaluation.metrics.matching import UNMATCHED, match_topics
from core.insight import summaries
from core.insight.attention import needs_attention
from core.insight.document_map import document_map
from core.insight.neighbour_map import neighbour_map
from core.insight.overlap import find_overlaps
from core.insight.similarity import (
    co_occurring_topics,
    count_shared_documents,
    diagonal_order,
    reading_order,
    topic_similarity,
    word_similarity,
)
from core.insight.topic_details import borderline_documents, distinctive_terms
from core.insight.topic_titles import NO_WORDS, first_words, topic_titles
from core.queue import next_documents
from core.spec import ModelSpec
from core.steering import operations
from core.steering.matching import keep_free_order, merge_columns
from core.store import CreateTopic
from core.supervision import Supervision
from core.topics import Topics

N = 12
NAMES = ("Water", "C07", "Noise", "Free 1")
EMPTY = 1  # the topic without words


@pytest.fixture
def topics() -> Topics:
    """Water, a code that tells nothing, Noise, and a free topic; four documents each but for it."""
    W = np.zeros((N, 4))
    W[np.arange(N), [0, 2, 3] * 4] = 1
    W[0, 2] = 0.5
    H = np.array([[0.8, 0.6, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0], [0, 0.6, 0, 0.8]])
    return Topics(
        doc_topic=W,
        topic_term=H,
        terms=("pipe", "tap", "music", "tree"),
        doc_ids=tuple(map(str, range(N))),
        names=NAMES,
        n_supervised=3,
        spec=ModelSpec(n_topics=4),
    )


@pytest.fixture
def supervision() -> Supervision:
    """Nobody has used the code yet."""
    labels = [["Water"], ["Noise"], []] * 2 + [[]] * 6
    return Supervision.of(labels, ["Water", "C07", "Noise"])


X = sp.csr_array(np.kron(np.eye(4), np.ones((3, 1))))


def test_words_and_titles(topics):
    assert topics.top_terms(EMPTY) == []
    assert first_words(topics, EMPTY, 5) == NO_WORDS
    assert topic_titles(topics)[EMPTY] == "C07"
    assert summaries.keywords(topics)["topic"].unique().tolist() == [0, 2, 3]
    assert distinctive_terms(topics, EMPTY).empty


def test_sizes_documents_and_shares(topics):
    sizes = summaries.topic_sizes(topics)
    assert (sizes["documents"][EMPTY], sizes["share"][EMPTY]) == (0, 0.0)
    assert summaries.top_documents(topics, EMPTY) == []
    assert borderline_documents(topics, EMPTY) == []
    assert co_occurring_topics(topics, EMPTY).empty
    assert not np.isnan(topics.shares()).any()


def test_similarity_and_orders(topics):
    cosines = word_similarity(topics)
    assert not cosines[EMPTY].any()
    assert count_shared_documents(topics)[EMPTY].sum() == 0
    assert sorted(reading_order(topic_similarity(topics).to_numpy())) == [0, 1, 2, 3]
    assert find_overlaps(topics)[EMPTY] == []


def test_labels_against_topics(topics, supervision):
    table = summaries.association(topics, supervision.indicator(), supervision.names)
    assert table["C07"].tolist() == [0, 0, 0]
    rows, columns = diagonal_order(table.to_numpy())
    assert (sorted(rows), sorted(columns)) == ([0, 1, 2], [0, 1, 2, 3])
    assert summaries.cell_documents(topics, supervision.indicator(), 0, EMPTY) == []
    assert summaries.adherence(topics, supervision) == pytest.approx(
        0.75
    )  # one text uses another topic


def test_a_label_that_shares_no_text_with_any_topic_is_matched_with_none(topics):
    truth = Supervision.of([["Water"], ["C07"], ["Noise"]] * 4, ["Water", "C07", "Noise"])
    only = topics.picked([0, 1])  # nothing but Water is found
    found = match_topics(only.doc_topic, truth.indicator(), label_names=truth.names)
    matched = dict(zip(found.table["label"], found.table["topic"], strict=True))
    assert (matched["Water"], matched["Noise"], matched["C07"]) == (0, UNMATCHED, UNMATCHED)
    assert found.n_labels == 3


def test_scores(topics, supervision):
    truth = Supervision.of([["Water"], ["Noise"], ["C07"]] * 4, ["Water", "C07", "Noise"])
    judged = scoring.held_out_documents(topics, supervision, truth)
    scores = scoring.score_held_out(judged)
    assert all(np.isfinite(score.value) for score in scores.values())
    outcome = scoring.describe_topics(topics, supervision, None)
    assert np.isfinite(outcome["diversity"].value)
    assert np.isnan(topic_coherence(topics.topic_term, X)[EMPTY])
    assert topic_diversity(topics.topic_term) == pytest.approx(4 / 5)
    table = coverage(topics, supervision)
    assert table.set_index("name").loc["C07", ["share", "labelled", "lack"]].tolist() == [0, 0, 1]


def test_two_fits(topics):
    same = compare_fits(
        (topics.doc_topic, topics.topic_term), (topics.doc_topic, topics.topic_term)
    )
    assert np.isfinite(same.word_overlap)
    assert document_differences(topics, topics).agreement == 1.0
    outcome = summaries.compare(topics, topics)
    assert (outcome.added, outcome.removed, outcome.moved, outcome.stability) == ((), (), (), 1.0)
    assert keep_free_order(topics, topics).keys == topics.keys
    merged = merge_columns(topics, EMPTY, 0)
    assert merged.topic_term[EMPTY] == pytest.approx(topics.topic_term[0] / 1.0, abs=1e-6)


def test_a_topic_that_finds_its_first_words_has_gained_them(topics):
    H = topics.topic_term.copy()
    H[EMPTY, 3] = 1
    outcome = summaries.compare(topics, replace(topics, topic_term=H))
    (change,) = (each for each in outcome.topics if each.after == EMPTY)
    assert (change.gained, change.lost) == (("tree",), ())


def test_the_map_has_a_place_for_everything_else(topics):
    placed = document_map(topics)
    assert np.isfinite(placed.topics).all()
    assert np.isfinite(placed.documents).all()
    again = document_map(
        topics, {str(key): xy for key, xy in zip(topics.keys, placed.topics.tolist(), strict=True)}
    )
    assert np.isfinite(again.topics).all()
    near = neighbour_map(topics, placed, np.arange(N))
    assert np.isfinite(near.topics).all()


def test_trends_and_classes(topics):
    table = summaries.by_class(topics, ["North", "South"] * 6)
    assert table[table["topic"] == EMPTY]["share"].tolist() == [0, 0]
    assert not table.isna().to_numpy().any()
    days = pd.date_range("2026-01-01", periods=N).date
    assert not summaries.over_time(topics, list(days), "month").empty


def test_the_queue_goes_on(topics):
    found = next_documents(topics, {0, 1}, n_docs=N, mode="mixed")
    assert found
    assert not any("C07" in item.reason for item in found)  # it has no text to offer


def test_what_needs_a_look(topics):
    coherence = topic_coherence(topics.topic_term, X)
    found = needs_attention(topics, labelled=[2, 0, 2, 0], coherence=coherence)
    (mine,) = (each for each in found if each.topic == EMPTY)
    assert [reason.kind for reason in mine.reasons] == ["no words"]


def test_operations_on_it_are_refused_in_words(topics):
    state = operations.state_after([], [CreateTopic("Water"), CreateTopic("C07")])
    with pytest.raises(StoreError, match="“C07” has no words yet that could be kept"):
        operations.lock(state, 2, topics=topics, column=EMPTY)
    with pytest.raises(StoreError, match="too few to split"):
        operations.split(state, 2, 2, topics=topics, column=EMPTY, X=X)


def test_labels_that_only_lend_names(topics, supervision):
    named = name_after_labels(topics, supervision)
    assert "C07" not in named.names  # unused topics are left out where labels own none
