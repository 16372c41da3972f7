"""Colours of topics: a palette that colour-blind people can read, then others that keep away."""

from __future__ import annotations

import colorsys
from collections.abc import Iterator
from functools import cache

# Okabe and Ito's palette, darkened where thin marks on white would vanish.
PALETTE = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#B65C97",
    "#B07C00",
    "#3C9BD0",
    "#6A51A3",
    "#6B7280",
    "#8A5A2B",
)
FREE_COLOUR = "#8794A6"  # topics the model found and nobody has named
HUES = 24  # tried for further colours, each at several lightnesses and strengths
LIGHTNESSES = (0.34, 0.4, 0.46, 0.52, 0.6)
SATURATIONS = (0.35, 0.5)
BACKGROUNDS = ("#FFFFFF", "#1A2029")  # panels, light and dark
MIN_CONTRAST = 2.4  # contrast a mark needs on both

Point = tuple[float, float, float]


def topic_colour(index: int) -> str:
    """The colour of a topic: the palette first, then whatever is furthest from all before."""
    if index < 0:
        return FREE_COLOUR
    if index < len(PALETTE):
        return PALETTE[index]
    further = _further()
    return further[(index - len(PALETTE)) % len(further)]


def contrast(one: str, other: str) -> float:
    """WCAG's contrast ratio of two colours, from 1 to 21; text wants 4.5."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def distance(one: str, other: str) -> float:
    """How different two colours look: Euclidean in OKLab, where about 0.02 is just visible."""
    pairs = zip(_oklab(one), _oklab(other), strict=True)
    return sum((a - b) ** 2 for a, b in pairs) ** 0.5


@cache
def _further() -> tuple[str, ...]:
    """All candidates, each time the one that is furthest from its nearest neighbour so far."""
    left, order = list(_candidates()), [*PALETTE, FREE_COLOUR]
    near = {each: min(distance(each, taken) for taken in order) for each in left}
    while left:
        best = max(left, key=near.__getitem__)
        left.remove(best)
        order.append(best)
        near = {each: min(near[each], distance(each, best)) for each in left}
    return tuple(order[len(PALETTE) + 1 :])


def _candidates() -> Iterator[str]:
    for hue in range(HUES):
        for lightness in LIGHTNESSES:
            for strength in SATURATIONS:
                parts = colorsys.hls_to_rgb(hue / HUES, lightness, strength)
                colour = "#" + "".join(f"{round(part * 255):02X}" for part in parts)
                if min(contrast(colour, ground) for ground in BACKGROUNDS) >= MIN_CONTRAST:
                    yield colour


def _linear(colour: str) -> Point:
    """Red, green and blue as amounts of light."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return red, green, blue


def _luminance(colour: str) -> float:
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@cache
def _oklab(colour: str) -> Point:
    """Björn Ottosson's space, in which equal steps look equal."""
    r, g, b = _linear(colour)
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    middle = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )
