"""The numbers that a figure shows, as a table: for those who cannot see it, and to copy them."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from tsnmf_ui.figures.heat import largest_cells

MAX_NUMBERS = 2_000  # rows; a map of texts is no table
DRAWN_ONLY = ("documents",)  # names of traces that show places, not numbers


def numbers(figure: go.Figure) -> pd.DataFrame:
    """One row for each bar, dot or cell; empty where a figure shows no numbers."""
    rows = [row for trace in figure.data for row in _rows(figure, trace)]
    table = pd.DataFrame(rows[:MAX_NUMBERS])
    return table.loc[:, [name for name in table if table[name].astype(str).str.strip().any()]]


def _rows(figure: go.Figure, trace: Any) -> Iterator[dict[str, Any]]:
    if trace.type == "heatmap":
        yield from _cells(figure, trace)
    elif trace.type in ("bar", "scatter", "scattergl") and _shows_numbers(trace):
        layout = figure.layout
        across, along = _ticks(layout.xaxis), _ticks(layout.yaxis)
        x, y = _axis_name(layout.xaxis, "Across"), _axis_name(layout.yaxis, "Row")
        name = trace.name or ""
        for one, other in zip(_values(trace.x), _values(trace.y), strict=False):
            if one is not None and other is not None:
                yield {"Series": name, y: along.get(other, other), x: across.get(one, one)}


def _shows_numbers(trace: Any) -> bool:
    """Whether its marks are numbers: no frames that take a click, no dots of texts, no legend."""
    unseen = trace.type != "bar" and trace.marker.opacity == 0
    band = trace.type == "scatter" and trace.fill in ("toself", "tonexty")
    return not unseen and not band and trace.name not in DRAWN_ONLY


def _cells(figure: go.Figure, trace: Any) -> Iterator[dict[str, Any]]:
    rows, columns = _ticks(figure.layout.yaxis), _ticks(figure.layout.xaxis)
    row_name, column_name = (
        _axis_name(figure.layout.yaxis, "Row"),
        _axis_name(figure.layout.xaxis, "Column"),
    )
    if row_name == column_name:
        row_name, column_name = f"{row_name} (row)", f"{column_name} (column)"
    if trace.x is not None:  # an image of very many cells: the largest, by their names
        rows, columns = _named(trace.y), _named(trace.x)
        places = largest_cells(trace.z, MAX_NUMBERS)
    else:
        places = [(i, j) for i, line in enumerate(trace.z) for j in range(len(line))]
    for i, j in places:
        value = trace.z[i][j]
        if value is not None:
            cell = {row_name: rows.get(i, i), column_name: columns.get(j, j)}
            yield {**cell, "Value": round(float(value), 4)}


def _named(names: Sequence[str]) -> dict[Any, str]:
    return {place: html.unescape(str(name)) for place, name in enumerate(names)}


def _ticks(axis: Any) -> dict[Any, str]:
    """What stands at the places of an axis."""
    if axis.tickvals is None or axis.ticktext is None:
        return {}
    return {
        place: html.unescape(str(text))
        for place, text in zip(axis.tickvals, axis.ticktext, strict=False)
    }


def _axis_name(axis: Any, otherwise: str) -> str:
    return html.unescape(axis.title.text or otherwise).replace("<br>", " ")


def _values(given: Any) -> Sequence[Any]:
    return [] if given is None else list(given)
