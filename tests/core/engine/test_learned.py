"""What models learn of labels and nodes travels with the topics."""

from __future__ import annotations

import numpy as np
import pytest

from core.engine.learned import LearnedWeights, Nodes
from core.evaluation.label_names import name_after_labels
from core.fitting import fit
from core.matrix import build_matrix
from core.spec import ModelSpec
from core.supervision import Supervision
from core.topics import Topics
from tests.core.workspace import small

LABELS = [[("Water", "Noise", "Parks")[i % 3]] if i < 12 else [] for i in range(30)]
NAMES = ("Water", "Noise", "Parks")
HIERARCHY = [{"Water": ["Utilities"], "Noise": ["Public space"], "Parks": ["Public space"]}]


@pytest.fixture(scope="module")
def corpus():
    return small.corpus()


def fitted(corpus, model, **options):
    spec = ModelSpec(model, n_topics=4, options=options)
    matrix = build_matrix(corpus, spec.text_settings(small.ProjectSettings().text))
    supervision = Supervision.of(LABELS, NAMES, hierarchy=HIERARCHY)
    return fit(matrix, supervision, spec), supervision


def test_ssnmf_learns_how_labels_share_topics(corpus, tmp_path):
    topics, supervision = fitted(corpus, "ssnmf")
    table = topics.learned.association(topics.names)
    assert table.index.tolist() == list(NAMES)
    assert table.to_numpy().sum(axis=0) == pytest.approx(np.ones(4))
    topics.save(tmp_path / "t.npz")
    again = Topics.load(tmp_path / "t.npz")
    assert again.learned.association(again.names).equals(table)
    named = name_after_labels(topics, supervision)
    labels = [NAMES.index(key) for key in named.label_keys]
    table = named.learned.association(named.names)
    assert [table[NAMES[label]].idxmax() for label in labels] == [NAMES[i] for i in labels]


def test_pfa_ssi_learns_nodes_and_their_parents(corpus, tmp_path):
    topics, _ = fitted(corpus, "pfa_ssi", max_iter=80)
    topics.save(tmp_path / "t.npz")
    nodes = Topics.load(tmp_path / "t.npz").learned.nodes
    assert nodes.names == ((*NAMES, "unlabelled"), ("Public space", "Utilities"))
    assert nodes.parents[0] == ((1,), (0,), (0,), ())
    assert nodes.shares(0).sum(axis=1) == pytest.approx(np.ones(4))
    assert nodes.similarity(0, 1).shape == (4, 2)


def test_models_without_either_learn_nothing_of_the_kind(corpus):
    assert fitted(corpus, "nmf")[0].learned is None
    assert fitted(corpus, "tsnmf")[0].learned is None


def test_nodes_know_their_topics_and_neighbours():
    weights = np.array([[3.0, 1.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 5.0], [0.0, 0.0, 0.0]])
    nodes = Nodes((("a", "b", "c", "d"),), (weights,), (((), (), (), ()),))
    assert nodes.main_topics(0, 0) == [(0, 0.75), (1, 0.25)]
    assert nodes.main_topics(0, 3) == []
    assert nodes.nearest(0, 0, n=1)[0][0] == 1
    picked = LearnedWeights(nodes=nodes).picked([2, 0])
    assert picked.nodes.weights[0].tolist()[0] == [0.0, 3.0]
