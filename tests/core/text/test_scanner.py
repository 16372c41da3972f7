"""The compiled reading of many texts finds what the pattern finds in each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import TextSettings
from core.text import counting, scanner
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


@pytest.mark.parametrize("chosen", SETTINGS.values(), ids=SETTINGS)
@settings(deadline=None)  # the first example makes the table of characters
@given(texts=texts_of_all_kinds)
def test_tokens_are_the_same_one_by_one_and_in_threads(chosen, texts):
    analyzer = Analyzer(chosen)
    found = (
        counting._tokens_one_by_one(texts, analyzer),
        counting._tokens_in_threads(texts, analyzer, analyzer.scan_options),
    )
    read = []
    for ids, starts, numbers in found:
        spelling = {number: token for token, number in numbers.items()}
        read.append((starts.tolist(), [spelling[number] for number in ids.tolist()]))
    assert read[0] == read[1]


def test_many_pieces_and_a_table_that_grows_give_the_same_counts(monkeypatch):
    rng = np.random.default_rng(0)
    words = [f"w{number}" for number in range(300)] + ["a.b@example.org"]
    texts = [" ".join(rng.choice(words, 30)) for _ in range(80)]
    analyzer = Analyzer(TextSettings(numbers=True, ngrams=2))
    counts, names = counting.count_terms(texts, analyzer)
    monkeypatch.setattr(counting, "MIN_CHARACTERS_TO_SCAN", 0)
    monkeypatch.setattr(scanner, "CHARACTERS_AT_ONCE", 500)
    monkeypatch.setattr(scanner, "FIRST_SLOTS", 16)
    again, names_again = counting.count_terms(texts, analyzer)
    assert sorted(names) == sorted(names_again)
    in_order = [names_again.index(name) for name in names]
    assert (counts != again[:, in_order]).nnz == 0
