"""Plotly figures: they take Topics and tables and return go.Figure; they know no Streamlit.

Every figure carries a sentence that says in words what it shows; ``alt_text`` reads it.
"""

from __future__ import annotations

from functools import cache

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from tsnmf_ui.figures.labels import association, matching
from tsnmf_ui.figures.topics import keyword_bars, topic_shares
from tsnmf_ui.figures.training import objective, score_history

__all__ = [
    "alt_text",
    "association",
    "keyword_bars",
    "matching",
    "objective",
    "plotly_js",
    "score_history",
    "topic_shares",
]


def alt_text(figure: go.Figure) -> str:
    """What the figure shows, for those who cannot see it."""
    meta = figure.layout.meta
    return str(meta["alt"]) if meta else ""


@cache
def plotly_js() -> str:
    """The library that draws the figures, as text, for files that must work offline."""
    return str(get_plotlyjs())
