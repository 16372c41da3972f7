"""Which topics lack labels, and what score more labels would bring.

``learning_curve`` trains the guide on growing parts of the labels and judges every labelled
document by a guide that has not seen it; ``expected_right`` tells what follows for documents that
nobody labelled. ``forecast`` extrapolates the curve: learning curves follow s(n) = c − a·n^(−b), so
this is fitted to resampled copies of the points. The band is the spread of the predictions of the
copies together with the spread of the points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy.sparse as sp

from core.errors import ModelError
from core.evaluation.expected_right import expected_share_right
from core.evaluation.subsets import without_labels
from core.guide.classifier import Guide, fit_guide
from core.guide.teachers import Descriptions
from core.supervision import Supervision
from core.topics import Topics
from core.values import ArrayValue

DEFAULT_MORE_LABELS = (25, 50, 100)
MIN_LABELS_FOR_FORECAST = 30  # labelled documents below which there is no forecast
CURVE_FRACTIONS = (0.2, 0.3, 0.45, 0.65, 0.85, 1.0)  # of the labels, at which the curve is measured
N_ORDERS = 4  # random orders of the labels
N_RESAMPLES = 200
MAX_CURVE_DOCUMENTS = 600  # labelled documents that a curve is measured on
MAX_SAMPLED_DOCUMENTS = 2000  # unlabelled documents that the scores are estimated for
BAND_QUANTILES = (0.1, 0.9)
POWERS = np.linspace(0.1, 1.5, 15)  # b
CEILINGS = np.linspace(0.0, 1.0, 21)  # c, from the best score seen up to MAX_CEILING
MAX_CEILING = 1.5  # above 1, because the start of a curve is still steep; scores are clipped at 1
PENALTY_SCALE = 0.005  # of a weak penalty on high ceilings and steep powers, for few points


@dataclass(frozen=True, eq=False, repr=False)
class LearningCurve(ArrayValue):
    """Scores by number of labels; one column for each order in which the labels might come."""

    sizes: np.ndarray  # (n_sizes,)
    scores: np.ndarray  # (n_sizes, n_repeats)
    judged: float = np.inf  # number of documents that the scores are measured on


@dataclass(frozen=True, eq=False, repr=False)
class Forecast(ArrayValue):
    """Expected scores with more labels, with an 80 % band."""

    now: float
    more: tuple[int, ...]
    expected: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def table(self) -> pd.DataFrame:
        return pd.DataFrame(
            {"more": self.more, "expected": self.expected, "low": self.low, "high": self.high}
        )


def coverage(topics: Topics, supervision: Supervision) -> pd.DataFrame:
    """How the labels are spread over the named topics, those with too few first.

    ``share`` of the corpus by topic weight, ``labelled`` documents, ``fair`` the number it would
    have if labels followed the shares, and ``lack``: how many labels are missing to that number,
    and to one label at least.
    """
    named = topics.n_supervised
    weight = topics.shares()[:, :named].sum(axis=0)
    share = weight / max(float(weight.sum()), 1e-12)
    labelled = np.bincount(supervision.permitted.indices, minlength=named)[:named]
    fair = share * labelled.sum()
    lack = np.maximum(np.maximum(fair, 1) - labelled, 0)
    table = pd.DataFrame(
        {
            "topic": range(named),
            "name": list(topics.names[:named]),
            "share": share,
            "labelled": labelled,
            "fair": fair,
            "lack": lack,
        }
    )
    return table.sort_values(["lack", "labelled"], ascending=[False, True], ignore_index=True)


def learning_curve(
    X: sp.csr_array,
    supervision: Supervision,
    *,
    vectors: np.ndarray | None = None,
    descriptions: Descriptions | None = None,
    repeats: int = N_ORDERS,
    seed: int = 0,
) -> LearningCurve | None:
    """How often the guide's likeliest label is right, by number of labels; None if too few.

    Each labelled document is judged by a guide trained on others: those in the training part as
    left out, the rest by the guide of the part. What this says of documents that nobody labelled is
    ``expected_share_right``. ``vectors`` and ``descriptions`` are what the guide reads besides.
    """
    positions = np.flatnonzero(np.diff(supervision.permitted.indptr) > 0)
    rng = np.random.default_rng(seed)
    if positions.size < MIN_LABELS_FOR_FORECAST:
        return None
    if positions.size > MAX_CURVE_DOCUMENTS:
        positions = np.sort(rng.choice(positions, MAX_CURVE_DOCUMENTS, replace=False))
    waiting = _waiting(X, supervision, rng)
    judge = _Judge(X, supervision, vectors, descriptions, positions, waiting)
    sizes = np.unique(np.round(np.array(CURVE_FRACTIONS) * positions.size).astype(int))
    orders = [rng.permutation(positions.size) for _ in range(repeats)]
    everything = judge.guide(np.arange(positions.size))
    scores = [
        [judge.share_right(judge.guide(order[:size], everything)) for order in orders]
        for size in sizes[:-1]
    ]
    scores.append([judge.share_right(everything)] * repeats)
    return LearningCurve(sizes, np.array(scores), float(positions.size))


def _waiting(X: sp.csr_array, supervision: Supervision, rng: np.random.Generator) -> np.ndarray:
    """A sample of the documents with words that nobody has labelled."""
    rows = np.flatnonzero((np.diff(X.indptr) > 0) & ~supervision.labelled)
    return np.sort(rng.choice(rows, min(MAX_SAMPLED_DOCUMENTS, rows.size), replace=False))


@dataclass(frozen=True, eq=False)
class _Judge:
    """Trains the guide on some of the labelled documents and judges it by all of them."""

    X: sp.csr_array
    supervision: Supervision
    vectors: np.ndarray | None
    descriptions: Descriptions | None
    positions: np.ndarray  # labelled documents, in order
    waiting: np.ndarray  # documents that nobody labelled

    def guide(self, part: np.ndarray, earlier: Guide | None = None) -> Guide:
        """The guide that knows a part of the labels; an earlier one saves looking at the corpus."""
        learnt = self.positions[part]
        others = np.setdiff1d(np.flatnonzero(self.supervision.labelled), learnt)
        guide = fit_guide(
            self.X,
            without_labels(self.supervision, others),
            earlier,
            vectors=self.vectors,
            descriptions=self.descriptions,
        )
        assert guide is not None
        return guide

    def share_right(self, guide: Guide) -> float:
        """For how large a share of the waiting documents the guide should be right."""
        chances = self._chances(guide, self.positions)
        chances[np.searchsorted(self.positions, guide.positions)] = guide.left_out
        carried = self.supervision.permitted[self.positions].toarray()
        right = carried[np.arange(len(carried)), chances.argmax(axis=1)]
        return expected_share_right(chances, right, self._chances(guide, self.waiting))

    def _chances(self, guide: Guide, rows: np.ndarray) -> np.ndarray:
        vectors = None if self.vectors is None else self.vectors[rows]
        return guide.probabilities(self.X[rows], vectors)


def forecast(
    curve: LearningCurve,
    more: Sequence[int] = DEFAULT_MORE_LABELS,
    *,
    resamples: int = N_RESAMPLES,
    seed: int = 0,
) -> Forecast:
    """Extrapolate a curve; its last size is the present number of labels."""
    if len(curve.sizes) < 2:
        raise ModelError("A forecast needs scores at two or more numbers of labels.")
    rng = np.random.default_rng(seed)
    sizes_ahead = np.concatenate([[curve.sizes[-1]], curve.sizes[-1] + np.asarray(more)])
    drawn = np.array(
        [
            _extrapolate(curve.sizes, _resample(curve.scores, rng), sizes_ahead)
            for _ in range(resamples)
        ]
    )
    doublings = np.log2(sizes_ahead / sizes_ahead[0])
    spread = np.hypot(_spread(curve), _past_error(curve) * doublings)
    noise = rng.normal(size=drawn.shape) * spread
    low, high = np.quantile(np.clip(drawn + noise, 0, 1), BAND_QUANTILES, axis=0)
    expected = np.median(drawn, axis=0)
    return Forecast(float(expected[0]), tuple(more), expected[1:], low[1:], high[1:])


def _resample(scores: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The mean curve of orders drawn with replacement, each with a random weight."""
    weight = rng.dirichlet(np.ones(scores.shape[1]))
    return np.asarray(scores @ weight)


def _spread(curve: LearningCurve) -> float:
    """Standard error of a score: order of the labels, shape of the curve, choice of documents."""
    mean = curve.scores.mean(axis=1)
    order = float(np.median(curve.scores.std(axis=1)))
    shape = float(np.sqrt(np.mean((_extrapolate(curve.sizes, mean, curve.sizes) - mean) ** 2)))
    sampling = float(np.sqrt(max(mean[-1] * (1 - mean[-1]), 0) / curve.judged))
    return float(np.sqrt(order**2 + shape**2 + sampling**2))


def _past_error(curve: LearningCurve) -> float:
    """The error of a forecast made with half the labels, per doubling."""
    half = curve.sizes <= curve.sizes[-1] / 2
    if half.sum() < 2:
        return 0.0
    mean = curve.scores.mean(axis=1)
    then = _extrapolate(curve.sizes[half], mean[half], curve.sizes[-1:])
    doublings = np.log2(curve.sizes[-1] / curve.sizes[half][-1])
    return float(abs(then[0] - mean[-1]) / doublings)


def _extrapolate(sizes: np.ndarray, scores: np.ndarray, sizes_ahead: np.ndarray) -> np.ndarray:
    """The best c − a·n^(−b) at other sizes; a by least squares for every b and c on a grid."""
    best = float(scores.max())
    ceiling = (best + (MAX_CEILING - best) * CEILINGS)[None, :, None]
    basis = (sizes / sizes[-1])[None, None, :] ** -POWERS[:, None, None]
    weight = (sizes / sizes[-1])[None, None, :]  # later points count more
    gap = ceiling - scores
    slope = np.maximum((weight * gap * basis).sum(-1) / (weight * basis**2).sum(-1), 0)
    error = (weight * (gap - slope[..., None] * basis) ** 2).sum(-1)
    error = error + PENALTY_SCALE**2 * (CEILINGS[None, :] ** 2 + (POWERS[:, None] - 0.5) ** 2)
    b, c = np.unravel_index(int(error.argmin()), error.shape)
    power = (sizes_ahead / sizes[-1]) ** -POWERS[b]
    return np.minimum(ceiling[0, c, 0] - slope[b, c] * power, 1.0)
