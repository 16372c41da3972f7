"""Shares over time and by class: denominators, gaps, intervals."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from core.errors import ModelError
from core.evaluation.metrics.intervals import wilson
from core.insight import summaries
from core.insight.several_values import MAX_VALUES
from core.insight.trends import best_period, class_names, over_time, readable_periods
from core.spec import ModelSpec
from core.topics import Topics


def topics_of(main: list[int], n_topics: int = 2) -> Topics:
    """Documents that are all about one topic each; -1 for nothing."""
    weights = np.zeros((len(main), n_topics))
    for row, topic in enumerate(main):
        if topic >= 0:
            weights[row, topic] = 1
    names = tuple("abc"[:n_topics])
    terms = tuple(f"w{j}" for j in range(n_topics))
    ids = tuple(map(str, range(len(main))))
    return Topics(
        doc_topic=weights,
        topic_term=np.eye(n_topics),
        terms=terms,
        doc_ids=ids,
        names=names,
        spec=ModelSpec(),
    )


def test_wilson_matches_a_known_interval_and_keeps_within_bounds():
    low, high = wilson([8, 0, 5, 0], [10, 10, 5, 0])
    assert low == pytest.approx([0.4901625, 0.0, 0.5655175, 0.0], abs=1e-6)
    assert high == pytest.approx([0.9433178, 0.2775328, 1.0, 1.0], abs=1e-6)


def test_months_have_their_own_denominators_and_gaps_stay_gaps():
    days = [date(2026, 1, 5), date(2026, 1, 9), date(2026, 3, 1), None, date(2026, 3, 30)]
    table = over_time(topics_of([0, 1, 1, 1, -1]), days, "month")
    first = table[table["topic"] == 1]
    assert first["start"].tolist() == [date(2026, 1, 1), date(2026, 2, 1), date(2026, 3, 1)]
    assert first["of"].tolist() == [2, 0, 1]
    assert first["share"].tolist()[::2] == [0.5, 1.0]
    assert np.isnan(first["share"].iloc[1])
    assert (table["low"] <= table["high"]).all()


@pytest.mark.parametrize(
    ("period", "starts"),
    [
        ("day", [date(2025, 12, 31), date(2026, 1, 1)]),
        ("week", [date(2025, 12, 29)]),
        ("quarter", [date(2025, 10, 1), date(2026, 1, 1)]),
        ("year", [date(2025, 1, 1), date(2026, 1, 1)]),
    ],
)
def test_periods_begin_where_people_expect(period, starts):
    table = over_time(topics_of([0, 1]), [date(2025, 12, 31), date(2026, 1, 1)], period)
    assert sorted(set(table["start"])) == starts


@pytest.mark.parametrize(
    ("last", "period"),
    [
        (date(2026, 1, 30), "day"),
        (date(2026, 6, 1), "week"),
        (date(2028, 1, 1), "month"),
        (date(2033, 1, 1), "quarter"),
        (date(2060, 1, 1), "year"),
    ],
)
def test_the_period_fits_the_span(last, period):
    assert best_period([date(2026, 1, 1), None, last] * 1000) == period


def test_few_documents_are_counted_in_longer_periods():
    days = [date(2026, 1, 1), date(2027, 12, 31)]
    assert best_period(days * 1000) == "month"
    assert best_period(days * 100) == "quarter"
    assert readable_periods(days) == ["week", "month", "quarter"]
    assert readable_periods([None]) == []


def test_without_two_days_there_is_no_trend():
    assert best_period([None, date(2026, 1, 1)]) is None
    assert over_time(topics_of([0, 1]), [None, date(2026, 1, 1)]).empty


def test_classes_have_intervals_and_empty_ones_are_left_out():
    table = summaries.by_class(topics_of([0, 0, 1, -1]), ["n", "n", "n", "s"])
    assert table["class"].tolist() == ["n", "n"]
    assert table["documents"].tolist() == [2, 1]
    assert table["low"].iloc[0] < 2 / 3 < table["high"].iloc[0]
    with pytest.raises(ModelError, match="1 values for 4 documents"):
        over_time(topics_of([0, 0, 1, -1]), [date(2026, 1, 1)])


def test_a_text_with_several_values_counts_in_each_of_their_classes():
    values = ["late; rude", "late", "rude", ""]
    table = summaries.by_class(topics_of([0, 0, 1, 1]), values)
    first = table[table["topic"] == 0]
    assert first["class"].tolist() == ["late", "rude", ""]
    assert list(zip(first["documents"], first["of"], strict=True)) == [(2, 2), (1, 2), (0, 1)]


def test_classes_from_cells_of_several_values_join_spellings_and_separators():
    values = ["Late|Rude", "late, Rude", "Late", "Rude", "rude|late", "Late|Slow", "Slow"]
    assert class_names(values) == ["Late", "Rude", "Slow"]


def test_numbers_with_a_decimal_comma_are_not_several_values():
    assert class_names(["3,2", "2,3", "3,3", "2,2", "10,0", "k.A."]) == [
        "10,0",
        "2,2",
        "2,3",
        "3,2",
        "3,3",
        "k.A.",
    ]
    assert class_names(["1,3", "1", "3", "2", "1,2"]) == ["1", "2", "3"]  # codes


def test_values_that_only_hold_a_semicolon_stay_whole():
    assert class_names(["Road 3; left", "Bridge 4; right", "Park"]) == [
        "Bridge 4; right",
        "Park",
        "Road 3; left",
    ]
    many = [f"{n}; a" for n in range(MAX_VALUES + 1)]
    assert len(class_names(many)) == len(many)
