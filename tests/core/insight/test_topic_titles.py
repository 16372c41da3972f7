"""Free topics are called by their words, and by nothing else than before if they have none."""

from __future__ import annotations

import numpy as np

from core.insight import summaries
from core.insight.topic_titles import (
    NO_WORDS,
    first_words,
    titles_without,
    topic_titles,
    with_titles,
)
from core.spec import ModelSpec
from core.topics import Topics

TERMS = ("payment", "decline", "pending", "credit card", "card", "x" * 40)


def topics_of(rows, names, *, named=0, keys=()):
    H = np.array(rows, dtype=float)
    return Topics(
        doc_topic=np.eye(len(H)),
        topic_term=H,
        terms=TERMS,
        doc_ids=tuple(map(str, range(len(H)))),
        names=names,
        keys=keys,
        n_supervised=named,
        spec=ModelSpec(),
    )


PAYMENT = [0.8, 0.5, 0.3, 0, 0, 0]


def test_a_free_topic_is_called_by_its_first_two_words_and_keeps_its_key():
    topics = with_titles(topics_of([PAYMENT[::-1], PAYMENT], ("Refunds", "Free 1"), named=1))
    assert topics.names == ("Refunds", "payment, decline")
    assert topics.keys == ("Refunds", "Free 1")
    assert topics.column("Free 1") == 1
    assert with_titles(topics).names == topics.names


def test_topics_of_models_without_labels_are_called_by_their_words_too():
    assert topic_titles(topics_of([PAYMENT], ("Topic 1",))) == ("payment, decline",)


def test_a_name_that_somebody_gave_stays():
    assert topic_titles(topics_of([PAYMENT], ("Money",))) == ("Money",)
    assert topic_titles(topics_of([PAYMENT], ("Free 1",), named=1)) == ("Free 1",)


def test_titles_differ_from_each_other_and_from_every_name():
    found = topic_titles(
        topics_of([PAYMENT] * 4, ("Payment, Decline", "Free 1", "Free 2", "B"), named=1)
    )
    assert found == (
        "Payment, Decline",
        "payment, decline, pending",
        "payment, decline (Free 2)",
        "B",
    )


def test_a_word_that_says_nothing_new_is_passed_over_and_a_long_one_is_cut():
    (found,) = topic_titles(topics_of([[0.1, 0, 0, 0.9, 0.8, 0]], ("Free 1",)))
    assert found == "credit card, payment"
    (cut,) = topic_titles(topics_of([[0, 0, 0, 0, 0.1, 0.9]], ("Free 1",)))
    assert cut == f"{'x' * 23}…, card"


def test_a_title_is_made_without_the_words_that_may_not_be_shown():
    long = [0.1, 0.2, 0, 0, 0, 0.9]
    topics = with_titles(
        topics_of([PAYMENT, long], ("Free 1", "Free 2"), keys=("Free 1", "Free 2"))
    )
    assert topics.names[1] == f"{'x' * 23}…, decline"
    assert titles_without(topics, lambda word: "x" not in word) == (
        "payment, decline",
        "decline, payment",
    )
    assert titles_without(topics, lambda _: True) == topics.names


def test_a_topic_without_words_keeps_its_number_and_says_so_where_words_are_listed():
    empty = topics_of([[0] * 6, [0.9] + [0] * 5], ("Free 1", "Free 2"))
    assert topic_titles(empty) == ("Free 1", "payment")
    assert first_words(empty, 0, 3) == NO_WORDS
    assert first_words(empty, 1, 3) == "payment"


def test_what_a_refit_changed_is_told_by_titles():
    before = topics_of([PAYMENT, [0, 0, 0.2, 0.9, 0.8, 0]], ("Free 1", "Free 2"))
    changes = summaries.compare(before, topics_of([PAYMENT, PAYMENT], ("Free 1", "Free 3")))
    assert [each.name for each in changes.topics] == ["payment, decline"]
    assert changes.added == ("payment, decline, pending",)
    assert changes.removed == ("credit card, pending",)
