"""Cross-validation: every label is held out once, and a fit without it predicts it.

Labelled documents are divided into five folds by their position in the corpus, so a document stays
in its fold whatever is labelled later. For each fold the model is fitted again without the labels
of the fold and judged by them. The model on screen uses all labels; it is somewhat better than
these scores. Locks are left out of these fits: the words of a locked topic were learnt from all
labels, those of the fold among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

from core.engine.descent import Callback, Progress
from core.engine.gibbs.levels import with_levels
from core.engine.limits import Steering
from core.evaluation.label_names import name_after_labels
from core.evaluation.scoring import HeldOutDocuments
from core.evaluation.subsets import matrix_rows, supervision_rows, without_labels
from core.fitting import fit
from core.matrix import DocumentTermMatrix
from core.spec import ModelSpec
from core.supervision import Supervision, TopicKey
from core.topics import Topics

N_FOLDS = 5
MIN_LABELS_FOR_SCORES = 20  # labelled documents; a share of fewer is too uncertain to show
MAX_DOCUMENTS = 20_000  # that the fits read; more would take long and change little

ReportShare = Callable[[float], bool | None]


def cross_validate(
    matrix: DocumentTermMatrix,
    supervision: Supervision,
    spec: ModelSpec,
    *,
    folds: int = N_FOLDS,
    steering: Steering[Any] | None = None,
    groups: Mapping[str, Sequence[str]] | None = None,
    report: ReportShare | None = None,
) -> HeldOutDocuments | None:
    """Every labelled document with the topic weights of a fit that did not know its labels.

    ``steering`` is what people said about words; ``groups`` are columns that divide documents into
    groups, lowest level first, for a model that uses them; ``report`` is called with the share of
    the work that is done and cancels by returning True. None where labels are too few.
    """
    if not has_enough_labels(supervision):
        return None
    rows = _choose_documents(supervision)
    small, known = matrix_rows(matrix, rows), supervision_rows(supervision, rows)
    columns = {name: [cells[row] for row in rows] for name, cells in (groups or {}).items()}
    words = None if steering is None else steering.unlocked()
    fit_model = partial(_fit_named, small, spec, words, columns)
    parts = list(_predict_folds(known, fold_of(rows, folds), fit_model, report))
    order = np.argsort(np.concatenate([where for where, _ in parts]), kind="stable")
    where = np.concatenate([where for where, _ in parts])[order]
    width = max(weights.shape[1] for _, weights in parts)
    wide = [np.pad(weights, ((0, 0), (0, width - weights.shape[1]))) for _, weights in parts]
    free = tuple(f"Free {number + 1}" for number in range(width - known.n_labels))
    return HeldOutDocuments(
        positions=rows[where],
        truth=sp.csr_array(known.indicator()[where]),
        names=known.names,
        doc_topic=np.concatenate(wide)[order],
        topic_names=known.names + free,
    )


def has_enough_labels(supervision: Supervision) -> bool:
    """Whether enough documents are labelled, with at least two different labels."""
    carried = np.diff(supervision.permitted.indptr) > 0
    used = np.unique(supervision.permitted.indices).size
    return bool(carried.sum() >= MIN_LABELS_FOR_SCORES and used >= 2)


def fold_of(positions: np.ndarray, folds: int = N_FOLDS) -> np.ndarray:
    """The fold of each position: a hash of the position, so it never changes."""
    return (_hash(positions) * np.uint64(folds) >> np.uint64(32)).astype(np.intp)


def _predict_folds(
    supervision: Supervision,
    fold: np.ndarray,
    fit_model: Callable[[Supervision, Callback | None], Topics],
    report: ReportShare | None,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Documents of each fold, with their weights by label and by free topic."""
    labelled = np.flatnonzero(np.diff(supervision.permitted.indptr) > 0)
    present = np.unique(fold[labelled])
    for done, number in enumerate(present):
        rows = labelled[fold[labelled] == number]
        callback = _report_share(report, done, len(present))
        topics = fit_model(without_labels(supervision, rows), callback)
        yield rows, _weights_by_label(topics, supervision.keys, rows)


def _fit_named(
    matrix: DocumentTermMatrix,
    spec: ModelSpec,
    steering: Steering[Any] | None,
    groups: Mapping[str, Sequence[str]],
    training: Supervision,
    callback: Callback | None,
) -> Topics:
    """Fit the training labels; the topics are named after labels."""
    grouped = with_levels(training, groups, tuple(groups))
    topics = fit(matrix, grouped, spec, callback=callback, steering=steering)
    return topics if spec.labels_own_topics else name_after_labels(topics, training)


def _weights_by_label(topics: Topics, keys: tuple[TopicKey, ...], rows: np.ndarray) -> np.ndarray:
    """Weights with a column per label, zero where no topic has its key, then the others."""
    weights = topics.doc_topic[rows]
    out = np.zeros((rows.size, len(keys)), weights.dtype)
    for label, key in enumerate(keys):
        if (column := topics.column(key)) is not None:
            out[:, label] = weights[:, column]
    rest = [k for k, key in enumerate(topics.keys) if key not in set(keys)]
    return np.hstack([out, weights[:, rest]])


def _report_share(report: ReportShare | None, done: int, of: int) -> Callback | None:
    if report is None:
        return None

    def callback(progress: Progress) -> bool | None:
        return report((done + progress.iteration / progress.max_iter) / of)

    return callback


def _choose_documents(supervision: Supervision) -> np.ndarray:
    """All documents, or the same sample of them every time, labelled ones first."""
    n_docs = supervision.n_docs
    if n_docs <= MAX_DOCUMENTS:
        return np.arange(n_docs)
    key = _hash(np.arange(n_docs)).astype(np.int64)
    order = np.argsort(key - (supervision.labelled.astype(np.int64) << 33), kind="stable")
    return np.sort(order[:MAX_DOCUMENTS])


def _hash(positions: np.ndarray) -> np.ndarray:
    mixed = positions.astype(np.uint64) * np.uint64(2654435761)
    mixed ^= mixed >> np.uint64(15)
    return (mixed * np.uint64(2246822519)) % np.uint64(2**32)
