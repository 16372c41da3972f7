"""How scores are written, on the Scores page as in a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.evaluation.scoring import SCORE_INFO
from core.values import percent


def format_score(name: str, value: float) -> str:
    """62 % for a share, 43 for a count, 0.41 otherwise."""
    kind = SCORE_INFO[name].kind
    if kind == "count":
        return f"{value:.0f}"
    digits = 1 if name == "adherence" else 0  # it is told when it is just below 100 %
    return percent(value, digits) if kind == "share" else f"{value:.2f}".replace("-", "−")


def format_interval(name: str, score: Sequence[Any]) -> str:
    """62 % to 71 %; empty where a score has no interval."""
    low, high = score[1:3]
    if low is None or high is None:
        return ""
    return f"{format_score(name, low)} to {format_score(name, high)}"


def score_with_interval(name: str, score: Sequence[Any]) -> str:
    """A score with its interval, as text."""
    shown, interval = format_score(name, score[0]), format_interval(name, score)
    return f"{shown} ({interval})" if interval else shown


def is_shown(name: str, value: float | None) -> bool:
    """Whether to show a score: that labels hold is so by construction, only a break is news."""
    return value is not None and (name != "adherence" or value < 1)
