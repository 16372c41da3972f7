"""The guide: the classifier that labels, names and codebook teach.

One linear classifier per label, by ridge regression on three views of a document: its words, its
places along the corpus's main directions and its meaning (``core.guide.views``). It learns from
the labelled documents and from what people wrote about the labels (``core.guide.teachers``), and
from the documents that these make it think of (``core.guide.self_training``). The regression is
solved over these teachers, so one small inverse serves every label, gives each labelled document's
score *as if it had been left out*, and follows one more label by a rank-one update. The left-out
scores are honest, so they calibrate the probabilities, tell how good the guide is, and point at
labels that look wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sp

from core.engine.kernels.threads import each_part, row_blocks
from core.engine.products import RowsTimes
from core.guide.calibration import at_most_one_label, calibrate, chances
from core.guide.latent import Latent, lengths
from core.guide.linear import LinearScores
from core.guide.ridge import inverse_of, updated_inverse
from core.guide.self_training import self_train
from core.guide.teachers import Descriptions, Teachers
from core.guide.uncovered import uncovered_share
from core.guide.views import Features, Views, sample_of
from core.supervision import Supervision
from core.values import ArrayValue
from core.values.last_result import LastResult

RARE_LABEL_EXPONENT = 0.2  # how far labels of few examples are raised: 0 not at all
FIRST_EXAMPLES = 4  # up to so many examples count for the second exponent
FIRST_EXAMPLES_EXPONENT = 0.25  # how far a label that is known by its first examples is raised
BASE_COUNT = 0.2  # weight of a labelled document that resembles no other
TIE_TOLERANCE = 1e-6  # values this near are the same but for rounding
ASSUMED_SKILL = 0.5  # share of right first labels before any label says so
ASSUMED_COUNT = 5  # labelled documents that this assumption weighs as much as


@dataclass(frozen=True, eq=False, repr=False)
class Guide(ArrayValue):
    """Calibrated label probabilities for any document over the same terms."""

    coefficients: np.ndarray  # (n_terms, n_labels), for words
    direction_coefficients: np.ndarray  # (n_directions, n_labels), for latent directions
    meaning_coefficients: np.ndarray | None  # (n_dimensions, n_labels), for document vectors
    constant: np.ndarray  # (n_labels,)
    slope: float  # of the logistic curve from scores to probabilities
    offset: float
    positions: np.ndarray  # labelled documents it learnt from
    left_out: np.ndarray  # (n_positions, n_labels) probabilities of each, left out
    examples: np.ndarray  # (n_labels,) documents that teach each label
    skill: float  # how often the likeliest label is right, judged on documents left out
    uncovered: float  # share of documents that no label covers, as the labels given let expect
    views: Views = field(repr=False)
    teachers: Teachers = field(repr=False)
    descriptions: Descriptions | None = field(repr=False)
    inverse: np.ndarray = field(repr=False)  # of the ridge system; follows further labels
    last: LastResult[np.ndarray] = field(default_factory=LastResult, repr=False, compare=False)

    @property
    def latent(self) -> Latent:
        return self.views.latent

    @property
    def taught(self) -> np.ndarray:
        """Labels that the guide knows anything of, from documents or a description: bool."""
        return (self.examples > 0) | self.teachers.described

    def probabilities(self, X: sp.csr_array, vectors: np.ndarray | None = None) -> np.ndarray:
        """How likely each label is for each document: (n_docs, n_labels), not summing to one."""
        return self.last.of(X, lambda X: self._probabilities(X, vectors), vectors)

    def _probabilities(self, X: sp.csr_array, vectors: np.ndarray | None) -> np.ndarray:
        found = np.empty((X.shape[0], self.constant.size), X.dtype)
        places, length = self.latent.places(X), np.maximum(lengths(X), 1e-30)[:, None]
        times = RowsTimes(X, self.coefficients)

        def work(first: int, last: int) -> None:
            scores = times.rows(first, last)
            scores /= length[first:last]
            scores += places[first:last] @ self.direction_coefficients
            if self.meaning_coefficients is not None and vectors is not None:
                theirs = vectors[first:last]
                scores += self.views.meaning_scores(theirs, self.meaning_coefficients)
            scores += self.constant
            found[first:last] = chances(scores, self.slope, self.offset)

        each_part(work, row_blocks(len(found)))
        return found


def fit_guide(
    X: sp.csr_array,
    supervision: Supervision,
    earlier: Guide | None = None,
    *,
    vectors: np.ndarray | None = None,
    descriptions: Descriptions | None = None,
) -> Guide | None:
    """Learn from labelled documents and descriptions; None if there is neither.

    ``vectors`` are those of the documents. ``earlier``, a guide for the same matrix and vectors,
    saves the inverse when few labels have changed since.
    """
    teachers, carried = Teachers.of(supervision, descriptions)
    if not len(teachers):
        return None
    views = Views.of(X, vectors) if earlier is None else earlier.views
    features = teachers.features(X, vectors, descriptions, views)
    targets = carried * _target_scale(carried.sum(axis=0))
    inverse = _inverse(teachers, features, descriptions, earlier)
    dual = np.asarray(sp.csr_array(targets.T) @ inverse).T  # symmetric; few targets are not zero
    n = teachers.positions.size
    left_out = (targets - dual / np.maximum(np.diag(inverse), 1e-12)[:, None])[:n]
    labels = carried[:n]
    sample = sample_of(X, vectors, views).without(supervision.labelled)
    if sample is None:
        linear = LinearScores.from_dual(features, dual)
    else:
        found = self_train(features, carried, inverse, dual, sample, left_out)
        linear, left_out = found.linear, found.left_out
    slope, offset = calibrate(left_out, labels)
    if not n and sample is not None:
        offset = at_most_one_label(linear.of(sample)[:, carried.any(axis=0)], slope, offset)
    return Guide(
        coefficients=linear.words.astype(X.dtype),
        direction_coefficients=linear.places.astype(X.dtype),
        meaning_coefficients=None if linear.meaning is None else linear.meaning.astype(np.float32),
        constant=linear.constant.astype(X.dtype),
        slope=slope,
        offset=offset,
        positions=teachers.positions,
        left_out=chances(left_out, slope, offset),
        examples=labels.sum(axis=0).astype(np.intp),
        skill=_skill(left_out, labels, views.latent, features.places[:n]),
        uncovered=uncovered_share(labels, int((teachers.described & ~labels.any(axis=0)).sum())),
        views=views,
        teachers=teachers,
        descriptions=descriptions,
        inverse=inverse,
    )


def _inverse(
    teachers: Teachers,
    features: Features,
    descriptions: Descriptions | None,
    earlier: Guide | None,
) -> np.ndarray:
    if earlier is not None and descriptions == earlier.descriptions:
        updated = updated_inverse(teachers, features, earlier.teachers, earlier.inverse)
        if updated is not None:
            return updated
    return inverse_of(features, teachers.weight)


def _skill(left_out: np.ndarray, labels: np.ndarray, latent: Latent, places: np.ndarray) -> float:
    """Share of right first labels, each labelled document counting for those that resemble it.

    A queue offers hard documents first, so a plain mean would underrate the guide. A few labels
    say little, so they are counted together with what is assumed beforehand.
    """
    n = len(labels)
    right = 0.0
    if n:
        count = np.full(n, BASE_COUNT * len(latent.corpus) / n + 1e-9)
        if len(latent.corpus):
            count += _nearest_counts(latent.corpus @ places.T)
        right = float((_shared(left_out) * labels).sum(axis=1) @ count / count.sum())
    return (n * right + ASSUMED_COUNT * ASSUMED_SKILL) / (n + ASSUMED_COUNT)


def _nearest_counts(similarity: np.ndarray) -> np.ndarray:
    """How many rows each column is the largest of; columns that tie share a row."""
    largest = similarity >= similarity.max(axis=1, keepdims=True) - TIE_TOLERANCE
    rows, columns = np.nonzero(largest)
    share = 1 / np.bincount(rows, minlength=len(similarity))
    return np.bincount(columns, weights=share[rows], minlength=similarity.shape[1])


def _shared(values: np.ndarray) -> np.ndarray:
    """One for each row's largest value; equals share it, so that their order decides nothing."""
    largest = values >= values.max(axis=1, keepdims=True) - TIE_TOLERANCE
    return largest / largest.sum(axis=1, keepdims=True, dtype=values.dtype)


def _target_scale(counts: np.ndarray) -> np.ndarray:
    """Factors that raise the targets of labels with few examples.

    A label known by its name or its first texts would otherwise lose to those that have more, but
    a rare label among well-known ones is rare because it is.
    """
    has_examples = counts > 0
    if not has_examples.any():
        return np.ones(counts.shape)
    first = np.minimum(counts, FIRST_EXAMPLES)
    rare = (counts[has_examples].mean() / np.maximum(counts, 1)) ** RARE_LABEL_EXPONENT
    new = (first[has_examples].mean() / np.maximum(first, 1)) ** FIRST_EXAMPLES_EXPONENT
    return np.where(has_examples, rare * new, 1.0)
