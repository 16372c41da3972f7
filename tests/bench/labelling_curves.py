"""Curves of score against number of labels, with bands, as one small SVG picture per corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path

import numpy as np
import pandas as pd

TITLES = {
    "jaccard": "Weighted Jaccard",
    "resolved": "Labels resolved",
    "first": "First label is true",
    "f1_micro": "Micro F1",
    "f1_macro": "Macro F1",
    "npmi": "Coherence (NPMI)",
}
COLOURS = {
    "guided": "#0072b2",
    "pure": "#d55e00",
    "ssnmf": "#009e73",
    "package": "#cc79a7",
    "logistic": "#777777",
    "logistic on vectors": "#bbbbbb",
}
NAMES = {
    "guided": "guided TS-NMF",
    "pure": "pure TS-NMF",
    "ssnmf": "SSNMF (D, F)",
    "package": "tsnmf package",
    "logistic": "logistic regression, no topics",
    "logistic on vectors": "the same on vectors",
}
WIDE, HIGH = 300, 210  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 40, 10, 26, 24  # margins in a panel
HEAD = 52  # height of title and legend
Point = tuple[float, float]


def draw(table: pd.DataFrame, out: Path) -> list[Path]:
    """One picture per corpus: the queue in full lines, chance in dotted ones."""
    known = table[table.model.isin(list(COLOURS))]
    return [_picture(str(name), part, out) for name, part in known.groupby("corpus", sort=False)]


def _picture(corpus: str, table: pd.DataFrame, out: Path) -> Path:
    size = f'width="{3 * WIDE}" height="{HEAD + 2 * HIGH}"'
    body = [*_head(corpus, table)]
    for place, measure in enumerate(TITLES):
        corner = (place % 3 * WIDE, HEAD + place // 3 * HIGH)
        known = table.dropna(subset=[measure])
        body += [
            f'<g transform="translate({corner[0]} {corner[1]})">',
            *_panel(known, measure),
            "</g>",
        ]
    view = f'viewBox="0 0 {3 * WIDE} {HEAD + 2 * HIGH}"'
    font = 'font-family="system-ui, sans-serif" font-size="11" fill="#222222"'
    path = out / f"{corpus}.svg"
    text = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} {font}>']
    text += ['<rect width="100%" height="100%" fill="#ffffff"/>', *body, "</svg>", ""]
    path.write_text("\n".join(text), encoding="utf-8")
    return path


def _head(corpus: str, table: pd.DataFrame) -> Iterator[str]:
    title = f"{corpus}: scores on unlabelled documents; bands are one standard error"
    yield _text(10, 18, title, 'font-size="13" font-weight="600"')
    x = 10.0
    for model in [name for name in COLOURS if name in set(table.model)]:
        yield f'<rect x="{x:.0f}" y="30" width="14" height="4" fill="{COLOURS[model]}"/>'
        yield _text(x + 18, 37, NAMES[model])
        x += 30 + 6.2 * len(NAMES[model])
    style = 'text-anchor="end" fill="#555555"'
    yield _text(3 * WIDE - 10, 18, "full lines: the queue · dotted: drawn by chance", style)


def _panel(table: pd.DataFrame, measure: str) -> Iterator[str]:
    """Axes, bands and lines of one measure."""
    yield _text(LEFT, 16, TITLES[measure], 'font-weight="600"')
    if table.empty:
        return
    curves = {key: _curve(part, measure) for key, part in table.groupby(["model", "mode"])}
    every = pd.concat(curves.values())
    low, high = _bounds(every["low"].min(), every["high"].max())
    marks = sorted(set(table.labels))
    across = np.log1p([marks[0], marks[-1]])

    def at(labels: float, value: float) -> Point:
        x = (np.log1p(labels) - across[0]) / max(across[1] - across[0], 1e-9)
        y = (value - low) / (high - low)
        return LEFT + x * (WIDE - LEFT - RIGHT), HIGH - BOTTOM - y * (HIGH - TOP - BOTTOM)

    for value in np.linspace(low, high, 5):
        y = at(marks[0], value)[1]
        yield f'<path d="M{LEFT} {y:.1f}H{WIDE - RIGHT}" stroke="#e5e5e5"/>'
        yield _text(LEFT - 4, y + 4, f"{value:.3g}", 'text-anchor="end" fill="#555555"')
    for labels in marks:
        place = f'text-anchor="{_anchor(labels, marks)}" fill="#555555"'
        yield _text(at(labels, low)[0], HIGH - 8, f"{labels:.0f}", place)
    for (model, mode), curve in curves.items():
        yield from _drawn(curve, COLOURS[str(model)], "2 3" if mode == "random" else "", at)


def _curve(part: pd.DataFrame, measure: str) -> pd.DataFrame:
    groups = part.groupby("labels")[measure]
    mean, error = groups.mean(), groups.sem().fillna(0)
    return pd.DataFrame({"mean": mean, "low": mean - error, "high": mean + error})


def _bounds(low: float, high: float) -> tuple[float, float]:
    """Round numbers around the values; from nought where that costs little room."""
    step = 10.0 ** np.floor(np.log10(max(high - low, 1e-6)))
    low = 0.0 if 0 <= low < 0.4 * high else float(np.floor(low / step) * step)
    high = float(np.ceil((high - low) / (2 * step)) * 2 * step) + low
    return low, high


def _drawn(
    curve: pd.DataFrame, colour: str, dash: str, at: Callable[[float, float], Point]
) -> Iterator[str]:
    upper = [at(x, y) for x, y in curve["high"].items()]
    lower = [at(x, y) for x, y in curve["low"].items()]
    yield f'<path d="{_way([*upper, *lower[::-1]])}Z" fill="{colour}" opacity="0.15"/>'
    style = f'fill="none" stroke="{colour}" stroke-width="1.8" stroke-dasharray="{dash}"'
    yield f'<path d="{_way([at(x, y) for x, y in curve["mean"].items()])}" {style}/>'


def _way(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _text(x: float, y: float, words: str, style: str = "") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" {style}>{escape(words)}</text>'


def _anchor(labels: float, marks: Sequence[float]) -> str:
    return "start" if labels == marks[0] else "end" if labels == marks[-1] else "middle"
