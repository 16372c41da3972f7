"""The compiled reading of many texts finds what the pattern finds in each."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Corpus, TextSettings, build_matrix
from core.text import counting, scanner, vocabulary
from core.text.analyzer import Analyzer
from core.text.normalise import COMBINING_MARKS, normalise

SETTINGS = {
    "words": TextSettings(),
    "elisions": TextSettings(language="fr"),
    "plain letters": TextSettings(preset="ssnmf_paper"),
}
HARD = "aZé_9'’`\u0301\u093e\u00b2ªß漢ใ🙂\ud800 \n.,-²½&;" + COMBINING_MARKS[:3]
texts_of_all_kinds = st.lists(
    st.one_of(
        st.text(st.sampled_from(HARD), max_size=12),
        st.text(max_size=12),
        st.sampled_from(["Mail a.b@example.org!", "see www.example.org/a'b", "http://x", "l'eau"]),
    ),
    min_size=1,
    max_size=12,
)


@pytest.mark.parametrize("chosen", SETTINGS.values(), ids=SETTINGS)
@settings(deadline=None)  # the first example makes the table of characters
@given(texts=texts_of_all_kinds)
def test_words_are_those_of_the_pattern(chosen, texts):
    analyzer = Analyzer(chosen)
    plain = [text for text in map(normalise, texts) if not analyzer.may_hold_address(text)]
    found = scanner.scan_words(plain, **analyzer.scan_options)
    expected = [analyzer._word.findall(text) for text in plain]
    assert found.per_text.tolist() == list(map(len, expected))
    words = [found.spellings[number] for number in found.numbers]
    assert words == [word for each in expected for word in each]
    assert len(set(found.spellings)) == len(found.spellings)


class EveryToken(Analyzer):
    """Counts each token as it is written."""

    def make_term(self, token: str) -> str:
        return token


@pytest.mark.parametrize("chosen", SETTINGS.values(), ids=SETTINGS)
@settings(deadline=None)  # the first example makes the table of characters
@given(texts=texts_of_all_kinds)
def test_tokens_are_the_same_one_by_one_and_in_threads(chosen, texts):
    terms = counting._Terms(EveryToken(chosen))
    options = terms.analyzer.scan_options
    assert options is not None
    read = []
    for pieces in (
        counting._read_one_by_one(texts, terms),
        counting._read_in_threads(texts, terms, options),
    ):
        (piece,) = pieces
        read.append((piece.per_text.tolist(), [terms.names[i] for i in piece.columns.tolist()]))
    assert read[0] == read[1]


def test_many_pieces_and_a_table_that_grows_give_the_same_counts(monkeypatch):
    rng = np.random.default_rng(0)
    words = [f"w{number}" for number in range(300)] + ["a.b@example.org"]
    texts = [" ".join(rng.choice(words, 30)) for _ in range(80)]
    analyzer = Analyzer(TextSettings(numbers=True, ngrams=2))
    counts = counting.count_terms(texts, analyzer)
    monkeypatch.setattr(counting, "MIN_CHARACTERS_TO_SCAN", 0)
    monkeypatch.setattr(scanner, "CHARACTERS_AT_ONCE", 500)
    monkeypatch.setattr(scanner, "FIRST_SLOTS", 16)
    again = counting.count_terms(texts, analyzer)
    assert len(counts.pieces) == 1
    assert len(again.pieces) > 10
    assert sorted(counts.names) == sorted(again.names)
    place = {name: column for column, name in enumerate(sorted(counts.names))}
    one, many = (
        each.renumbered(np.array([place[name] for name in each.names]), len(place))
        for each in (counts, again)
    )
    assert (one != many).nnz == 0


def test_counts_may_be_used_twice_or_released():
    counts = counting.count_terms(["ant bee ant", "", "bee cow"], Analyzer(TextSettings()))
    new = np.array([{"ant": 1, "bee": 0, "cow": -1}[name] for name in counts.names])
    expected = [[1, 2], [0, 0], [1, 0]]
    assert counts.renumbered(new, 2).toarray().tolist() == expected
    assert counts.renumbered(new, 2, release=True).toarray().tolist() == expected
    assert counts.pieces == []


def test_a_word_that_is_said_very_often_is_counted_in_full():
    counts = counting.count_terms(["ant " * 70_000, "ant bee"], Analyzer(TextSettings()))
    assert counts.occurrences().tolist() == [70_001, 1]
    assert counts.document_frequency().tolist() == [2, 1]
    assert counts.largest_of_rows().tolist() == [70_000, 1]


def test_counting_takes_less_memory_than_the_texts(monkeypatch):
    """A number for every word would take twice as much as these texts, and more on the way."""
    rng = np.random.default_rng(0)
    words = np.array([f"word{number}" for number in range(500)])
    texts = [" ".join(rng.choice(words, 600)) for _ in range(1000)]
    monkeypatch.setattr(scanner, "CHARACTERS_AT_ONCE", 20_000)
    monkeypatch.setattr(scanner.os, "cpu_count", lambda: 2)
    analyzer = Analyzer(TextSettings(numbers=True))
    counting.count_terms(texts, analyzer)  # what is loaded once
    tracemalloc.start()
    counting.count_terms(texts, analyzer)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1.2 * sum(map(len, texts))


def test_terms_chosen_by_their_largest_weight_are_the_same_in_many_pieces(monkeypatch):
    rng = np.random.default_rng(0)
    words = np.array([f"w{number}" for number in range(60)])
    texts = [" ".join(rng.choice(words, rng.integers(1, 30))) for _ in range(90)]
    corpus = Corpus(ids=tuple(map(str, range(90))), texts=tuple(texts))
    chosen = TextSettings(numbers=True, weighting="max_tfidf", max_terms=20, min_documents=1)
    whole = build_matrix(corpus, chosen)
    monkeypatch.setattr(counting, "TEXTS_AT_ONCE", 7)
    monkeypatch.setattr(vocabulary, "ROWS_AT_ONCE", 4)
    pieces = build_matrix(corpus, chosen)
    assert pieces.terms == whole.terms
    np.testing.assert_array_equal(pieces.X.toarray(), whole.X.toarray())
