"""The search box: what is typed, and which documents it finds."""

from __future__ import annotations

from datetime import UTC, date, datetime

import numpy as np
import pytest

from core.errors import QueryError
from core.search import Grounds, Said, answer, parse
from core.search.query import Names, Span, Words
from core.store import Annotation

N = 8
WORDS = {"refund": [0, 2, 4], "second invoice": [2, 4, 6], "ref": [0, 2, 4, 5]}


def annotation(position: int, *permitted: int, **more) -> Annotation:
    values = {"author": "Ann", "time": datetime(2026, 3, 1, tzinfo=UTC), "event": 1, **more}
    return Annotation(position=position, permitted=permitted, **values)


ANNOTATIONS = {
    0: annotation(0, 1),
    1: annotation(1, 2, 1, confidence="unsure", author="Bob"),
    2: annotation(2, nothing_fits=True, note="odd"),
    3: annotation(3, forbidden=(2,)),
}
SHARES = np.array(
    [[0.9, 0.1], [0.4, 0.6], [0.5, 0.5], [0, 0], [0.7, 0.3], [0.2, 0.8], [1, 0], [0.8, 0.2]]
)
GROUNDS = Grounds(
    n_docs=N,
    matching=lambda words: np.array(WORDS.get(words.text, []), dtype=np.intp),
    said=lambda: Said.of(ANNOTATIONS, {7}),
    labels={1: "Billing", 2: "App & login"},
    columns=("Billing", "App & login"),
    shares=SHARES,
    dates=lambda: np.array([0, *(date(2026, m, 14).toordinal() for m in range(1, N))]),
    ids=lambda given: [4] if given == "d4" else [],
    author="Ann",
)


def found(text: str) -> list[int]:
    return answer(parse(text), GROUNDS).positions.tolist()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("street lamp", (Words("street"), Words("lamp", open=True))),
        ("street ", (Words("street"),)),
        ('"street lamp" out ', (Words("street lamp"), Words("out"))),
        ('"street la', (Words("street la", open=True),)),
        ("-lamp ", (Words("lamp", negated=True),)),
        ("Re: lamp ", (Words("re"), Words("lamp"))),
        ("12:30 ", (Words("12:30"),)),
        ("http://x.org ", (Words("http://x.org"),)),
        ('"topic:x"', (Words("topic:x"),)),
        ('*** " ', ()),
    ],
)
def test_words_and_phrases(text, words):
    assert parse(text).words == words


def test_filters_take_quoted_and_several_values():
    query = parse('label:"App & login",billing -is:mine,unl')
    assert query.names == (
        Names("label", ("App & login", "billing")),
        Names("is", ("mine", "unlabelled"), negated=True),
    )


@pytest.mark.parametrize("text", ["topic:", "lamp is:", "score:", 'label:"'])
def test_a_filter_that_is_still_typed_asks_for_nothing(text):
    assert not parse(text).names
    assert not parse(text).spans


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("score:>60", 0.6, 1),
        ("score:0.6", 0.6, 1),
        ("score:<=30%", 0, 0.3),
        ("score:40..60", 0.4, 0.6),
        ("date:2026-03", date(2026, 3, 1).toordinal(), date(2026, 3, 31).toordinal()),
        ("date:2024", date(2024, 1, 1).toordinal(), date(2024, 12, 31).toordinal()),
        ("date:<2026-02", 0, date(2026, 2, 28).toordinal()),
        ("date:2026-01..2026-02-03", date(2026, 1, 1).toordinal(), date(2026, 2, 3).toordinal()),
    ],
)
def test_spans(text, low, high):
    (span,) = parse(text).spans
    assert span == Span(text.partition(":")[0], low, high)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("colour:red", "no filter “colour:”"),
        ("topic: x", "missing after “topic:”"),
        ("is:un", "There are unlabelled"),
        ("is:purple", "not known"),
        ("score:much", "not a share"),
        ("score:101", "not a share"),
        ("date:2026-13", "not a date"),
        ("date:9999-12", "not a date"),
        ("date:..", "not a date"),
    ],
)
def test_bad_filters_end_in_a_sentence(text, said):
    with pytest.raises(QueryError, match=said):
        parse(text)


@pytest.mark.parametrize(
    ("text", "positions"),
    [
        ("refund ", [0, 2, 4]),
        ('refund "second invoice" ', [2, 4]),
        ("refund -is:labelled ", [4]),
        ("-refund is:labelled", [1]),
        ("ref", [0, 2, 4, 5]),
        ("label:billing", [0, 1]),
        ("label:app", [1]),
        ("label:none", [3, 4, 5, 6, 7]),
        ("not:app", [3]),
        ("is:labelled", [0, 1, 2]),
        ("is:skipped", [7]),
        ("is:unsure,nothing", [1, 2]),
        ("is:noted", [2]),
        ("is:mine", [0, 2]),
        ("author:bo", [1]),
        ("id:d4", [4]),
        ("date:2026-02..2026-03", [2, 3]),
        ("-date:2026-02..2026-12", [0, 1]),
        ("", list(range(N))),
    ],
)
def test_what_is_found(text, positions):
    assert found(text) == positions


@pytest.mark.parametrize(
    ("text", "positions"),
    [
        ("topic:billing", [6, 0, 7, 4, 2]),  # a tie counts for both
        ("topic:billing score:<50", [2, 1, 5]),
        ("topic:app", [5, 1, 2]),
        ("-topic:billing", [5, 1, 3]),
        ("score:>85", [6, 0]),
        ("topic:billing refund", [0, 4, 2]),
    ],
)
def test_topics_and_shares_order_by_share(text, positions):
    assert found(text) == positions


def test_unknown_topics_and_missing_fits_are_said():
    with pytest.raises(QueryError, match="No topic is called “weather”"):
        found("topic:weather")
    bare = Grounds(N, GROUNDS.matching, GROUNDS.said, {})
    with pytest.raises(QueryError, match="no fit yet"):
        answer(parse("score:>10"), bare)
    with pytest.raises(QueryError, match="no dates"):
        answer(parse("date:2026"), bare)


def test_a_document_that_has_left_the_list_keeps_its_place():
    in_order = answer(parse("is:unlabelled"), GROUNDS)
    assert in_order.place_of(5) == 2
    assert in_order.place_of(2) == 0
    by_share = answer(parse("topic:billing is:unlabelled"), GROUNDS)
    assert by_share.positions.tolist() == [6, 7, 4]
    assert by_share.place_of(7) == 1
    assert by_share.place_of(0) == 1  # labelled meanwhile: after the one with a larger share
