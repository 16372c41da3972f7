"""Scores as people write them, and which of them are told."""

from __future__ import annotations

from core.evaluation.score_format import format_score, is_shown, score_with_interval


def test_numbers_read_as_people_write_them():
    assert format_score("first", 0.614) == "61\u00a0%"
    assert format_score("accuracy", 0.004) == "<1\u00a0%"
    assert format_score("resolved", 43.0) == "43"
    assert format_score("coherence", -0.123) == "−0.12"
    assert score_with_interval("jaccard", [0.4, 0.35, 0.46]) == "0.40 (0.35 to 0.46)"
    assert score_with_interval("diversity", [0.8, None, None]) == "80\u00a0%"


def test_that_labels_hold_is_no_score_unless_they_do_not():
    assert not is_shown("adherence", 1.0)
    assert is_shown("adherence", 0.98)
    assert is_shown("first", 1.0)
    assert not is_shown("first", None)
