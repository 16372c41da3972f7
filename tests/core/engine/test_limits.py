"""Words held, kept out and added: the limits hold exactly and no pass raises the objective."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from core.engine.limits import Steering
from core.errors import ModelError
from core.fitting import fit
from core.matrix import DocumentTermMatrix
from core.spec import ModelSpec
from core.supervision import Supervision
from core.text import TextSettings

TERMS = tuple(f"w{t}" for t in range(24))
NAMES = ("A", "B", "C")


@pytest.fixture(scope="module")
def matrix() -> DocumentTermMatrix:
    """Three topics of eight words each, and a little of everything everywhere."""
    rng = np.random.default_rng(3)
    topics = np.kron(np.eye(3), np.ones(8)) * rng.uniform(0.5, 1.5, (3, 24))
    X = rng.dirichlet([0.2] * 3, 90) @ topics + 0.1 * (rng.random((90, 24)) < 0.1)
    X = sp.csr_array((X / np.linalg.norm(X, axis=1, keepdims=True)).astype(np.float32))
    return DocumentTermMatrix(
        X=X,
        terms=TERMS,
        doc_ids=tuple(map(str, range(90))),
        settings=TextSettings(),
        document_frequency=np.bincount(X.indices, minlength=24),
        fingerprint="planted",
    )


@pytest.fixture(scope="module")
def supervision(matrix) -> Supervision:
    """Two documents of each topic, by the words they use most."""
    best = np.argmax(matrix.X @ np.kron(np.eye(3), np.ones(8)).T, axis=1)
    labels: list[tuple[str, ...]] = [()] * 90
    for k, name in enumerate(NAMES):
        for position in np.flatnonzero(best == k)[:2]:
            labels[position] = (name,)
    return Supervision.of(labels, NAMES)


SPECS = {
    "guided": ModelSpec("tsnmf", 4),
    "plain": ModelSpec("tsnmf", 4, options={"guidance": 0}),
    "printed": ModelSpec("tsnmf", 4, options={"guidance": 0, "solver": "mu"}),
    "divergence": ModelSpec(
        "tsnmf", 4, options={"guidance": 0, "solver": "mu", "loss": "i_divergence"}
    ),
    "parts": ModelSpec("tsnmf", 4, options={"parts": 2}),
}
LOCK = {"w0": 3.0, "w9": 4.0}
STEERING = Steering(held={"A": LOCK}, removed={"B": ("w8", "w10"), "Free 1": ("w1",)})


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_held_words_and_removed_words_hold_exactly(matrix, supervision, spec):
    topics = fit(matrix, supervision, spec, steering=STEERING)
    weights = dict(zip(TERMS, topics.topic_term[0], strict=True))
    assert {word for word, weight in weights.items() if weight} == {"w0", "w9"}
    assert weights["w0"] == pytest.approx(0.6, abs=1e-6)
    assert not topics.topic_term[1, [8, 10]].any()
    assert topics.topic_term[3, 1] == 0
    assert topics.topic_term[1].any()


@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_the_objective_never_rises_under_limits(matrix, supervision, spec, warm):
    start = fit(matrix, supervision, spec) if warm else None
    added = Steering(STEERING.held, STEERING.removed, {"C": {"w2": 1.0}})
    trace = fit(matrix, supervision, spec, start=start, steering=added).trace
    steps = np.diff(trace.objective)
    assert (steps <= 1e-5 * abs(trace.objective[0])).all()


@pytest.mark.parametrize("name", ["guided", "plain", "parts"])
def test_an_added_word_comes_in_by_its_strength(matrix, supervision, name):
    before = fit(matrix, supervision, SPECS[name])
    weights = []
    for strength in (0.5, 1.0, 2.0):
        steering = Steering(added={"C": {"w2": strength}})
        after = fit(matrix, supervision, SPECS[name], start=before, steering=steering)
        weights.append(float(after.topic_term[2, 2]))
    assert before.topic_term[2, 2] < 0.1 < weights[0] < weights[1] < weights[2]
    assert "w2" in [term for term, _ in after.top_terms(2, 3)]


def test_topics_of_the_same_documents_come_apart_by_the_words_they_begin_with(matrix, supervision):
    labels = [(*row, "A2") if "A" in row else row for row in rows_of(supervision)]
    twice = Supervision.of(labels, ("A", "B", "C", "A2"))
    begun = Steering(begun={"A": {"w0": 1.0, "w1": 1.0}, "A2": {"w4": 1.0, "w5": 1.0}})
    topics = fit(matrix, twice, ModelSpec("tsnmf", 4, options={"guidance": 0}), steering=begun)
    apart = topics.topic_term[0] @ topics.topic_term[3]
    assert apart < 0.9
    assert topics.topic_term[0, 0] > topics.topic_term[3, 0]


def rows_of(supervision: Supervision) -> list[tuple[str, ...]]:
    names = np.array(supervision.names)
    return [tuple(names[row.indices]) for row in supervision.permitted]


def test_unknown_words_and_topics_are_left_aside(matrix, supervision):
    odd = Steering(held={"Nobody": LOCK}, removed={"A": ("no such word",)}, added={"A": {"x": 1.0}})
    plain, said = (fit(matrix, supervision, SPECS["plain"], steering=s) for s in (None, odd))
    assert np.array_equal(plain.topic_term, said.topic_term)


def test_a_model_that_cannot_be_told_says_so(matrix, supervision):
    with pytest.raises(ModelError, match="tsnmf does"):
        fit(matrix, supervision, ModelSpec("ssnmf", 3), steering=STEERING)


def test_statements_follow_their_topics_to_other_names():
    said = Steering(held={1: LOCK}, removed={2: ("w1",)}, begun={3: LOCK}).renamed({1: "One"})
    assert said == Steering(held={"One": LOCK})
    assert not Steering(held={1: LOCK}).renamed({2: "Two"})


@pytest.mark.parametrize("name", ["guided", "parts"])
def test_a_topic_without_a_label_stays_what_it_begins_with(matrix, name):
    mine = {f"w{t}": 1.0 for t in range(8)}
    spec = ModelSpec("tsnmf", 3, options=SPECS[name].options)
    nobody = Supervision.of_some(90, ("Mine",), {})
    topics = fit(matrix, nobody, spec, steering=Steering(begun={"Mine": mine}))
    assert {term for term, _ in topics.part_terms(0, 6)} <= set(mine)
