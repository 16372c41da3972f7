"""What the guide learns from documents that nobody has labelled.

A name or a single labelled text knows few of the words that its topic is told in. But the documents
that are likeliest about the topic know many more, so each label also scores a document by how alike
it is to the mean of those, as far as they are likely to carry the label at all. How large a label
seems among them tells how often to expect it. How far to trust either, and what descriptions alone
would say, is learnt from the labelled documents (``core.guide.source_weights``), each judged as if
it had been left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.special import softmax

from core.engine.kernels.threads import each_part, one_by_one
from core.guide.balance import (
    SHARPNESS,
    USUAL_FOOTING,
    balance_of,
    choose_footing,
    judged_documents,
)
from core.guide.calibration import chances
from core.guide.linear import LinearScores
from core.guide.ridge import inverse_of
from core.guide.source_weights import SourceWeights, source_weights
from core.guide.views import Features

RIDGE_CALIBRATION = (10.0, -4.0)  # slope and offset that turn ridge scores into usual chances
DESCRIPTIONS_ALONE = SourceWeights(0.8, 0.0, 0.05)  # how names are read before any label
HALF_EVIDENCE = 1.0  # documents, by their chances, with which it counts half as much
EVEN_SHARE = 0.01  # of the documents that are counted as spread evenly over the labels
LEFT_OUT_SIZES = 0.25  # how far sizes are judged as if left out: a label's only text is most of it
TIE_TOLERANCE = 1e-4  # weights that differ by less, as a share, are the same but for rounding
N_FOLDS = 3  # parts of the teachers that are left out in turn
MAX_FOLD_TEACHERS = 600  # with more, one document hardly changes what a label finds
MAX_FOLD_SAMPLE = 1000  # unlabelled documents that are enough for a fold


@dataclass(frozen=True)
class SelfTraining:
    """What a guide knows from labelled and unlabelled documents together."""

    linear: LinearScores
    left_out: np.ndarray  # scores of labelled documents, each as if it had never been seen


def self_train(
    features: Features,
    carried: np.ndarray,
    inverse: np.ndarray,
    dual: np.ndarray,
    sample: Features,
    left_out: np.ndarray,
) -> SelfTraining:
    """Learn from a sample of unlabelled documents.

    ``features``, ``carried`` labels, ``inverse`` and ``dual`` are those of the ridge regression
    over the teachers, ``left_out`` its scores of labelled documents as if left out.
    """
    n, taught = len(left_out), np.asarray(carried.any(axis=0))
    descriptions = _descriptions_alone(features, carried, n, sample)
    if not n:
        return SelfTraining(descriptions, left_out)
    linear = LinearScores.from_dual(features, dual)
    seen = _scores(linear, sample)
    footing = choose_footing(seen[:, taught], carried[:n, taught], left_out[:, taught])
    balance = balance_of(seen, taught, footing)
    linear, balanced = balance.of(linear), left_out * balance.scale + balance.shift
    found, size = learn_from_unlabelled(linear, sample, taught)
    labelled = features.at(np.arange(n))
    likeliest, named = found.of(labelled), descriptions.of(labelled)
    sizes = np.tile(size, (n, 1))
    if n <= MAX_FOLD_TEACHERS:
        few = sample.at(np.arange(0, len(sample), -(-len(sample) // MAX_FOLD_SAMPLE)))
        theirs = features.astype(sample.words.dtype)

        def leave_out(rows: np.ndarray) -> None:
            without = _dual_without(rows, inverse, dual).astype(sample.words.dtype)
            less = LinearScores.from_dual(theirs, without)
            known = np.asarray(np.delete(carried, rows, axis=0).any(axis=0))
            own = balance_of(_scores(less, few), known, footing)
            learnt, sizes[rows] = learn_from_unlabelled(own.of(less), few, known)
            balanced[rows] = left_out[rows] * own.scale + own.shift
            likeliest[rows] = learnt.of(theirs.at(rows))

        folds = _folds(features.words[:n])
        each_part(lambda fold, _: leave_out(folds[fold]), one_by_one(len(folds)))
    judged = judged_documents(carried[:n])
    sources = (balanced, likeliest, named, size + LEFT_OUT_SIZES * (sizes - size))
    weights = source_weights(
        [source[np.ix_(judged, taught)] for source in sources], carried[np.ix_(judged, taught)]
    )
    named_too = (weights.descriptions, descriptions)
    trusted = linear.plus((weights.likeliest, found), named_too).raised(weights.size * size)
    scores = balanced + weights.likeliest * likeliest + weights.descriptions * named
    return SelfTraining(trusted, scores + weights.size * sizes)


def _descriptions_alone(
    features: Features, carried: np.ndarray, n_documents: int, sample: Features
) -> LinearScores:
    """What names and codebook would say if nobody had labelled a document."""
    rows = np.arange(n_documents, len(features))
    theirs, taught = features.at(rows), np.asarray(carried[rows].any(axis=0))
    dual = inverse_of(theirs, np.ones(rows.size)) @ carried[rows] if rows.size else carried[rows]
    linear = LinearScores.from_dual(theirs, dual)
    linear = balance_of(_scores(linear, sample), taught, USUAL_FOOTING).of(linear)
    found, size = learn_from_unlabelled(linear, sample, taught)
    usual = DESCRIPTIONS_ALONE
    return linear.plus((usual.likeliest, found)).raised(usual.size * size)


def _scores(linear: LinearScores, sample: Features) -> np.ndarray:
    return linear.astype(sample.words.dtype).of(sample)


def _folds(words: sp.csr_array) -> list[np.ndarray]:
    """Parts of the labelled documents, by what they say alone.

    So the order of the documents does not matter, and copies are left out together.
    """
    drawn = np.random.default_rng(0).random(words.shape[1])
    part = np.floor(N_FOLDS * np.modf(1000 * (words @ drawn))[0])
    folds = (np.flatnonzero(part == fold) for fold in range(N_FOLDS))
    return [rows for rows in folds if rows.size]


def _dual_without(rows: np.ndarray, inverse: np.ndarray, dual: np.ndarray) -> np.ndarray:
    """The ridge solution without some of the teachers, which get zeros."""
    return dual - inverse[:, rows] @ np.linalg.solve(inverse[np.ix_(rows, rows)], dual[rows])


def learn_from_unlabelled(
    linear: LinearScores, sample: Features, taught: np.ndarray
) -> tuple[LinearScores, np.ndarray]:
    """Scores by each taught label's likeliest documents, and the log of how large it seems.

    ``sample`` are documents without labels. Labels that are not taught get zeros.
    """
    size = np.zeros(taught.size)
    if not taught.any():
        return linear.zeros(), size
    scores = _scores(linear, sample)[:, taught]
    shares = softmax(SHARPNESS * scores, axis=1)
    weights = _best_only(shares * chances(scores, *RIDGE_CALIBRATION))
    found = _weighted(_means(sample, weights), weights.sum(axis=1), sample, taught)
    even = EVEN_SHARE * len(sample) / max(shares.shape[1], 1)
    counts = shares.sum(axis=0) + even
    size[taught] = np.log(counts / counts.mean())
    return found, size


def _best_only(weights: np.ndarray) -> sp.csr_array:
    """Labels × documents: each document counts for its likeliest label.

    Labels known by the same texts are equally likely, so that rounding must not choose.
    """
    largest = (1 - TIE_TOLERANCE) * weights.max(axis=1, keepdims=True, initial=0)
    return sp.csr_array(np.where(weights >= largest, weights, 0).T)


def _means(sample: Features, weights: sp.csr_array) -> LinearScores:
    """The mean document of each label in each view, of length one."""
    meaning = None if sample.meaning is None else _unit(weights @ sample.meaning).T
    return LinearScores(
        words=_unit((weights @ sample.words).toarray()).T,
        places=_unit(weights @ sample.places).T,
        meaning=meaning,
        constant=np.zeros(weights.shape[0]),
    )


def _weighted(
    means: LinearScores, evidence: np.ndarray, sample: Features, taught: np.ndarray
) -> LinearScores:
    """For all labels; around the mean over the sample, so that no label is favoured.

    ``evidence`` is how many documents each mean is made of, as far as they carry the label.
    """
    constant = -means.of(sample.mean())[0]
    weight = evidence / (evidence + HALF_EVIDENCE)

    def spread(columns: np.ndarray) -> np.ndarray:
        wide = np.zeros((*columns.shape[:-1], taught.size), columns.dtype)
        wide[..., taught] = weight * columns
        return wide

    meaning = None if means.meaning is None else spread(means.meaning)
    return LinearScores(spread(means.words), spread(means.places), meaning, spread(constant))


def _unit(rows: np.ndarray) -> np.ndarray:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-30))
