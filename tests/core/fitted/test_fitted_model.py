"""A model away from its texts answers as the one in memory did; its file is safe to read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from core import FittedModel, ModelSpec, Supervision, TextSettings, build_matrix, fit
from core.corpus import Corpus
from core.errors import ModelError
from core.fitted.state import STORED_STATES
from core.text import DocumentVectors
from tests.core.workspace import small

NEW = ["the tap and the pipe leak", "loud music at night", "zebra", ""]
QUICK = {"pfa": {"max_iter": 30}, "pfa_ssi": {"max_iter": 30}}
CASES = [(model, QUICK.get(model, {})) for model in STORED_STATES]
CASES += [
    ("tsnmf", {"guidance": 0}),
    ("tsnmf", {"parts": 2}),
    ("tsnmf", {"solver": "mu", "guidance": 0}),
]


def labels_of(corpus: Corpus, *, several: bool = False) -> Supervision:
    rows = [list(row) if at < 15 else [] for at, row in enumerate(corpus.labels)]
    if several:
        rows[0] = ["Water", "Noise"]
    return Supervision.of(rows, small.TRUTH)


def fitted(model: str = "tsnmf", options=None, *, several: bool = False, vectors=None):
    corpus, spec = small.corpus(), ModelSpec(model, 4, options=options or {})
    matrix = build_matrix(corpus, spec.text_settings(TextSettings(max_share=1.0)))
    return matrix.with_vectors(vectors), labels_of(corpus, several=several), spec


def estimator_of(matrix, supervision, spec):
    """The in-memory estimator, fitted by the same call."""
    kept = []
    original = type(spec.estimator(3))._fit_with

    def spy(self, *args):
        kept.append(self)
        return original(self, *args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(spec.estimator(3)), "_fit_with", spy)
        topics = fit(matrix, supervision, spec)
    return topics, kept[-1]


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize(("model", "options"), CASES)
def test_a_loaded_model_answers_as_the_estimator_in_memory(model, options, several, tmp_path):
    matrix, supervision, spec = fitted(model, options, several=several)
    topics, estimator = estimator_of(matrix, supervision, spec)
    topics.fitted_model(matrix).save(tmp_path / "a.tsnmf")
    loaded = FittedModel.load(tmp_path / "a.tsnmf")
    X = matrix.rows_of(NEW)
    assert_array_equal(loaded.transform(NEW).to_numpy(), estimator.transform(X))
    assert_array_equal(loaded.predict(NEW).to_numpy(), estimator.predict(X))
    assert_array_equal(loaded.predict_proba(NEW).to_numpy(), estimator.predict_proba(X))
    assert tuple(loaded.transform(NEW)) == topics.names
    assert tuple(loaded.predict_proba(NEW)) == supervision.names


def test_new_texts_find_their_group_above_the_labels():
    matrix, labels, spec = fitted("pfa_ssi", {"max_iter": 60})
    up = {name: ("people" if name == "Noise" else "things",) for name in labels.names}
    grouped = replace(labels, hierarchy=(up,))
    topics, estimator = estimator_of(matrix, grouped, spec)
    model = replace(topics.fitted_model(matrix), nodes=topics.learned.nodes)
    table = model.table(NEW)
    found = table["group"].tolist()
    assert found[:2] == estimator.predict(matrix.rows_of(NEW), level=1)[:2].tolist()
    assert found[2:] == ["", ""]  # no word that the model knows
    assert table["main topic"].tolist()[2:] == ["", ""]
    assert "group" not in topics.fitted_model(matrix).table(NEW)


def test_vectors_of_new_texts_are_read_as_those_of_the_fit(tmp_path):
    rng = np.random.default_rng(0)
    vectors = DocumentVectors.of(rng.normal(size=(30, 5)), "my vectors")
    matrix, supervision, spec = fitted(vectors=vectors)
    topics, estimator = estimator_of(matrix, supervision, spec)
    topics.fitted_model(matrix).save(tmp_path / "a.tsnmf")
    loaded = FittedModel.load(tmp_path / "a.tsnmf")
    new = DocumentVectors.of(rng.normal(size=(4, 5)), "more").values
    X = matrix.rows_of(NEW)
    assert_array_equal(loaded.transform(NEW, vectors=new).to_numpy(), estimator.transform(X, new))
    answer = loaded.predict_proba(NEW, vectors=new).to_numpy()
    assert_array_equal(answer, estimator.predict_proba(X, new))
    assert np.abs(answer - loaded.predict_proba(NEW).to_numpy()).max() > 1e-3
    assert "vectors from my vectors, which are not here" in loaded.meaning_note
    with pytest.raises(ModelError, match="5 numbers for each of 4 texts"):
        loaded.predict(NEW, vectors=new[:, :2])


def test_texts_come_as_a_corpus_a_list_or_a_column():
    matrix, supervision, spec = fitted()
    model = fit(matrix, supervision, spec).fitted_model(matrix)
    column = pd.Series([*NEW[:3], None], index=["a", "b", "c", "d"])
    corpus = Corpus(ids=("a", "b", "c", "d"), texts=tuple(NEW))
    assert model.transform(column).equals(model.transform(corpus))
    assert model.predict(column).loc["a"] == "Water"
    assert model.predict(NEW).tolist()[:2] == ["Water", "Noise"]
    with pytest.raises(ModelError, match="a list of texts"):
        model.predict("one text")


def test_a_text_without_a_known_word_has_neither_topic_nor_label():
    matrix, supervision, spec = fitted()
    table = fit(matrix, supervision, spec).fitted_model(matrix).table(NEW)
    assert table["main topic"].tolist() == ["Water", "Noise", "", ""]
    assert table["labels"].tolist() == ["Water", "Noise", "", ""]
    assert table["chance of first label"].isna().tolist() == [False, False, True, True]
    assert table["share of Water"].iloc[0] == table["main topic share"].iloc[0]


def test_no_text_and_no_id_is_in_the_file(tmp_path):
    corpus = Corpus(
        ids=tuple(f"secret-{i}" for i in range(6)),
        texts=("pipe leak Ariadne", "pipe tap", "noise night", "noise loud", "pipe", "night tap"),
    )
    matrix = build_matrix(corpus, TextSettings(max_share=1.0, min_documents=2))
    topics = fit(matrix, Supervision.of([["W"], [], ["N"], [], [], []]), ModelSpec(n_topics=3))
    path = tmp_path / "a.tsnmf"
    topics.fitted_model(matrix).save(path, compressed=False)
    content = path.read_bytes().lower()
    assert b"secret" not in content
    assert b"ariadne" not in content
    assert b"pipe" in content
    state = topics.fitted_model(matrix).state
    assert all(6 not in array.shape for array in state.arrays.values())  # nothing per document


def test_topics_that_were_changed_have_no_model():
    matrix, supervision, spec = fitted()
    topics = fit(matrix, supervision, spec)
    turned = topics.picked([2, 0]).fitted_model(matrix)
    assert_array_equal(
        turned.transform(NEW).to_numpy(),
        topics.fitted_model(matrix).transform(NEW).to_numpy()[:, [2, 0]],
    )
    with pytest.raises(ModelError, match="changed after the fit"):
        replace(topics, topic_term=topics.topic_term * 2).fitted_model(matrix)
    with pytest.raises(ModelError, match="fit again"):
        replace(topics, state=None).fitted_model(matrix)
