"""The look: one palette, one style sheet, one Plotly layout, for light and dark alike."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from tsnmf_ui.theme.palette import FREE_COLOUR, PALETTE, topic_colour

__all__ = [
    "FREE_COLOUR",
    "PALETTE",
    "add_style_sheet",
    "configure_page",
    "css",
    "icon",
    "layout",
    "logo",
    "topic_colour",
]

THEME_FOLDER = Path(__file__).parent
INK = "#7A8698"  # of lines: seen on white and on near-black
TEXT_INK = "#5B6675"  # of words in figures; the style sheet gives them the theme's own
NUMBER_INK = "#1B2430"  # of numbers in coloured cells, the same
GRID = "rgba(128,140,156,.22)"
PRIMARY = "#2F74C0"
FONT = "'Source Sans', 'Source Sans Pro', sans-serif"


def layout(
    title: str | None = None, x: str | None = None, y: str | None = None, **more: Any
) -> dict[str, Any]:
    """Keyword arguments of a Plotly layout: transparent, readable on light and dark."""
    axis = {
        "gridcolor": GRID,
        "zerolinecolor": GRID,
        "linecolor": GRID,
        "automargin": True,
        "title": {"standoff": 10},
    }
    common: dict[str, Any] = {
        "font": {"family": FONT, "size": 14, "color": TEXT_INK},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "margin": {"l": 12, "r": 12, "t": 52 if title else 16, "b": 12},
        "colorway": list(PALETTE),
        "hoverlabel": {"font": {"family": FONT, "size": 14}, "align": "left"},
        "xaxis": {**axis, "title": {"text": x, "standoff": 10}},
        "yaxis": {**axis, "title": {"text": y, "standoff": 10}},
        "legend": {"orientation": "h", "y": -0.2, "x": 0},
        "bargap": 0.28,
    }
    if title:
        common["title"] = {"text": title, "x": 0, "xref": "paper", "font": {"size": 17}}
    return {**common, **more}


@cache
def css(path: Path = THEME_FOLDER / "theme.css") -> str:
    """A style sheet, read once."""
    return path.read_text(encoding="utf-8")


def add_style_sheet(path: Path) -> None:
    """The style sheet of a page, beside that of the app."""
    import streamlit as st

    st.html(f"<style>{css(path)}</style>")


@cache
def logo() -> str:
    """Where the logo is: beside the packages in a checkout, inside ``core`` once installed."""
    packages = THEME_FOLDER.parents[1]
    inside = packages / "core" / "assets" / "logo.svg"
    return str(inside if inside.is_file() else packages / "assets" / "logo.svg")


@cache
def icon() -> Image.Image:
    """The logo's three bars as a tab icon, drawn here so that nothing is fetched."""
    picture = Image.new("RGBA", (32, 32))
    draw = ImageDraw.Draw(picture)
    for left, top, colour in ((2, 4, 0), (12, 12, 1), (22, 18, 2)):
        draw.rounded_rectangle((left, top, left + 7, 28), radius=2, fill=PALETTE[colour])
    return picture


def configure_page() -> None:
    """Title, logo and style sheet; the first thing a page shows."""
    import streamlit as st

    st.set_page_config(page_title="TS-NMF Studio", page_icon=icon(), layout="wide")
    st.logo(logo(), size="large")
    st.html(f"<style>{css()}</style>")
