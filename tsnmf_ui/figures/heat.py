"""Heat maps one can read and click: names on both sides, numbers in the cells that matter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from tsnmf_ui.figures.canvas import (
    SHARE_TICKS,
    click_squares,
    empty_figure,
    height_for_rows,
    label_rows,
    safe_text,
)
from tsnmf_ui.theme import style

MAX_NUMBERED_CELLS = 240  # cells: a larger map would be all numbers
CELL_PIXELS = 26  # pixels, the side of the square that takes the click
COLOUR_SCALE = [
    [0.0, "rgba(47,116,192,0.03)"],
    [1.0, "rgba(47,116,192,0.8)"],
]  # shows on any background, and lets numbers be read
MAX_LEVEL_NAMES = 7  # columns whose names stand level; of more they slant
COLUMNS_AT_THE_EDGE = 6  # whose slanting names may begin left of the first column
SLANTING_LETTER = 5.8  # pixels to the left that a letter of a slanting name takes
MIN_NUMBERED_VALUE = 0.05  # cells below this share of the scale go without a number


@dataclass(frozen=True, kw_only=True)
class Grid:
    """A table to draw: values by row and column, and what they are."""

    values: Sequence[Sequence[float]]
    rows: Sequence[str]
    columns: Sequence[str]
    title: str
    alt: str
    x: str
    y: str
    bar: str  # what the colours mean
    darkest: float
    places: tuple[Sequence[int], Sequence[int]] | None = None  # numbers a click gives; else 0, 1, …


def heat_map(grid: Grid, *, hover: Callable[[int, int], str], clickable: bool = False) -> go.Figure:
    """Cells coloured by value. ``hover`` says what a cell means; its customdata names its place.

    Heat map cells emit no selection, so transparent squares above them do. The ranges are fixed,
    because without them a click lands on the wrong row.
    """
    height = height_for_rows(len(grid.rows), least=240) + 70
    figure = empty_figure(grid.title, grid.alt, x=grid.x, y=grid.y, height=height)
    values = [[None if value != value else value for value in row] for row in grid.values]
    figure.add_heatmap(
        z=values,
        colorscale=COLOUR_SCALE,
        zmin=0,
        zmax=grid.darkest,
        xgap=2,
        ygap=2,
        hoverinfo="skip",
    )
    figure.update_traces(colorbar=_colour_bar(grid.bar), selector={"type": "heatmap"})
    figure.add_trace(_squares(grid, hover))
    figure.update_layout(hovermode="closest", hoverdistance=-1)
    figure.update_layout(clickmode="event+select" if clickable else "none")
    label_rows(figure, list(grid.rows), limit=24)
    _name_columns(figure, grid.columns)
    if len(grid.rows) * len(grid.columns) <= MAX_NUMBERED_CELLS:
        figure.update_layout(annotations=_numbers(grid))
    return figure


def _name_columns(figure: go.Figure, names: Sequence[str]) -> None:
    """Every name is shown: Plotly hides those that would begin left of the figure, and slanting
    ones of the first columns do where the rows have short names."""
    slanting, shown = len(names) > MAX_LEVEL_NAMES, [safe_text(name, 20) for name in names]
    if slanting:
        longest = max(map(len, shown[:COLUMNS_AT_THE_EDGE]))
        figure.update_layout(margin_l=int(SLANTING_LETTER * longest))
    figure.update_xaxes(
        tickvals=list(range(len(names))),
        ticktext=shown,
        tickangle=-40 if slanting else 0,
        ticklabeloverflow="allow",
        range=[-0.5, len(names) - 0.5],
        fixedrange=True,
        showgrid=False,
        zeroline=False,
    )


def _squares(grid: Grid, hover: Callable[[int, int], str]) -> go.Scatter:
    cells = [(i, j) for i in range(len(grid.rows)) for j in range(len(grid.columns))]
    rows, columns = grid.places or (range(len(grid.rows)), range(len(grid.columns)))
    return click_squares(
        cells,
        CELL_PIXELS,
        customdata=[(int(rows[i]), int(columns[j])) for i, j in cells],
        text=[hover(i, j) for i, j in cells],
        hovertemplate="%{text}<extra></extra>",
    )


def _colour_bar(title: str) -> dict[str, Any]:
    return {
        "title": {"text": title, "font": {"size": 13}},
        "tickfont": {"size": 12},
        "tickformat": SHARE_TICKS,
        "thickness": 12,
        "outlinewidth": 0,
        "len": 0.9,
    }


def _numbers(grid: Grid) -> list[dict[str, Any]]:
    """Percentages in the cells that matter; annotations let clicks pass through."""
    return [
        {
            "x": j,
            "y": i,
            "text": f"{100 * value:.0f}",
            "showarrow": False,
            "font": {"color": style.NUMBER_INK},
        }
        for i, row in enumerate(grid.values)
        for j, value in enumerate(row)
        if value >= MIN_NUMBERED_VALUE
    ]
