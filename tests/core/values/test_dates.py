"""Dates are written as precisely as a column of them is known."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from core.insight.trends import best_period, readable_periods
from core.values import date_precision, written_date


@pytest.mark.parametrize(
    ("days", "precision"),
    [
        (["2021-01-01", "NaT", "2023-01-01", "2022-01-01"], "year"),
        (["2021-01-01", "2021-04-01", "2021-02-01"], "month"),
        (["2021-01-01", "2021-04-02", "2022-01-01"], "day"),
        (["2021-01-01", "2022-01-01"] * 3, "day"),  # two days may be chance
        (["NaT"], "day"),
        ([], "day"),
    ],
)
def test_years_and_months_are_known_by_their_first_days(days, precision):
    assert date_precision(np.array(days, dtype="M8[D]")) == precision


def test_a_date_is_written_as_precisely_as_it_is_known():
    when = date(2022, 3, 1)
    written = [written_date(when, precision) for precision in ("day", "month", "year")]
    assert written == ["1 March 2022", "March 2022", "2022"]
    assert written_date(None, "year") == ""


def test_no_period_is_finer_than_the_dates():
    years = [date(year, 1, 1) for year in (2020, 2021, 2022) for _ in range(50)]
    assert best_period(years) == "year"
    assert readable_periods(years) == ["year"]
    months = [date(2022, month, 1) for month in range(1, 13) for _ in range(50)]
    assert readable_periods(months)[0] == "month"
