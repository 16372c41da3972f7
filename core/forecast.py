"""What would help: which topics lack labels, and what more labels would bring.

``learning_curve`` trains the guide on growing parts of the labels and judges every labelled
document by a guide that has not seen it. ``forecast`` continues the curve: scores of learners
follow s(n) = c − a·n^(−b), so that is fitted to resampled copies of the points, and the spread
of what the copies predict, with the spread of the points themselves, is the band.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy.sparse as sp

from core.errors import ModelError
from core.guide import RIDGE, kernel
from core.latent import latent_of, lengths
from core.supervision import Supervision
from core.topics import Topics

MORE = (25, 50, 100)
LEAST = 30  # labelled documents below which nothing can be foreseen
PARTS = (0.2, 0.3, 0.45, 0.65, 0.85, 1.0)  # of the labels
REPEATS = 12  # orders in which the labels might have come
RESAMPLES = 200
MOST = 600  # labelled documents that a curve is drawn from
SAMPLE = 2000  # documents that tell what the labelled ones stand for
EVEN = 0.2  # how much every labelled document counts whatever it stands for
BAND = (0.1, 0.9)
POWERS = np.linspace(0.1, 1.5, 15)  # b
CEILINGS = np.linspace(0.0, 1.0, 21)  # c, from the best score seen up to TALL
TALL = 1.5  # above 1, because a curve at its beginning still steepens; scores are cut off at 1
MILD = 0.005  # how little a high ceiling and a steep power cost; decides where the points do not


@dataclass(frozen=True)
class LearningCurve:
    """Scores by number of labels; one column for each order in which the labels might come."""

    sizes: np.ndarray  # (n_sizes,)
    scores: np.ndarray  # (n_sizes, n_repeats)
    judged: float = np.inf  # documents that the scores rest on: few are a matter of luck


@dataclass(frozen=True)
class Forecast:
    """Scores to expect with more labels; eight times in ten the truth should lie in the band."""

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
    """How the labels are spread over the named topics, most in need first.

    ``share`` of the corpus by topic weight, ``labelled`` documents, ``fair`` the number it would
    have if labels followed the shares, and ``lack``: how far it is behind, but at least one label.
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
    X: sp.csr_array, supervision: Supervision, *, repeats: int = REPEATS, seed: int = 0
) -> LearningCurve | None:
    """How often the likeliest label is right, by number of labels; None if there are too few.

    Each labelled document is judged by a guide that learnt from others: the ones in the part by a
    guide that left them out, the rest by the guide of the part. A queue asks for the hard ones, so
    each counts by the number of documents that resemble it more than any other labelled one.
    """
    positions = np.flatnonzero(np.diff(supervision.permitted.indptr) > 0)
    rng = np.random.default_rng(seed)
    if positions.size < LEAST:
        return None
    if positions.size > MOST:
        positions = rng.choice(positions, MOST, replace=False)
    targets = supervision.permitted[positions].toarray().astype(np.float64)
    alike = kernel(X[positions], X[positions], latent_of(X))
    weight = _standing(X, positions, rng)
    sizes = np.unique(np.round(np.array(PARTS) * positions.size).astype(int))
    orders = [rng.permutation(positions.size) for _ in range(repeats)]
    scores = [[_hits(alike, targets, weight, order[:size]) for order in orders] for size in sizes]
    return LearningCurve(sizes, np.array(scores), float(1 / (weight @ weight)))


def _standing(X: sp.csr_array, positions: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """How much of the corpus each labelled document stands for; even shares are mixed in."""
    rows = np.setdiff1d(np.flatnonzero(np.diff(X.indptr) > 0), positions)
    sample = rng.choice(rows, min(SAMPLE, rows.size), replace=False)
    length = np.maximum(lengths(X[positions]), 1e-30)
    cosine = np.asarray((X[sample] @ X[positions].T).toarray()) / length
    alike = cosine.max(axis=1, initial=0) > 0
    nearest = cosine[alike].argmax(axis=1)
    count = np.bincount(nearest, minlength=positions.size) + SAMPLE * EVEN / positions.size
    return np.asarray(count / count.sum())


def _hits(alike: np.ndarray, targets: np.ndarray, weight: np.ndarray, part: np.ndarray) -> float:
    """Share of documents whose likeliest label is true when the guide learns from a part."""
    inverse = np.linalg.inv(alike[np.ix_(part, part)] + RIDGE * np.eye(part.size))
    dual = inverse @ targets[part]
    scores = alike[:, part] @ dual
    scores[part] = targets[part] - dual / np.maximum(np.diag(inverse), 1e-12)[:, None]
    best = scores.argmax(axis=1)
    return float(targets[np.arange(len(best)), best] @ weight)


def forecast(
    curve: LearningCurve,
    more: Sequence[int] = MORE,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Forecast:
    """Continue a curve; the last size is where we are now."""
    if len(curve.sizes) < 2:
        raise ModelError("A curve needs scores at two numbers of labels at least.")
    rng = np.random.default_rng(seed)
    ahead = np.concatenate([[curve.sizes[-1]], curve.sizes[-1] + np.asarray(more)])
    drawn = np.array(
        [_continued(curve.sizes, _resampled(curve.scores, rng), ahead) for _ in range(resamples)]
    )
    doublings = np.log2(ahead / ahead[0])
    spread = np.hypot(_spread(curve), _missed_before(curve) * doublings)
    noise = rng.normal(size=drawn.shape) * spread
    low, high = np.quantile(np.clip(drawn + noise, 0, 1), BAND, axis=0)
    expected = np.median(drawn, axis=0)
    return Forecast(float(expected[0]), tuple(more), expected[1:], low[1:], high[1:])


def _resampled(scores: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The mean curve of orders drawn with replacement, each weighted anew."""
    weight = rng.dirichlet(np.ones(scores.shape[1]))
    return np.asarray(scores @ weight)


def _spread(curve: LearningCurve) -> float:
    """What a score may be off by: the labels' order, the curve's shape, and who was judged."""
    mean = curve.scores.mean(axis=1)
    order = float(np.median(curve.scores.std(axis=1)))
    shape = float(np.sqrt(np.mean((_continued(curve.sizes, mean, curve.sizes) - mean) ** 2)))
    luck = float(np.sqrt(max(mean[-1] * (1 - mean[-1]), 0) / curve.judged))
    return float(np.sqrt(order**2 + shape**2 + luck**2))


def _missed_before(curve: LearningCurve) -> float:
    """How far off a forecast from half the labels would have been: the curve may be another."""
    half = curve.sizes <= curve.sizes[-1] / 2
    if half.sum() < 2:
        return 0.0
    mean = curve.scores.mean(axis=1)
    then = _continued(curve.sizes[half], mean[half], curve.sizes[-1:])
    doublings = np.log2(curve.sizes[-1] / curve.sizes[half][-1])
    return float(abs(then[0] - mean[-1]) / doublings)


def _continued(sizes: np.ndarray, scores: np.ndarray, ahead: np.ndarray) -> np.ndarray:
    """The best c − a·n^(−b) at other sizes; a by least squares for every b and c on a grid."""
    best = float(scores.max())
    ceiling = (best + (TALL - best) * CEILINGS)[None, :, None]
    basis = (sizes / sizes[-1])[None, None, :] ** -POWERS[:, None, None]
    weight = (sizes / sizes[-1])[None, None, :]  # late points tell more about the end
    gap = ceiling - scores
    fall = np.maximum((weight * gap * basis).sum(-1) / (weight * basis**2).sum(-1), 0)
    error = (weight * (gap - fall[..., None] * basis) ** 2).sum(-1)
    error = error + MILD**2 * (CEILINGS[None, :] ** 2 + (POWERS[:, None] - 0.5) ** 2)
    b, c = np.unravel_index(int(error.argmin()), error.shape)
    power = (ahead / sizes[-1]) ** -POWERS[b]
    return np.minimum(ceiling[0, c, 0] - fall[b, c] * power, 1.0)
