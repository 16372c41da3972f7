"""How periods are written in a report."""

from __future__ import annotations

from datetime import date


def period_name(start: str, period: str) -> str:
    """The period that begins on a day: Q4 2024, October 2024, 2024, or the day itself."""
    first = date.fromisoformat(start)
    if period == "year":
        return str(first.year)
    if period == "quarter":
        return f"Q{(first.month + 2) // 3} {first.year}"
    return f"{first:%b %Y}" if period == "month" else f"{first.day} {first:%b %Y}"
