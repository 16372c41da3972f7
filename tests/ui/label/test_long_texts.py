"""Long texts folded around what matters."""

from __future__ import annotations

from core.search import find_matches
from tsnmf_ui.label import long_texts

LONG = " ".join(f"This is sentence {n} of a long text." for n in range(200))


def shown(marks):
    return [LONG[start:end] for start, end in long_texts.passages(LONG, marks)]


def test_a_short_text_stays_whole():
    assert long_texts.passages("Short.", []) == [(0, 6)]


def test_without_marks_the_beginning_stays():
    (only,) = shown([])
    assert LONG.startswith(only)
    assert long_texts.OPENING_CHARACTERS < len(only) <= long_texts.CHARACTERS_SHOWN


def test_passages_with_marks_stay():
    at = LONG.index("sentence 150")
    first, second = shown([(at, at + 8, 1.0)])
    assert LONG.startswith(first)
    assert "sentence 150 of" in second
    assert len(first) + len(second) <= long_texts.CHARACTERS_SHOWN + long_texts.MAX_MERGED_GAP


def test_a_text_without_sentences_is_folded_too():
    parts = long_texts.passages("word " * 1000, [])
    assert (
        sum(end - start for start, end in parts)
        <= long_texts.CHARACTERS_SHOWN + long_texts.MAX_MERGED_GAP
    )


def test_searched_words_are_found_whole_or_begun():
    text = "Street lamps: the street, STREET lamp out"
    assert [text[a:b] for a, b in find_matches(text, '"street lamp"')] == ["STREET lamp"]
    assert [text[a:b] for a, b in find_matches(text, "stre")] == [
        "Street",
        "street",
        "STREET",
    ]
    assert find_matches(text, "colour:red") == []
    assert find_matches(text, "-lamp topic:x") == []
