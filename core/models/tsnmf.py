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

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_is_fitted

from core.errors import ModelError
from core.estimator import Matrix, check_number
from core.factorisation import Factorisation
from core.groups import Layout, Parts, check_parts, settled_sizes
from core.guide import LEAST_CHANCE, Guide, fit_guide
from core.kernels.parts import one_blas_thread
from core.latent import lengths
from core.losses import LossName
from core.novelty import Novelty, novelty_of
from core.part_starts import start_parts
from core.solvers import solve_documents
from core.starts import Init, start_topics
from core.steering import Limits
from core.supervision import LabelledWeight, Supervision

FULL = 0.4  # price of guidance 1, per unit of log(p* / p) and of a document's length
SURE = 0.999  # no chance counts for more
AUTO = (0.0375, 0.1, 1.0)  # least guidance, what even odds of being right add, and the most


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
    parts
        Topics that make up each label's one: 1, another number, ``"auto"`` (more for labels of many
        unlike documents), a number per label in order, or a mapping from label to number, with
        ``"*"`` for all others. The parts of a label are permitted, forbidden and priced as one.
    guidance
        0 is the paper's model. Above 0, an unlabelled document pays for a topic as much as a
        classifier trained on the labelled ones doubts it (coordinate descent only); 1 follows the
        classifier closely, ``"auto"`` is what measured best. Labels are guarantees either way.
    loss, solver, init, max_iter, tol, random_state
        As in ``NMF``; ``init="labels"`` starts each topic from the mean of its labelled documents.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_terms), rows of unit length; of a label with parts
        their mean, each as heavy as it is used
    doc_topic_ : ndarray of shape (n_docs, n_topics), exactly zero where a topic is not permitted;
        of a label with parts their sum
    parts_ : the parts of every topic, as columns of ``part_doc_topic_``
    part_components_, part_doc_topic_ : the factors fitted, X ≈ part_doc_topic_ @ part_components_
    objective_ : the weighted loss reached; ``trace_`` holds it at every pass
    """

    labels_own_topics = True
    takes_limits = True
    guide_: Guide | None
    novelty_: Novelty
    teaching_: tuple[sp.csr_array, Supervision] | None
    layout_: Layout
    part_doc_topic_: np.ndarray
    part_components_: np.ndarray
    _earlier: Guide | None
    _sizes: Sequence[int] | None

    def __init__(
        self,
        n_topics: int = 10,
        *,
        labelled_weight: LabelledWeight = 1.0,
        parts: Parts = 1,
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
        self.parts = parts
        self.guidance = guidance
        self.loss = loss
        self.solver = solver
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def transform(self, X: Matrix) -> np.ndarray:
        """Topic weights of new documents; a guided model asks its guide about them."""
        weights = self.transform_parts(X)
        return self.layout_.gathered(weights)

    def transform_parts(self, X: Matrix) -> np.ndarray:
        """The same for every part of a topic on its own."""
        check_is_fitted(self, "components_")
        if not self._guided() or self.guide_ is None:
            return super().transform(X)
        X = self._checked(X, reset=False)
        with one_blas_thread():
            price = self._price_of(X, self.guide_, self.guide_.probabilities(X))
            return solve_documents(X, self.part_components_, price=price)

    def _solved_topics(self) -> np.ndarray:
        return self.part_components_

    @property
    def parts_(self) -> tuple[tuple[int, ...], ...]:
        """Columns of every topic's parts."""
        return self.layout_.columns

    def sizes(self, X: Matrix, y: Any, earlier: Sequence[int] = ()) -> tuple[int, ...]:
        """How many parts a fit would give each topic; ``earlier`` ones stay if they may."""
        check_parts(self.parts)
        X = sp.csr_array(X)
        supervision = self._supervised(y, X.shape[0])
        return settled_sizes(self.parts, X, supervision, self.n_topics, earlier)

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
        """Fit to a document-term matrix.

        ``guide=`` hands on an earlier fit's ``guide_``. ``sizes=`` settles how many parts each
        topic has; a ``start`` is made of parts.
        """
        self._earlier = fit_params.pop("guide", None)
        self._sizes = fit_params.pop("sizes", None)
        self.guide_ = None
        super().fit(X, y, **fit_params)
        del self._earlier, self._sizes
        return self

    def _mask(self, X: sp.csr_array, supervision: Supervision) -> np.ndarray:
        """Every part may be used where its topic may."""
        mask = supervision.topic_mask(self.n_topics)
        sizes = self._sizes
        if sizes is None:
            sizes = settled_sizes(self.parts, X, supervision, self.n_topics)
        if len(sizes) != self.n_topics:
            raise ModelError(f"{len(sizes)} sizes for {self.n_topics} topics.")
        self.layout_ = Layout(tuple(sizes))
        return self.layout_.spread(mask)

    def _spread_limits(self) -> Limits:
        return self.limits_.spread(self.layout_.columns)

    def _start_topics(
        self, X: sp.csr_array, supervision: Supervision, rng: np.random.Generator
    ) -> np.ndarray:
        if self.layout_.grouped and self.init == "labels":
            return start_parts(X, supervision, self.layout_, rng)
        return start_topics(X, supervision, self.layout_.n_parts, self.init, rng)

    def _keep(self, W: np.ndarray, H: np.ndarray) -> None:
        self.part_doc_topic_, self.part_components_ = W, H
        self.doc_topic_ = self.layout_.gathered(W)
        self.components_ = self.layout_.represented(W, H)

    def _guided(self) -> bool:
        return self.solver == "cd" and (self.guidance == "auto" or self.guidance > 0)

    def _strength(self, guide: Guide) -> float:
        """A guide is trusted by its odds of being right about documents it has not seen."""
        if self.guidance != "auto":
            return float(self.guidance)
        least, per_odds, most = AUTO
        return min(least + per_odds * guide.skill / max(1 - guide.skill, 1e-9), most)

    def _check_options(self) -> None:
        super()._check_options()
        check_parts(self.parts)
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
        by_label = guide.probabilities(X)
        self.novelty_ = novelty_of(*best_chances(guide, by_label, supervision))
        price = self._price_of(X, guide, by_label)
        price[supervision.labelled] = 0
        return price

    def _price_of(self, X: sp.csr_array, guide: Guide, by_label: np.ndarray) -> np.ndarray:
        """β ‖x‖ log(p* / p): how far a topic's chance lies below that of the likeliest one."""
        taught = guide.examples > 0
        new = self.novelty_.of(by_label[:, taught].max(axis=1, initial=0))
        chances = topic_chances(by_label, taught, self.n_topics, new)
        doubt = np.log(chances.max(axis=1, keepdims=True) / chances)
        scale = (self._strength(guide) * FULL * lengths(X))[:, None]
        return self.layout_.spread((scale * doubt).astype(X.dtype))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags = ClassifierTags()  # it predicts, besides transforming
        return tags

    def _document_weight(self, supervision: Supervision) -> np.ndarray:
        return supervision.row_weight(self.labelled_weight, self.n_topics)


def best_chances(
    guide: Guide, by_label: np.ndarray, supervision: Supervision
) -> tuple[np.ndarray, np.ndarray]:
    """The likeliest label's chance: of documents with a label, left out, and of unlabelled ones."""
    taught = guide.examples > 0
    carries = np.diff(supervision.permitted.indptr) > 0
    left_out = guide.left_out[carries[guide.positions]][:, taught]
    others = by_label[~supervision.labelled][:, taught]
    return left_out.max(axis=1, initial=0), others.max(axis=1, initial=0)


def topic_chances(
    chances: np.ndarray, taught: np.ndarray, n_topics: int, new: np.ndarray
) -> np.ndarray:
    """How likely each topic is, documents × topics, from the chances of the labels.

    Of a label without examples the guide knows nothing: like a free topic it may be what a document
    is about when no other label applies, so those topics share that chance; and each of them is as
    likely as it is that the document is about something no label covers (``new``).
    """
    none = np.exp(np.log1p(-np.minimum(chances[:, taught], SURE)).sum(axis=1))
    is_open = np.ones(n_topics, dtype=bool)
    is_open[: taught.size] = ~taught
    each = np.maximum(none / max(int(is_open.sum()), 1), new)
    likely = np.repeat(each[:, None], n_topics, axis=1)
    likely[:, np.flatnonzero(taught)] = chances[:, taught]
    return np.maximum(likely, LEAST_CHANCE)
