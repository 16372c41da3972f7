"""Long texts folded around what matters."""

from __future__ import annotations

from tsnmf_ui import finder, folding

LONG = " ".join(f"This is sentence {n} of a long text." for n in range(200))


def shown(marks):
    return [LONG[start:end] for start, end in folding.passages(LONG, marks)]


def test_a_short_text_stays_whole():
    assert folding.passages("Short.", []) == [(0, 6)]


def test_without_marks_the_beginning_stays():
    (only,) = shown([])
    assert LONG.startswith(only)
    assert folding.BEGINNING < len(only) <= folding.SHOWN


def test_passages_with_marks_stay():
    at = LONG.index("sentence 150")
    first, second = shown([(at, at + 8, 1.0)])
    assert LONG.startswith(first)
    assert "sentence 150 of" in second
    assert len(first) + len(second) <= folding.SHOWN + folding.MERGED


def test_a_text_without_sentences_is_folded_too():
    parts = folding.passages("word " * 1000, [])
    assert sum(end - start for start, end in parts) <= folding.SHOWN + folding.MERGED


def test_searched_words_are_found_whole_or_begun():
    text = "Street lamps: the street, STREET lamp out"
    assert [text[a:b] for a, b in finder.hits(text, '"street lamp"')] == ["STREET lamp"]
    assert [text[a:b] for a, b in finder.hits(text, "stre")] == ["Street", "street", "STREET"]
    assert finder.hits(text, "colour:red") == []
    assert finder.hits(text, "-lamp topic:x") == []
