"""Scores by number of labels over a project's life, and what more labels would bring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.values import percent
from tsnmf_ui.figures.canvas import (
    empty_figure,
    height_for_rows,
    label_rows,
    percent_text,
    safe_text,
    share_ticks,
)
from tsnmf_ui.theme import style

BAND_FILL = "rgba(47,116,192,.16)"
FORECAST_FILL = "rgba(213,94,0,.16)"
ORANGE = style.PALETTE[1]


def score_by_labels(table: pd.DataFrame, *, title: str, share: bool = False) -> go.Figure:
    """A score against the number of labelled documents, fit by fit.

    The table has labelled, value, low, high (maybe missing), finished, model and like (True for
    fits that can be compared with the present one; the others are drawn in grey).
    """
    figure = empty_figure(
        f"{title}, by number of labels",
        _history_alt(table, title),
        x="Labelled texts",
        y=title,
        height=330,
    )
    alike, others = table[table["like"]], table[~table["like"]]
    if len(others):
        figure.add_trace(_fits(others, style.INK, "other settings", line=False))
    if len(alike):
        # Labels taken back must not bend the line back: of each number, the newest fit counts.
        newest = alike.drop_duplicates("labelled", keep="last").sort_values("labelled")
        _add_band(figure, newest["labelled"], newest["low"], newest["high"], BAND_FILL)
        figure.add_trace(_fits(newest, style.PRIMARY, "this model"))
    figure.update_layout(hovermode="closest")
    if len(others):
        _add_legend(figure)
    figure.update_xaxes(rangemode="tozero", fixedrange=True)
    figure.update_yaxes(fixedrange=True, **(share_ticks() if share else {}))
    if share:  # around a single fit the axis would reach 150 %
        figure.update_yaxes(autorangeoptions={"minallowed": 0, "maxallowed": 1.02})
    return figure


def forecast(past: pd.DataFrame, ahead: pd.DataFrame, earlier: pd.DataFrame) -> go.Figure:
    """The guide's hits so far and what more labels should bring, with the band of eight in ten.

    ``past`` has labelled and now; ``ahead`` has labelled, expected, low and high, beginning with
    the present; ``earlier`` has what was forecast for numbers of labels that are there now.
    """
    figure = empty_figure(
        "Effect of more labels",
        _forecast_alt(ahead),
        x="Labelled texts",
        y="Hit rate of the guide",
        height=386,
    )
    if len(earlier):
        figure.add_trace(_earlier_forecasts(earlier))
    _add_band(figure, ahead["labelled"], ahead["low"], ahead["high"], FORECAST_FILL)
    figure.add_scatter(
        x=past["labelled"].tolist(),
        y=past["now"].tolist(),
        mode="lines+markers",
        line={"color": style.PRIMARY, "width": 2},
        marker={"size": 7},
        name="so far",
        text=[percent_text(share) for share in past["now"]],
        hovertemplate="%{x:,} labelled<br>hit rate %{text}<extra></extra>",
    )
    figure.add_scatter(
        x=ahead["labelled"].tolist(),
        y=ahead["expected"].tolist(),
        mode="lines+markers",
        line={"color": ORANGE, "width": 2, "dash": "dot"},
        marker={"size": 7},
        name="forecast",
        customdata=_percent_rows(ahead, ("expected", "low", "high")),
        hovertemplate=(
            "%{x:,} labelled<br>forecast %{customdata[0]}"
            "<br>%{customdata[1]} to %{customdata[2]}<extra></extra>"
        ),
    )
    _add_legend(figure)
    figure.update_xaxes(fixedrange=True)
    figure.update_yaxes(fixedrange=True, range=[0, 1.02], **share_ticks())
    return figure


def coverage(table: pd.DataFrame, *, colours: Sequence[str]) -> go.Figure:
    """Labels of each named topic beside its fair number, most in need on top."""
    figure = empty_figure(
        "Which topics lack labels",
        _coverage_alt(table),
        x="Labelled texts",
        height=height_for_rows(len(table), least=220),
    )
    figure.add_bar(
        x=table["labelled"].tolist(),
        y=list(range(len(table))),
        orientation="h",
        marker_color=list(colours),
        name="has",
        customdata=_coverage_hover(table),
        hovertemplate=(
            "<b>%{customdata[0]}</b><br>%{x:,} labelled; in proportion: %{customdata[1]}"
            "<br>%{customdata[2]} of the corpus<extra></extra>"
        ),
    )
    figure.add_scatter(
        x=table["fair"].tolist(),
        y=list(range(len(table))),
        mode="markers",
        marker={"symbol": "line-ns-open", "size": 18, "color": style.INK, "line_width": 2.5},
        name="in proportion to its share",
        hoverinfo="skip",
    )
    label_rows(figure, table["name"].tolist())
    figure.update_layout(showlegend=False)
    figure.update_xaxes(rangemode="tozero", fixedrange=True)
    return figure


def _add_legend(figure: go.Figure) -> None:
    """Between the title and the plot, with room for both."""
    place = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
    figure.update_layout(showlegend=True, legend=place, margin_t=84)
    figure.update_layout(title={"y": 0.96, "yanchor": "top"})


def _fits(table: pd.DataFrame, colour: str, name: str, *, line: bool = True) -> go.Scatter:
    models = [safe_text(str(model)) for model in table["model"]]
    return go.Scatter(
        x=table["labelled"].tolist(),
        y=table["value"].tolist(),
        mode="lines+markers" if line else "markers",
        line={"color": colour, "width": 2},
        marker={"size": 7, "color": colour, "opacity": 1 if line else 0.55},
        name=name,
        customdata=list(zip(table["finished"], table["range"], models, strict=True)),
        hovertemplate=(
            "%{customdata[0]}, %{x:,} labelled<br>%{customdata[1]}<br>%{customdata[2]}"
            "<extra></extra>"
        ),
    )


def _add_band(figure: go.Figure, x: pd.Series, low: pd.Series, high: pd.Series, fill: str) -> None:
    known = low.notna() & high.notna()
    if known.sum() < 2:
        return
    around: dict[str, Any] = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
    figure.add_scatter(x=x[known].tolist(), y=high[known].tolist(), showlegend=False, **around)
    figure.add_scatter(
        x=x[known].tolist(),
        y=low[known].tolist(),
        fill="tonexty",
        fillcolor=fill,
        showlegend=False,
        **around,
    )


def _earlier_forecasts(earlier: pd.DataFrame) -> go.Scatter:
    """Earlier forecasts at the numbers of labels they spoke of."""
    return go.Scatter(
        x=earlier["then"].tolist(),
        y=earlier["expected"].tolist(),
        error_y={
            "type": "data",
            "symmetric": False,
            "array": (earlier["high"] - earlier["expected"]).clip(lower=0).tolist(),
            "arrayminus": (earlier["expected"] - earlier["low"]).clip(lower=0).tolist(),
            "color": style.INK,
            "thickness": 1,
            "width": 3,
        },
        mode="markers",
        marker={"size": 6, "color": style.INK, "symbol": "diamond-open"},
        name="earlier forecasts",
        text=[f"{labelled:,}" for labelled in earlier["labelled"]],
        customdata=_percent_rows(earlier, ("expected", "happened")),
        hovertemplate=(
            "forecast with %{text} labels: %{customdata[0]}"
            "<br>actual: %{customdata[1]}<extra></extra>"
        ),
    )


def _percent_rows(table: pd.DataFrame, names: Sequence[str]) -> list[list[str]]:
    rows = table[list(names)].to_numpy().tolist()
    return [[percent_text(share) for share in row] for row in rows]


def _coverage_hover(table: pd.DataFrame) -> list[tuple[str, str, str]]:
    columns = zip(table["name"], table["fair"], table["share"], strict=True)
    return [(safe_text(name), f"{fair:.0f}", percent_text(share)) for name, fair, share in columns]


def _history_alt(table: pd.DataFrame, title: str) -> str:
    if table.empty:
        return f"{title}: no fit has a score yet."
    first, last = table.iloc[0], table.iloc[-1]
    return (
        f"Line of {title.lower()} against labelled texts: {first['value']:.2f} with "
        f"{first['labelled']:,}, {last['value']:.2f} with {last['labelled']:,}."
    )


def _forecast_alt(ahead: pd.DataFrame) -> str:
    last = ahead.iloc[-1]
    return (
        f"Line of the guide's hit rate, {percent(ahead['expected'].iloc[0])} now, continued "
        f"to {last['labelled']:,.0f} labels: forecast {percent(last['expected'])}, "
        f"between {percent(last['low'])} and {percent(last['high'])}."
    )


def _coverage_alt(table: pd.DataFrame) -> str:
    lacking = table[table["lack"] >= 1]
    names = ", ".join(
        f"{name} {lack:.0f}" for name, lack in zip(lacking["name"], lacking["lack"], strict=True)
    )
    return f"Bar chart of labels by topic. Labels that topics lack: {names or 'none'}."
