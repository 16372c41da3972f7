"""Labels against topics: the heat map one can click, and the matching behind the scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.metrics.matching import RESOLVED, UNMATCHED
from tsnmf_ui import theme
from tsnmf_ui.figures.drawing import blank, name_rows, plain, rows_height

NUMBERED = 240  # cells: a larger map would be all numbers
CELL = 26  # pixels, the side of the square that takes the click
FRAME = theme.PALETTE[1]  # around the chosen cell, whose number stays readable
SCALE = [[0.0, "rgba(47,116,192,0.03)"], [1.0, "rgba(47,116,192,1)"]]  # shows on any background


def association(table: pd.DataFrame, *, clickable: bool = True) -> go.Figure:
    """Labels × topics, columns summing to 1. Click a cell: its customdata holds label and topic.

    Heat map cells emit no selection, so transparent squares above them do. The ranges are fixed,
    because without them a click lands on the wrong row.
    """
    labels, topics = [str(name) for name in table.index], [str(name) for name in table.columns]
    values = table.to_numpy().tolist()
    figure = blank(
        "How the labels share each topic",
        _association_alt(table),
        x="Topic",
        y="Label",
        height=rows_height(len(labels), least=240) + 70,
    )
    darkest = max(0.3, table.to_numpy().max(initial=0.0))
    figure.add_heatmap(
        z=values, colorscale=SCALE, zmin=0, zmax=darkest, xgap=2, ygap=2, hoverinfo="skip"
    )
    figure.update_traces(colorbar=_colour_bar(), selector={"type": "heatmap"})
    figure.add_trace(_squares(values, labels, topics, clickable))
    figure.update_layout(hovermode="closest", hoverdistance=-1)
    figure.update_layout(clickmode="event+select" if clickable else "none")
    name_rows(figure, labels, limit=24)
    figure.update_xaxes(
        tickvals=list(range(len(topics))),
        ticktext=[plain(name, 20) for name in topics],
        tickangle=0 if len(topics) <= 7 else -40,
        range=[-0.5, len(topics) - 0.5],
        fixedrange=True,
        showgrid=False,
        zeroline=False,
    )
    if len(labels) * len(topics) <= NUMBERED:
        figure.update_layout(annotations=_numbers(values, bright=0.5 * darkest))
    return figure


def matching(table: pd.DataFrame, *, colours: Sequence[str]) -> go.Figure:
    """One bar per label: its weighted Jaccard with the topic it was matched to, best on top."""
    table = table[table["documents"] > 0].sort_values("jaccard", ascending=False, kind="stable")
    figure = blank(
        "How well each label found its topic",
        _matching_alt(table),
        x="Weighted Jaccard (0: no document in common, 1: the same documents)",
        height=rows_height(len(table)),
    )
    partners = [name if name else "no topic" for name in table["topic_name"]]
    figure.add_bar(
        x=table["jaccard"].tolist(),
        y=list(range(len(table))),
        orientation="h",
        marker_color=[theme.FREE if t == UNMATCHED else colours[t] for t in table["topic"]],
        text=[f"{plain(n, 24)} · {j:.2f}" for n, j in zip(partners, table["jaccard"], strict=True)],
        textposition="outside",
        cliponaxis=False,
        customdata=[
            (plain(str(row.label)), plain(name), f"{row.documents:,}")
            for row, name in zip(table.itertuples(index=False), partners, strict=True)
        ],
        hovertemplate=(
            "<b>%{customdata[0]}</b><br>topic: %{customdata[1]}<br>weighted Jaccard %{x:.3f}"
            "<br>%{customdata[2]} documents carry the label<extra></extra>"
        ),
    )
    name_rows(figure, table["label"].tolist())
    figure.update_xaxes(range=[0, 1.18], tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1], fixedrange=True)
    figure.add_vline(
        x=RESOLVED,
        line={"dash": "dot", "width": 1.5, "color": theme.INK},
        annotation={"text": f"resolved above {RESOLVED}", "yanchor": "bottom", "y": 1},
        annotation_position="top right",
    )
    return figure


def _squares(
    values: list[list[float]], labels: list[str], topics: list[str], clickable: bool
) -> go.Scatter:
    invitation = "<br>click for the documents" if clickable else ""
    cells = [(i, j) for i in range(len(labels)) for j in range(len(topics))]
    return go.Scatter(
        x=[j for _, j in cells],
        y=[i for i, _ in cells],
        mode="markers",
        marker={
            "symbol": "square-open",
            "size": CELL,
            "opacity": 0,
            "color": FRAME,
            "line_width": 3,
        },
        customdata=[
            (i, j, plain(labels[i]), plain(topics[j]), round(100 * values[i][j], 1))
            for i, j in cells
        ],
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 0}},
        hovertemplate=(
            "<b>%{customdata[2]}</b> × <b>%{customdata[3]}</b><br>"
            f"%{{customdata[4]}} % of the topic{invitation}<extra></extra>"
        ),
    )


def _colour_bar() -> dict[str, Any]:
    return {
        "title": {"text": "Share of<br>the topic", "font": {"size": 13}},
        "tickfont": {"size": 12},
        "tickformat": ".0%",
        "thickness": 12,
        "outlinewidth": 0,
        "len": 0.9,
    }


def _numbers(values: list[list[float]], *, bright: float) -> list[dict[str, Any]]:
    """Percentages in the cells that matter; annotations let clicks pass through."""
    return [
        {
            "x": j,
            "y": i,
            "text": f"{100 * value:.0f}",
            "showarrow": False,
            "font": {"color": "#FFFFFF" if value >= bright else theme.INK},
        }
        for i, row in enumerate(values)
        for j, value in enumerate(row)
        if value >= 0.05
    ]


def _association_alt(table: pd.DataFrame) -> str:
    if table.empty:
        return "Heat map of labels and topics; there are no labels yet."
    best = [f"{name}: {column.idxmax()} {column.max():.0%}" for name, column in table.items()]
    return f"Heat map of labels by topics. Strongest label of each topic: {'; '.join(best)}."


def _matching_alt(table: pd.DataFrame) -> str:
    parts = [
        f"{label} with {topic or 'no topic'} {jaccard:.2f}"
        for label, topic, jaccard in zip(
            table["label"], table["topic_name"], table["jaccard"], strict=True
        )
    ]
    return f"Bar chart of the weighted Jaccard of each label: {', '.join(parts) or 'no labels'}."
