"""Topic-supervised NMF.

MacMillan & Wilson (2017), *Topic supervised non-negative matrix factorization*, arXiv:1706.05084.

=======  ==========  ==================================================
paper    code        meaning
=======  ==========  ==================================================
V        X           document-term matrix, documents in rows
W ∘ L    W           document-topic weights, zero outside the mask
H        H           topic-term weights
L        mask        topics a document may use
E        weight      how much each document counts; constant along a row
=======  ==========  ==================================================

Minimises Σ_i e_i ‖v_i − (w_i ∘ l_i) H‖². The print squares E in the loss (15) but not in the
updates (16)–(17); we define E as the weight of the squared error, so the printed updates are exact.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_is_fitted

from core.errors import ModelError
from core.estimator import Matrix, check_number
from core.factorisation import Factorisation
from core.guide import LEAST_CHANCE, Guide, fit_guide, lengths
from core.kernels.parts import one_blas_thread
from core.losses import LossName
from core.solvers import solve_documents
from core.starts import Init
from core.supervision import LabelledWeight, Supervision

FULL = 0.1  # price of guidance 1, per unit of −log p and of a document's length
AUTO = (0.2, 0.4, 200)  # guidance with no labels, with many, and how many those are


class TSNMF(Factorisation):
    """X ≈ (W ∘ L) H: a labelled document uses only the topics of its labels.

    Parameters
    ----------
    n_topics
        Topics in all; the first belong to the labels, in order, and the others are free.
    labelled_weight
        How much a labelled document counts, times its confidence: a number, or ``"inverse_rate"``
        (documents per labelled document) as in the paper. With few labels a topic the paper's
        weight fits their few documents and little else, so the default is 1.
    guidance
        0 is the paper's model. Above 0, an unlabelled document pays for a topic as much as a
        classifier trained on the labelled ones doubts it (coordinate descent only); 1 follows the
        classifier closely, ``"auto"`` is what measured best. Labels are guarantees either way.
    loss, solver, init, max_iter, tol, random_state
        As in ``NMF``; ``init="labels"`` starts each topic from the mean of its labelled documents.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_terms), rows of unit length
    doc_topic_ : ndarray of shape (n_docs, n_topics), exactly zero where a topic is not permitted
    objective_ : the weighted loss reached; ``trace_`` holds it at every pass
    """

    labels_own_topics = True
    guide_: Guide | None
    teaching_: tuple[sp.csr_array, Supervision] | None
    _earlier: Guide | None

    def __init__(
        self,
        n_topics: int = 10,
        *,
        labelled_weight: LabelledWeight = 1.0,
        guidance: float | Literal["auto"] = "auto",
        loss: LossName = "frobenius",
        solver: str = "cd",
        init: Init = "labels",
        max_iter: int = 200,
        tol: float = 1e-4,
        random_state: Any = None,
    ) -> None:
        self.n_topics = n_topics
        self.labelled_weight = labelled_weight
        self.guidance = guidance
        self.loss = loss
        self.solver = solver
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def transform(self, X: Matrix) -> np.ndarray:
        """Topic weights of new documents; a guided model asks its guide about them."""
        check_is_fitted(self, "components_")
        if not self._guided() or self.guide_ is None:
            return super().transform(X)
        X = self._checked(X, reset=False)
        with one_blas_thread():
            price = self._price_of(X, self.guide_)
            return solve_documents(X, self.components_, price=price)

    def predict_proba(self, X: Matrix) -> np.ndarray:
        """Calibrated chances of every label, documents × labels; a document may have several."""
        check_is_fitted(self, "components_")
        X = self._checked(X, reset=False)
        return self._taught().probabilities(X)

    def _taught(self) -> Guide:
        """The guide; a pure model learns it when first asked."""
        if self.guide_ is None and self.teaching_ is not None:
            self.guide_ = fit_guide(*self.teaching_)
        if self.guide_ is None:
            raise ModelError("Nothing was labelled, so nothing can be predicted.")
        return self.guide_

    def predict(self, X: Matrix, *, least: float = 0.0) -> np.ndarray:
        """The likeliest label by its place in ``label_names_``; −1 if not even that is likely."""
        chances = self.predict_proba(X)
        return np.where(chances.max(axis=1) >= least, chances.argmax(axis=1), -1)

    def predict_labels(self, X: Matrix, *, least: float = 0.5) -> list[tuple[str, ...]]:
        """The labels of each document that are at least so likely, likeliest first; maybe none."""
        chances = self.predict_proba(X)
        order = np.argsort(-chances, axis=1, kind="stable")
        return [
            tuple(self.label_names_[j] for j in row if chance[j] >= least)
            for row, chance in zip(order, chances, strict=True)
        ]

    def fit(self, X: Matrix, y: Any = None, **fit_params: Any) -> TSNMF:
        """Fit to a document-term matrix; ``guide=`` hands on an earlier fit's ``guide_``."""
        self._earlier = fit_params.pop("guide", None)
        self.guide_ = None
        super().fit(X, y, **fit_params)
        del self._earlier
        return self

    def _guided(self) -> bool:
        return self.solver == "cd" and (self.guidance == "auto" or self.guidance > 0)

    def _strength(self, guide: Guide) -> float:
        """A guide that has seen few labels is trusted less; found by ``bench_labelling``."""
        if self.guidance != "auto":
            return float(self.guidance)
        few, many, enough = AUTO
        return few + (many - few) * min(1.0, guide.positions.size / enough)

    def _check_options(self) -> None:
        super()._check_options()
        if self.guidance != "auto":
            check_number("guidance", self.guidance)
            if self.guidance > 0 and self.solver != "cd":
                raise ModelError('Guidance needs solver="cd"; the printed updates have none.')

    def _price(self, X: sp.csr_array, supervision: Supervision) -> np.ndarray | None:
        told = np.flatnonzero(supervision.labelled)
        self.label_names_ = supervision.names
        self.teaching_ = (X, supervision) if told.size and supervision.n_labels else None
        if not self._guided() or self.teaching_ is None:
            return None
        guide = fit_guide(X, supervision, self._earlier)
        if guide is None:
            return None
        self.guide_ = guide
        price = self._price_of(X, guide)
        price[supervision.labelled] = 0
        return price

    def _price_of(self, X: sp.csr_array, guide: Guide) -> np.ndarray:
        """β ‖x‖ (−log p); a free topic is as likely as it is that no label applies."""
        chances, strength = guide.probabilities(X), self._strength(guide)
        free = self.n_topics - chances.shape[1]
        none = np.exp(np.log1p(-np.minimum(chances, 0.999)).sum(axis=1, keepdims=True))
        chances = np.hstack([chances, np.repeat(none, free, axis=1)])
        scale = (strength * FULL * lengths(X))[:, None]
        return (-scale * np.log(np.maximum(chances, LEAST_CHANCE))).astype(X.dtype)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags = ClassifierTags()  # it predicts, besides transforming
        return tags

    def _document_weight(self, supervision: Supervision) -> np.ndarray:
        return supervision.row_weight(self.labelled_weight, self.n_topics)
