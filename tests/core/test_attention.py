"""What needs a look: reasons in words, worst first. And topics that are alike or together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core import summaries
from core.attention import needs_attention
from core.fitting import ModelSpec
from core.portrait import borderline_documents, distinctive_terms
from core.similarity import (
    co_occurring,
    diagonal_order,
    reading_order,
    spoken_together,
    topic_similarity,
)
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
    assert "few labels" not in reasons(found, 2)  # nobody can label a found topic


def test_each_reason_is_said_in_words(topics):
    before = replace(topics, topic_term=topics.topic_term[[2, 1, 0]])
    found = needs_attention(
        topics,
        labelled=[1, 4, 0],
        coherence=[-0.2, 0.5, 0.04],
        changes=summaries.compare(before, topics),
    )
    assert reasons(found, 0)["few labels"] == "Only one text is labelled with it."
    assert "coherence -0.20" in reasons(found, 0)["incoherent"]
    assert "incoherent" not in reasons(found, 2)  # low, but so are others
    assert "100% of its words are new (gone: park)" in reasons(found, 0)["drifting"]
    assert "4 texts" in reasons(found, 1)["few labels"]
    assert found[0].topic == 0


def test_two_topics_of_the_same_documents_overlap(topics):
    twin = replace(topics, doc_topic=topics.doc_topic[[3, 3, 2, 3]])
    found = needs_attention(twin)
    assert "“Water”" in reasons(found, 0)["overlapping"]
    assert "100% of the texts" in reasons(found, 0)["overlapping"]
    assert found[-1].topic == 2


def test_a_topic_without_documents_comes_first(topics):
    found = needs_attention(replace(topics, doc_topic=topics.doc_topic * [1, 1, 0]))
    assert (found[0].topic, found[0].reasons[0].kind) == (2, "empty")


def test_distinctive_words_are_not_the_common_ones(topics):
    table = distinctive_terms(topics, 0)
    assert table["term"].tolist() == ["bill", "the"]
    assert table["lift"].iloc[0] > table["lift"].iloc[1] > 1
    assert distinctive_terms(topics, 2)["term"].tolist() == ["park"]


def test_borderline_documents_name_the_rival(topics):
    (only,) = borderline_documents(topics, 0)
    assert only == pytest.approx((3, 0.5, 1, 0.45))
    assert borderline_documents(topics, 2) == []


def test_co_occurrence_has_denominator_and_lift(topics):
    assert spoken_together(topics).tolist() == [[2, 1, 0], [1, 2, 0], [0, 0, 1]]
    row = co_occurring(topics, 0).iloc[0]
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
