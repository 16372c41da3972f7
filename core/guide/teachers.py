"""What the guide learns from: labelled documents, and what people wrote about the labels.

A label's name, its codebook entry and its seed words are read as one more document that carries
the label. It counts as much as a labelled document while there is none, and less with each one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from core.guide.views import Features, Views
from core.supervision import Supervision
from core.values import ArrayValue

DESCRIPTION_WEIGHT = 1.0  # of a description, in labelled documents, while its label has none
HALVING_LABELS = 3  # labelled documents that halve the weight of a description
MAX_TEACHERS = 2000  # labelled documents the guide learns from; beyond, a sample of them


@dataclass(frozen=True, eq=False)
class Descriptions(ArrayValue):
    """What people wrote about each label, as a row over the same terms as the documents."""

    rows: sp.csr_array  # (n_labels, n_terms); a row of zeros says nothing
    vectors: np.ndarray | None = None  # (n_labels, n_dimensions), if documents have vectors

    @property
    def informative(self) -> np.ndarray:
        """Labels whose description says something: (n_labels,) bool."""
        by_words = np.diff(self.rows.indptr) > 0
        return by_words if self.vectors is None else by_words | self.vectors.any(axis=1)

    def unit_row(self, label: int) -> np.ndarray:
        """The words of one description, of length one; zeros if none of them is known."""
        row = self.rows[[label]].toarray().ravel()
        return np.asarray(row / max(float(np.linalg.norm(row)), 1e-30))


@dataclass(frozen=True, eq=False)
class Teachers(ArrayValue):
    """Documents and descriptions, in this order.

    Each has a number: a document its position, the description of label j the number n_docs + j.
    """

    numbers: np.ndarray
    positions: np.ndarray  # of the documents
    weight: np.ndarray  # (n_teachers,) 1 for documents
    described: np.ndarray  # (n_labels,) bool: labels that a description teaches

    @classmethod
    def of(
        cls, supervision: Supervision, descriptions: Descriptions | None
    ) -> tuple[Teachers, np.ndarray]:
        """The teachers, and 1 where they carry a label: (n_teachers, n_labels)."""
        positions = teaching_documents(supervision)
        given = supervision.indicator()[positions].toarray()
        described = np.zeros(supervision.n_labels, bool)
        if descriptions is not None:
            described |= descriptions.informative
        which = np.flatnonzero(described)
        weight = description_weight(given.sum(axis=0)[which])
        teachers = cls(
            numbers=np.concatenate([positions, supervision.n_docs + which]),
            positions=positions,
            weight=np.concatenate([np.ones(positions.size), weight]),
            described=described,
        )
        return teachers, np.vstack([given, np.eye(supervision.n_labels)[which]])

    def __len__(self) -> int:
        return self.numbers.size

    def features(
        self,
        X: sp.csr_array,
        vectors: np.ndarray | None,
        descriptions: Descriptions | None,
        views: Views,
    ) -> Features:
        mine = None if vectors is None else vectors[self.positions]
        seen = views.features(X[self.positions], mine)
        if descriptions is None or not self.described.any():
            return seen
        which = np.flatnonzero(self.described)
        theirs = None if descriptions.vectors is None else descriptions.vectors[which]
        return seen.followed_by(views.features(descriptions.rows[which], theirs))


def description_weight(n_examples: np.ndarray) -> np.ndarray:
    """What a description counts beside so many labelled documents."""
    return DESCRIPTION_WEIGHT * HALVING_LABELS / (HALVING_LABELS + n_examples)


def teaching_documents(supervision: Supervision) -> np.ndarray:
    """Labelled documents, a steady sample of them if there are very many.

    Every position has its fixed rank, so one more label changes at most one place of the sample.
    """
    positions = np.flatnonzero(supervision.labelled)
    if positions.size > MAX_TEACHERS:
        rank = (positions.astype(np.uint64) * np.uint64(2654435761)) % np.uint64(2**32)
        positions = np.sort(positions[np.argsort(rank, kind="stable")[:MAX_TEACHERS]])
    return positions
