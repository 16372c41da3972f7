"""Topics that outgrew their beginning forget it; the others do not."""

from __future__ import annotations

import numpy as np
import pytest

from core.fitting import ModelSpec
from core.renewal import outgrown, renewed
from core.supervision import Supervision
from core.topics import Topics

TOPICS = Topics(
    doc_topic=np.ones((1, 3)),
    topic_term=np.eye(3),
    terms=tuple("abc"),
    doc_ids=("d",),
    names=("Bins", "Roads", "Free 1"),
    n_supervised=2,
    spec=ModelSpec(n_topics=3),
)


@pytest.mark.parametrize(
    ("begun", "labels", "again"),
    [(0, 0, False), (0, 1, True), (1, 2, False), (1, 3, True), (10, 12, False), (10, 13, True)],
)
def test_a_fifth_more_and_one_at_least(begun, labels, again):
    assert outgrown(begun, labels) == again


def test_only_the_topic_that_grew_begins_again():
    start, since = renewed(TOPICS, {"Bins": 2, "Roads": 5}, {"Bins": 4, "Roads": 6})
    assert start.names[1:] == ("Roads", "Free 1")
    assert start.names[0] not in TOPICS.names
    assert since == {"Bins": 4, "Roads": 5}


def test_held_words_stay():
    start, since = renewed(TOPICS, {"Bins": 2}, {"Bins": 4}, held={"Bins"})
    assert start.names == TOPICS.names
    assert since == {"Bins": 2}


def test_labels_are_counted_by_name():
    assert Supervision.of([["B"], ["A", "B"], []], "AB").counts() == {"A": 1, "B": 2}
