"""The page that defines every score, and its sections by name."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from core.errors import NotFound

SCORES_PAGE = Path(__file__).parent / "docs" / "scores.md"


@cache
def page() -> str:
    """The whole page, in Markdown."""
    return SCORES_PAGE.read_text(encoding="utf-8")


def definition(name: str) -> str:
    """How one score is computed, in Markdown."""
    if name not in sections():
        raise NotFound(f"There is no score called “{name}”.")
    return sections()[name]


@cache
def sections() -> dict[str, str]:
    """The definitions by name of the score."""
    parts = page().split("\n## ")[1:]
    split = (part.partition("\n") for part in parts)
    return {name.strip(): text.strip() for name, _, text in split}
