"""Texts like a sentence, or like one of them: by words, and by meaning where it is on."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.errors import QueryError
from core.store import Project, Store
from core.text import TextSettings
from core.workspace import meaning
from core.workspace.caches import vectors
from core.workspace.caches.matrices import matrix_of
from core.workspace.searches import similar
from core.workspace.searches.similar import BY_WORDS, NOT_READ, similar_to_document, similar_to_text
from tests.core.workspace import small
from tests.model_folders import install_packages, model_folder
from tests.wordllama import require_wordllama


@pytest.fixture
def store(tmp_path):
    vectors.forget_vectors()
    with Store.open(home=tmp_path / "home") as store:
        yield store


def counted(store: Store, chosen: str = "off") -> Project:
    """A project whose words are counted and whose texts are encoded."""
    made = small.project(store)
    project = store.update_settings(made.id, replace(made.settings, meaning=chosen))
    vectors.encode_for_fit(store, project, large=True)
    matrix_of(store, project)
    return project


def kinds(found) -> list[int]:
    """Which of the three kinds of texts the ten most similar ones are."""
    return sorted({int(position) % 3 for position in np.argsort(-found.values)[:9]})


def test_without_meaning_shared_words_count_and_it_says_so(store, monkeypatch):
    monkeypatch.setitem(sys.modules, "wordllama", None)
    project = counted(store, "auto")
    found = similar_to_text(store, project, "loud music at night")
    assert found.note == BY_WORDS
    assert kinds(found) == [1]
    assert not similar_to_text(store, project, "plumbing trouble").values.any()


def test_with_meaning_a_sentence_finds_texts_without_its_words(store, tmp_path, monkeypatch):
    install_packages(monkeypatch)
    project = counted(store, str(model_folder(tmp_path)))
    found = similar_to_text(store, project, "plumbing trouble")
    assert found.note == "By words and meaning (tiny-model (model2vec))."
    assert kinds(found) == [0]
    assert_allclose(found.values[::3], 0.5, atol=0.01)


def test_wordllama_finds_what_a_sentence_means(store):
    require_wordllama()
    project = counted(store, "auto")
    found = similar_to_text(store, project, "my basement is flooded")
    assert kinds(found) == [0]
    assert found.note == "By words and meaning (wordllama 256)."


def test_a_text_is_not_in_its_own_list(store):
    found = similar_to_document(store, counted(store), 4)
    assert kinds(found) == [1]
    assert found.values[4] < 0
    assert found.note == BY_WORDS


def test_own_vectors_order_texts_but_cannot_read_a_sentence(store):
    made = counted(store)
    project = meaning.use_own_vectors(store, made, np.repeat(np.eye(3), 10, axis=0))
    assert similar_to_text(store, project, "loud music").note == NOT_READ
    found = similar_to_document(store, project, 0)
    nearest = np.argsort(-found.values, kind="stable")[:3]
    assert set(nearest.tolist()) <= {3, 6, 9}  # the same words, and the same vector
    assert found.note.startswith("By words and meaning (your own vectors")


def test_a_text_without_a_vector_is_judged_by_its_words(store):
    made = counted(store)
    values = np.eye(3)[np.arange(30) % 3]
    values[[0, 3]] = 0
    project = meaning.use_own_vectors(store, made, values)
    assert similar_to_document(store, project, 0).note == BY_WORDS
    words = similar_to_document(store, made, 6).values
    both = similar_to_document(store, project, 6).values
    assert both[3] == pytest.approx(words[3])
    assert both[9] == pytest.approx((words[9] + 1) / 2)


def test_counts_of_any_length_are_compared_by_their_direction(store):
    made = small.project(store)
    text = TextSettings(weighting="counts", l2=False, min_documents=1, max_share=1.0)
    project = store.update_settings(made.id, replace(made.settings, text=text, meaning="off"))
    matrix_of(store, project)
    values = similar_to_document(store, project, 0).values
    assert values.max() <= 1 + 1e-6
    assert values[3] == pytest.approx(8 / 9)


def test_nobody_waits_until_the_words_of_a_large_corpus_are_counted(store, monkeypatch):
    made = small.project(store)
    project = store.update_settings(made.id, replace(made.settings, meaning="off"))
    monkeypatch.setattr(similar, "COUNTED_AT_ONCE", 10)
    with pytest.raises(QueryError, match="after the next fit"):
        similar_to_text(store, project, "water")
    matrix_of(store, project)
    assert kinds(similar_to_text(store, project, "water")) == [0]


def test_a_small_corpus_is_counted_for_the_search(store):
    made = small.project(store)
    project = store.update_settings(made.id, replace(made.settings, meaning="off"))
    assert kinds(similar_to_text(store, project, "water")) == [0]
