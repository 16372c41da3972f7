"""The figures of a report, the same on the Report page and from the command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core import report
from core.insight import summaries
from core.insight.topic_titles import first_words
from tsnmf_ui import figures
from tsnmf_ui.theme import style


def report_figures(
    material: report.ReportInput, label_names: Sequence[str], indicator: Any
) -> list[report.Figure]:
    """Shares always; labels against topics and the matching where there are labels or scores."""
    colours = material.colours
    shown = {
        "shares": figures.topic_shares(summaries.topic_sizes(material.topics), colours=colours)
    }
    if indicator.nnz:
        table = summaries.association(material.topics, indicator, label_names)
        words = [first_words(material.topics, topic, 5) for topic in range(len(material.topics))]
        shown["association"] = figures.association(table, words=words, clickable=False)
    if material.scores.labels:
        shown["matching"] = _matching(material)
    return [
        report.Figure(place, figure.to_json(), figures.alt_text(figure))
        for place, figure in shown.items()
    ]


def _matching(material: report.ReportInput) -> go.Figure:
    """Each label with its topic, in the colour the topic has in this report."""
    table = pd.DataFrame(material.scores.labels)
    known = dict(zip(material.topics.names, material.colours, strict=False))
    drawn = [known.get(str(name), style.FREE_COLOUR) for name in table["topic_name"]]
    place = [at if topic >= 0 else topic for at, topic in enumerate(table["topic"])]
    return figures.matching(table.assign(topic=place), colours=drawn)
