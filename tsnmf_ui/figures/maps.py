"""The map of documents and topics. Every document is painted; some answer to the pointer.

A browser draws some thousand points at ease and stalls on some hundred thousand. A large corpus is
therefore painted into one picture underneath, and only representative points lie above it. A lasso
is a shape, and whoever receives it looks up what lies inside among all documents.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from PIL import Image

from core.insight.document_map import DocumentMap
from core.insight.shares import NO_TOPIC, main_topics
from core.insight.summaries import topic_sizes
from core.topics import Topics
from tsnmf_ui.figures.canvas import empty_figure, percent_text, safe_text
from tsnmf_ui.theme import style

MAX_HOVER_POINTS = 6_000  # points that answer to the pointer
MAX_SVG_POINTS = 2_500  # points up to which plain drawing is quicker than the graphics card's
PICTURE_SIZE = (1200, 840)  # pixels of the painting
MAP_HEIGHT = 560  # pixels on the page
MAX_TOPIC_NAMES = 60  # topics named at most; more would hide the documents
LETTER_WIDTH, LINE_HEIGHT = 0.0085, 0.05  # of the map's width and height: what a name takes up
LINES_AWAY = (0, *(away for n in range(1, 21) for away in (n, -n)))  # up and down, near ones first


@dataclass(frozen=True)
class Colouring:
    """What the colours mean: a number per document, and a name and a colour per number."""

    title: str
    codes: np.ndarray  # (n_docs,) int; negative for documents without
    names: Sequence[str]
    colours: Sequence[str]
    legend: bool = True


def by_topic(topics: Topics, colours: Sequence[str]) -> Colouring:
    """Every document in the colour of its main topic; the names stand on the map."""
    return Colouring("main topic", main_topics(topics), topics.names, colours, legend=False)


def document_map(
    placed: DocumentMap,
    topics: Topics,
    colouring: Colouring,
    *,
    shown: np.ndarray,
    colours: Sequence[str],
    where: str = "between their topics",
) -> go.Figure:
    """Topics by name, documents as dots. ``shown`` are the positions that answer to the pointer."""
    n_placed = int(placed.placed.size)
    figure = empty_figure(
        f"{n_placed:,} texts {where}, coloured by {safe_text(colouring.title, 40)}",
        _alt(topics, n_placed, colouring),
        height=MAP_HEIGHT,
    )
    x, y = _frame(placed)
    if n_placed > shown.size:
        figure.add_layout_image(_painting(placed.documents, colouring, x, y))
    figure.add_trace(_points(placed, topics, colouring, shown))
    if colouring.legend:
        _add_legend(figure, colouring)
    _name_topics(figure, placed.topics, topics, colours, (x, y))
    for update, (low, high) in ((figure.update_xaxes, x), (figure.update_yaxes, y)):
        update(range=[low, high], visible=False)
    figure.update_layout(dragmode="lasso", hovermode="closest", clickmode="event+select")
    figure.update_layout(margin={"l": 6, "r": 6, "t": 46, "b": 6}, uirevision="map")
    figure.update_layout(modebar={"bgcolor": "rgba(0,0,0,0)", "color": style.INK})
    figure.update_layout(modebar_activecolor=style.PRIMARY)
    return figure


def _points(
    placed: DocumentMap, topics: Topics, colouring: Colouring, shown: np.ndarray
) -> go.Scatter | go.Scattergl:
    kind = go.Scatter if shown.size <= MAX_SVG_POINTS else go.Scattergl
    lay = placed.documents[shown]
    return kind(
        x=lay[:, 0],
        y=lay[:, 1],
        mode="markers",
        name="documents",
        showlegend=False,
        marker={**_colours(colouring, shown), "size": 6, "opacity": 0.8},
        customdata=shown.astype(np.int32),
        text=_hover(topics, colouring, shown),
        selected={"marker": {"opacity": 1, "size": 7}},
        unselected={"marker": {"opacity": 0.25}},
        hovertemplate="%{text}<extra></extra>",
    )


def _colours(colouring: Colouring, positions: np.ndarray) -> dict[str, object]:
    """Numbers and a scale in steps: thousands of written colours would take a second to check."""
    palette = [*colouring.colours, style.FREE_COLOUR]
    codes, n = colouring.codes[positions], len(palette)
    steps = [[[i / n, colour], [(i + 1) / n, colour]] for i, colour in enumerate(palette)]
    return {
        "color": np.where(codes >= 0, codes, n - 1).astype(np.int16),
        "colorscale": [stop for pair in steps for stop in pair],
        "cmin": -0.5,
        "cmax": n - 0.5,
    }


def _hover(topics: Topics, colouring: Colouring, shown: np.ndarray) -> list[str]:
    """Id, main topic and its share; and what the colour says, where that is something else."""
    main, top = main_topics(topics)[shown], topics.shares()[shown].max(axis=1)
    names = [safe_text(name, 40) for name in topics.names]
    colour_names = [safe_text(name, 40) for name in colouring.names]
    lines = []
    for position, topic, share in zip(shown.tolist(), main.tolist(), top.tolist(), strict=True):
        code = int(colouring.codes[position])
        more = f"<br>{colour_names[code]}" if colouring.legend and code >= 0 else ""
        named = "no topic" if topic == NO_TOPIC else f"{names[topic]} {percent_text(share)}"
        lines.append(f"<b>{safe_text(topics.doc_ids[position], 40)}</b><br>{named}{more}")
    return lines


def _add_legend(figure: go.Figure, colouring: Colouring) -> None:
    """Names and colours only: hiding some of the dots would make a lasso lie."""
    for name, colour in zip(colouring.names, colouring.colours, strict=True):
        figure.add_scatter(
            x=[None],
            y=[None],
            mode="markers",
            name=safe_text(str(name), 24),
            marker={"color": colour, "size": 9},
            hoverinfo="skip",
        )
    figure.update_layout(
        showlegend=True,
        legend={"itemclick": False, "itemdoubleclick": False, "orientation": "h", "y": -0.01},
    )


def _name_topics(
    figure: go.Figure,
    places: np.ndarray,
    topics: Topics,
    colours: Sequence[str],
    frame: tuple[tuple[float, float], tuple[float, float]],
) -> None:
    """Names at their topics, largest first; one that would cover another goes above or below it.

    None leaves the map, where Plotly would hide it; where there is no room at all, the smaller
    topic goes without a name. A topic without words is not like any other, so it has no place to be
    named at.
    """
    sizes = topic_sizes(topics)["share"].to_numpy()
    (left, right), (bottom, top) = frame
    taken: list[tuple[float, float, float, float]] = []
    signs: list[dict[str, object]] = []
    largest = np.argsort(-sizes, kind="stable").tolist()
    worded = [topic for topic in largest if topics.topic_term[topic].any()]
    for topic in worded[:MAX_TOPIC_NAMES]:
        name = safe_text(topics.names[topic], 26)
        wide = (right - left) * LETTER_WIDTH * (len(name) + 2) / 2
        high = (top - bottom) * LINE_HEIGHT / 2
        east, north = (float(value) for value in places[topic])
        lines = (north + away * 2 * high for away in LINES_AWAY)
        boxes = [(east - wide, east + wide, at - high, at + high) for at in lines]
        inside = [b for b in boxes if bottom <= b[2] + high <= top]
        box = next((b for b in inside if not any(_cover(b, other) for other in taken)), None)
        if box is None:
            continue
        taken.append(box)
        signs.append(_sign(name, east, (box[2] + box[3]) / 2, colours[topic]))
    figure.update_layout(annotations=signs)


def _sign(name: str, east: float, north: float, colour: str) -> dict[str, object]:
    return {
        "x": east,
        "y": north,
        "text": f"<b>{name}</b>",
        "name": "topic",
        "showarrow": False,
        "font": {"size": 13, "color": "#1B2431"},  # on white in every theme
        "bgcolor": "rgba(255,255,255,.82)",
        "bordercolor": colour,
        "borderwidth": 1.5,
        "borderpad": 3,
        "captureevents": False,
    }


def _cover(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def _frame(placed: DocumentMap) -> tuple[tuple[float, float], tuple[float, float]]:
    """What the map shows: every topic and document, with a margin."""
    lay = placed.documents[placed.placed]
    every = np.vstack([placed.topics, lay]) if lay.size else placed.topics
    low, high = every.min(axis=0), every.max(axis=0)
    margin = 0.05 * np.maximum(high - low, 1e-6)
    (left, bottom), (right, top) = (low - margin).tolist(), (high + margin).tolist()
    return (left, right), (bottom, top)


def _painting(
    documents: np.ndarray, colouring: Colouring, x: tuple[float, float], y: tuple[float, float]
) -> dict[str, object]:
    """All documents in one picture, laid under the points."""
    file = io.BytesIO()
    paint_documents(documents, colouring, x, y).save(file, "PNG", compress_level=3)
    source = base64.b64encode(file.getvalue()).decode()
    return {
        "source": f"data:image/png;base64,{source}",
        "xref": "x",
        "yref": "y",
        "x": x[0],
        "y": y[1],
        "sizex": x[1] - x[0],
        "sizey": y[1] - y[0],
        "sizing": "stretch",
        "layer": "below",
    }


def paint_documents(
    documents: np.ndarray, colouring: Colouring, x: tuple[float, float], y: tuple[float, float]
) -> Image.Image:
    """Mean colour and density of the documents at each pixel; the crowded parts are opaque."""
    wide, high = PICTURE_SIZE
    known = np.flatnonzero(np.isfinite(documents[:, 0]))
    column = (documents[known, 0] - x[0]) / (x[1] - x[0]) * (wide - 3)
    row = (y[1] - documents[known, 1]) / (y[1] - y[0]) * (high - 3)
    pixel = (row.astype(np.int64) + 1) * wide + column.astype(np.int64) + 1
    palette = np.array([_light(colour) for colour in (*colouring.colours, style.FREE_COLOUR)])
    code = np.where(colouring.codes[known] >= 0, colouring.codes[known], len(palette) - 1)
    dots = np.empty((4, high * wide), dtype=np.float32)
    for band in range(3):
        dots[band] = np.bincount(pixel, palette[code, band], high * wide)
    dots[3] = np.bincount(pixel, minlength=high * wide)
    layers = dots.copy()
    for step in (1, wide):  # a dot is a small cross
        layers[:, step:] += dots[:, :-step]
        layers[:, :-step] += dots[:, step:]
    count = layers[3]
    picture = np.zeros((high * wide, 4), dtype=np.uint8)
    seen = count > 0
    picture[seen, :3] = (layers[:3, seen] / count[seen]).T.round()
    usual = max(float(np.quantile(count[seen], 0.9)) if seen.any() else 1.0, 2.0)
    picture[seen, 3] = (255 * np.clip(0.35 + 0.5 * count[seen] / usual, 0, 0.95)).astype(np.uint8)
    return Image.fromarray(picture.reshape(high, wide, 4), "RGBA")


def _light(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue


def _alt(topics: Topics, n_placed: int, colouring: Colouring) -> str:
    names = ", ".join(topics.names[:12]) + (", …" if len(topics) > 12 else "")
    return (
        f"Map of {n_placed:,} texts between {len(topics)} topics ({names}), "
        f"coloured by {colouring.title}. Topics with similar words lie close together."
    )
