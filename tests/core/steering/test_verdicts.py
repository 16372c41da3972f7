"""Verdicts on operations, from the topics before and after alone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from core.spec import ModelSpec
from core.steering.operation_case import FittedTopics
from core.steering.verdicts import judge_labels, judge_operation
from core.store import Event, OperationVerdict
from core.topics import Topics

TERMS = ("leak", "pipe", "bill", "lamp", "dark")
NAMES = {1: "Water", 2: "Lights"}


def fitted(
    doc_topic: list[list[float]],
    topic_term: list[list[float]],
    *,
    names: dict[int, str] | None = None,
    model: str = "tsnmf",
) -> FittedTopics:
    """Topics 1, 2, … of the project in the first columns, free ones after them."""
    named = NAMES if names is None else names
    rows = np.array(topic_term)
    rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-30)
    free = tuple(f"Free {i + 1}" for i in range(len(rows) - len(named)))
    topics = Topics(
        doc_topic=np.array(doc_topic),
        topic_term=rows,
        terms=TERMS,
        doc_ids=tuple(map(str, range(len(doc_topic)))),
        names=(*named.values(), *free),
        keys=(*named, *free) if model == "tsnmf" else (),
        n_supervised=len(named),
        spec=ModelSpec(model, len(rows)),
    )
    return FittedTopics(topics=topics, names=named)


def act(kind: str, **payload: Any) -> Event:
    return Event(
        id=9, project=1, kind=kind, payload=payload, author="ann", time=datetime.now(UTC)
    )  # fmt: skip


WATER, LAMPS = [3, 2, 1, 0, 0], [0, 0, 0, 2, 1]
PLAIN = fitted([[1, 0], [1, 0], [0, 1], [0, 1]], [WATER, LAMPS])


def degree(verdict: OperationVerdict | None) -> str | None:
    return None if verdict is None else verdict.degree


def test_a_merge_counts_the_documents_that_stayed():
    merge = act("merge_topics", topic=1, topics=[2])
    one = {1: "Water"}
    together = fitted([[1, 0]] * 4, [[3, 2, 1, 2, 1], LAMPS], names=one)
    apart = fitted([[1, 0], [0, 1], [0, 1], [0, 1]], [WATER, LAMPS], names=one)
    found = judge_operation(merge, together, PLAIN)
    told = "One topic: 4 of their 4 texts are mainly in “Water” now."
    assert found == OperationVerdict(event=9, kind="merge_topics", degree="fully", sentence=told)
    assert degree(judge_operation(merge, apart, PLAIN)) == "partly"


def test_a_split_is_judged_by_documents_and_words():
    split = act("split_topic", topic=3, children=[{"topic": 1}, {"topic": 2}])
    alike = fitted([[1, 0], [0, 1]], [WATER, WATER])
    empty = fitted([[1, 0], [1, 0]], [WATER, LAMPS])
    three = act("split_topic", topic=9, children=[{"topic": n} for n in (1, 2, 3)])
    one_empty = fitted([[1, 0, 0], [0, 1, 0]], [WATER, LAMPS, WATER], names={**NAMES, 3: "Bills"})
    done = judge_operation(split, PLAIN)
    assert done is not None
    assert done.sentence.startswith("2 topics in place of one: ")
    assert degree(done) == "fully"
    assert degree(judge_operation(split, alike)) == "partly"
    assert degree(judge_operation(split, empty)) == "not"
    found = judge_operation(three, one_empty)
    assert found is not None
    assert (found.degree, "mainly about “Bills”" in found.sentence) == ("partly", True)


def test_a_new_topic_needs_documents():
    assert degree(judge_operation(act("create_topic", topic=1), PLAIN)) == "fully"
    unused = fitted([[0, 1], [0, 1]], [WATER, LAMPS])
    assert degree(judge_operation(act("create_topic", topic=1), unused)) == "partly"


def test_a_deleted_topic_that_comes_back_under_another_name_is_told():
    gone = act("delete_topic", topic=2)
    left = {1: "Water"}
    again = fitted([[1, 0]], [WATER, LAMPS], names=left)
    away = fitted([[1, 0]], [WATER, [1, 1, 1, 0, 0]], names=left)
    found = judge_operation(gone, again, PLAIN)
    assert found is not None
    assert (found.degree, f"“{again.titles[1]}”" in found.sentence) == ("partly", True)
    assert "Free 1" not in found.sentence
    assert degree(judge_operation(gone, away, PLAIN)) == "fully"


def test_locked_words_must_be_exactly_there():
    words = dict(zip(TERMS, WATER, strict=True))
    kept = {word: float(weight) for word, weight in words.items() if weight}
    assert degree(judge_operation(act("lock_topic", topic=1, words=kept), PLAIN)) == "fully"
    other = judge_operation(act("lock_topic", topic=1, words={**kept, "bill": 2.0}), PLAIN)
    lost = judge_operation(act("lock_topic", topic=1, words={**kept, "gone": 1.0}), PLAIN)
    assert (degree(other), degree(lost)) == ("partly", "partly")
    assert lost is not None
    assert "“gone”" in lost.sentence


def test_a_removed_word_that_moves_on_is_told():
    out = act("remove_word", topic=2, word="leak")
    assert (
        degree(judge_operation(act("remove_word", topic=2, word="leak"), PLAIN, PLAIN)) == "fully"
    )
    moved = fitted([[1, 0]], [[0, 2, 1, 0, 0], [1, 0, 0, 2, 1]])
    assert (
        degree(judge_operation(act("remove_word", topic=1, word="leak"), moved, PLAIN)) == "partly"
    )
    still = judge_operation(act("remove_word", topic=1, word="leak"), PLAIN)
    assert degree(still) == "not"
    assert str(still.sentence).endswith("this model does not follow operations on topics.")
    assert "as before" in str(judge_operation(out, PLAIN, PLAIN))


@pytest.mark.parametrize(
    ("word", "held", "expected"),
    [("leak", (), "fully"), ("dark", (), "not"), ("sky", (), "not"), ("leak", (1,), "not")],
)
def test_an_added_word_is_judged_by_its_place(word, held, expected):
    added = act("add_word", topic=1, word=word, strength=1.0)
    assert degree(judge_operation(added, PLAIN, held=frozenset(held))) == expected


def test_a_stop_word_is_out_of_every_topic():
    assert degree(judge_operation(act("add_stop_word", word="leak"), PLAIN)) == "not"
    silent = fitted([[1, 0]], [[0, 2, 1, 0, 0], LAMPS])
    assert degree(judge_operation(act("add_stop_word", word="leak"), silent)) == "fully"
    assert degree(judge_operation(act("add_stop_word", word="sky"), silent)) == "fully"


def test_a_model_with_topics_of_its_own_says_what_it_cannot():
    own = fitted([[1, 0]], [WATER, LAMPS], model="nmf")
    for kind, payload in (
        ("merge_topics", {"topics": [2]}),
        ("split_topic", {"children": [{"topic": 1}, {"topic": 2}]}),
        ("lock_topic", {"words": {"leak": 1.0}}),
        ("add_word", {"word": "leak", "strength": 1.0}),
        ("remove_word", {"word": "leak"}),
    ):
        found = judge_operation(act(kind, topic=1, **payload), own)
        assert found is not None
        assert found.degree != "fully"
        assert "his model does not follow operations on topics; only TS-NMF" in found.sentence


def test_labels_given_together_are_counted():
    def label(position: int, *topics: int) -> Event:
        made = act("label", permitted=list(topics))
        return Event(**{**{n: getattr(made, n) for n in EVENT}, "position": position})

    assert degree(judge_labels(act("batch"), [label(0, 1), label(2, 2)], PLAIN)) == "fully"
    partly = judge_labels(act("batch"), [label(0, 2), label(2, 2)], PLAIN)
    assert partly is not None
    assert partly.degree == "partly"
    assert "; the other has no words the model reads." in partly.sentence
    assert judge_labels(act("batch"), [], PLAIN) is None


EVENT = ("id", "project", "kind", "payload", "author", "time")


def test_acts_whose_topics_are_gone_are_not_judged():
    assert judge_operation(act("add_word", topic=7, word="leak", strength=1.0), PLAIN) is None
    assert judge_operation(act("skip"), PLAIN) is None
