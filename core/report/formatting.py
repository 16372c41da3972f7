"""How days are written in a report."""

from __future__ import annotations

from datetime import date


def day(when: date | None) -> str:
    """4 March 2026; empty when there is none."""
    return "" if when is None else f"{when.day} {when:%B %Y}"
