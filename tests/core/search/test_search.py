"""The search box: what is typed, and which documents it finds."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from datetime import UTC, date, datetime

import numpy as np
import pytest

from core.errors import QueryError
from core.search import (
    AnnotationArrays,
    LikeFilter,
    SearchData,
    Similarity,
    find_documents,
    find_matches,
    matches,
    matches_of,
    parse,
)
from core.search.kept_columns import kept_columns, names_of_columns
from core.search.parts import ColumnFilter, NameFilter, Pattern, RangeFilter, Words
from core.search.ranges import read_numbers
from core.store import Annotation
from core.store.projects.search_words import phrases_in

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
GOLD = ("Gold", "", "Gold")
DATA = SearchData(
    n_docs=N,
    matching=lambda words: np.array(WORDS.get(words.text, []), dtype=np.intp),
    annotations=lambda: AnnotationArrays.of(ANNOTATIONS, {7}),
    labels={1: "Billing", 2: "App & login"},
    topics=("Billing", "App & login"),
    shares=SHARES,
    dates=lambda: np.array([0, *(date(2026, m, 14).toordinal() for m in range(1, N))]),
    ids=lambda given: [4] if given == "d4" else [],
    columns=kept_columns(
        {
            "Customer segment": ["Premium", "Basic", "Premium plus", "", "basic", *GOLD],
            "author": ("Bob", "Eve", "Eve", "", "", "", "", ""),
            "age": ("31", "9", "", "40", "31.5", "unknown", "120", "30"),
            "codes": ("Late", "rude|Late", "Rude, late", "rude", "", "Rude", "Late|Rude", "Late"),
            "team": ("North_side", "", "", "", "", "", "", "south"),
            "grade": ("7,9", "3,2", "10,0", "", "4", "k.A.", "5,0", "5,1"),
        }
    ),
    author="Ann",
)


def found(text: str) -> list[int]:
    return find_documents(parse(text, DATA.columns), DATA).positions.tolist()


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
        NameFilter("label", ("App & login", "billing")),
        NameFilter("is", ("mine", "unlabelled"), negated=True),
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
        ("date:none", 0, 0),
        ("date:<2026-02", 0, date(2026, 1, 31).toordinal()),
        ("date:<=2026-02", 0, date(2026, 2, 28).toordinal()),
        ("date:>2026-03-14", date(2026, 3, 15).toordinal(), date.max.toordinal()),
        ("date:>2026-03", date(2026, 4, 1).toordinal(), date.max.toordinal()),
        ("date:>=2026-03", date(2026, 3, 1).toordinal(), date.max.toordinal()),
        ("date:2026-01..2026-02-03", date(2026, 1, 1).toordinal(), date(2026, 2, 3).toordinal()),
    ],
)
def test_spans(text, low, high):
    (span,) = parse(text).spans
    assert span == RangeFilter(text.partition(":")[0], low, high)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("colour:red", "no filter “colour:”"),
        ("topic: x", "missing after “topic:”"),
        ("is:no", "There are unlabelled"),
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
        ("date:none", [0]),
        ("", list(range(N))),
    ],
)
def test_what_is_found(text, positions):
    assert found(text) == positions


@pytest.mark.parametrize(
    ("text", "positions"),
    [
        ("customer_segment:premium", [0]),  # the name itself before names that begin with it
        ("Customer_Segment:prem", [0, 2]),
        ('customer_segment:"Premium plus",gold', [2, 5, 7]),
        ("-customer_segment:basic", [0, 2, 3, 5, 6, 7]),
        ("customer_segment:none", [3, 6]),
        ("column_author:eve is:labelled", [1, 2]),
        ("author:bo", [1]),  # the filter of that name stays what it was
        ("age:>30", [0, 3, 4, 6]),
        ("age:>=30", [0, 3, 4, 6, 7]),
        ("age:<31", [1, 7]),
        ("age:9..31", [0, 1, 7]),
        ("customer_segment:", list(range(N))),
        ("codes:late", [0, 1, 2, 6, 7]),  # a cell of several values has each of them
        ("codes:ru", [1, 2, 3, 5, 6]),
        ('codes:"rude, late"', [2]),
        ("codes:none", [4]),
        ('team:"North  side"', [0]),  # spellings are told apart here as little as in the file
        ("grade:>5", [0, 2, 7]),  # decimal commas
        ("grade:3.2..5", [1, 4, 6]),
        ('grade:"3,2"', [1]),
    ],
)
def test_columns_of_the_file_are_filters(text, positions):
    assert found(text) == positions


@pytest.mark.parametrize(
    ("text", "positions"),
    [
        ("refund OR is:skipped", [0, 2, 4, 7]),
        ("is:unlabelled refund OR customer_segment:gold", [4, 5, 7]),
        ("refund AND is:labelled", [0, 2]),
        ("-refund OR label:billing is:labelled", [0, 1]),
        ("OR refund OR ", [0, 2, 4]),
        ("topic:app OR topic:billing score:>75", [6, 0, 5, 7]),
        ('refund "OR" is:labelled', []),
    ],
)
def test_or_joins_its_neighbours(text, positions):
    assert found(text) == positions


def test_columns_have_names_of_one_word_that_no_filter_has():
    titles = ["Kunden-Gruppe", "kunden gruppe", "Date", "2nd level", "***", "Straße"]
    names = ["kunden_gruppe", "kunden_gruppe_2", "column_date", "column_2nd_level", "column"]
    assert list(names_of_columns(titles)) == [*names, "strasse"]
    for name in names_of_columns(titles):
        assert parse(f"{name}:x ", [name]).columns == (ColumnFilter(name, ("x",)),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("colour:red", "of the file customer_segment:, column_author:, age:, codes:"),
        ("customer_segment:silver", "No text has “silver” in “Customer segment”. There are Basic"),
        ("customer_segment: gold", "missing after “customer_segment:”"),
        ("like:x OR refund", "cannot stand beside OR"),
        ("~(lost", "cannot be read: missing"),
        ("~" + "x" * 300, "at most 200"),
    ],
)
def test_what_is_wrong_with_a_column_or_a_pattern_is_said(text, said):
    with pytest.raises(QueryError, match=re.escape(said)):
        found(text)


def test_patterns_are_looked_for_in_the_texts_that_are_left():
    asked = []

    def matching(pattern: Pattern, among: np.ndarray) -> np.ndarray:
        asked.append((pattern.text, np.flatnonzero(among).tolist()))
        return among & (np.arange(N) != 4)

    data = replace(DATA, patterns=matching)
    query = parse('~"lost (my )?card" refund -~^Re')
    assert find_documents(query, data).positions.tolist() == []
    assert asked == [("lost (my )?card", [0, 2, 4]), ("^Re", [0, 2])]
    either = find_documents(parse("refund OR ~x is:skipped,labelled"), data)
    assert either.positions.tolist() == [0, 1, 2, 7]
    assert asked[-1] == ("x", [1, 7])


def test_a_pattern_that_never_ends_is_stopped_in_a_sentence():
    deadline = time.monotonic() + 0.05
    with pytest.raises(QueryError, match="was stopped"):
        list(matches_of("(a|aa)+$", ["a" * 60 + "b"] * 3, deadline))
    assert find_matches("a" * 60 + "b", "~(a|aa)+$") == []


def test_matches_of_words_and_patterns_are_marked_once():
    text = "Refunds: refunded twice, ÜBER 20 €"
    marked = [
        text[a:b] for a, b in find_matches(text, "~refund(s|ed)? twice region:North ~\\büber")
    ]
    assert marked == ["Refunds", "refunded", "twice", "ÜBER"]
    assert find_matches(text, "~refund~ -~twice ~(") == []


@pytest.mark.parametrize(
    ("text", "about"),
    [("refund", False), ("is:unlabelled", False), ("is:skipped", True), ("x OR label:a", True)],
)
def test_a_query_knows_whether_it_is_about_labels(text, about):
    assert parse(text).about_labels == about


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
    bare = SearchData(N, DATA.matching, DATA.annotations, {})
    with pytest.raises(QueryError, match="no fit yet"):
        find_documents(parse("score:>10"), bare)
    with pytest.raises(QueryError, match="no dates"):
        find_documents(parse("date:2026"), bare)


def test_a_document_that_has_left_the_list_keeps_its_place():
    in_order = find_documents(parse("is:unlabelled"), DATA)
    assert in_order.place_of(5) == 2
    assert in_order.place_of(2) == 0
    by_share = find_documents(parse("topic:billing is:unlabelled"), DATA)
    assert by_share.positions.tolist() == [6, 7, 4]
    assert by_share.place_of(7) == 1
    assert by_share.place_of(0) == 1  # labelled meanwhile: after the one with a larger share


@pytest.mark.parametrize(
    ("text", "like"),
    [
        ('like:"lost my, card"', LikeFilter("lost my, card")),
        ('like:"lost  my', LikeFilter("lost my")),
        ("like:card", LikeFilter("card")),
        ("like:#1042", LikeFilter(document_id="1042")),
        ('like:"#row 12"', LikeFilter(document_id="row 12")),
        ('like:"#a"b"', LikeFilter(document_id='a"b')),
        ("like:", None),
        ('like:"', None),
    ],
)
def test_similar_to_a_sentence_or_to_a_text(text, like):
    assert parse(text).like == like
    assert bool(parse(text)) == (like is not None)


@pytest.mark.parametrize("text", ["-like:card", "like:a like:b", "like: card"])
def test_what_cannot_be_similar_is_one_sentence(text):
    with pytest.raises(QueryError, match="like:"):
        parse(text)


def similarity(asked: LikeFilter) -> Similarity:
    values = {"card": [0.1, 0.9, 0.5, 0, -0.2, 0.5, 0.3, 0.2]}[asked.sentence]
    return Similarity(np.array(values), "By words alone.")


def test_similar_texts_come_first_and_others_not_at_all():
    hits = find_documents(parse("like:card"), replace(DATA, similarity=similarity))
    assert hits.positions.tolist() == [1, 2, 5, 6]  # at least a third of the best
    assert hits.note == "By words alone."
    assert hits.place_of(4) == len(hits)


def test_where_nothing_is_similar_nothing_is_found():
    nothing = replace(DATA, similarity=lambda _asked: Similarity(np.zeros(N)))
    assert not len(find_documents(parse("like:card"), nothing))


def test_similar_texts_can_be_narrowed_down():
    data = replace(DATA, similarity=similarity)
    found = find_documents(parse("like:card is:unlabelled topic:billing"), data)
    assert found.positions.tolist() == [6, 7]


def test_only_so_many_similar_texts_are_found_as_somebody_reads(monkeypatch):
    monkeypatch.setattr(matches, "MAX_SIMILAR", 2)
    hits = find_documents(parse("like:card"), replace(DATA, similarity=similarity))
    assert hits.positions.tolist() == [1, 2]


def test_where_nothing_compares_texts_it_is_said():
    with pytest.raises(QueryError, match="cannot be compared here"):
        found("like:card")


def test_the_beginning_of_a_columns_name_is_enough_where_only_one_begins_so():
    columns = ("satisfaction_1_5", "site", "site_code")
    assert parse("satisfaction:5", columns) == parse("satisfaction_1_5:5", columns)
    assert parse("site:North", columns) != parse("site_code:North", columns)
    for short in ("sa:5", "sit:North"):
        with pytest.raises(QueryError, match="There is no filter"):
            parse(short, columns)


def test_long_rows_of_signs_and_digits_are_read_once():
    """Tried from every sign to the end of the row, these take an hour."""
    word = f"a{'.' * 300_000}b"
    assert [words.text for words in parse(f"{word} ").words] == [word] == phrases_in(word)
    with pytest.raises(QueryError):
        parse(f"score:>{'1' * 300_000}x")
    assert read_numbers(f">{'1' * 300_000}x") is None
