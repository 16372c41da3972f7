"""Counts, pruning, weights; the matrix must say what the analyzer says."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.feature_extraction.text import TfidfVectorizer

from core.corpus import Corpus
from core.errors import TextError
from core.matrix import DocumentTermMatrix, build_matrix, preview_text, sample_corpus
from core.steering.stop_words import without_words
from core.text import Analyzer, TextSettings

ALL = {"min_documents": 1, "max_share": 1.0}
TEXTS = (
    "The street lamp on Mill Lane is rusty",
    "Street lamps are rusty again, rusty for weeks",
    "Bins were not emptied in Mill Lane",
    "",
    "The bin lorry skipped our street",
)


def corpus_of(*texts: str) -> Corpus:
    return Corpus(ids=tuple(f"d{i}" for i in range(len(texts))), texts=texts)


def row(matrix: DocumentTermMatrix, position: int) -> dict[str, float]:
    part = matrix.X[[position]]
    return {matrix.terms[j]: float(v) for j, v in zip(part.indices, part.data, strict=True)}


def test_tfidf_equals_scikit_learns_on_the_same_terms():
    chosen = TextSettings(**ALL)
    ours = build_matrix(corpus_of(*TEXTS), chosen)
    theirs = TfidfVectorizer(analyzer=Analyzer(chosen).terms)
    expected = theirs.fit_transform(TEXTS)
    assert ours.terms == tuple(theirs.get_feature_names_out())
    assert_allclose(ours.X.toarray(), expected.toarray(), rtol=1e-6)


def test_counts_without_length():
    matrix = build_matrix(corpus_of(*TEXTS), TextSettings(**ALL, weighting="counts", l2=False))
    assert row(matrix, 1) == {"street": 1, "lamp": 1, "rusty": 2, "week": 1}


def test_storage_is_small_and_sorted():
    matrix = build_matrix(corpus_of(*TEXTS), TextSettings(**ALL, ngrams=2))
    assert (matrix.X.dtype, matrix.X.indices.dtype, matrix.X.indptr.dtype) == ("f4", "i4", "i4")
    assert matrix.X.has_sorted_indices
    assert list(matrix.terms) == sorted(matrix.terms)


def test_empty_documents_keep_their_row():
    matrix = build_matrix(corpus_of(*TEXTS))
    assert matrix.empty == (3,)
    assert matrix.shape == (5, 5)
    assert matrix.doc_ids == ("d0", "d1", "d2", "d3", "d4")


def test_document_frequency_is_counted_before_weights():
    matrix = build_matrix(corpus_of(*TEXTS), TextSettings(max_share=1.0))
    assert dict(zip(matrix.terms, matrix.document_frequency.tolist(), strict=True)) == {
        "bin": 2,
        "rusty": 2,
        "lamp": 2,
        "lane": 2,
        "mill": 2,
        "street": 3,
    }


def test_terms_in_too_many_documents_go():
    assert "street" not in build_matrix(corpus_of(*TEXTS), TextSettings(max_share=0.5)).terms


def test_min_documents_may_be_a_share():
    matrix = build_matrix(corpus_of(*TEXTS), TextSettings(min_documents=0.6, max_share=1.0))
    assert matrix.terms == ("street",)


def test_the_cap_keeps_the_most_frequent_and_breaks_ties_by_alphabet():
    matrix = build_matrix(corpus_of(*TEXTS), TextSettings(**ALL, max_terms=3))
    assert matrix.terms == ("bin", "rusty", "street")


def test_phrases_stay_inside_a_document():
    matrix = build_matrix(corpus_of("rusty lamp", "lane lamp"), TextSettings(**ALL, ngrams=3))
    assert matrix.terms == ("lamp", "lane", "lane lamp", "rusty", "rusty lamp")


@pytest.mark.parametrize("texts", [(), ("", " "), ("the of and", "12 34")])
def test_nothing_to_read_is_one_sentence(texts):
    with pytest.raises(TextError, match="No word is left in any text"):
        build_matrix(corpus_of(*texts))


def test_everything_pruned_names_the_limits():
    with pytest.raises(
        TextError, match="None of the 2 words is in at least 2 and at most 50\u00a0%"
    ):
        build_matrix(corpus_of("lamp", "bridge"))


def test_the_fingerprint_follows_texts_and_settings():
    corpus = corpus_of(*TEXTS)
    prints = {
        build_matrix(corpus).fingerprint,
        build_matrix(corpus, TextSettings(lemmas=False)).fingerprint,
        build_matrix(corpus_of(*TEXTS[::-1])).fingerprint,
    }
    assert len(prints) == 3
    assert build_matrix(corpus).fingerprint in prints


def test_saved_and_loaded_is_the_same(tmp_path):
    matrix = build_matrix(corpus_of(*TEXTS), TextSettings(**ALL, extra_stop_words=("lane",)))
    matrix.save(tmp_path / "matrix")
    again = DocumentTermMatrix.load(tmp_path / "matrix")
    assert (again.X != matrix.X).nnz == 0
    for name in ("terms", "doc_ids", "settings", "fingerprint", "empty", "notes"):
        assert getattr(again, name) == getattr(matrix, name)
    assert np.array_equal(again.document_frequency, matrix.document_frequency)


def test_counts_are_divided_by_the_largest_of_the_text_and_multiplied_by_plain_idf():
    texts = ("lamp lamp lamp lamp rust rust bin", "lamp bin", "lamp street")
    matrix = build_matrix(corpus_of(*texts), TextSettings(preset="vbnmf_paper"))
    assert row(matrix, 0) == pytest.approx({"bin": np.log(3 / 2) / 4, "rust": np.log(3) / 2})
    assert row(matrix, 2) == pytest.approx({"street": np.log(3)})  # a word of every text is nothing
    few = build_matrix(corpus_of(*texts), TextSettings(preset="vbnmf_paper", max_terms=2))
    assert few.terms == ("rust", "street")  # the largest weights: ln 3 / 2 and ln 3; bin: ln 1.5
    assert row(few, 0) == pytest.approx({"rust": np.log(3) / 2})  # lamp, not kept, is the largest


@pytest.mark.parametrize("weighting", ["tfidf", "max_tfidf", "counts"])
@pytest.mark.parametrize("l2", [True, False])
def test_a_text_of_the_corpus_read_anew_gives_its_row(weighting, l2):
    chosen = TextSettings(**ALL, ngrams=2, weighting=weighting, l2=l2)
    matrix = build_matrix(corpus_of(*TEXTS), chosen)
    rows = matrix.rows_of(TEXTS)
    assert (rows.dtype, rows.indices.dtype) == (matrix.X.dtype, matrix.X.indices.dtype)
    assert_allclose(rows.toarray(), matrix.X.toarray(), rtol=1e-6)


def test_new_texts_are_read_with_the_corpus_own_words_and_idf():
    theirs = TfidfVectorizer(analyzer=Analyzer(TextSettings(**ALL)).terms).fit(TEXTS)
    new = ["A rusty bridge in the street", "bridge", ""]
    rows = build_matrix(corpus_of(*TEXTS), TextSettings(**ALL)).rows_of(new)
    assert_allclose(rows.toarray(), theirs.transform(new).toarray(), rtol=1e-6)


def test_new_texts_do_not_speak_words_that_became_stop_words():
    matrix = without_words(build_matrix(corpus_of(*TEXTS), TextSettings(**ALL)), ["rusty"])
    rows = matrix.rows_of(["rusty lamp", "rusty"]).toarray()
    assert rows[:, matrix.terms.index("rusty")].tolist() == [0, 0]
    assert rows[0, matrix.terms.index("lamp")] == pytest.approx(1)


def test_no_text_gives_no_row():
    matrix = build_matrix(corpus_of(*TEXTS))
    assert matrix.rows_of([]).shape == (0, len(matrix.terms))
    weighted = build_matrix(corpus_of(*TEXTS), TextSettings(preset="vbnmf_paper"))
    assert not weighted.rows_of(["", "?"]).nnz


words = st.sampled_from(
    ["lamp", "Lamps", "the", "mill’s", "&amp;", "bin-lorry", "don't", "12", "Ω"]
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(words, max_size=8).map(" ".join), min_size=1, max_size=5), st.data())
def test_matrix_and_spans_count_the_same(texts, data):
    chosen = TextSettings(
        **ALL, weighting="counts", l2=False, ngrams=data.draw(st.integers(1, 3)), min_token=1
    )
    analyzer = Analyzer(chosen)
    expected = [Counter(analyzer.terms(text)) for text in texts]
    if not any(expected):
        return
    matrix = build_matrix(corpus_of(*texts), chosen)
    assert [row(matrix, i) for i in range(len(texts))] == expected


def test_preview_tells_words_gained_and_lost():
    seen = preview_text(
        corpus_of(*TEXTS),
        TextSettings(max_share=1.0),
        against=TextSettings(max_share=1.0, lemmas=False),
        document=4,
    )
    assert (seen.n_terms, seen.n_documents, seen.n_empty) == (6, 5, 1)
    assert seen.gained == ("bin", "lamp")
    assert seen.lost == ()
    assert [TEXTS[4][s.start : s.end] for s in seen.spans] == ["bin", "street"]


def test_preview_bears_earlier_settings_that_left_nothing():
    seen = preview_text(
        corpus_of("lamp", "lamp"), TextSettings(max_share=1.0), against=TextSettings()
    )
    assert (seen.gained, seen.lost) == (("lamp",), ())


def test_preview_reads_a_sample_of_a_large_corpus():
    many = corpus_of(*(f"lamp street {i}" for i in range(50)))
    part = sample_corpus(many, 10)
    assert (len(part), part.ids[0], part.ids[-1]) == (10, "d0", "d49")
    chosen = TextSettings(max_share=1.0)
    assert preview_text(many, chosen, sample=10).n_documents == 10


def test_new_texts_are_counted_like_an_earlier_matrix(tmp_path):
    first = build_matrix(corpus_of(*TEXTS), TextSettings(**ALL))
    new = corpus_of("A rusty bridge in the street", "bridge")
    second = build_matrix(new, like=first)
    assert_allclose(second.X.toarray(), first.rows_of(new.texts).toarray())
    assert (second.terms, second.doc_ids, second.empty) == (first.terms, new.ids, (1,))
    assert second.document_frequency.sum() == 2
    second.save(tmp_path / "matrix")
    third = build_matrix(new, like=DocumentTermMatrix.load(tmp_path / "matrix"))
    assert_allclose(third.X.toarray(), second.X.toarray())  # the idf of the first, still
    with pytest.raises(TextError, match="not both"):
        build_matrix(new, TextSettings(), like=first)
