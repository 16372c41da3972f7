"""Document vectors: length 1, saved without pickles, carried by the matrix."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.corpus import Corpus
from core.errors import TextError
from core.matrix import DocumentTermMatrix, build_matrix
from core.steering.stop_words import without_words
from core.text import DocumentVectors, TextSettings
from core.text.vectors import TEXTS_PER_BATCH, encode_documents, unit_rows

TEXTS = ("rusty street lamp", "the lamp again", "bins in the lane")


@dataclass
class LengthEncoder:
    """Two numbers of a text: its length and its words."""

    name: str = "lengths"
    key: str = "lengths"

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return unit_rows(np.array([[len(t), len(t.split())] for t in texts], float).reshape(-1, 2))


def vectors(n: int = 3) -> DocumentVectors:
    return DocumentVectors.of(np.random.default_rng(0).normal(size=(n, 4)), "test")


def small_matrix() -> DocumentTermMatrix:
    corpus = Corpus(ids=("a", "b", "c"), texts=TEXTS)
    return build_matrix(corpus, TextSettings(min_documents=1, max_share=1.0))


def test_rows_have_length_one_and_empty_rows_stay():
    rows = unit_rows(np.array([[3, 4], [0, 0], [1e200, 0], [1e-200, 1e-200]]))
    assert rows.dtype == np.float32
    assert_allclose(rows, [[0.6, 0.8], [0, 0], [1, 0], [0.5**0.5, 0.5**0.5]], rtol=1e-6)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_no_number_is_refused(bad):
    with pytest.raises(TextError, match="no number"):
        DocumentVectors.of(np.array([[1.0, bad]]), "test")


def test_a_single_row_of_numbers_is_no_table():
    with pytest.raises(TextError, match="a row for each text"):
        DocumentVectors(values=np.ones(3), source="test")


def test_saved_and_loaded_is_the_same(tmp_path):
    before = vectors()
    before.save(tmp_path / "some.vectors.npz")
    after = DocumentVectors.load(tmp_path / "some.vectors.npz")
    assert after == before
    assert (after.source, after.fingerprint) == (before.source, before.fingerprint)


def test_the_fingerprint_follows_values_and_source():
    values = vectors().values
    prints = {
        DocumentVectors(values=values, source="a").fingerprint,
        DocumentVectors(values=values, source="b").fingerprint,
        DocumentVectors(values=values[::-1], source="a").fingerprint,
        DocumentVectors(values=values.reshape(2, 6), source="a").fingerprint,
    }
    assert len(prints) == 4


def test_a_corpus_is_encoded_in_batches_with_progress():
    texts = ["word " * (i % 7 + 1) for i in range(TEXTS_PER_BATCH + 5)]
    told: list[tuple[int, int]] = []
    made = encode_documents(LengthEncoder(), texts, lambda done, total: told.append((done, total)))
    assert told == [(TEXTS_PER_BATCH, len(texts)), (len(texts), len(texts))]
    assert_allclose(made.values, LengthEncoder().encode(texts))
    assert (made.source, made.encoder) == ("lengths", "lengths")


def test_no_text_gives_no_vector_but_the_right_width():
    assert encode_documents(LengthEncoder(), []).values.shape == (0, 2)


def test_a_matrix_carries_vectors_through_stop_words_and_copies():
    matrix = small_matrix()
    assert matrix.vectors is None
    carried = matrix.with_vectors(vectors())
    assert carried != matrix
    assert carried.fingerprint == matrix.fingerprint
    assert without_words(carried, ["lamp"]).vectors == vectors()
    assert pickle.loads(pickle.dumps(carried)) == carried
    assert deepcopy(carried) == carried
    assert carried.with_vectors(None) == matrix


def test_a_matrix_is_saved_without_its_vectors(tmp_path):
    matrix = small_matrix()
    matrix.with_vectors(vectors()).save(tmp_path / "matrix.npz")
    assert DocumentTermMatrix.load(tmp_path / "matrix.npz") == matrix


def test_a_matrix_wants_a_vector_for_each_document():
    with pytest.raises(TextError, match="2 vectors for 3 texts"):
        small_matrix().with_vectors(vectors(2))


def test_vectors_say_what_they_are():
    assert repr(vectors()) == "DocumentVectors(3 documents, 4 numbers each, 'test')"
    named = DocumentVectors(values=np.ones((1, 1)), source="<b>")
    assert "&lt;b&gt;" in named._repr_html_()
