"""Models side by side: scores with their spread, and agreement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.values import percent
from tsnmf_ui.figures.canvas import (
    click_squares,
    empty_figure,
    height_for_rows,
    label_rows,
    percent_text,
    safe_text,
)
from tsnmf_ui.figures.heat import COLOUR_SCALE
from tsnmf_ui.theme import style

CELL_PIXELS = 34  # pixels, the side of the square that takes the click
MAX_MODELS_WITH_PERCENT = 5  # models whose cells have room for a percent sign


def model_scores(table: pd.DataFrame, *, title: str, axis: str) -> go.Figure:
    """One row per model: a dot for each seed, a bar for the mean, a line for the interval.

    The table has candidate, value, and low and high of the first seed (None where unknown).
    """
    names = list(dict.fromkeys(table["candidate"]))
    mean = table.groupby("candidate", sort=False)["value"].mean()
    figure = empty_figure(
        title, _scores_alt(mean, title), x=axis, height=height_for_rows(len(names))
    )
    place = {name: row for row, name in enumerate(names)}
    figure.add_bar(
        x=[float(mean[name]) for name in names],
        y=list(range(len(names))),
        orientation="h",
        marker_color="rgba(47,116,192,.28)",
        hoverinfo="skip",
        width=0.62,
    )
    for low, high, name in _intervals(table):
        figure.add_scatter(
            x=[low, high],
            y=[place[name]] * 2,
            mode="lines",
            line={"color": style.INK, "width": 1.5},
            hoverinfo="skip",
        )
    figure.add_scatter(
        x=table["value"].tolist(),
        y=[place[name] for name in table["candidate"]],
        mode="markers",
        marker={"size": 9, "color": style.PRIMARY, "line": {"width": 1, "color": "#FFFFFF"}},
        customdata=[
            (safe_text(n), s) for n, s in zip(table["candidate"], table["seed"], strict=True)
        ],
        hovertemplate="<b>%{customdata[0]}</b><br>seed %{customdata[1]}: %{x:.3f}<extra></extra>",
    )
    label_rows(figure, names)
    figure.update_xaxes(range=_reach(table), fixedrange=True)
    return figure


def _reach(table: pd.DataFrame) -> list[float]:
    """From 0, or from below where a score may be negative, to past the longest line."""
    known = [float(v) for name in ("value", "low", "high") for v in table[name].dropna()]
    return [min([0.0, *known]) * 1.06, max([0.01, *known]) * 1.06]


def agreement(names: Sequence[str], values: Sequence[Sequence[float | None]]) -> go.Figure:
    """Models × models: the share of documents whose main topics are the same. Click for a pair."""
    n = len(names)
    figure = empty_figure(
        "Agreement of models on the main topic",
        _agreement_alt(names, values),
        height=max(300, 130 + 44 * n),
    )
    shown = [[values[row][column] for column in range(n)] for row in range(n)]
    figure.add_heatmap(
        z=shown,
        colorscale=COLOUR_SCALE,
        zmin=0,
        zmax=1,
        xgap=2,
        ygap=2,
        hoverinfo="skip",
        showscale=False,
    )
    figure.add_trace(_cells(names, shown))
    figure.update_layout(
        hovermode="closest",
        hoverdistance=-1,
        clickmode="event+select",
        annotations=[
            {
                "x": column,
                "y": row,
                "text": _cell_text(value, with_sign=n <= MAX_MODELS_WITH_PERCENT),
                "showarrow": False,
                "font": {"color": style.NUMBER_INK},
            }
            for row, line in enumerate(shown)
            for column, value in enumerate(line)
            if value is not None
        ],
    )
    label_rows(figure, list(names), limit=26)
    figure.update_xaxes(
        tickvals=list(range(n)),
        ticktext=[safe_text(name, 16) for name in names],
        tickangle=0 if n <= 3 else -35,
        range=[-0.5, n - 0.5],
        fixedrange=True,
        showgrid=False,
        zeroline=False,
        ticks="",
    )
    figure.update_yaxes(ticks="")
    return figure


def _cells(names: Sequence[str], values: list[list[float | None]]) -> go.Scatter:
    cells = [
        (row, column)
        for row, line in enumerate(values)
        for column, value in enumerate(line)
        if value is not None
    ]
    return click_squares(
        cells,
        CELL_PIXELS,
        customdata=[(r, c, _pair_words(names, r, c)) for r, c in cells],
        hovertemplate="%{customdata[2]}<extra></extra>",
    )


def _cell_text(share: float, *, with_sign: bool) -> str:
    text = percent_text(share)
    return text if with_sign else text.removesuffix("\u00a0%")


def _pair_words(names: Sequence[str], row: int, column: int) -> str:
    if row == column:
        return f"<b>{safe_text(names[row])}</b><br>with itself, across seeds"
    return f"<b>{safe_text(names[row])}</b> and <b>{safe_text(names[column])}</b>"


def _intervals(table: pd.DataFrame) -> list[tuple[float, float, str]]:
    known = table.dropna(subset=["low", "high"]).drop_duplicates("candidate")
    rows: list[Any] = list(zip(known["low"], known["high"], known["candidate"], strict=True))
    return [(float(low), float(high), str(name)) for low, high, name in rows]


def _scores_alt(mean: pd.Series, title: str) -> str:
    scores = ", ".join(f"{name} {value:.2f}" for name, value in mean.items())
    return f"Bar chart, {title}: {scores or 'nothing to show'}."


def _agreement_alt(names: Sequence[str], values: Sequence[Sequence[float | None]]) -> str:
    pairs = [
        f"{names[row]} and {names[column]} {percent(values[row][column] or 0.0)}"
        for row in range(len(names))
        for column in range(row)
        if values[row][column] is not None
    ]
    return f"Heat map of the agreement between models: {'; '.join(pairs) or 'one model only'}."
