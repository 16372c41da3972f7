"""Every value can be pickled, copied and compared; its repr is a line, in a notebook a table."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest

from core import (
    Corpus,
    DocumentTermMatrix,
    ModelSpec,
    Supervision,
    TextSettings,
    Topics,
    build_matrix,
    fit,
)
from core.engine.descent import Trace
from core.engine.groups import Groups
from core.engine.learned import LearnedWeights, Nodes
from core.engine.margins import LabelMachines
from core.evaluation.forecast import Forecast, LearningCurve
from core.evaluation.metrics import compare_fits, match_topics, score_p
from core.evaluation.metrics.clustering import ScoreP
from core.evaluation.metrics.matching import Matching
from core.evaluation.metrics.stability import Stability
from core.evaluation.progress import DocumentHits
from core.guide.classifier import Guide, fit_guide
from core.guide.latent import Latent
from core.insight.document_facts import DocumentFacts
from core.insight.document_map import DocumentMap, document_map
from core.queue.hints import Hints
from core.report import ReportInput, build_report
from core.report.description import Report

CORPUS = Corpus(
    ids=("a", "b", "c", "d"),
    texts=("red apple tree", "green apple tree", "fast blue car", "slow blue <b>car</b>"),
    labels=(("fruit",), (), ("traffic",), ()),
    side={"place": ("here", "there", "here", "there")},
)
MATRIX = build_matrix(CORPUS, TextSettings(min_documents=1, max_share=1.0))
LABELS = Supervision.of(CORPUS.labels, ["fruit", "<i>traffic</i>", "traffic"])
SPEC = ModelSpec(n_topics=4, options={"parts": {"fruit": 2}, "max_iter": 5})
TOPICS = fit(MATRIX, LABELS, SPEC)
NODES = Nodes((("x", "y"),), (np.eye(2),), (((), ()),))
GUIDE = fit_guide(MATRIX.X, LABELS)
HINTS = Hints.of(TOPICS.doc_topic)
FORECAST = Forecast(0.5, (25, 50), np.array([0.6, 0.7]), np.array([0.5, 0.6]), np.ones(2))
MATCHING = match_topics(TOPICS.doc_topic, LABELS.indicator(), label_names=LABELS.names)
FACTORS = (TOPICS.doc_topic, TOPICS.topic_term)
STABILITY = compare_fits(FACTORS, FACTORS)
REPORT = build_report(
    ReportInput(topics=TOPICS, corpus=CORPUS, supervision=LABELS),
    title="Messages",
)
MAP = document_map(TOPICS)
FACTS = DocumentFacts.of(CORPUS)
PAIRS = {
    Supervision: (LABELS, Supervision.of(CORPUS.labels, ["fruit", "traffic"])),
    ModelSpec: (SPEC, ModelSpec(n_topics=4)),
    Topics: (TOPICS, TOPICS.renamed(("A", "B", "C", "D"))),
    Corpus: (CORPUS, replace(CORPUS, texts=("", *CORPUS.texts[1:]))),
    DocumentTermMatrix: (MATRIX, replace(MATRIX, X=MATRIX.X * 2)),
    TextSettings: (TextSettings(), TextSettings(lowercase=False)),
    Trace: (Trace((2.0, 1.0), 1, "converged"), Trace((2.0, 1.5), 1, "converged")),
    Groups: (Groups((1,), np.ones((2, 1)), np.ones((1, 3))), Groups((1,), np.eye(2), np.eye(2))),
    LearnedWeights: (
        LearnedWeights(("x",), np.ones((1, 2)), NODES),
        LearnedWeights(("x",), np.zeros((1, 2)), NODES),
    ),
    LabelMachines: (LabelMachines(np.eye(2), np.ones(2)), LabelMachines(np.eye(2), np.zeros(2))),
    Guide: (GUIDE, replace(GUIDE, constant=GUIDE.constant + 1)),
    Latent: (GUIDE.latent, replace(GUIDE.latent, corpus=GUIDE.latent.corpus[:1])),
    Hints: (HINTS, replace(HINTS, entropy=HINTS.entropy + 1)),
    Matching: (MATCHING, replace(MATCHING, table=MATCHING.table[:1])),
    Stability: (STABILITY, replace(STABILITY, table=STABILITY.table[::-1])),
    ScoreP: (score_p(TOPICS.doc_topic, [1, 1, 2, 2]), score_p(TOPICS.doc_topic, [3, 4, 3, 4])),
    DocumentHits: (
        DocumentHits(np.arange(3), np.ones(3, bool)),
        DocumentHits(np.arange(3), np.zeros(3, bool)),
    ),
    LearningCurve: (
        LearningCurve(np.arange(2), np.eye(2)),
        LearningCurve(np.arange(2), np.eye(2), 9),
    ),
    Forecast: (FORECAST, replace(FORECAST, low=FORECAST.low / 2)),
    DocumentMap: (MAP, replace(MAP, documents=MAP.documents + 1)),
    DocumentFacts: (FACTS, DocumentFacts.of(replace(CORPUS, side={"place": ("here",) * 4}))),
    Report: (REPORT, replace(REPORT, title="Letters")),
    Nodes: (NODES, Nodes((("x", "y"),), (np.ones((2, 2)),), (((), ()),))),
}
HASHABLE = {ModelSpec, Corpus, DocumentTermMatrix, TextSettings, Trace}
every_value = pytest.mark.parametrize("kind", list(PAIRS), ids=lambda kind: kind.__name__)
with_table = pytest.mark.parametrize(
    "kind",
    [Topics, Corpus, DocumentTermMatrix, Supervision, ModelSpec, TextSettings, Report],
    ids=lambda kind: kind.__name__,
)


@every_value
@pytest.mark.parametrize(
    "twin_of", [lambda v: pickle.loads(pickle.dumps(v)), copy.deepcopy, copy.copy]
)
def test_a_copy_is_equal_and_another_value_is_not(kind, twin_of):
    value, other = PAIRS[kind]
    twin = twin_of(value)
    assert type(twin) is kind
    assert twin == value
    assert twin != other
    assert value != "something else"


@every_value
def test_equal_values_have_equal_hashes_or_none_has_any(kind):
    value = PAIRS[kind][0]
    if kind in HASHABLE:
        assert hash(pickle.loads(pickle.dumps(value))) == hash(value)
    else:
        with pytest.raises(TypeError):
            hash(value)


@every_value
def test_a_value_shows_itself_in_one_short_line(kind):
    shown = repr(PAIRS[kind][0])
    assert shown.startswith(kind.__name__)
    assert "\n" not in shown
    assert "array" not in shown
    assert len(shown) < 400


@with_table
def test_a_value_shows_itself_as_a_small_table_in_a_notebook(kind):
    shown = PAIRS[kind][0]._repr_html_()
    assert shown.startswith("<table>")
    assert shown.count("<tr>") <= 30
    assert "<i>" not in shown  # names are data
    assert "<b>" not in shown


def test_topics_of_other_parts_or_other_learned_weights_are_others():
    assert TOPICS.groups is not None
    assert replace(TOPICS, groups=None) != TOPICS
    assert replace(TOPICS, learned=LearnedWeights(("x",), np.ones((1, 4)))) != TOPICS


def test_text_settings_show_what_was_chosen():
    assert repr(TextSettings()) == "TextSettings(preset='plain', language='en')"
    chosen = TextSettings(min_token=2, extra_stop_words=("a", "b"))
    assert "extra_stop_words='2 words'" in repr(chosen)
    assert "min_token=2" in repr(chosen)


def test_a_copied_spec_is_still_read_only():
    with pytest.raises(TypeError):
        copy.deepcopy(SPEC).options["parts"] = 3


def test_some_documents_of_a_corpus_keep_all_that_is_known_of_them():
    part = CORPUS.rows([2, 0])
    assert list(part) == [CORPUS[2], CORPUS[0]]


def test_a_corpus_of_other_side_columns_is_another():
    assert replace(CORPUS, side={"place": ("here",) * 4}) != CORPUS
