"""Supervision: all annotations of a corpus, and the view of them that each model reads.

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
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp

from core.errors import SupervisionError
from core.values import ArrayValue, html_table
from core.values.label_forms import (
    found_names,
    indicator_of,
    names_of,
    read_labels,
    require_known,
    rows_with_names,
)

CONFIDENCE = {"unsure": 0.5, "sure": 1.0, "expert": 2.0}
LabelledWeight = Literal["inverse_rate"] | float
TopicKey = int | str  # what a topic is, whatever it is called: a store's id, or a name


@dataclass(frozen=True, kw_only=True, eq=False)
class Supervision(ArrayValue):
    """Which labels some of the documents carry, may not carry, and how sure we are.

    The first ``n_labels`` topics of a model belong to the labels, in order; the others are free.
    A label keeps its key when it is renamed; without ``keys`` the names are the keys.
    """

    names: tuple[str, ...]
    permitted: sp.csr_array  # (n_docs, n_labels) bool
    forbidden: sp.csr_array  # (n_docs, n_labels) bool
    nothing_fits: np.ndarray  # (n_docs,) bool
    confidence: np.ndarray  # (n_docs,) float, 1 by default
    hierarchy: tuple[Mapping[str, tuple[str, ...]], ...] = ()
    targets: np.ndarray | None = field(default=None)  # real-valued Y, for regression
    keys: tuple[TopicKey, ...] = ()  # one per name
    descriptions: tuple[str, ...] = ()  # what people wrote about each label; by default its name

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", self.keys or self.names)
        object.__setattr__(self, "descriptions", self.descriptions or self.names)

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
        """From the labels of every document, in one of four forms.

        Names: a list or a pandas column of names, or of lists of names; ``[]`` and gaps (None, NaN,
        ``pd.NA``) mean unlabelled, ``""`` is refused. Whole numbers from 0, with −1 or gaps for
        unlabelled. An indicator matrix, dense or sparse, documents × labels. An indicator frame of
        0 and 1 or of truth values, whose columns are the names.

        Without ``names`` the labels found are taken in sorted order.
        """
        if isinstance(labels, Supervision):
            return labels
        barred = rows_with_names(forbidden or ())
        permitted, names = read_labels(labels, names, barred)
        n_docs = permitted.shape[0]
        _sized(forbidden, n_docs, "forbidden")
        supervision = cls(
            names=tuple(names),
            permitted=permitted,
            forbidden=indicator_of(n_docs, barred, names),
            nothing_fits=_flags(_sized(nothing_fits, n_docs, "nothing_fits"), n_docs),
            confidence=_confidence(_sized(confidence, n_docs, "confidence"), n_docs),
            hierarchy=tuple(
                {child: names_of(parents) for child, parents in level.items()}
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
        """The same as ``of`` where few of many documents are labelled, by position."""
        carried = {at: names_of(row) for at, row in labels.items()}
        barred = {at: names_of(row) for at, row in (forbidden or {}).items()}
        require_known(names, found_names(carried, barred))
        given = confidence or {}
        numbers = np.ones(n_docs)
        numbers[list(given)] = _confidence(list(given.values()), len(given))
        flags = np.zeros(n_docs, dtype=bool)
        flags[list(nothing_fits)] = True
        supervision = cls(
            names=tuple(names),
            permitted=indicator_of(n_docs, carried, names),
            forbidden=indicator_of(n_docs, barred, names),
            nothing_fits=flags,
            confidence=numbers,
        )
        supervision._check()
        return supervision

    def __repr__(self) -> str:
        return (
            f"Supervision({self.n_labels} labels, {int(self.labelled.sum())} of {self.n_docs} "
            "documents labelled)"
        )

    def _repr_html_(self) -> str:
        title = f"{int(self.labelled.sum())} of {self.n_docs} documents labelled"
        return html_table(title, self.counts().items())

    def described(self, texts: Mapping[TopicKey, str]) -> Supervision:
        """The same labels with what people wrote about them, by key; the others keep theirs."""
        pairs = zip(self.keys, self.descriptions, strict=True)
        return replace(self, descriptions=tuple(texts.get(key, text) for key, text in pairs))

    @property
    def n_docs(self) -> int:
        return self.permitted.shape[0]

    @property
    def n_labels(self) -> int:
        return len(self.names)

    @property
    def labelled(self) -> np.ndarray:
        """Documents that carry a label, or are marked “nothing fits”."""
        return (np.diff(self.permitted.indptr) > 0) | self.nothing_fits

    def indicator(self) -> sp.csr_array:
        """1 where a document carries a label."""
        return self.permitted.astype(np.float64)

    def counts(self) -> dict[TopicKey, int]:
        """How many documents carry each label, by key."""
        carried = np.bincount(self.permitted.indices, minlength=self.n_labels)
        return dict(zip(self.keys, carried.tolist(), strict=True))

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

        Documents without a label form a last group of their own if ``unlabelled_group``.
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
