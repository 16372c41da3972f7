"""How numbers and days are written in a report."""

from __future__ import annotations

from datetime import date


def percent(share: float) -> str:
    """0.314 as 31 %, with a no-break space; a small share is not rounded to zero."""
    if 0 < share < 0.005:
        return "<1\u00a0%"
    return f"{100 * share:.0f}\u00a0%"


def day(when: date | None) -> str:
    """4 March 2026; empty when there is none."""
    return "" if when is None else f"{when.day} {when:%B %Y}"
