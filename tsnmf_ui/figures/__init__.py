"""Plotly figures: they take Topics and tables and return go.Figure; they know no Streamlit.

Every figure carries a sentence that says in words what it shows; ``alt_text`` reads it.
"""

from __future__ import annotations

from functools import cache

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from tsnmf_ui.figures.comparison import (
    agreement,
    coverage,
    coverage_effect,
    model_scores,
    rate_curves,
    rate_groups,
)
from tsnmf_ui.figures.labels import association, matching
from tsnmf_ui.figures.maps import Colouring, by_topic, document_map
from tsnmf_ui.figures.similarity import cross_similarity, node_topics, similarity
from tsnmf_ui.figures.topics import distinctive_bars, keyword_bars, topic_shares
from tsnmf_ui.figures.training import objective, score_history
from tsnmf_ui.figures.trends import by_class, class_map, over_time

__all__ = [
    "Colouring",
    "agreement",
    "alt_text",
    "association",
    "by_class",
    "by_topic",
    "class_map",
    "coverage",
    "coverage_effect",
    "cross_similarity",
    "distinctive_bars",
    "document_map",
    "keyword_bars",
    "matching",
    "model_scores",
    "node_topics",
    "objective",
    "over_time",
    "plotly_js",
    "rate_curves",
    "rate_groups",
    "score_history",
    "similarity",
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
