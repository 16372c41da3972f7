"""What people said about the documents, as the view that each model reads.

=======================  =========================  ==========================
view                     shape                      letter in its paper
=======================  =========================  ==========================
``topic_mask(k)``        (n_docs, k) bool           L in TS-NMF
``row_weight(...)``      (n_docs,)                  E in TS-NMF, one per row
``indicator()``          (n_docs, n_labels) sparse  Yᵀ in SSNMF
``labelled``             (n_docs,) bool             L in SSNMF
``ties()``               (n_docs, n_free) sparse    A in CNMF
``groups()``             (n_docs, n_groups) sparse  Δ in supervised vbNMF
``hierarchy``            {child: parents} by level  nodes of PFA-SSI
=======================  =========================  ==========================
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp

from core.errors import SupervisionError

CONFIDENCE = {"unsure": 0.5, "sure": 1.0, "expert": 2.0}
LabelledWeight = Literal["inverse_rate"] | float


@dataclass(frozen=True, kw_only=True)
class Supervision:
    """Which labels some of the documents carry, may not carry, and how sure we are.

    The first ``n_labels`` topics of a model belong to the labels, in order; the others are free.
    """

    names: tuple[str, ...]
    permitted: sp.csr_array  # (n_docs, n_labels) bool
    forbidden: sp.csr_array  # (n_docs, n_labels) bool
    nothing_fits: np.ndarray  # (n_docs,) bool
    confidence: np.ndarray  # (n_docs,) float, 1 where nobody said
    hierarchy: tuple[Mapping[str, tuple[str, ...]], ...] = ()
    targets: np.ndarray | None = field(default=None)  # real-valued Y, for regression

    @classmethod
    def of(
        cls,
        labels: Any,
        names: Sequence[str] | None = None,
        *,
        confidence: Sequence[float | str | None] | None = None,
        forbidden: Sequence[Iterable[str]] | None = None,
        hierarchy: Sequence[Mapping[str, Iterable[str]]] | None = None,
        targets: Any = None,
        nothing_fits: Sequence[bool] | None = None,
    ) -> Supervision:
        """From lists of label names, an indicator matrix, or integers with −1 for unlabelled.

        ``[]`` means unlabelled. Without ``names`` the labels found are taken in sorted order.
        """
        if isinstance(labels, Supervision):
            return labels
        barred = None if forbidden is None else _loud(forbidden)
        permitted, names = _permitted_and_names(labels, names, barred or {})
        n_docs = permitted.shape[0]
        _sized(forbidden, n_docs, "forbidden")
        supervision = cls(
            names=tuple(names),
            permitted=permitted,
            forbidden=_indicator(n_docs, barred or {}, names),
            nothing_fits=_flags(_sized(nothing_fits, n_docs, "nothing_fits"), n_docs),
            confidence=_confidence(_sized(confidence, n_docs, "confidence"), n_docs),
            hierarchy=tuple(
                {child: _names(parents) for child, parents in level.items()}
                for level in hierarchy or ()
            ),
            targets=None if targets is None else _targets(targets, n_docs),
        )
        supervision._check()
        return supervision

    @classmethod
    def none(cls, n_docs: int) -> Supervision:
        """Nobody has labelled anything."""
        return cls.of_some(n_docs, (), {})

    @classmethod
    def of_some(
        cls,
        n_docs: int,
        names: Sequence[str],
        labels: Mapping[int, Iterable[str]],
        *,
        confidence: Mapping[int, float | str | None] | None = None,
        forbidden: Mapping[int, Iterable[str]] | None = None,
        nothing_fits: Collection[int] = (),
    ) -> Supervision:
        """The same as ``of`` where few of many documents are labelled, told by position."""
        said = [{at: _names(row) for at, row in each.items()} for each in (labels, forbidden or {})]
        _require_known(names, _found(*said))
        given = confidence or {}
        numbers = np.ones(n_docs)
        numbers[list(given)] = _confidence(list(given.values()), len(given))
        flags = np.zeros(n_docs, dtype=bool)
        flags[list(nothing_fits)] = True
        supervision = cls(
            names=tuple(names),
            permitted=_indicator(n_docs, said[0], names),
            forbidden=_indicator(n_docs, said[1], names),
            nothing_fits=flags,
            confidence=numbers,
        )
        supervision._check()
        return supervision

    @property
    def n_docs(self) -> int:
        return self.permitted.shape[0]

    @property
    def n_labels(self) -> int:
        return len(self.names)

    @property
    def labelled(self) -> np.ndarray:
        """Documents that carry a label, or of which someone said that nothing fits."""
        return (np.diff(self.permitted.indptr) > 0) | self.nothing_fits

    def indicator(self) -> sp.csr_array:
        """1 where a document carries a label."""
        return self.permitted.astype(np.float64)

    def counts(self) -> dict[str, int]:
        """How many documents carry each label."""
        carried = np.bincount(self.permitted.indices, minlength=self.n_labels)
        return dict(zip(self.names, carried.tolist(), strict=True))

    def topic_mask(self, n_topics: int) -> np.ndarray:
        """True where a topic is permitted (L).

        An unlabelled document may use every topic but the forbidden ones; a labelled one only its
        labels' topics; where nothing fits, only the free topics are left.
        """
        n_labels = self.n_labels
        if n_topics < n_labels:
            raise SupervisionError(
                f"{n_labels} labels need at least as many topics, but n_topics is {n_topics}."
            )
        mask = np.ones((self.n_docs, n_topics), dtype=bool)
        carries = np.diff(self.permitted.indptr) > 0
        mask[carries] = False
        mask[:, :n_labels][self.permitted.nonzero()] = True
        mask[:, :n_labels][self.forbidden.nonzero()] = False
        mask[self.nothing_fits, :n_labels] = False
        return mask

    def row_weight(
        self, labelled_weight: LabelledWeight = "inverse_rate", n_topics: int | None = None
    ) -> np.ndarray:
        """How much each document's error counts (E): labelled ones more, by confidence.

        With ``n_topics`` given, documents that no topic may explain count nothing.
        """
        labelled = self.labelled
        weight = np.ones(self.n_docs)
        if labelled.any():
            gain = _gain(labelled_weight, labelled)
            weight[labelled] = gain * self.confidence[labelled]
        if n_topics is not None and n_topics == self.n_labels:
            weight[self.nothing_fits] = 0.0
        return weight

    def ties(self) -> sp.csr_array:
        """Rows of A in CNMF: documents of one label share a row of Z; the others own theirs.

        A document with several labels is tied to the mean of their rows.
        """
        rows = self.groups(unlabelled_group=False)
        alone = np.flatnonzero(np.diff(rows.indptr) == 0)
        own = sp.csr_array(
            (np.ones(alone.size), (alone, np.arange(alone.size))), shape=(self.n_docs, alone.size)
        )
        return sp.csr_array(sp.hstack([rows, own]))

    def groups(self, *, unlabelled_group: bool = True) -> sp.csr_array:
        """Rows sum to one over the labels a document carries (Δ).

        Documents without a label form a last group of their own, if asked.
        """
        counts = np.diff(self.permitted.indptr)
        rows = self.indicator()
        rows.data /= np.repeat(counts, counts)
        if not unlabelled_group:
            return rows
        alone = (counts == 0).astype(np.float64)[:, None]
        return sp.csr_array(sp.hstack([rows, sp.csr_array(alone)]))

    def _check(self) -> None:
        both = (self.permitted.multiply(self.forbidden)).tocoo()
        if both.nnz:
            document, label = int(both.row[0]), self.names[int(both.col[0])]
            raise SupervisionError(
                f"Document {document + 1} has “{label}” both permitted and forbidden."
            )
        carries = np.diff(self.permitted.indptr) > 0
        clash = np.flatnonzero(carries & self.nothing_fits)
        if clash.size:
            raise SupervisionError(f"Document {clash[0] + 1} has labels, yet “nothing fits”.")


def _gain(labelled_weight: LabelledWeight, labelled: np.ndarray) -> float:
    if labelled_weight == "inverse_rate":
        return labelled.size / int(labelled.sum())
    wrong = isinstance(labelled_weight, (str, bool, type(None)))
    if wrong or not 0 < float(labelled_weight) < np.inf:
        raise SupervisionError(
            f"labelled_weight must be “inverse_rate” or a positive number, not {labelled_weight!r}."
        )
    return float(labelled_weight)


Rows = Mapping[int, tuple[str, ...]]  # label names by document; those without any are left out


def _permitted_and_names(
    labels: Any, names: Sequence[str] | None, forbidden: Rows
) -> tuple[sp.csr_array, list[str]]:
    """Whatever the caller had, as one row per document."""
    if sp.issparse(labels) or (isinstance(labels, np.ndarray) and labels.ndim == 2):
        matrix: Any = labels
        return _from_indicator(sp.csr_array(matrix, copy=True), names)
    values = list(np.asarray(labels) if hasattr(labels, "__array__") else labels)
    if values and all(isinstance(value, (int, float, np.number, np.bool)) for value in values):
        return _from_integers(_whole(values), names)
    rows = _loud(values)
    found = _found(rows, forbidden)
    given = sorted(found) if names is None else list(names)
    _require_known(given, found)
    return _indicator(len(values), rows, given), given


def _loud(values: Iterable[Any]) -> Rows:
    """The documents of which something is said; None says as little as an empty list."""
    return {
        at: _names(row)
        for at, row in enumerate(values)
        if not (row is None or (isinstance(row, (tuple, list)) and not row))
    }


def _names(given: Any) -> tuple[str, ...]:
    """A plain string is one name."""
    if isinstance(given, str):
        return (given,)
    try:
        return tuple(given)
    except TypeError:
        raise SupervisionError(f"Expected a name or a list of names, not {given!r}.") from None


def _found(*said: Rows) -> set[str]:
    found = {label for rows in said for row in rows.values() for label in row}
    for odd in (label for label in found if not isinstance(label, str)):
        raise SupervisionError(f"A label's name is a text, not {odd!r}; give 0 and 1 as an array.")
    return found


def _require_known(names: Sequence[str], found: Collection[str]) -> None:
    if len(set(names)) != len(names):
        raise SupervisionError("Two labels have the same name.")
    unknown = set(found) - set(names)
    if unknown:
        raise SupervisionError(f"Unknown label “{min(unknown)}”.")


def _from_indicator(
    matrix: sp.csr_array, names: Sequence[str] | None
) -> tuple[sp.csr_array, list[str]]:
    given = list(names) if names is not None else [f"label {j + 1}" for j in range(matrix.shape[1])]
    if len(given) != matrix.shape[1]:
        raise SupervisionError(f"{len(given)} names for {matrix.shape[1]} columns of labels.")
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    return _csr(np.diff(matrix.indptr), matrix.indices, len(given)), given


def _whole(values: list[Any]) -> list[int]:
    if not all(float(value).is_integer() for value in values):
        raise SupervisionError("Labels are names or whole numbers; real values go into targets.")
    return [int(value) for value in values]


def _from_integers(
    values: list[int], names: Sequence[str] | None
) -> tuple[sp.csr_array, list[str]]:
    n_labels = max(values) + 1
    given = list(names) if names is not None else [f"label {j + 1}" for j in range(n_labels)]
    if n_labels > len(given) or min(values) < -1:
        raise SupervisionError("Integer labels run from 0, with −1 for an unlabelled document.")
    column = np.array(values)
    return _csr(column >= 0, column[column >= 0], len(given)), given


def _indicator(n_docs: int, rows: Rows, names: Sequence[str]) -> sp.csr_array:
    """True where a document carries a name."""
    column = {name: j for j, name in enumerate(names)}
    places = sorted(rows)
    lists = [sorted({column[label] for label in rows[at]}) for at in places]
    counts = np.zeros(n_docs, dtype=np.int64)
    counts[places] = [len(each) for each in lists]
    return _csr(counts, [j for each in lists for j in each], len(names))


def _csr(counts: np.ndarray, columns: Any, n_columns: int) -> sp.csr_array:
    indptr = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    indices = np.array(columns, dtype=np.int32)
    data = np.ones(indices.size, dtype=bool)
    return sp.csr_array((data, indices, indptr), shape=(len(counts), n_columns))


def _sized(values: Sequence[Any] | None, n_docs: int, what: str) -> Sequence[Any] | None:
    if values is not None and len(values) != n_docs:
        raise SupervisionError(f"{what}: {len(values)} values for {n_docs} documents.")
    return values


def _flags(values: Sequence[bool] | None, n_docs: int) -> np.ndarray:
    return np.zeros(n_docs, dtype=bool) if values is None else np.array(values, dtype=bool)


def _confidence(values: Sequence[float | str | None] | None, n_docs: int) -> np.ndarray:
    if values is None:
        return np.ones(n_docs)
    try:  # a few different values stand for many documents
        number = {
            v: CONFIDENCE[v] if isinstance(v, str) else 1.0 if v is None else float(v)
            for v in set(values)
        }
    except KeyError as error:
        raise SupervisionError(
            f"Confidence is unsure, sure or expert, not {error.args[0]!r}."
        ) from None
    result = np.fromiter(map(number.__getitem__, values), np.float64, len(values))
    if not (np.isfinite(result).all() and (result > 0).all()):
        raise SupervisionError("Confidence must be a positive number.")
    return result


def _targets(values: Any, n_docs: int) -> np.ndarray:
    array = np.asarray(values, dtype=np.float64)
    array = array[:, None] if array.ndim == 1 else array
    if array.shape[0] != n_docs:
        raise SupervisionError(f"targets: {array.shape[0]} rows for {n_docs} documents.")
    return array
