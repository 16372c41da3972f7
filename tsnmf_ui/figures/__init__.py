"""Plotly figures: they take Topics and tables and return go.Figure; they know no Streamlit.

Every figure carries a sentence that says in words what it shows; ``alt_text`` reads it.
"""

from __future__ import annotations

import plotly.graph_objects as go

from tsnmf_ui.figures.labels import association, matching
from tsnmf_ui.figures.maps import Colouring, by_topic, document_map
from tsnmf_ui.figures.numbers import numbers
from tsnmf_ui.figures.similarity import cross_similarity, node_topics, similarity
from tsnmf_ui.figures.topics import distinctive_bars, keyword_bars, topic_shares
from tsnmf_ui.figures.training import objective
from tsnmf_ui.figures.trends import MAX_BANDS, by_class, class_map, over_time

__all__ = [
    "MAX_BANDS",
    "Colouring",
    "alt_text",
    "association",
    "by_class",
    "by_topic",
    "class_map",
    "comparison",
    "cross_similarity",
    "distinctive_bars",
    "document_map",
    "keyword_bars",
    "maps",
    "matching",
    "node_topics",
    "numbers",
    "objective",
    "over_time",
    "progress",
    "similarity",
    "supervision_rates",
    "topic_shares",
    "trends",
]


def alt_text(figure: go.Figure) -> str:
    """What the figure shows, for those who cannot see it."""
    meta = figure.layout.meta
    return str(meta["alt"]) if meta else ""
