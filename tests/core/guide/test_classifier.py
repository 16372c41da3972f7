"""The guide: left-out scores, updates and calibration, each against brute force."""

from __future__ import annotations

import gc
import pickle
import weakref

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core import Supervision
from core.guide.calibration import at_most_one_label, calibrate, chances
from core.guide.classifier import Guide, fit_guide
from core.guide.latent import LATENT_RANKS, Latent, latent_of
from core.guide.ridge import RIDGE_PENALTY
from core.guide.views import BIAS_SQUARE
from core.models import MODELS
from tests.core.models.cases import LABELS, planted, some_labels


@pytest.fixture
def X() -> sp.csr_array:
    return sp.csr_array(planted(80, 30))


@pytest.fixture
def y(X: sp.csr_array) -> Supervision:
    return some_labels(X.toarray())


def features(X: np.ndarray, latent: Latent) -> np.ndarray:
    """Words, what they are about, and the constant: whose products are the guide's kernel."""
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    along = X @ latent.directions
    blocks = [along[:, :rank] for rank in LATENT_RANKS]
    places = [each / np.linalg.norm(each, axis=1, keepdims=True) for each in blocks]
    half = np.hstack(places) / np.sqrt(len(places))
    return np.column_stack([unit, half, np.full(len(X), np.sqrt(BIAS_SQUARE))])


def ridge(X: np.ndarray, Y: np.ndarray, latent: Latent) -> np.ndarray:
    """Coefficients of the primal problem, with the constant as a last feature."""
    known = features(X, latent)
    return np.linalg.solve(known.T @ known + RIDGE_PENALTY * np.eye(known.shape[1]), known.T @ Y)


def scores(X: np.ndarray, coefficients: np.ndarray, latent: Latent) -> np.ndarray:
    return features(X, latent) @ coefficients


def evened(Y: np.ndarray) -> np.ndarray:
    """Targets that rise where a label has few examples."""
    counts = Y.sum(axis=0)
    first = np.minimum(counts, 4)
    return Y * (counts.mean() / counts) ** 0.2 * (first.mean() / first) ** 0.25


@pytest.fixture
def by_labels_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No document of the corpus is there for the guide to teach itself from."""
    monkeypatch.setattr("core.guide.views.MAX_SAMPLE_DOCUMENTS", 0)


def logit(p: np.ndarray) -> np.ndarray:
    return np.log(p / (1 - p))


def fitted(X: sp.csr_array, y: Supervision, earlier: Guide | None = None) -> Guide:
    guide = fit_guide(X, y, earlier)
    assert guide is not None
    return guide


@pytest.mark.usefixtures("by_labels_alone")
def test_probabilities_are_the_calibrated_ridge_scores(X, y):
    guide, told = fitted(X, y), np.flatnonzero(y.labelled)
    dense = X.toarray()
    targets = evened(y.indicator().toarray()[told])
    expected = scores(dense, ridge(dense[told], targets, guide.latent), guide.latent)
    assert_allclose(logit(guide.probabilities(X)), guide.slope * expected + guide.offset, rtol=1e-6)


@pytest.mark.usefixtures("by_labels_alone")
def test_left_out_scores_come_from_guides_that_never_saw_the_document(X, y):
    guide, told = fitted(X, y), np.flatnonzero(y.labelled)
    dense, targets = X.toarray(), np.zeros(y.permitted.shape)
    targets[told] = evened(y.indicator().toarray()[told])
    for at in (0, 3, 7):
        others = np.delete(told, at)
        without = ridge(dense[others], targets[others], guide.latent)
        expected = guide.slope * scores(dense[told[[at]]], without, guide.latent) + guide.offset
        assert_allclose(logit(guide.left_out[at]), expected.ravel(), rtol=1e-6)


def with_labels(y: Supervision, changes: dict[int, list[str]]) -> Supervision:
    rows = [[LABELS[j] for j in np.flatnonzero(row)] for row in y.permitted.toarray()]
    for position, labels in changes.items():
        rows[position] = labels
    return Supervision.of(rows, LABELS)


def test_a_guide_follows_labels_given_changed_and_taken_back(X, y):
    free, told = np.flatnonzero(~y.labelled), np.flatnonzero(y.labelled)
    given = {int(free[0]): ["alpha"], int(free[5]): ["beta"]}
    changes = {**given, int(told[2]): [], int(told[4]): ["gamma"]}
    later = with_labels(y, changes)
    followed, fresh = fitted(X, later, fitted(X, with_labels(y, {}))), fitted(X, later)
    assert_allclose(followed.inverse, fresh.inverse, atol=1e-10)
    assert_allclose(followed.probabilities(X), fresh.probabilities(X), rtol=1e-8)


def test_nobody_labelled_anything(X):
    assert fit_guide(X, Supervision.none(X.shape[0])) is None


def test_very_many_labels_are_sampled_steadily(X, monkeypatch):
    monkeypatch.setattr("core.guide.teachers.MAX_TEACHERS", 10)
    all_but_one = [["alpha"]] * (X.shape[0] - 1)
    before = fitted(X, Supervision.of([*all_but_one, []], LABELS)).positions
    after = fitted(X, Supervision.of([*all_but_one, ["beta"]], LABELS)).positions
    assert len(before) == len(after) == 10
    assert len(set(before) - set(after)) <= 1


def test_calibration_is_right_on_average():
    rng = np.random.default_rng(0)
    score = rng.normal(size=(4000, 1))
    chance = 1 / (1 + np.exp(-(3 * score - 1)))
    slope, offset = calibrate(score, (rng.uniform(size=chance.shape) < chance).astype(float))
    assert_allclose([slope, offset], [3, -1], atol=0.3)


def test_chances_that_sum_to_less_than_one_stay_as_they_are():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(200, 30))
    offset = at_most_one_label(scores, 2.0, 0.0)
    assert chances(scores, 2.0, offset).sum(axis=1).mean() == pytest.approx(1, abs=1e-3)
    assert at_most_one_label(scores, 2.0, offset - 0.1) == offset - 0.1
    assert at_most_one_label(scores[:, :1], 2.0, 5.0) == 5.0


def test_calibration_survives_perfect_and_hopeless_scores():
    targets = np.array([[1.0], [0.0]] * 20)
    for score in (targets, 1 - targets, np.zeros_like(targets)):
        slope, offset = calibrate(score, targets)
        assert np.isfinite([slope, offset]).all()
        assert slope >= 0


def test_an_empty_document_has_chances_too(X, y):
    empty = sp.csr_array((2, X.shape[1]))
    assert np.isfinite(fitted(X, y).probabilities(empty)).all()


def test_texts_that_share_no_word_are_alike_when_they_are_about_the_same(monkeypatch):
    """Words 0 and 1 never meet, but both go with word 2; word 3 goes with nothing."""
    monkeypatch.setattr("core.guide.latent.LATENT_RANKS", (2,))
    rows = [[1, 0, 1, 0], [0, 1, 1, 0], [0, 0, 0, 1]] * 20
    X = sp.csr_array(np.array([*rows, [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]], dtype=float))
    y = Supervision.of([*[[]] * 60, ["alpha"], [], []], ["alpha"])
    chance = fitted(X, y).probabilities(X)[:, 0]
    assert chance[61] > 2 * chance[62]


def test_a_matrix_has_one_set_of_directions(X):
    assert_allclose(latent_of(X).directions, latent_of(X).directions)
    empty = sp.csr_array((3, 5))
    assert_allclose(latent_of(empty).places(empty), 0)


def test_what_was_said_of_a_large_matrix_is_kept(
    X: sp.csr_array, y: Supervision, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = fitted(X, y).probabilities(X)
    monkeypatch.setattr("core.values.last_result.MIN_CACHED_DOCUMENTS", 10)
    guide = fitted(X, y)
    first = guide.probabilities(X)
    assert_allclose(first, fresh)
    assert guide.probabilities(X.copy()) is first  # an equal matrix has an equal answer
    other = X.copy()
    other.data[0] *= 3
    assert_allclose(guide.probabilities(other), fitted(X, y).probabilities(other))
    assert not np.array_equal(guide.probabilities(other), first)


def test_a_fit_leaves_the_probabilities_of_a_large_matrix_to_the_next_one(monkeypatch):
    """A refit after one label asks for the whole corpus again; the matrix is the caller's own."""
    monkeypatch.setattr("core.values.last_result.MIN_CACHED_DOCUMENTS", 10)
    X = sp.csr_array(np.random.default_rng(0).poisson(0.5, (40, 12)).astype(np.float32))
    labels = [["a"] if i % 3 == 0 else ["b"] if i % 3 == 1 else [] for i in range(40)]
    guide = MODELS["tsnmf"](3, max_iter=2, random_state=0).fit(X, labels).guide_
    monkeypatch.setattr(type(guide), "_probabilities", lambda *_: pytest.fail("computed again"))
    assert guide.probabilities(X).shape == (40, 2)


def test_a_guide_forgets_a_large_matrix_with_its_last_owner(
    X: sp.csr_array, y: Supervision, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.values.last_result.MIN_CACHED_DOCUMENTS", 10)
    guide, mine = fitted(X, y), X.copy()
    answer = guide.probabilities(mine)
    arrays = [weakref.ref(array) for array in (mine.indptr, mine.indices, mine.data)]
    assert guide.last._result is answer
    del mine
    gc.collect()
    assert not any(array() is not None for array in arrays)
    assert guide.last._result is None
    assert pickle.loads(pickle.dumps(guide)).probabilities(X).shape == answer.shape
