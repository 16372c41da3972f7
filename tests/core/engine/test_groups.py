"""Groups of topics: their sizes, and how they travel with topics."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core import ModelSpec, Supervision, Topics, fit
from core.engine.groups import automatic_sizes, directions, part_sizes
from core.spec import rule_of, size_of, with_rule, with_size, with_sizes_of, without_sizes
from tests.core.models.cases import LABELS, matrix_of, planted, some_labels
from tests.core.models.test_parts import two_sided

SPEC = ModelSpec("tsnmf", n_topics=5, options={"parts": {"alpha": 3, "gamma": 2}})


@pytest.fixture(scope="module")
def matrix():
    return matrix_of(planted(200, 50))


@pytest.fixture(scope="module")
def y(matrix):
    return some_labels(matrix.X.toarray())


@pytest.fixture(scope="module")
def topics(matrix, y):
    return fit(matrix, y, SPEC)


def skewed(counts, n_terms=30, seed=0):
    """So many labelled documents of each label, of random words."""
    rng = np.random.default_rng(seed)
    labels = [[f"l{j}"] for j, count in enumerate(counts) for _ in range(count)]
    X = matrix_of(rng.poisson(0.3, (len(labels), n_terms)) + 0.01).X
    return X, Supervision.of(labels, [f"l{j}" for j in range(len(counts))])


def test_topics_know_their_parts(topics):
    assert topics.parts == ((0, 1, 2), (3,), (4, 5), (6,), (7,))
    assert [topics.is_group(k) for k in range(5)] == [True, False, True, False, False]
    assert [topics.part_name(p) for p in (0, 2, 3)] == ["alpha 1", "alpha 3", "beta"]
    assert_allclose(topics.doc_topic[:, 2], topics.part_doc_topic[:, 4:6].sum(axis=1))
    assert_allclose(topics.shares()[:, 0], topics.part_shares()[:, :3].sum(axis=1), atol=1e-12)
    heaviest = topics.part_topic_term[4].argmax()
    assert topics.part_terms(4, 1)[0].term == topics.terms[heaviest]


def test_topics_of_one_part_are_their_own_parts(matrix, y):
    plain = fit(matrix, y, ModelSpec("tsnmf", n_topics=5))
    assert plain.groups is None
    assert plain.parts == ((0,), (1,), (2,), (3,), (4,))
    assert plain.part_doc_topic is plain.doc_topic
    assert plain.part_terms(2, 4) == plain.top_terms(2, 4)
    assert plain.part_name(4) == "Free 2"


def test_parts_are_saved_and_loaded(topics, tmp_path):
    topics.save(tmp_path / "t.npz")
    back = Topics.load(tmp_path / "t.npz")
    assert back.parts == topics.parts
    assert_array_equal(back.part_doc_topic, topics.part_doc_topic)
    assert_array_equal(back.part_topic_term, topics.part_topic_term)
    assert back.spec == topics.spec


def test_a_file_from_before_there_were_parts_loads(matrix, y, tmp_path):
    plain = fit(matrix, y, ModelSpec("tsnmf", n_topics=5))
    arrays = plain._arrays()
    about = arrays["about"].tobytes().replace(b', "sizes": []', b"")
    assert b"sizes" not in about
    np.savez(tmp_path / "old.npz", **arrays | {"about": np.frombuffer(about, np.uint8)})
    assert Topics.load(tmp_path / "old.npz").parts == plain.parts


def test_picked_topics_keep_their_parts(topics):
    picked = topics.picked([2, 4, 0])
    assert picked.names == ("gamma", "Free 2", "alpha")
    assert picked.parts == ((0, 1), (2,), (3, 4, 5))
    assert_array_equal(picked.part_doc_topic[:, 3:], topics.part_doc_topic[:, :3])
    assert picked.n_supervised == 2


def test_a_refit_keeps_the_parts_in_their_places(matrix, y, topics):
    warm = fit(matrix, y, SPEC, start=topics)
    assert warm.parts == topics.parts
    assert warm.trace.n_iter < topics.trace.n_iter
    words = topics.part_topic_term.any(axis=1)  # the labels cover every text: no free topic has any
    assert_array_equal(words, np.arange(8) < 6)
    assert_array_equal(warm.part_topic_term.any(axis=1), words)
    similarity = np.einsum("pt,pt->p", warm.part_topic_term, topics.part_topic_term)
    assert (similarity[words] > 0.95).all()


def test_a_group_grows_and_shrinks_from_the_parts_it_has(matrix, y, topics):
    more = fit(matrix, y, with_size(SPEC, "alpha", 4), start=topics)
    assert more.parts[0] == (0, 1, 2, 3)
    assert more.part_doc_topic[:, 3].sum() > 0
    one = fit(matrix, y, with_size(SPEC, "alpha", 1), start=topics)
    assert one.parts[0] == (0,)
    used = topics.part_doc_topic[:, :3].sum(axis=0).argmax()
    assert one.part_topic_term[0] @ topics.part_topic_term[used] > 0.5


def test_parts_follow_their_label_to_another_name_and_place(matrix, y, topics):
    turned = Supervision.of(y.permitted.toarray()[:, ::-1], [*LABELS[::-1]])
    warm = fit(matrix, turned, SPEC, start=topics)
    assert warm.parts[2] == (3, 4, 5)
    assert warm.part_topic_term[3] @ topics.part_topic_term[0] > 0.8


def test_equal_labels_have_one_part_each():
    assert automatic_sizes(*skewed([40] * 6)) == [1] * 6


def test_a_big_label_of_unlike_documents_has_several_parts():
    assert automatic_sizes(*skewed([300, 20, 20, 20, 20, 20])) == [3, 1, 1, 1, 1, 1]


def test_few_labelled_documents_are_no_reason_for_parts():
    assert automatic_sizes(*skewed([9, 1, 1, 1])) == [1] * 4


def test_documents_all_alike_need_one_part():
    X, y = skewed([300, 20, 20, 20, 20, 20])
    X.data[:] = 1  # every word in every document, equally often
    assert automatic_sizes(X, y)[0] == 1


def test_directions_count_the_kinds_of_equally_many_documents():
    kinds = matrix_of(np.kron(np.eye(5), np.ones((400, 2)))).X
    assert_allclose(directions(kinds), 5, rtol=0.01)
    assert directions(kinds[:1]) == 1.0


def test_sizes_do_not_flicker_at_the_edge():
    X, y = skewed([60, 20, 20, 20, 20])
    sizes = automatic_sizes(X, y)
    told = y.permitted.toarray()
    less = Supervision.of(told * (np.arange(140) > 7)[:, None], y.names)
    assert (sizes[0], automatic_sizes(X, less)[0]) == (2, 1)
    assert automatic_sizes(X, less, sizes) == sizes
    gone = Supervision.of(told * (np.arange(140) > 40)[:, None], y.names)
    assert automatic_sizes(X, gone, sizes)[0] == 1


def test_sizes_stay_from_label_to_label():
    X, y, _ = two_sided()
    matrix, spec = matrix_of(X), ModelSpec("tsnmf", n_topics=3, options={"parts": "auto"})
    before = fit(matrix, y, spec)
    labels = [[y.names[j] for j in np.flatnonzero(row)] for row in y.permitted.toarray()]
    seen = set()
    for position in range(0, 20, 2):
        labels[position] = ["wide"]
        before = fit(matrix, Supervision.of(labels, y.names), spec, start=before)
        seen.add(tuple(map(len, before.parts)))
    assert len(seen) == 1


def test_a_size_set_by_hand_is_an_option_like_any_other():
    spec = with_size(ModelSpec("tsnmf", options={"parts": "auto", "guidance": 0.5}), "earn", 4)
    assert spec.options == {"guidance": 0.5, "parts": {"*": "auto", "earn": 4}}
    assert (size_of(spec, "earn"), size_of(spec, "acq"), rule_of(spec)) == (4, None, "auto")
    assert with_rule(spec, 2).options["parts"] == {"*": 2, "earn": 4}
    assert without_sizes(spec) == ModelSpec("tsnmf", options={"guidance": 0.5})
    assert with_size(spec, "earn", None).options["parts"] == "auto"
    assert with_size(with_size(ModelSpec(), "earn", 2), "earn", None) == ModelSpec()
    assert ModelSpec.from_dict(spec.to_dict()) == spec


def test_a_size_by_hand_follows_its_topic_to_another_name():
    spec = with_size(ModelSpec(), 12, 3)
    assert spec.options["parts"] == {"*": 1, "12": 3}
    assert size_of(ModelSpec.from_dict(json.loads(json.dumps(spec.to_dict()))), 12) == 3
    y = Supervision.of([["profit"], ["loss"]], ["loss", "profit"])
    X = planted(2, 50)
    sizes = part_sizes(spec.options["parts"], X, replace(y, keys=(4, 12)), 3)
    assert sizes == (1, 3, 1)
    renamed = replace(y, names=("loss", "earnings"), keys=(4, 12))
    assert part_sizes(spec.options["parts"], X, renamed, 3) == sizes


def test_sizes_written_by_earlier_versions_are_still_read():
    written = ModelSpec(options={"parts": {"*": 1, "#12": 3}}).to_dict()
    assert ModelSpec.from_dict(written) == with_size(ModelSpec(), 12, 3)
    by_name = ModelSpec(n_topics=4, options={"parts": {"*": 1, "profit": 3}})
    assert with_sizes_of(by_name, with_size(ModelSpec(), 12, 3)) == with_size(
        ModelSpec(n_topics=4), 12, 3
    )
    assert with_sizes_of(by_name, ModelSpec()) == ModelSpec(n_topics=4)
