"""The forecast: known curves are continued, the band holds what happens, coverage counts."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import ModelError
from core.evaluation.forecast import (
    MIN_LABELS_FOR_FORECAST,
    LearningCurve,
    coverage,
    forecast,
    learning_curve,
)
from core.evaluation.left_out import judge_left_out
from core.guide.classifier import fit_guide
from core.guide.teachers import Descriptions
from core.spec import ModelSpec
from core.supervision import Supervision
from core.topics import Topics

SIZES = np.array([20, 30, 45, 65, 85, 100])


def curve(a: float, b: float, c: float, noise: float = 0.0, seed: int = 0) -> LearningCurve:
    rng = np.random.default_rng(seed)
    scores = (c - a * SIZES**-b)[:, None] + noise * rng.normal(size=(len(SIZES), 12))
    return LearningCurve(SIZES, scores)


@pytest.mark.parametrize(("a", "b", "c"), [(1.5, 0.5, 0.9), (2.0, 0.6, 0.8), (0.8, 0.3, 0.95)])
def test_a_known_curve_is_continued(a: float, b: float, c: float) -> None:
    told = forecast(curve(a, b, c))
    truth = c - a * (100.0 + np.array(told.more)) ** -b
    np.testing.assert_allclose(told.expected, truth, atol=0.015)
    assert told.now == pytest.approx(c - a * 100**-b, abs=0.01)


def test_eight_in_ten_lie_in_the_band() -> None:
    rng = np.random.default_rng(0)
    inside = []
    for seed in range(40):
        a, b, c = rng.uniform(0.8, 2), rng.uniform(0.3, 0.8), rng.uniform(0.7, 0.95)
        told = forecast(curve(a, b, c, noise=0.03, seed=seed), (100,), resamples=60)
        then = c - a * 200**-b + 0.03 * rng.normal()
        inside.append(told.low[0] <= then <= told.high[0])
    assert 0.65 <= np.mean(inside) <= 1


def test_a_flat_curve_stays_flat() -> None:
    told = forecast(LearningCurve(SIZES, np.full((6, 4), 0.7)))
    np.testing.assert_allclose(told.expected, 0.7, atol=0.01)


@settings(deadline=None)
@given(st.integers(0, 500))
def test_more_labels_never_look_worse(seed: int) -> None:
    scores = np.random.default_rng(seed).uniform(size=(6, 5))
    told = forecast(LearningCurve(SIZES, scores), (25, 50, 100), resamples=20)
    assert (np.diff([told.now, *told.expected]) >= -1e-9).all()
    assert (told.low >= 0).all()
    assert (told.high <= 1).all()
    assert (told.low <= told.high).all()


def test_more_noise_means_a_wider_band() -> None:
    calm, wild = (forecast(curve(1.5, 0.5, 0.9, noise=noise)) for noise in (0.005, 0.08))
    assert (wild.high - wild.low > calm.high - calm.low).all()


def test_one_point_is_no_curve() -> None:
    with pytest.raises(ModelError, match="two or more numbers of labels"):
        forecast(LearningCurve(SIZES[:1], np.ones((1, 3))))


def groups(n: int = 120) -> tuple[sp.csr_array, Supervision]:
    """Three groups with words of their own and words in common; every document is labelled."""
    rng = np.random.default_rng(0)
    X = (rng.random((n, 40)) < 0.12).astype(np.float32)
    for row in range(n):
        X[row, 8 * (row % 3) : 8 * (row % 3) + 8] += rng.random(8) < 0.3
    return sp.csr_array(X), Supervision.of([["ABC"[row % 3]] for row in range(n)])


def some_labelled(rows: np.ndarray, n: int = 600) -> tuple[sp.csr_array, Supervision, np.ndarray]:
    """The groups, of which only these documents are labelled, and the group of every one."""
    X, _ = groups(n)
    told = set(rows.tolist())
    labels = [["ABC"[row % 3]] if row in told else [] for row in range(n)]
    return X, Supervision.of(labels, "ABC"), np.arange(n) % 3


def test_the_curve_rises_with_labels_and_ends_at_all_of_them() -> None:
    X, supervision, _ = some_labelled(np.arange(120))
    drawn = learning_curve(X, supervision)
    assert drawn is not None
    assert drawn.sizes[-1] == 120
    mean = drawn.scores.mean(axis=1)
    assert mean[-1] > mean[0] > 1 / 3
    assert drawn.scores[-1].std() < 1e-9  # all labels: the order does not matter
    assert forecast(drawn).table()["more"].tolist() == [25, 50, 100]


def test_hard_labelled_documents_do_not_make_the_curve_too_low() -> None:
    """A queue asks for what the guide doubts; the rest is easier than what was labelled."""
    X, first, truth = some_labelled(np.arange(30))
    begun = fit_guide(X, first)
    assert begun is not None
    chances = np.sort(begun.probabilities(X), axis=1)
    doubt = chances[:, -2] - chances[:, -1]
    X, supervision, truth = some_labelled(np.argsort(doubt)[-120:])
    guide, drawn = fit_guide(X, supervision), learning_curve(X, supervision)
    assert guide is not None
    assert drawn is not None
    waiting = ~supervision.labelled
    right = (guide.probabilities(X).argmax(axis=1) == truth)[waiting].mean()
    assert drawn.scores[-1, 0] == pytest.approx(right, abs=0.06)
    assert judge_left_out(guide, supervision).share < right - 0.1


def test_names_count_from_the_first_label_on() -> None:
    X, supervision, _ = some_labelled(np.arange(60))
    own_words = np.repeat(np.eye(3, 5), 8, axis=1)  # the last two of the five have no group
    told = Descriptions(sp.csr_array(own_words), None)
    without, with_names = (learning_curve(X, supervision, descriptions=d) for d in (None, told))
    assert without is not None
    assert with_names is not None
    assert with_names.scores[0].mean() > without.scores[0].mean() + 0.05


def test_judging_leaves_the_judged_out() -> None:
    """Labels that mean nothing are not foretold better than by chance."""
    X, _ = groups()
    rng = np.random.default_rng(1)
    nonsense = Supervision.of([["AB"[int(rng.integers(2))]] for _ in range(120)])
    drawn = learning_curve(X, nonsense)
    assert drawn is not None
    assert drawn.scores[-1].mean() < 0.65


def test_too_few_labels_foretell_nothing() -> None:
    X, _ = groups()
    few = [["A"] if row < MIN_LABELS_FOR_FORECAST - 1 else [] for row in range(120)]
    assert learning_curve(X, Supervision.of(few)) is None


def test_coverage_puts_the_neediest_first() -> None:
    shares = np.array([[1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0.5, 0.5]])
    topics = Topics(
        doc_topic=shares,
        topic_term=np.eye(4),
        terms=tuple("wxyz"),
        doc_ids=tuple("0123"),
        names=("Big", "Mid", "Rare", "Free 1"),
        n_supervised=3,
        spec=ModelSpec(),
    )
    supervision = Supervision.of([[], ["Mid"], ["Mid"], ["Mid", "Big"]], ("Big", "Mid", "Rare"))
    table = coverage(topics, supervision)
    assert table["name"].tolist() == ["Big", "Rare", "Mid"]
    assert table["labelled"].tolist() == [1, 0, 3]
    assert table["share"].sum() == pytest.approx(1)
    assert table["lack"].tolist() == pytest.approx([4 * 2 / 3.5 - 1, 1, 0])
