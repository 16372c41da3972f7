"""Dates as precisely as they are known: a column of years stays one."""

from __future__ import annotations

from datetime import date
from typing import Literal

import numpy as np

DatePrecision = Literal["day", "month", "year"]
MIN_DAYS = 3  # two first days of a month may be chance
DATE_FORMATS: dict[DatePrecision, str] = {"month": "%B %Y", "year": "%Y"}


def date_precision(days: np.ndarray) -> DatePrecision:
    """Of datetime64[D] with gaps: years or months if each of several days begins one."""
    known = np.unique(days[~np.isnat(days)])
    if known.size < MIN_DAYS:
        return "day"
    if (known == known.astype("M8[Y]")).all():
        return "year"
    return "month" if (known == known.astype("M8[M]")).all() else "day"


def written_date(when: date | None, precision: DatePrecision = "day") -> str:
    """4 March 2026, March 2026 or 2026; empty when there is none."""
    if when is None:
        return ""
    return f"{when.day} {when:%B %Y}" if precision == "day" else f"{when:{DATE_FORMATS[precision]}}"
