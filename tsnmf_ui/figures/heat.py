"""Heat maps one can read and click: names on both sides, numbers in the cells that matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import plotly.graph_objects as go

from tsnmf_ui.figures.canvas import (
    click_squares,
    empty_figure,
    height_for_rows,
    label_rows,
    safe_text,
    share_ticks,
)
from tsnmf_ui.theme import style

MAX_MARKED_CELLS = 2_500  # of more, only the largest can be clicked
MAX_SQUARES = 200
LARGE_MAP_HEIGHT = 760  # pixels
LARGE_MAP_CELL_PIXELS = 9
MAX_NUMBERS = 240  # in cells: with more a map would be all numbers
MAX_NUMBERED_COLUMNS = 24  # of more, numbers have no room
CELL_PIXELS = 26  # pixels, the side of the square that takes the click
COLOUR_SCALE = [
    [0.0, "rgba(47,116,192,0.03)"],
    [1.0, "rgba(47,116,192,0.8)"],
]  # shows on any background, and lets numbers be read
MAX_LEVEL_NAMES = 7  # columns whose names stand level; of more they slant
COLUMNS_AT_THE_EDGE = 6  # whose slanting names may begin left of the first column
SLANTING_LETTER = 5.8  # pixels to the left that a letter of a slanting name takes
MIN_NUMBERED_VALUE = 0.05  # cells below it go without a number
UNNUMBERED_CELLS = "Less than 5 is shown by colour alone."
NO_NUMBERS = "Point at a cell for its number."


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
    because without them a click lands on the wrong row. A map of very many cells is an image to
    zoom into, with squares on the largest only: a square for each would hold the browser for
    minutes.
    """
    many = is_large(len(grid.rows), len(grid.columns))
    height = LARGE_MAP_HEIGHT if many else height_for_rows(len(grid.rows), least=240) + 70
    figure = empty_figure(grid.title, grid.alt, x=grid.x, y=grid.y, height=height)
    figure.add_trace(_image(grid) if many else _cells(grid))
    figure.update_traces(colorbar=_colour_bar(grid.bar), selector={"type": "heatmap"})
    figure.add_trace(
        _squares(grid, hover, largest_cells(grid.values, MAX_SQUARES) if many else None)
    )
    figure.update_layout(hovermode="closest", hoverdistance=-1)
    figure.update_layout(clickmode="event+select" if clickable else "none")
    if many:
        _let_zoom(figure, grid)
        return figure
    label_rows(figure, list(grid.rows), limit=24)
    _name_columns(figure, grid.columns)
    numbers = _numbers(grid) if len(grid.columns) <= MAX_NUMBERED_COLUMNS else []
    if len(numbers) <= MAX_NUMBERS:
        figure.update_layout(annotations=numbers)
    return figure


def unnumbered_cells(figure: go.Figure) -> str:
    """Which cells of a drawn map have no number in them."""
    return UNNUMBERED_CELLS if figure.layout.annotations else NO_NUMBERS


def is_large(n_rows: int, n_columns: int) -> bool:
    """Whether a map has too many cells to read and click each."""
    return n_rows * n_columns > MAX_MARKED_CELLS


def largest_cells(values: Sequence[Sequence[float]], n: int) -> list[tuple[int, int]]:
    """Rows and columns of the n largest values, the largest first."""
    flat = np.nan_to_num(np.asarray(values, dtype=float).ravel(), nan=-1.0)
    order = np.argsort(-flat, kind="stable")[:n]
    width = len(values[0])
    return [(int(at) // width, int(at) % width) for at in order if flat[at] > 0]


def _cells(grid: Grid) -> go.Heatmap:
    values = [[None if value != value else value for value in row] for row in grid.values]
    scale = {"colorscale": COLOUR_SCALE, "zmin": 0, "zmax": grid.darkest}
    return go.Heatmap(z=values, xgap=2, ygap=2, hoverinfo="skip", **scale)


def _image(grid: Grid) -> go.Heatmap:
    """Without gaps Plotly draws one picture; names are told where the mouse is."""
    return go.Heatmap(
        z=np.asarray(grid.values, dtype=np.float32),
        x=_distinct(grid.columns),
        y=_distinct(grid.rows),
        colorscale=COLOUR_SCALE,
        zmin=0,
        zmax=grid.darkest,
        hovertemplate="%{y} × %{x}: %{z:.3f}<extra></extra>",
    )


def _distinct(names: Sequence[str]) -> list[str]:
    """Short names that no two rows share: equal ones would fall together."""
    short = [safe_text(name, 24) for name in names]
    seen = Counter(short)
    return [f"{name} ({at + 1})" if seen[name] > 1 else name for at, name in enumerate(short)]


def _let_zoom(figure: go.Figure, grid: Grid) -> None:
    look = {"type": "category", "showgrid": False, "zeroline": False, "fixedrange": False}
    figure.update_xaxes(range=[-0.5, len(grid.columns) - 0.5], nticks=24, tickangle=-40, **look)
    figure.update_yaxes(range=[len(grid.rows) - 0.5, -0.5], nticks=36, **look)
    figure.update_layout(dragmode="zoom")


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


def _squares(
    grid: Grid, hover: Callable[[int, int], str], largest: list[tuple[int, int]] | None
) -> go.Scatter:
    every = product(range(len(grid.rows)), range(len(grid.columns)))
    cells = list(every) if largest is None else largest
    rows, columns = grid.places or (range(len(grid.rows)), range(len(grid.columns)))
    squares = click_squares(
        cells,
        CELL_PIXELS if largest is None else LARGE_MAP_CELL_PIXELS,
        customdata=[(int(rows[i]), int(columns[j])) for i, j in cells],
        text=[hover(i, j) for i, j in cells],
        hovertemplate="%{text}<extra></extra>",
    )
    if largest is not None:  # rows and columns of an image go by their names
        across, down = _distinct(grid.columns), _distinct(grid.rows)
        squares.update(x=[across[j] for _, j in cells], y=[down[i] for i, _ in cells])
    return squares


def _colour_bar(title: str) -> dict[str, Any]:
    return {
        "title": {"text": title, "font": {"size": 13}},
        "tickfont": {"size": 12},
        **share_ticks(),
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
