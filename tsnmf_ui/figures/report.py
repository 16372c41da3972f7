"""The figures of a report, the same on the Report page and from the command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core import report
from core.insight import summaries
from core.insight.topic_titles import first_words
from tsnmf_ui import figures


def report_figures(
    material: report.ReportInput, label_names: Sequence[str], indicator: Any
) -> list[report.Figure]:
    """Shares always; labels against topics and the matching where there are labels."""
    colours = material.colours
    shown = {
        "shares": figures.topic_shares(summaries.topic_sizes(material.topics), colours=colours)
    }
    if indicator.nnz:
        table = summaries.association(material.topics, indicator, label_names)
        words = [first_words(material.topics, topic, 5) for topic in range(len(material.topics))]
        shown["association"] = figures.association(table, words=words, clickable=False)
    if material.matching is not None and material.matching.n_labels:
        shown["matching"] = figures.matching(material.matching.table, colours=colours)
    return [
        report.Figure(place, figure.to_json(), figures.alt_text(figure))
        for place, figure in shown.items()
    ]
