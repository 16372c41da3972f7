"""Sentences that more than one page says."""

from __future__ import annotations

import re

NAME = "TS-NMF Studio"
PAGE_FAILED = "Something went wrong on this page. Nothing you entered was lost; reload to go on."
NEED_PROJECT = "Open a project first, or try the demo: it is ready to explore in a moment."
TO_PROJECTS = "Go to projects"
NO_TOPICS_YET = "The first fit is still running. The topics appear here by themselves."

THIN = "thin"
MODES = [  # orders of the queue: name, what the button says, why one would choose it
    ("mixed", "Mixed", "What teaches most: texts that speak for many, close calls, thin topics"),
    ("uncertain", "Uncertain", "Texts between two topics first"),
    (THIN, "Thin topics", "Texts for the topics with the fewest labels first"),
    ("mislabelled", "Doubtful", "Labels that the other labels speak against"),
    ("random", "Random", "Drawn blind, for an honest picture"),
    ("in_order", "In order", "As they stand in the file"),
]


def literal(text: str) -> str:
    """Text inside a label or message that Streamlit reads as Markdown: nothing in it formats."""
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|~<>$:&])", r"\\\1", text)


def count(n: int, one: str, many: str | None = None) -> str:
    """1 text, 5,412 texts."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def percent(share: float, digits: int = 0) -> str:
    """0.314 as 31 %, with a no-break space."""
    return f"{share * 100:.{digits}f}\u00a0%"


def seconds(value: float) -> str:
    """0.094 as 0.09 s, 12.3 as 12 s, 95 as 1 min 35 s."""
    if value < 10:
        return f"{value:.2f}\u00a0s"
    if value < 60:
        return f"{value:.0f}\u00a0s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes}\u00a0min {rest}\u00a0s"
