"""Labels against topics: the heat map one can click, and the matching behind the scores."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from core.evaluation.metrics.matching import RESOLVED_THRESHOLD, UNMATCHED
from core.insight.similarity import diagonal_order
from core.values import percent
from tsnmf_ui.figures.canvas import (
    empty_figure,
    height_for_rows,
    label_rows,
    percent_text,
    safe_text,
)
from tsnmf_ui.figures.heat import Grid, heat_map
from tsnmf_ui.theme import style


def association(
    table: pd.DataFrame,
    *,
    words: Sequence[str] = (),
    clickable: bool = True,
    learned: bool = False,
) -> go.Figure:
    """Labels × topics, columns summing to 1, in an order that shows which belong together.

    Click a cell: its customdata holds label and topic as numbered in the table. ``words`` are the
    first ones of each topic; ``learned`` says that the model itself came to these numbers.
    """
    rows, columns = diagonal_order(table.to_numpy())
    shown = table.iloc[rows, columns]
    labels, topics = [str(name) for name in shown.index], [str(name) for name in shown.columns]
    values = shown.to_numpy().tolist()
    invitation = "<br>click for the texts" if clickable else ""

    def hover(i: int, j: int) -> str:
        named = f"<b>{safe_text(labels[i])}</b> × <b>{safe_text(topics[j])}</b>"
        spoken = f"<br>{safe_text(words[columns[j]], 80)}" if words else ""
        return f"{named}{spoken}<br>{percent_text(values[i][j], 1)} of the topic{invitation}"

    grid = Grid(
        values=values,
        rows=labels,
        columns=topics,
        title="Labels in each topic, learnt by the model" if learned else "Labels in each topic",
        alt=_association_alt(table),
        x="Topic",
        y="Label",
        bar="Share of<br>the topic",
        darkest=max(0.3, table.to_numpy().max(initial=0.0)),
        places=(rows, columns),
    )
    return heat_map(grid, hover=hover, clickable=clickable)


def matching(table: pd.DataFrame, *, colours: Sequence[str]) -> go.Figure:
    """One bar per label: its weighted Jaccard with the topic it was matched to, best on top."""
    table = table[table["documents"] > 0].sort_values("jaccard", ascending=False, kind="stable")
    figure = empty_figure(
        "Match of labels and topics",
        _matching_alt(table),
        x="Weighted Jaccard (0: no text in common, 1: the same texts)",
        height=height_for_rows(len(table)),
    )
    partners = [name if name else "no topic" for name in table["topic_name"]]
    figure.add_bar(
        x=table["jaccard"].tolist(),
        y=list(range(len(table))),
        orientation="h",
        marker_color=[style.FREE_COLOUR if t == UNMATCHED else colours[t] for t in table["topic"]],
        text=[
            f"{safe_text(n, 24)} · {j:.2f}" for n, j in zip(partners, table["jaccard"], strict=True)
        ],
        textposition="outside",
        cliponaxis=False,
        customdata=[
            (safe_text(str(row.label)), safe_text(name), f"{row.documents:,}")
            for row, name in zip(table.itertuples(index=False), partners, strict=True)
        ],
        hovertemplate=(
            "<b>%{customdata[0]}</b><br>topic: %{customdata[1]}<br>weighted Jaccard %{x:.3f}"
            "<br>%{customdata[2]} texts carry the label<extra></extra>"
        ),
    )
    label_rows(figure, table["label"].tolist())
    figure.update_xaxes(range=[0, 1.18], tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1], fixedrange=True)
    figure.add_vline(
        x=RESOLVED_THRESHOLD,
        line={"dash": "dot", "width": 1.5, "color": style.INK},
        annotation={"text": f"resolved above {RESOLVED_THRESHOLD}", "yanchor": "bottom", "y": 1},
        annotation_position="top right",
    )
    return figure


def _association_alt(table: pd.DataFrame) -> str:
    if table.empty:
        return "Heat map of labels and topics; there are no labels yet."
    best = [
        f"{name}: {column.idxmax()} {percent(column.max())}" if column.any() else f"{name}: none"
        for name, column in table.items()
    ]
    return f"Heat map of labels by topics. Strongest label of each topic: {'; '.join(best)}."


def _matching_alt(table: pd.DataFrame) -> str:
    parts = [
        f"{label} with {topic or 'no topic'} {jaccard:.2f}"
        for label, topic, jaccard in zip(
            table["label"], table["topic_name"], table["jaccard"], strict=True
        )
    ]
    return f"Bar chart of the weighted Jaccard of each label: {', '.join(parts) or 'no labels'}."
