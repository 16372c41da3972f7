"""Scores without a truth column: every label is kept aside once, and a fit without it is asked.

Labelled documents are cut into five parts by their place in the corpus, so a document stays in its
part whatever is labelled later. For each part the model is fitted afresh without the labels of the
part and judged by them. The model on screen uses all labels; it is somewhat better than this says.
Locks are left out of these fits: a locked topic's words were learnt from all labels, those of the
part among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import scipy.sparse as sp

from core.descent import Callback, Progress
from core.fitting import ModelSpec, fit
from core.levels import with_levels
from core.matrix import DocumentTermMatrix
from core.namesakes import with_namesakes
from core.scoring import Judgement, Score, score_judgement
from core.steering import Steering
from core.supervision import Supervision
from core.topics import Topics

FOLDS = 5
LEAST = 20  # labelled documents below which a share of them says nothing
SAMPLE = 20_000  # documents that the fits read; more would take long and change little


def held_out_scores(
    matrix: DocumentTermMatrix,
    supervision: Supervision,
    spec: ModelSpec,
    *,
    folds: int = FOLDS,
    steering: Steering[str] | None = None,
    groups: Mapping[str, Sequence[str]] | None = None,
    report: Callable[[float], bool | None] | None = None,
) -> dict[str, Score]:
    """Scores of a model on labels it was not told; none where labels are too few."""
    judged = held_out(
        matrix, supervision, spec, folds=folds, steering=steering, groups=groups, report=report
    )
    return {} if judged is None else score_judgement(judged)


def held_out(
    matrix: DocumentTermMatrix,
    supervision: Supervision,
    spec: ModelSpec,
    *,
    folds: int = FOLDS,
    steering: Steering[str] | None = None,
    groups: Mapping[str, Sequence[str]] | None = None,
    report: Callable[[float], bool | None] | None = None,
) -> Judgement | None:
    """Every labelled document with what a fit says that was not told its labels.

    ``steering`` is what people said about words; ``groups`` are columns that hang documents from
    groups, lowest first, for a model that hears of them; ``report`` hears how much is done and
    cancels by returning True.
    """
    if not enough(supervision):
        return None
    rows = _sample(supervision)
    small = _rows_of(matrix, rows)
    said = _at(supervision, rows)
    part = part_of(rows, folds)
    columns = {name: [cells[row] for row in rows] for name, cells in (groups or {}).items()}
    ask = partial(_asked, small, spec, None if steering is None else steering.unlocked(), columns)
    parts = list(_judged_parts(said, part, ask, report))
    order = np.argsort(np.concatenate([where for where, _ in parts]), kind="stable")
    where = np.concatenate([where for where, _ in parts])[order]
    width = max(weights.shape[1] for _, weights in parts)
    wide = [np.pad(weights, ((0, 0), (0, width - weights.shape[1]))) for _, weights in parts]
    free = tuple(f"Free {number + 1}" for number in range(width - said.n_labels))
    return Judgement(
        positions=rows[where],
        truth=sp.csr_array(said.indicator()[where]),
        names=said.names,
        doc_topic=np.concatenate(wide)[order],
        topic_names=said.names + free,
    )


def enough(supervision: Supervision) -> bool:
    """Whether there are labels to spare, and more than one to tell apart."""
    carried = np.diff(supervision.permitted.indptr) > 0
    used = np.unique(supervision.permitted.indices).size
    return bool(carried.sum() >= LEAST and used >= 2)


def part_of(positions: np.ndarray, folds: int = FOLDS) -> np.ndarray:
    """The part of each position: as good as drawn by lot, and the same for ever."""
    return (_rank(positions) * np.uint64(folds) >> np.uint64(32)).astype(np.intp)


def without(supervision: Supervision, rows: np.ndarray) -> Supervision:
    """As if nobody had said anything about these documents."""
    keep = np.ones(supervision.n_docs, dtype=bool)
    keep[rows] = False
    only = sp.diags_array(keep.astype(float))
    return replace(
        supervision,
        permitted=_emptied(only, supervision.permitted),
        forbidden=_emptied(only, supervision.forbidden),
        nothing_fits=supervision.nothing_fits & keep,
        confidence=np.where(keep, supervision.confidence, 1.0),
    )


def _emptied(only: sp.dia_array, marks: sp.csr_array) -> sp.csr_array:
    left = sp.csr_array(only @ marks.astype(float))
    left.eliminate_zeros()
    return left.astype(bool)


def _judged_parts(
    supervision: Supervision,
    part: np.ndarray,
    ask: Callable[[Supervision, Callback | None], Topics],
    report: Callable[[float], bool | None] | None,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Documents of each part, with their weights by label and by free topic."""
    carried = np.flatnonzero(np.diff(supervision.permitted.indptr) > 0)
    present = np.unique(part[carried])
    for done, number in enumerate(present):
        rows = carried[part[carried] == number]
        told = without(supervision, rows)
        topics = ask(told, _counting(report, done, len(present)))
        yield rows, by_label(topics, supervision.names, rows)


def _asked(
    matrix: DocumentTermMatrix,
    spec: ModelSpec,
    steering: Steering[str] | None,
    groups: Mapping[str, Sequence[str]],
    told: Supervision,
    callback: Callback | None,
) -> Topics:
    """A fit to what is told, its topics under the names of labels."""
    heard = with_levels(told, groups, tuple(groups))
    topics = fit(matrix, heard, spec, callback=callback, steering=steering)
    return topics if spec.obeys else with_namesakes(topics, told)[0]


def by_label(topics: Topics, names: tuple[str, ...], rows: np.ndarray) -> np.ndarray:
    """Weights with a column per label, zero where no topic bears its name, then the others."""
    column = {name: k for k, name in enumerate(topics.names)}
    out = np.zeros((rows.size, len(names)), topics.doc_topic.dtype)
    known = [label for label, name in enumerate(names) if name in column]
    out[:, known] = topics.doc_topic[rows][:, [column[names[label]] for label in known]]
    rest = [k for k, name in enumerate(topics.names) if name not in set(names)]
    return np.hstack([out, topics.doc_topic[rows][:, rest]])


def _counting(report: Callable[[float], bool | None] | None, done: int, of: int) -> Callback | None:
    if report is None:
        return None

    def callback(progress: Progress) -> bool | None:
        return report((done + progress.iteration / progress.max_iter) / of)

    return callback


def _sample(supervision: Supervision) -> np.ndarray:
    """All documents, or a steady choice of them, labelled ones first."""
    n_docs = supervision.n_docs
    if n_docs <= SAMPLE:
        return np.arange(n_docs)
    rank = _rank(np.arange(n_docs)).astype(np.int64)
    order = np.argsort(rank - (supervision.labelled.astype(np.int64) << 33), kind="stable")
    return np.sort(order[:SAMPLE])


def _rank(positions: np.ndarray) -> np.ndarray:
    mixed = positions.astype(np.uint64) * np.uint64(2654435761)
    mixed ^= mixed >> np.uint64(15)
    return (mixed * np.uint64(2246822519)) % np.uint64(2**32)


def _rows_of(matrix: DocumentTermMatrix, rows: np.ndarray) -> DocumentTermMatrix:
    if rows.size == len(matrix.doc_ids):
        return matrix
    ids = tuple(matrix.doc_ids[row] for row in rows)
    return replace(matrix, X=sp.csr_array(matrix.X[rows]), doc_ids=ids)


def _at(supervision: Supervision, rows: np.ndarray) -> Supervision:
    if rows.size == supervision.n_docs:
        return supervision
    return replace(
        supervision,
        permitted=sp.csr_array(supervision.permitted[rows]),
        forbidden=sp.csr_array(supervision.forbidden[rows]),
        nothing_fits=supervision.nothing_fits[rows],
        confidence=supervision.confidence[rows],
        targets=None if supervision.targets is None else supervision.targets[rows],
    )
