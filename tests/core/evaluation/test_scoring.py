"""Scores of a run on topics written by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.corpus import Corpus
from core.errors import ModelError
from core.evaluation.metrics.matching import match_topics
from core.evaluation.scoring import (
    SCORE_INFO,
    describe_topics,
    held_out_documents,
    labels_of_topics,
    main_topic_is_right,
    score_run,
)
from core.matrix import build_matrix
from core.spec import ModelSpec
from core.supervision import Supervision
from core.topics import Topics

NAMES = ("A", "B")
#  document 0 is told; 1 and 2 are right, 3 is wrong, 4 has no truth, 5 no weight
WEIGHTS = np.array([[1, 0, 0], [3, 1, 0], [0, 2, 0], [0, 4, 0], [1, 0, 0], [0, 0, 0]], dtype=float)
TRUTH = [["A"], ["A"], ["B"], ["A"], [], ["B"]]


def topics(weights=WEIGHTS, names=(*NAMES, "Free 1"), n_supervised=2) -> Topics:
    return Topics(
        doc_topic=weights,
        topic_term=np.eye(3, 4),
        terms=tuple("wxyz"),
        doc_ids=tuple("012345"),
        names=names,
        n_supervised=n_supervised,
        spec=ModelSpec(n_topics=3),
    )


def told(*rows: int) -> Supervision:
    return Supervision.of([TRUTH[i] if i in rows else [] for i in range(6)], NAMES)


TRUE = Supervision.of(TRUTH, NAMES)


def test_only_documents_that_were_not_told_and_have_a_truth_are_judged():
    assert held_out_documents(topics(), told(0), TRUE).positions.tolist() == [1, 2, 3, 5]
    assert held_out_documents(topics(), told(0), TRUE, rows=[0, 1]).positions.tolist() == [0, 1]


def test_right_first_and_whole_set():
    scores = score_run(topics(), told(0), TRUE)
    assert scores["first"].value == 0.5  # 1 and 2 of 1, 2, 3, 5
    assert scores["accuracy"].value == 0.5  # a quarter of document 1 is not enough for B
    assert scores["first"].low < 0.5 < scores["first"].high
    assert scores["first"].note == "on 4 texts"


def test_f1_counts_given_and_true_labels():
    scores = score_run(topics(), told(0), TRUE)
    # given A, B, B, nothing; true A, B, A, B: two hits of 3 given and 4 true
    assert scores["f1_micro"].value == pytest.approx(2 * 2 / 7)
    assert scores["f1_macro"].value == pytest.approx((2 / 3 + 2 / 4) / 2)


def test_jaccard_and_resolved_are_those_of_the_matching():
    scores = score_run(topics(), told(0), TRUE)
    found = match_topics(WEIGHTS, TRUE.indicator(), label_names=NAMES, rows=[1, 2, 3, 5])
    assert scores["jaccard"].value == found.mean_jaccard
    assert scores["resolved"].value == found.n_resolved == 2
    assert scores["jaccard"].low <= scores["jaccard"].value <= scores["jaccard"].high


def test_clusters_hard_and_soft():
    scores = score_run(topics(), told(0), TRUE)
    assert scores["hard"].value == pytest.approx((0.5 + 0.5 + 0) / 3)
    assert scores["soft"].value == pytest.approx((0.375 + max(0.625, 0.5) + 0) / 3)


def test_names_differ_so_the_best_match_speaks():
    renamed = topics(names=("Bins", "b", "Free 1"), n_supervised=0)
    judged = held_out_documents(renamed, told(0), TRUE)
    found = match_topics(judged.doc_topic, judged.truth, label_names=NAMES)
    assert labels_of_topics(judged, found).tolist() == [0, 1, -1]
    assert main_topic_is_right(judged).tolist() == [True, True, False, False]


def test_without_truth_words_and_adherence_are_left():
    scores = score_run(topics(), told(0))
    assert (scores["adherence"].value, scores["diversity"].value) == (1.0, 1.0)
    assert set(scores) == {"diversity", "adherence"}


def test_sparsity_between_labels_is_told_of_the_model_whose_prior_sets_it():
    bayesian = replace(topics(n_supervised=0), spec=ModelSpec("supervised_vbnmf", n_topics=3))
    score = describe_topics(bayesian, TRUE)["label_sparsity"]
    # A: (1 + 3 + 0, 1 + 4) in two topics, B: (0, 2): 4, 5, 2 of six numbers
    expected = (6**0.5 - 11 / 45**0.5) / (6**0.5 - 1)
    assert score.value == pytest.approx(expected)
    assert score.note == "on 5 labelled texts"
    assert "label_sparsity" not in describe_topics(topics(), TRUE)
    assert "label_sparsity" not in describe_topics(bayesian, Supervision.of([[]] * 6, NAMES))


def test_coherence_asks_the_matrix_which_words_meet():
    texts = ("leak pipe", "leak pipe", "night noise", "night noise")
    matrix = build_matrix(Corpus(ids=tuple("0123"), texts=texts))
    pairs = np.array([[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0]])  # leak with pipe, night, noise
    words = replace(topics(), doc_topic=np.ones((4, 2)), topic_term=pairs, terms=matrix.terms)
    assert matrix.terms == ("leak", "night", "noise", "pipe")
    found = describe_topics(words, Supervision.none(4), matrix)
    assert found["coherence"].value == pytest.approx(1.0)
    assert "adherence" not in found


def test_nothing_left_to_judge_gives_no_score():
    everything = told(0, 1, 2, 3, 5)
    assert "first" not in score_run(topics(), everything, TRUE)


def test_other_documents_are_refused():
    with pytest.raises(ModelError, match="same texts"):
        held_out_documents(topics(), told(0), Supervision.of([["A"]], NAMES))


def test_every_score_is_explained():
    scores = score_run(topics(), told(0), TRUE)
    assert set(scores) <= set(SCORE_INFO)
