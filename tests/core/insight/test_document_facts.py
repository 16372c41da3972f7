"""Facts about documents: the same from a corpus and from a file."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from core.corpus import Corpus
from core.insight.document_facts import DocumentClasses, DocumentFacts, days_of


@pytest.fixture
def facts():
    return DocumentFacts.of(
        Corpus(
            ids=("a", "b", "c"),
            texts=("x", "y", "z"),
            labels=(("noise", "water"), (), ("water",)),
            dates=(date(2026, 1, 2), None, date(1960, 5, 1)),
            side={"district": ("south", "north", "south")},
        )
    )


def test_facts_are_numbers_and_names(facts):
    assert facts.days.astype(str).tolist() == ["2026-01-02", "NaT", "1960-05-01"]
    assert facts.classes["district"].names == ("north", "south")
    assert facts.classes["district"].codes.tolist() == [1, 0, 1]
    assert facts.label_names == ("water", "noise")
    assert facts.labels.toarray().tolist() == [[1, 1], [0, 0], [1, 0]]
    assert facts.dated


def test_classes_that_are_numbers_are_ordered_by_size_and_none_is_last():
    assert DocumentClasses.of(["10", "", "2", "-1.5"]).names == ("-1.5", "2", "10", "")
    assert DocumentClasses.of(["10", "", "2", "two"]).names == ("10", "2", "two", "")


def test_a_file_gives_back_the_same(facts, tmp_path):
    facts.save(tmp_path / "deep" / "facts.npz")
    again = DocumentFacts.load(tmp_path / "deep" / "facts.npz")
    assert np.array_equal(again.days, facts.days, equal_nan=True)
    assert again.classes["district"].names == ("north", "south")
    assert (again.labels != facts.labels).nnz == 0


def test_a_corpus_may_know_nothing(tmp_path):
    bare = DocumentFacts.of(Corpus(ids=("a",), texts=("x",)))
    bare.save(tmp_path / "facts.npz")
    again = DocumentFacts.load(tmp_path / "facts.npz")
    assert (again.dated, again.labels, dict(again.classes)) == (False, None, {})
    assert days_of(bare.days) is not None
    assert DocumentClasses.of([]).codes.size == 0
