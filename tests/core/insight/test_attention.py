"""What needs a look: reasons in words, worst first. And topics that are alike or together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.insight import summaries
from core.insight.attention import needs_attention
from core.insight.label_checks import Doubts, check_labels
from core.insight.overlap import find_overlaps
from core.insight.similarity import (
    co_occurring_topics,
    count_shared_documents,
    diagonal_order,
    reading_order,
    topic_similarity,
)
from core.insight.topic_details import borderline_documents, distinctive_terms
from core.spec import ModelSpec
from core.topics import Topics


@pytest.fixture
def topics():
    """Three topics apart; the last document is claimed by the first two."""
    return Topics(
        doc_topic=np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [0.5, 0.45, 0.05]]),
        topic_term=np.array([[0.8, 0.6, 0, 0], [0, 0.6, 0.8, 0], [0, 0, 0, 1.0]]),
        terms=("bill", "the", "pipe", "park"),
        doc_ids=("a", "b", "c", "d"),
        names=("Billing", "Water", "Parks"),
        n_supervised=2,
        spec=ModelSpec(),
    )


def reasons(found, topic):
    return {r.kind: r.sentence for each in found if each.topic == topic for r in each.reasons}


def test_topics_in_good_order_have_no_reasons(topics):
    found = needs_attention(topics, labelled=[9, 9, 0], coherence=[0.4, 0.3, np.nan])
    assert [each.reasons for each in found if each.topic == 2] == [()]
    assert "few labels" not in reasons(found, 2)  # nobody can label a free topic


def test_each_reason_is_said_in_words(topics):
    before = replace(topics, topic_term=topics.topic_term[[2, 1, 0]])
    found = needs_attention(
        topics,
        labelled=[1, 4, 0],
        coherence=[-0.2, 0.5, 0.04],
        changes=summaries.compare(before, topics),
    )
    assert reasons(found, 0)["few labels"] == "Only one text has this label."
    assert "coherence -0.20" in reasons(found, 0)["incoherent"]
    assert "incoherent" not in reasons(found, 2)  # low, but so are others
    assert "100\u00a0% of its words are new (lost: park)" in reasons(found, 0)["drifting"]
    assert "4 texts" in reasons(found, 1)["few labels"]
    assert found[0].topic == 0


def test_two_topics_of_the_same_documents_overlap(topics):
    twin = replace(topics, doc_topic=topics.doc_topic[[3, 3, 2, 3]])
    found = needs_attention(twin)
    sentence = "3 texts in common (100\u00a0% of its own, 100\u00a0% of the other's)."
    assert reasons(found, 0)["overlapping"] == f"Overlaps with “Water”: {sentence}"
    assert reasons(found, 1)["overlapping"] == f"Overlaps with “Billing”: {sentence}"
    assert found[-1].topic == 2


def test_an_overlap_is_stated_of_both_topics_with_the_share_of_each(topics):
    weights = np.zeros((12, 3))
    weights[:, 0], weights[:2, 1], weights[11] = 1, 1, [0, 0, 1]  # a small topic inside a large one
    found = needs_attention(replace(topics, doc_topic=weights))
    large, small = (reasons(found, topic)["overlapping"] for topic in (0, 1))
    assert large.endswith("2 texts in common (18\u00a0% of its own, 100\u00a0% of the other's).")
    assert small.endswith("2 texts in common (100\u00a0% of its own, 18\u00a0% of the other's).")
    (weak,) = (r for each in found if each.topic == 0 for r in each.reasons)
    (strong,) = (r for each in found if each.topic == 1 for r in each.reasons if r.other == 0)
    assert weak.strength < strong.strength


def test_a_topic_that_two_others_overlap_with_is_told_of_both(topics):
    H = np.array([[1.0, 0.3, 0, 0], [0.6, 0.6, 0.6, 0], [0, 0.3, 1.0, 0]])
    H /= np.linalg.norm(H, axis=1, keepdims=True)
    overlaps = find_overlaps(replace(topics, topic_term=H, doc_topic=np.eye(3)[[0, 1, 2, 0]]))
    assert [[each.other for each in mine] for mine in overlaps] == [[1], [0, 2], [1]]


def test_a_named_topic_without_documents_needs_a_look_and_a_free_one_does_not(topics):
    found = needs_attention(replace(topics, doc_topic=topics.doc_topic * [1, 0, 0]))
    by_topic = {each.topic: each for each in found}
    assert [r.kind for r in by_topic[1].reasons] == [r.kind for r in by_topic[2].reasons]
    assert by_topic[1].urgency > by_topic[2].urgency
    assert not by_topic[2].first


def test_a_free_topic_that_found_nothing_is_explained_and_comes_last(topics):
    none = replace(
        topics,
        topic_term=topics.topic_term * [[1], [0], [1]],
        doc_topic=topics.doc_topic * [1, 0, 1],
        n_supervised=1,
    )
    found = needs_attention(none)
    assert [each.topic for each in found] == [0, 2, 1]
    assert not found[-1].first
    assert [each.sentence for each in found[-1].reasons] == [
        "The other topics explain the texts; nothing is left for it."
    ]


def test_a_topic_without_words_has_one_reason(topics):
    none = replace(
        topics,
        topic_term=topics.topic_term * [[0], [1], [1]],
        doc_topic=topics.doc_topic * [0, 1, 1],
    )
    found = needs_attention(none, labelled=[0, 4, 0], coherence=[np.nan, 0.3, 0.3])
    assert list(reasons(found, 0)) == ["no words"]
    assert "describe it in the codebook" in reasons(found, 0)["no words"]


TERMS_OF = {0: {"rate", "exchange"}, 1: {"bill"}, 2: {"pipe", "the"}, 3: set()}


def checks(topics, labelled, doubts=None):
    return check_labels(topics, labelled, lambda position: TERMS_OF[position], doubts)


@pytest.mark.parametrize(
    ("labelled", "sentence"),
    [
        ([0], "Its first words (bill, the) are not in its one labelled text."),
        ([0, 3], "Its first words (bill, the) are in none of its 2 labelled texts."),
        ([0, 3, 0, 3, 1], "Its first words (bill, the) are in only 1 of its 5 labelled texts."),
        ([0, 1], None),
    ],
)
def test_words_that_are_absent_from_the_labelled_texts_are_told(topics, labelled, sentence):
    found = needs_attention(topics, checks=checks(topics, [labelled, [2]]))
    assert reasons(found, 0).get("foreign words") == sentence
    assert "foreign words" not in reasons(found, 1)


def test_labelled_texts_that_the_guide_puts_elsewhere_are_told_and_named(topics):
    doubts = Doubts(
        positions=np.array([0, 1, 2, 3]),
        own=np.array([0.2, 0.3, 0.9, 0.4]),
        rival=np.array([1, 1, 1, -1]),
        rival_chance=np.array([0.7, 0.6, 0.1, 0.5]),
    )
    found = needs_attention(topics, checks=checks(topics, [[0, 1, 2], [3]], doubts))
    mine = next(each.reasons for each in found if each.topic == 0)
    reason = next(r for r in mine if r.kind == "read elsewhere")
    sentence = (
        "2 of its 3 labelled texts read like another topic, mostly “Water”, when each is left out."
    )
    assert (reason.sentence, reason.other, reason.positions) == (sentence, 1, (0, 1))
    assert "read elsewhere" not in reasons(found, 1)  # one text says nothing
    half = checks(topics, [[0, 1, 2, 3], []], replace(doubts, own=np.array([0.2, 0.3, 0.9, 0.6])))
    assert "read elsewhere" not in reasons(needs_attention(topics, checks=half), 0)


def test_few_labels_matter_where_the_others_have_more():
    many = blocks(12)
    early = needs_attention(many, labelled=[1] * 12)
    assert all(reasons(early, topic) for topic in range(12))
    assert not any(each.first for each in early)  # all alike: none comes first
    late = needs_attention(many, labelled=[20] * 11 + [0])
    assert [each.topic for each in late if each.first] == [11]


def test_at_most_a_third_of_the_topics_needs_a_look_the_largest_trouble_first():
    many = blocks(12)
    checked = checks(many, [[0]] * 12)
    found = needs_attention(many, checks=checked)
    assert all(reasons(found, topic) for topic in range(12))
    assert [each.first for each in found] == [True] * 4 + [False] * 8
    large = replace(
        many,
        doc_topic=np.vstack([many.doc_topic, many.doc_topic[[7, 7]]]),
        doc_ids=tuple(map(str, range(14))),
    )
    assert needs_attention(large, checks=checked)[0].topic == 7


def test_several_small_remarks_do_not_come_before_one_trouble():
    many = blocks(4)
    found = needs_attention(many, labelled=[4] * 3 + [0], coherence=[0.0, 0.3, 0.3, 0.3])
    assert next((each.topic, each.first) for each in found) == (3, True)
    assert sum(each.first for each in found) == 1


def test_an_overlap_takes_one_place_on_the_list_though_both_are_told():
    alike = np.eye(4)
    alike[1] = alike[0]
    found = needs_attention(replace(blocks(4), topic_term=alike))
    assert [each.topic for each in found if each.first] == [0]
    assert "overlapping" in reasons(found, 1)


def blocks(n):
    """Topics that have nothing in common."""
    return Topics(
        doc_topic=np.eye(n),
        topic_term=np.eye(n),
        terms=tuple(f"w{i}" for i in range(n)),
        doc_ids=tuple(map(str, range(n))),
        names=tuple(f"T{i}" for i in range(n)),
        n_supervised=n,
        spec=ModelSpec(),
    )


def test_distinctive_words_are_not_the_common_ones(topics):
    table = distinctive_terms(topics, 0)
    assert table["term"].tolist() == ["bill", "the"]
    assert table["lift"].iloc[0] > table["lift"].iloc[1] > 1
    assert distinctive_terms(topics, 2)["term"].tolist() == ["park"]


def test_distinctive_words_stand_in_the_order_of_what_is_shown(topics):
    words = np.array([[0.5, 0.4, 0.1], [0.8, 0.2, 0.0]])  # the second is heavier, the third rarer
    axes = {"terms": ("the", "bill", "refund"), "names": ("A", "B"), "keys": ("A", "B")}
    two = replace(topics, topic_term=words, doc_topic=np.eye(4, 2), **axes)
    table = distinctive_terms(two, 0)
    assert table["term"].tolist() == ["refund", "bill"]
    assert table["lift"].tolist() == pytest.approx([2, 4 / 3])


def test_borderline_documents_name_the_rival(topics):
    (only,) = borderline_documents(topics, 0)
    assert only == pytest.approx((3, 0.5, 1, 0.45))
    assert borderline_documents(topics, 2) == []


def test_co_occurrence_has_denominator_and_lift(topics):
    assert count_shared_documents(topics).tolist() == [[2, 1, 0], [1, 2, 0], [0, 0, 1]]
    row = co_occurring_topics(topics, 0).iloc[0]
    assert (row["name"], row["documents"], row["of"], row["lift"]) == ("Water", 1, 2, 1.0)


def test_similarity_is_cosine_under_the_topics_names(topics):
    table = topic_similarity(topics)
    assert table.loc["Billing", "Water"] == pytest.approx(0.36)
    assert table.to_numpy().diagonal() == pytest.approx([1, 1, 1])


def test_neighbours_in_reading_order_are_alike():
    blocks = np.kron(np.eye(2), np.ones((3, 3)))
    mixed = [0, 3, 1, 4, 2, 5]
    order = reading_order(blocks[np.ix_(mixed, mixed)])
    assert {mixed[i] // 3 for i in order[:3]} == {mixed[order[0]] // 3}


def test_the_diagonal_shows():
    table = np.array([[0.1, 0.0, 0.9, 0.0], [0.8, 0.1, 0.1, 0.0], [0.0, 0.7, 0.0, 0.3]])
    rows, columns = diagonal_order(table)
    assert sorted(rows) == [0, 1, 2]
    assert sorted(columns) == [0, 1, 2, 3]
    paired = [j for j in columns if j != 3]
    assert table[rows][:, paired].diagonal().tolist() == pytest.approx(
        [table[i].max() for i in rows]
    )
    assert columns.index(3) == columns.index(1) + 1  # beside the column of its own row


def test_a_column_without_a_partner_stands_by_its_row_and_an_empty_one_last():
    table = np.array([[0.9, 0.0, 0.0, 1.0], [0.1, 0.8, 0.0, 0.0]])
    rows, columns = diagonal_order(table)
    first, second = ([3, 0], [1]) if rows == [0, 1] else ([1], [3, 0])
    assert columns == [*first, *second, 2]
    assert diagonal_order(np.zeros((0, 2))) == ([], [0, 1])


def four_hundred(seed: int = 0) -> Topics:
    """400 topics of 4,000 texts: most share words with another, some have no text at all."""
    rng, n = np.random.default_rng(seed), 400
    words = np.kron(np.eye(n // 2), np.ones((2, 3))) + 0.02 * rng.random((n, 3 * n // 2))
    main = rng.choice(n - 40, size=4_000)  # the last 40 topics stay empty
    weights = np.zeros((4_000, n))
    weights[np.arange(4_000), main] = 1.0
    weights[np.arange(4_000), (main + 1) % n] += 0.3 * rng.random(4_000)
    return Topics(
        doc_topic=weights,
        topic_term=words / np.linalg.norm(words, axis=1, keepdims=True),
        terms=tuple(f"w{j}" for j in range(words.shape[1])),
        doc_ids=tuple(map(str, range(4_000))),
        names=tuple(f"Topic {k}" for k in range(n)),
        n_supervised=n,
        spec=ModelSpec(),
    )


def test_of_many_topics_at_most_a_third_need_a_look_the_worst_first():
    topics, rng = four_hundred(), np.random.default_rng(1)
    labelled = rng.integers(0, 12, size=400).tolist()
    coherence = rng.normal(0.05, 0.2, size=400)
    found = needs_attention(topics, labelled=labelled, coherence=coherence)
    troubled = [each for each in found if each.reasons]
    first = [each for each in found if each.first]
    assert len(troubled) > 300  # nearly every topic has something
    assert 0 < len(first) <= 134
    assert found[: len(first)] == first
    for part in (first, found[len(first) :]):
        urgency = [each.urgency for each in part]
        assert urgency == sorted(urgency, reverse=True)
    assert np.median([e.urgency for e in first]) > np.median([e.urgency for e in troubled])


def test_no_reason_contradicts_the_number_of_texts(topics):
    """“No text” is said of a topic without texts, and of no other; quotes may come from others."""
    sizes = summaries.topic_sizes(large := four_hundred())["documents"].tolist()
    for each in needs_attention(large, labelled=[0] * 400):
        empty = any(reason.kind == "empty" for reason in each.reasons)
        assert empty == (sizes[each.topic] == 0)
    wordless = replace(topics, topic_term=topics.topic_term * [[0], [1], [1]])
    sentence = reasons(needs_attention(wordless), 0)["no words"]
    assert sentence.startswith("It has texts, but no words yet")
