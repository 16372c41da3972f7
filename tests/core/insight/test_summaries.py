"""Tables for people, checked by hand on four documents and three topics."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from core.errors import ModelError
from core.insight import summaries
from core.insight.quotes import _heaviest_start, passage, sentences
from core.spec import ModelSpec
from core.supervision import Supervision
from core.topics import Topics

TERMS = ("bill", "refund", "signal", "tower", "agent")


def make_topics(W=None, H=None, names=("Billing", "Network", "Free 1")):
    W = [[3, 1, 0], [1, 0, 0], [0, 2, 2], [0, 0, 0]] if W is None else W
    H = [[0.8, 0.6, 0, 0, 0], [0, 0, 0.6, 0.8, 0], [0, 0, 0, 0, 1]] if H is None else H
    W, H = np.array(W, dtype=float), np.array(H, dtype=float)
    ids = tuple(f"d{i}" for i in range(len(W)))
    return Topics(
        doc_topic=W, topic_term=H, terms=TERMS, doc_ids=ids, names=names, spec=ModelSpec()
    )


def word_spans(text):
    """Every lower-case word is its own term."""
    return [(m.start(), m.end(), m.group().lower()) for m in re.finditer(r"[A-Za-z]+", text)]


def test_keywords_are_ranked_and_leave_out_zeros():
    table = summaries.keywords(make_topics(), n=3)
    assert table[table["topic"] == 1]["term"].tolist() == ["tower", "signal"]
    assert table.iloc[0].tolist() == [0, "Billing", 1, "bill", 0.8]


def test_sizes_count_main_topics_over_documents_that_were_read():
    table = summaries.topic_sizes(make_topics())
    assert table["documents"].tolist() == [2, 1, 0]
    assert set(table["of"]) == {3}  # the empty document is not in the denominator
    assert_allclose(table["share"], [2 / 3, 1 / 3, 0])
    assert_allclose(table["volume"], [1.75 / 3, 0.75 / 3, 0.5 / 3])


def test_sizes_of_an_empty_corpus_are_zero():
    assert summaries.topic_sizes(make_topics(W=[[0, 0, 0]]))["share"].sum() == 0


def test_top_documents_want_share_and_weight():
    topics = make_topics(W=[[0.1, 0, 0], [2, 0.1, 0], [2, 4, 0]])
    assert [p for p, _ in summaries.top_documents(topics, 0, n=3)] == [1, 2, 0]
    assert summaries.top_documents(topics, 2) == []
    table = summaries.typical_documents(topics, 2)
    assert table.query("topic == 0")["id"].tolist() == ["d1", "d2"]
    assert table["rank"].tolist() == [1, 2, 1, 2]


def test_document_shares_come_largest_first():
    assert summaries.document_shares(make_topics(), 0) == [(0, 0.75), (1, 0.25)]
    assert summaries.document_shares(make_topics(), 3) == []


def test_association_columns_sum_to_one_and_divide_double_labels():
    Y = Supervision.of([["a"], ["a", "b"], ["b"], []], ["a", "b"]).indicator()
    table = summaries.association(make_topics(), Y, ["a", "b"])
    assert_allclose(table["Billing"], [1.25 / 1.75, 0.5 / 1.75])
    assert_allclose(table.sum(axis=0), [1, 1, 1])


def test_association_of_an_unused_topic_is_zero_and_rows_restrict():
    Y = np.array([[1], [0], [0], [0]])
    assert summaries.association(make_topics(), Y, ["a"])["Free 1"].tolist() == [0]
    assert summaries.association(make_topics(), Y, ["a"], rows=[1])["Billing"].tolist() == [0]


def test_association_refuses_labels_of_another_corpus():
    with pytest.raises(ModelError, match="do not fit 4 documents"):
        summaries.association(make_topics(), np.ones((3, 1)), ["a"])


@pytest.mark.parametrize("sparse", [True, False])
def test_documents_behind_a_cell(sparse):
    Y = Supervision.of([["a"], ["a"], ["b"], ["a"]], ["a", "b"]).indicator()
    Y = Y if sparse else Y.toarray()
    assert summaries.cell_documents(make_topics(), Y, 0, 0) == [(1, 1.0), (0, 0.75)]
    assert summaries.cell_documents(make_topics(), Y, 1, 0) == []


def test_highlights_give_each_word_to_its_topic():
    text = "The bill and the tower, unknown"
    found = summaries.highlights(word_spans(text), make_topics(), 0)
    assert [(text[start:end], topic) for start, end, topic, _ in found] == [
        ("bill", 0),
        ("tower", 1),
    ]
    assert_allclose([strength for *_, strength in found], [1, 0.25 * 0.8 / (0.75 * 0.8)])


def test_nothing_is_highlighted_without_words_or_weight():
    assert summaries.highlights([], make_topics(), 0) == []
    assert summaries.highlights(word_spans("bill"), make_topics(), 3) == []


def test_adherence_counts_documents_that_obey():
    labels = Supervision.of([["a"], ["a"], [], []], ["a", "b"])
    assert summaries.adherence(make_topics(), labels) == 0.5  # d0 has weight on topic b
    assert summaries.adherence(make_topics(), Supervision.none(4)) == 1.0


def test_adherence_sees_forbidden_topics_and_nothing_fits():
    forbidden = Supervision.of([[]] * 4, ["a", "b"], forbidden=[["b"], ["b"], [], []])
    assert summaries.adherence(make_topics(), forbidden) == 0.5
    nothing = Supervision.of([[]] * 4, ["a", "b"], nothing_fits=[True, False, False, False])
    assert summaries.adherence(make_topics(), nothing) == 0.0


def test_shares_by_class_have_their_own_denominator():
    table = summaries.by_class(make_topics(), ["north", "south", "north", "south"])
    north = table[table["class"] == "north"]
    assert north["of"].tolist() == [2, 2, 2]
    assert_allclose(north["share"], [0.5, 0.5, 0])
    with pytest.raises(ModelError):
        summaries.by_class(make_topics(), ["north"])


TEXT = "Hello there. The bill came twice, no refund! I like trees.\nThe tower is off"


@pytest.mark.parametrize("stops", [".", "!", "…", '."'])
def test_a_row_of_stops_is_read_once(stops):
    """Tried from every stop to the end of the row, this takes hours."""
    text = f"It leaks.{stops * 300_000}x and then it stops. Really?"
    found = [text[a:b] for a, b in sentences(text)]
    assert [len(each) > 300_000 for each in found] == [True, False]
    assert found[1] == "Really?"


def test_sentences_end_at_stops_and_line_breaks():
    assert [TEXT[a:b] for a, b in sentences(TEXT)] == [
        "Hello there.",
        "The bill came twice, no refund!",
        "I like trees.",
        "The tower is off",
    ]


def test_quotes_are_the_best_sentence_word_for_word():
    topics = make_topics()
    top = summaries.top_documents(topics, 0)
    (first, *_) = summaries.quotes(topics, 0, [TEXT] * 4, word_spans, candidates=top)
    assert first.text == "The bill came twice, no refund!" == TEXT[first.start : first.end]
    assert (first.position, first.cut_before, first.cut_after) == (0, True, True)


def test_quotes_do_not_repeat_the_same_words():
    topics = make_topics()
    texts = ["A bill.", "a  BILL.", "", ""]
    found = summaries.quotes(topics, 0, texts, word_spans, candidates=[(0, 1.0), (1, 1.0), (2, 1)])
    assert [quote.text for quote in found] == ["A bill."]
    assert (found[0].text, found[0].cut_before, found[0].cut_after) == ("A bill.", False, False)


LETTERS = st.sampled_from("ab, ")


@given(st.text(LETTERS, max_size=60), st.integers(1, 20), st.integers(1, 3))
def test_the_heaviest_stretch_is_the_first_of_all(text, reach, phrases):
    """Each start tried by itself, in the words of the sentence."""
    words = [match.span() for match in re.finditer(r"[ab]+", text)]
    runs = [words[i : i + n] for n in range(1, phrases + 1) for i in range(len(words) - n + 1)]
    spans = sorted((run[0][0], run[-1][1], text[run[0][0] : run[-1][1]]) for run in runs)
    weight = {term: float(len(term) % 3) for *_, term in spans}
    starts = [0, *(start for start, *_ in spans if start)]

    def heavy(at: int) -> float:
        end = min(at + reach, len(text))
        return sum(weight[t] for t in {t for a, b, t in spans if a >= at and b <= end})

    found = _heaviest_start(starts, len(text), spans, weight, reach)
    assert found == max(starts, key=lambda at: (heavy(at), -at))


class Asked(dict):
    """Weights that count how often they are asked for."""

    times = 0

    def get(self, key, default=None):
        self.times += 1
        return super().get(key, default)


def test_a_long_text_without_a_stop_is_read_once():
    text = "ab cd ef gh ij kl " * 2_000
    weight = Asked({"ij": 1.0, "kl": 0.5})
    start, end = passage(text, word_spans(text), weight, 240)
    assert {"ij", "kl"} <= set(text[start:end].split())
    assert weight.times < len(text.split())


def test_two_neighbours_join_when_both_speak_of_the_topic():
    text = "Bill wrong. Refund please. Bye."
    start, end = passage(text, word_spans(text), {"bill": 1.0, "refund": 0.8}, 100)
    assert text[start:end] == "Bill wrong. Refund please."


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="ab .\n!é", max_size=300), st.integers(10, 60))
def test_a_passage_fits_and_lies_inside_the_text(text, length):
    start, end = passage(text, word_spans(text), {"a": 1.0, "ab": 0.5}, length)
    assert 0 <= start <= end <= len(text)
    assert end - start <= length


def test_a_long_sentence_is_cut_at_words_around_the_topic():
    text = "word " * 200 + "bill refund " + "word " * 200
    start, end = passage(text, word_spans(text), {"bill": 1.0, "refund": 1.0}, 60)
    assert "bill refund" in text[start:end]
    assert (text[start - 1], text[end]) == (" ", " ")


def test_the_same_topics_have_not_changed():
    found = summaries.compare(make_topics(), make_topics())
    assert (found.added, found.removed, found.moved) == ((), (), ())
    assert found.stability == 1.0


def test_changes_name_words_documents_and_topics():
    before = make_topics()
    after = make_topics(
        W=[[0, 4, 0], [1, 0, 0], [0, 2, 2], [0, 0, 0]],
        H=[[1, 0, 0, 0, 0.2], [0, 0, 0.6, 0.8, 0], [0, 0, 0, 0, 1]],
        names=("Billing", "Network", "Staff"),
    )
    found = summaries.compare(before, after)
    assert (found.topics[0].gained, found.topics[0].lost) == (("agent",), ("refund",))
    assert found.topics[0].stability == 0.5
    assert (found.added, found.removed, found.moved) == (("Staff",), ("agent",), (0,))


def test_pairs_carry_topics_over_a_change_of_order():
    before = make_topics()
    after = make_topics(W=before.doc_topic[:, [2, 0, 1]], H=before.topic_term[[2, 0, 1]])
    assert summaries.compare(before, after, pairs=[(0, 1), (1, 2), (2, 0)]).moved == ()
    assert summaries.compare(before, after, pairs=[]).moved == (0, 1, 2)


def test_only_the_same_documents_can_be_compared():
    with pytest.raises(ModelError, match="same documents"):
        summaries.compare(make_topics(), make_topics(W=[[1, 0, 0]]))
