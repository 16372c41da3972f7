"""Plotly figures: they take Topics and tables and return go.Figure; they know no Streamlit.

In a notebook: ``figures.keyword_bars(topics, 0, colour=figures.topic_colours(topics)[0])``. Colours
are plain values, so any others do as well.

Every figure carries a sentence that says in words what it shows; ``alt_text`` reads it.
"""

from __future__ import annotations

import plotly.graph_objects as go

from core.topics import Topics
from tsnmf_ui.figures.comparison import agreement, model_scores
from tsnmf_ui.figures.heat import is_large, unnumbered_cells
from tsnmf_ui.figures.labels import association, matching
from tsnmf_ui.figures.maps import Colouring, by_topic, document_map
from tsnmf_ui.figures.numbers import numbers
from tsnmf_ui.figures.progress import coverage, forecast, score_by_labels
from tsnmf_ui.figures.similarity import cross_similarity, node_topics, similarity
from tsnmf_ui.figures.supervision_rates import (
    coverage_effect,
    label_coverage,
    rate_curves,
    rate_groups,
)
from tsnmf_ui.figures.topics import distinctive_bars, keyword_bars, topic_shares
from tsnmf_ui.figures.training import objective
from tsnmf_ui.figures.trends import MAX_BANDS, by_class, class_map, over_time
from tsnmf_ui.theme.palette import FREE_COLOUR, topic_colour

__all__ = [
    "Colouring",
    "MAX_BANDS",
    "agreement",
    "alt_text",
    "association",
    "by_class",
    "by_topic",
    "class_map",
    "comparison",
    "coverage",
    "coverage_effect",
    "cross_similarity",
    "distinctive_bars",
    "document_map",
    "forecast",
    "is_large",
    "keyword_bars",
    "label_coverage",
    "maps",
    "matching",
    "model_scores",
    "node_topics",
    "numbers",
    "objective",
    "over_time",
    "progress",
    "rate_curves",
    "rate_groups",
    "score_by_labels",
    "similarity",
    "supervision_rates",
    "topic_colours",
    "topic_shares",
    "trends",
    "unnumbered_cells",
]


def alt_text(figure: go.Figure) -> str:
    """What the figure shows, for those who cannot see it."""
    meta = figure.layout.meta
    return str(meta["alt"]) if meta else ""


def topic_colours(topics: Topics) -> list[str]:
    """The app's colours: one for every label's topic, grey for free ones.

    What figures take as ``colours``, and one by one as ``colour``.
    """
    if not topics.n_supervised:
        return [topic_colour(topic) for topic in range(len(topics))]
    named = [topic_colour(topic) for topic in range(topics.n_supervised)]
    return named + [FREE_COLOUR] * (len(topics) - len(named))
