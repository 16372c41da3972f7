"""How a share is written: on cards and tables, in charts, sentences and reports."""

from __future__ import annotations

ROUNDING_ERROR = 1e-9  # a sum of floats that should be 0 or 1 may be off by this much


def percent(share: float, digits: int = 0) -> str:
    """0.314 as 31 %, with a no-break space.

    A small share is not rounded to nothing, and a large one not to all: <1 %, >99 %.
    """
    half = 0.5 * 10.0 ** -(digits + 2)
    smallest = 10.0**-digits
    if ROUNDING_ERROR < share < half:
        return f"<{smallest:.{digits}f}\u00a0%"
    if 1 - half < share < 1 - ROUNDING_ERROR:
        return f">{100 - smallest:.{digits}f}\u00a0%"
    return f"{100 * share:.{digits}f}\u00a0%"
