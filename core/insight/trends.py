"""Topics over time and by class: shares of documents with denominators and intervals.

A document counts for its main topic; those in which the model found nothing are left out of the
denominator. Intervals are Wilson's, at 95 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Literal

import numpy as np
import pandas as pd

from core.errors import ModelError
from core.evaluation.metrics.intervals import wilson
from core.insight.document_facts import DocumentClasses, days_of, in_reading_order
from core.insight.several_values import groups_of_values
from core.insight.shares import NO_TOPIC, main_topics
from core.topics import Topics
from core.values import date_precision

Period = Literal["day", "week", "month", "quarter", "year"]
PERIODS: tuple[Period, ...] = ("day", "week", "month", "quarter", "year")
MAX_PERIODS = 36  # that a chart can show
MIN_PERIODS = 6  # fewer show no trend
MIN_DOCUMENTS_PER_PERIOD = 40  # on average; fewer make shares noisy
PERIOD_DAYS = {"day": 1, "week": 7, "month": 30.4, "quarter": 91.3, "year": 365.25}


def best_period(dates: Sequence[date | None] | np.ndarray) -> Period | None:
    """The finest period with not too many periods and enough documents in each.

    Never finer than the dates are known. With few documents, the number of periods decides. None
    without two different days.
    """
    days = days_of(dates)
    known = days[~np.isnat(days)]
    if known.size == 0 or known.min() == known.max():
        return None
    span = int((known.max() - known.min()).astype(int)) + 1
    periods = PERIODS[PERIODS.index(date_precision(known)) :]
    readable = [period for period in periods if span / PERIOD_DAYS[period] <= MAX_PERIODS] or [
        "year"
    ]
    chosen = readable[0]
    for coarser in readable[1:]:
        crowded = known.size * PERIOD_DAYS[chosen] / span >= MIN_DOCUMENTS_PER_PERIOD
        if crowded or span / PERIOD_DAYS[coarser] < MIN_PERIODS:
            break
        chosen = coarser
    return chosen


def readable_periods(dates: Sequence[date | None] | np.ndarray) -> list[Period]:
    """The periods that leave at least two and not too many, finest first."""
    days = days_of(dates)
    known = days[~np.isnat(days)]
    if best_period(days) is None:
        return []
    span = int((known.max() - known.min()).astype(int)) + 1
    periods = PERIODS[PERIODS.index(date_precision(known)) :]
    readable = [period for period in periods if 2 <= span / PERIOD_DAYS[period] <= 3 * MAX_PERIODS]
    return readable or [periods[0]]


def over_time(
    topics: Topics, dates: Sequence[date | None] | np.ndarray, period: Period | None = None
) -> pd.DataFrame:
    """Share of each topic in each period: start, topic, name, share, low, high, documents, of.

    Every period between the first and the last is there, also one without documents (``of`` is 0
    and ``share`` is not a number), so that a gap in the data stays a gap.
    """
    days = days_of(dates)
    _check(topics, days)
    period = period or best_period(days)
    if period is None:
        return _table(topics, [], np.zeros((0, len(topics)), int), "start")
    known = ~np.isnat(days)
    place, starts = _periods(days[known], period)
    counts = _counts(topics, known.nonzero()[0], place, len(starts))
    return _table(topics, starts, counts, "start")


def by_class(topics: Topics, values: Sequence[str] | DocumentClasses) -> pd.DataFrame:
    """Share of each topic in each class: class, topic, name, share, low, high, documents, of.

    A document whose value names several classes counts in each of them.
    """
    classes = values if isinstance(values, DocumentClasses) else DocumentClasses.of(values)
    _check(topics, classes.codes)
    known = np.flatnonzero(classes.codes >= 0)
    counts = _counts(topics, known, classes.codes[known], len(classes.names))
    names, counts = _split_values(classes.names, counts)
    kept = np.flatnonzero(counts.sum(axis=1) > 0)
    return _table(topics, [names[i] for i in kept], counts[kept], "class")


def class_names(values: Sequence[str]) -> list[str]:
    """The classes that ``by_class`` makes of the different values of a column."""
    return in_reading_order({name for groups in groups_of_values(values) for name in groups})


def _split_values(values: Sequence[str], counts: np.ndarray) -> tuple[list[str], np.ndarray]:
    """The classes, and their documents by topic: the sum over the values that name them."""
    names = class_names(values)
    place = {name: i for i, name in enumerate(names)}
    split = np.zeros((len(names), counts.shape[1]), counts.dtype)
    for row, groups in zip(counts, groups_of_values(values), strict=True):
        split[[place[name] for name in groups]] += row
    return names, split


def _periods(days: np.ndarray, period: Period) -> tuple[np.ndarray, list[date]]:
    """For each day the number of its period, and the first day of every period."""
    if period == "day":
        number = days.astype(int)
    elif period == "week":
        number = (days.astype(int) + 3) // 7  # 1970 began on a Thursday; weeks begin on Monday
    else:
        length = {"month": 1, "quarter": 3, "year": 12}[period]
        number = days.astype("M8[M]").astype(int) // length
    first, last = int(number.min()), int(number.max())
    starts = [_start(each, period) for each in range(first, last + 1)]
    return number - first, starts


def _start(number: int, period: Period) -> date:
    if period in ("day", "week"):
        day = number if period == "day" else 7 * number - 3
        return np.datetime64(day, "D").astype(date)
    month = number * {"month": 1, "quarter": 3, "year": 12}[period]
    return np.datetime64(month, "M").astype("M8[D]").astype(date)


def _counts(topics: Topics, rows: np.ndarray, place: np.ndarray, n_places: int) -> np.ndarray:
    """Documents by place and main topic."""
    main = main_topics(topics)[rows]
    read = main != NO_TOPIC
    flat = place[read] * len(topics) + main[read]
    return np.bincount(flat, minlength=n_places * len(topics)).reshape(n_places, len(topics))


def _table(topics: Topics, places: Sequence[Any], counts: np.ndarray, name: str) -> pd.DataFrame:
    of = np.repeat(counts.sum(axis=1), len(topics))
    documents = counts.ravel()
    low, high = wilson(documents, of)
    share = np.where(of > 0, documents / np.maximum(of, 1), np.nan)
    return pd.DataFrame(
        {
            name: [place for place in places for _ in range(len(topics))],
            "topic": np.tile(np.arange(len(topics)), len(places)),
            "name": list(topics.names) * len(places),
            "share": share,
            "low": low,
            "high": high,
            "documents": documents,
            "of": of,
        }
    )


def _check(topics: Topics, values: np.ndarray) -> None:
    if values.size != topics.doc_topic.shape[0]:
        raise ModelError(f"{values.size} values for {topics.doc_topic.shape[0]} documents.")
