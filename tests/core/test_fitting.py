"""The straight path: matrix and supervision in, topics out; and refits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from core import ModelSpec, Supervision, Topics, fit
from core.errors import Cancelled, ModelError, StoreError
from core.evaluation.label_names import name_after_labels
from tests.core.models.cases import LABELS, Matrix, matrix_of, planted, some_labels


@pytest.fixture(scope="module")
def matrix():
    return matrix_of(planted(300, 60))


@pytest.fixture(scope="module")
def labels():
    y = some_labels(planted(300, 60))
    return [[LABELS[j] for j in np.flatnonzero(row)] for row in y.permitted.toarray()]


@pytest.fixture(scope="module")
def topics(matrix, labels):
    return fit(matrix, Supervision.of(labels, LABELS), ModelSpec("tsnmf", n_topics=5))


def test_topics_say_whose_they_are(topics, matrix):
    assert topics.names == (*LABELS, "Free 1", "Free 2")
    assert topics.n_supervised == 3
    assert topics.doc_ids == matrix.doc_ids
    assert topics.fingerprint == "abc"
    assert len(topics) == 5


def test_as_many_topics_as_labels_by_default(matrix, labels):
    assert len(fit(matrix, Supervision.of(labels, LABELS), ModelSpec())) == 3


def test_a_refit_after_one_label_reaches_the_full_fit(matrix, labels, topics):
    more = [list(row) for row in labels]
    more[more.index([])] = ["alpha"]
    y = Supervision.of(more, LABELS)
    spec = ModelSpec("tsnmf", n_topics=5)
    full, warm = fit(matrix, y, spec), fit(matrix, y, spec, start=topics)
    assert warm.trace.objective[-1] <= 1.005 * full.trace.objective[-1]
    assert warm.trace.n_iter < full.trace.n_iter


def test_a_refit_finds_topics_by_key(matrix, labels, topics):
    turned = tuple(reversed(LABELS))
    y = Supervision.of(labels, turned)
    warm = fit(matrix, y, ModelSpec("tsnmf", n_topics=5), start=topics)
    assert_allclose(warm.topic_term[0], topics.topic_term[2], atol=0.05)


def test_a_renamed_label_changes_nothing_in_a_warm_start(matrix, labels, topics):
    y = Supervision.of(labels, LABELS)
    named = {name: name.upper() for name in LABELS}
    other = replace(
        Supervision.of([[named[n] for n in row] for row in labels], tuple(named.values())),
        keys=LABELS,
    )
    spec = ModelSpec("tsnmf", n_topics=5)
    plain, renamed = fit(matrix, y, spec, start=topics), fit(matrix, other, spec, start=topics)
    assert renamed.names[:3] == tuple(named.values())
    assert renamed.keys == plain.keys == (*LABELS, "Free 1", "Free 2")
    assert_array_equal(renamed.doc_topic, plain.doc_topic)
    assert_array_equal(renamed.topic_term, plain.topic_term)


def test_a_topic_left_out_of_the_start_begins_from_its_labels(matrix, labels, topics):
    y, spec = (
        Supervision.of(labels, LABELS),
        ModelSpec("tsnmf", n_topics=5, options={"max_iter": 1}),
    )
    spoilt = replace(topics, topic_term=topics.topic_term[[1, 1, 2, 3, 4]])
    again, kept = (fit(matrix, y, spec, start=s) for s in (spoilt.without({"alpha"}), spoilt))
    alike = [float(each.topic_term[0] @ topics.topic_term[0]) for each in (again, kept)]
    assert alike[0] > max(0.8, alike[1])


def test_a_model_beside_the_labels_goes_on_from_topics_that_bear_their_names(matrix, labels):
    y, spec = Supervision.of(labels, LABELS), ModelSpec("nmf", n_topics=4)
    named = name_after_labels(fit(matrix, y, spec), y)
    assert named.n_supervised > 0
    assert named.label_keys == named.names[: named.n_supervised]
    warm = fit(matrix, y, spec, start=named)
    assert warm.names == ("Topic 1", "Topic 2", "Topic 3", "Topic 4")
    assert warm.trace.n_iter <= 3


def test_a_new_topic_starts_from_its_documents(matrix, labels, topics):
    more = [list(row) for row in labels]
    for position in [i for i, row in enumerate(more) if not row][:5]:
        more[position] = ["delta"]
    y = Supervision.of(more, (*LABELS, "delta"))
    warm = fit(matrix, y, ModelSpec("tsnmf", n_topics=6), start=topics)
    assert warm.topic_term[3].sum() > 0


def test_other_words_mean_a_fresh_start(matrix, labels, topics):
    other = Matrix(matrix.X, tuple(reversed(matrix.terms)), matrix.doc_ids)
    y, spec = Supervision.of(labels, LABELS), ModelSpec("tsnmf", n_topics=5)
    assert_array_equal(fit(other, y, spec, start=topics).doc_topic, fit(other, y, spec).doc_topic)


def test_cancelling_raises(matrix):
    with pytest.raises(Cancelled):
        fit(matrix, None, ModelSpec("nmf", n_topics=4), callback=lambda progress: True)


def test_saved_topics_come_back_whole(topics, tmp_path):
    topics.save(tmp_path / "deep" / "topics.npz")
    back = Topics.load(tmp_path / "deep" / "topics.npz")
    assert_array_equal(back.doc_topic, topics.doc_topic)
    assert_array_equal(back.topic_term, topics.topic_term)
    for name in (
        "terms",
        "doc_ids",
        "names",
        "keys",
        "n_supervised",
        "spec",
        "trace",
        "fingerprint",
    ):
        assert getattr(back, name) == getattr(topics, name)


def test_a_file_of_the_future_is_refused(topics, tmp_path, monkeypatch):
    monkeypatch.setattr("core.topics.TOPICS_FILE_FORMAT", 99)
    topics.save(tmp_path / "t.npz")
    monkeypatch.undo()
    with pytest.raises(StoreError, match="newer version"):
        Topics.load(tmp_path / "t.npz")


def test_shares_sum_to_one(topics):
    total = topics.shares().sum(axis=1)
    assert_allclose(total[topics.doc_topic.sum(axis=1) > 0], 1, rtol=1e-6)


@given(
    st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=30), st.integers(0, 40)
)
def test_the_heaviest_terms_are_those_that_a_stable_sort_puts_first(weights, n):
    row = np.array([weights])
    terms = tuple(f"w{j}" for j in range(len(weights)))
    topics = Topics(
        doc_topic=np.ones((1, 1)),
        topic_term=row,
        terms=terms,
        doc_ids=("a",),
        names=("One",),
        spec=ModelSpec(),
    )
    wanted = [terms[j] for j in np.argsort(-row[0], kind="stable")[:n] if row[0, j] > 0]
    assert [each.term for each in topics.top_terms(0, n)] == wanted


def test_top_terms_are_in_order_and_positive(topics):
    weights = [row.weight for row in topics.top_terms(0, n=8)]
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] > 0


def test_a_spec_survives_its_dictionary():
    spec = ModelSpec("tsnmf", 7, 3, {"labelled_weight": 2.0})
    assert ModelSpec.from_dict(spec.to_dict()) == spec


def test_options_reach_the_model():
    assert ModelSpec("tsnmf", options={"solver": "mu"}).estimator().solver == "mu"
    with pytest.raises(ModelError, match="no option"):
        ModelSpec("tsnmf", options={"lambda": 1}).estimator()
