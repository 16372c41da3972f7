"""Semi-supervised NMF: one factorisation of the words and of the labels.

Haddock, Kassab, Li, Kryshchenko, Grotheer, Sizikova, Wang, Merkh, Madushani, Ahn, Needell & Leonard
(2020), *Semi-supervised NMF models for topic modeling in learning tasks*, arXiv:2010.07956.

=======  ================  ===========================================================
paper    code              meaning
=======  ================  ===========================================================
Xᵀ       X                 document-term matrix, documents in rows
Sᵀ       W                 document-topic weights
Aᵀ       H                 topic-term weights
Yᵀ       Y                 labels or real-valued targets, documents in rows
B        B                 label-topic weights (``label_topic_``)
W        observed          weight of each cell of X, 1 unless said otherwise
L        known cells       weight of each cell of Y, 0 where nobody has spoken
λ        label_strength    how much the second term counts
r        n_topics          topics, as many as one likes
=======  ================  ===========================================================

Minimises R(X, WH) + λ S(Y, WBᵀ) (eq. 5) for R, S each the squared error or the I-divergence: eqs.
(3), (7), (8), (9). Weights multiply a cell's error once. The printed steps for W of Algorithms 1
and 2 may raise the objective; ``solver="mu"`` keeps them, the default takes the exact minimiser of
the same auxiliary functions. ∇_S F₂ has a stray Sᵀ in print, and Algorithm 3's last step lost its
denominator, AᵀW + λ BᵀL.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_is_fitted

from core.descent import Callback, Trace, descend
from core.errors import ModelError
from core.estimator import Matrix, TopicModel, check_number, check_start, unit_topics
from core.joint import JointDescent, Terms, Unnamed, known_cells, label_start, project
from core.kernels.joint import Known
from core.kernels.parts import one_blas_thread
from core.losses import LOSSES, LossName
from core.noise import suggested_label_strength
from core.observed import ObservedData
from core.starts import Init, start_topics, start_weights
from core.supervision import Supervision

LIFT = 1e-8  # steps only multiply: what starts at zero stays there
TOUCH = 1e-3  # of the mean document, given to every topic of a fresh start


class SSNMF(TopicModel):
    """X ≈ W H and Y ≈ W Bᵀ with one W: topics that explain the words and predict the labels.

    Parameters
    ----------
    n_topics
        Topics in all; more than labels is usual, fewer is allowed.
    x_loss, y_loss
        ``"frobenius"`` or ``"i_divergence"``, for the words and for the labels.
    label_strength
        λ, how much the labels count against the words; 0 is plain NMF.
    unnamed_labels
        What is known of the labels that nobody named on a labelled document: that they are
        ``"absent"`` (the paper), or ``"unknown"``: then only labels carried and forbidden count.
    solver
        ``"monotone"``, which never raises the objective; or ``"mu"``, the printed steps.
    init, max_iter, tol, random_state
        As in ``NMF``.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_terms), rows of unit length
    doc_topic_ : ndarray of shape (n_docs, n_topics)
    label_topic_ : ndarray of shape (n_labels, n_topics), B
    classes_ : ndarray, the labels in order; None when targets were given instead
    objective_ : ``x_error_`` + λ ``y_error_``; ``trace_`` holds it at every pass
    """

    CHOICES: ClassVar[dict[str, tuple[str, ...]]] = {
        "x_loss": tuple(LOSSES),
        "y_loss": tuple(LOSSES),
        "unnamed_labels": ("absent", "unknown"),
        "solver": ("monotone", "mu"),
        "init": ("labels", "acol", "nndsvd"),
    }

    def __init__(
        self,
        n_topics: int = 10,
        *,
        x_loss: LossName = "frobenius",
        y_loss: LossName = "frobenius",
        label_strength: float = 1.0,
        unnamed_labels: Unnamed = "absent",
        solver: str = "monotone",
        init: Init = "labels",
        max_iter: int = 200,
        tol: float = 1e-4,
        random_state: Any = None,
    ) -> None:
        self.n_topics = n_topics
        self.x_loss = x_loss
        self.y_loss = y_loss
        self.label_strength = label_strength
        self.unnamed_labels = unnamed_labels
        self.solver = solver
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    @classmethod
    def lee(cls, n_topics: int = 10, *, label_strength: float = 1.0, **options: Any) -> SSNMF:
        """The model of Lee, Yoo & Choi (2010): squared errors, labelled documents only.

        ‖X − WH‖² + λ ‖Y − W₁Bᵀ‖², W₁ being the labelled rows of W; a label that is not named on a
        labelled document is a zero. They classify by an SVM on ``transform``, not by ``predict``.
        """
        fixed = {"x_loss": "frobenius", "y_loss": "frobenius", "unnamed_labels": "absent"}
        clash = sorted(fixed.keys() & options.keys())
        if clash:
            raise ModelError(f"The model of Lee et al. fixes {clash[0]}.")
        return cls(n_topics, label_strength=label_strength, **fixed, **options)  # type: ignore[arg-type]

    def fit(
        self,
        X: Matrix,
        y: Any = None,
        *,
        observed: Any = None,
        start: tuple[np.ndarray, ...] | None = None,
        callback: Callback | None = None,
    ) -> SSNMF:
        """Fit to a document-term matrix; ``y`` is a Supervision or anything it can be made of.

        ``observed`` holds the weights of the cells of X that do not count once, sparsely (a stored
        0: not observed). ``start`` is (W, H) or (W, H, B) of an earlier fit.
        """
        self._check_options()
        X = self._checked(X, reset=True)
        supervision = self._supervised(y, X.shape[0])
        known = known_cells(supervision, self.unnamed_labels, X.dtype)
        with one_blas_thread():  # also for the sums over the data: BLAS threads spin on for long
            data = ObservedData.of(X, observed)
            factors = self._start(data.X, supervision, known, start)
            solver = JointDescent(data, known, factors, self._terms())
            self._descend(solver, callback)
        self.classes_ = _classes(y, supervision)
        self._weights = (data.weight, float(known.weight.sum(dtype=np.float64)))
        return self

    def transform(self, X: Matrix, observed: Any = None) -> np.ndarray:
        """Topic weights of new documents, about which nobody has said anything (§2.3, step 2)."""
        check_is_fitted(self, "components_")
        X = self._checked(X, reset=False)
        with one_blas_thread():
            data = ObservedData.of(X, observed)
            return project(data, self.components_, squared=self.x_loss == "frobenius")

    def predict_scores(self, X: Matrix, observed: Any = None) -> np.ndarray:
        """W Bᵀ of new documents: how much of each label, or the targets themselves."""
        check_is_fitted(self, "label_topic_")
        if not len(self.label_topic_):
            raise ModelError("This model was fitted without labels, so it cannot predict any.")
        return self.transform(X, observed) @ self.label_topic_.T

    def predict_proba(self, X: Matrix, observed: Any = None) -> np.ndarray:
        """The scores with rows that sum to 1; where nothing speaks, all labels are equal."""
        scores = self.predict_scores(X, observed)
        total = scores.sum(axis=1, keepdims=True)
        equal = np.full_like(scores, 1 / scores.shape[1])
        return np.divide(scores, total, out=equal, where=total > 0)

    def predict(self, X: Matrix, observed: Any = None) -> np.ndarray:
        """The likeliest label of each new document (§2.3, step 3), or its targets."""
        scores = self.predict_scores(X, observed)
        if self.classes_ is None:
            return scores[:, 0] if scores.shape[1] == 1 else scores
        return self.classes_[scores.argmax(axis=1)]

    def suggest_label_strength(self) -> float:
        """λ by maximum likelihood, with the noise that this fit has left over.

        Ask a fit of moderate λ: a large one leaves little noise on the labels and asks for more.
        """
        check_is_fitted(self, "components_")
        cells, label_cells = self._weights
        return suggested_label_strength(
            self.x_loss,
            self.y_loss,
            n_topics=self.n_topics,
            x_variance=self.x_error_ / (max(cells, 1.0) * self.n_topics),
            y_variance=self.y_error_ / (max(label_cells, 1.0) * self.n_topics),
        )

    def _terms(self) -> Terms:
        return Terms(
            squared=self.x_loss == "frobenius",
            label_squared=self.y_loss == "frobenius",
            strength=float(self.label_strength),
            printed=self.solver == "mu",
        )

    def _start(
        self,
        X: sp.csr_array,
        supervision: Supervision,
        known: Known,
        start: tuple[np.ndarray, ...] | None,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        n_labels = _n_labels(supervision)
        if start is not None:
            return _checked_start(start, X, known, (n_labels, self.n_topics))
        rng = np.random.default_rng(self.random_state)
        named = supervision.n_labels <= self.n_topics
        told = supervision if named else Supervision.none(X.shape[0])
        H = _lifted(start_topics(X, told, self.n_topics, self.init, rng), X, TOUCH)
        W = start_weights(X, H, np.ones((X.shape[0], self.n_topics), bool), self.init, rng)
        if self.init == "acol":
            return W, H, rng.uniform(size=(n_labels, self.n_topics)).astype(X.dtype)
        return W, H, label_start(known, W, n_labels)

    def _descend(self, solver: JointDescent, callback: Callback | None) -> None:
        self.trace_: Trace = descend(
            solver.step,
            solver.first_objective(),
            max_iter=self.max_iter,
            tol=self.tol,
            callback=callback,
        )
        H = solver.Ht.T
        self.doc_topic_, self.components_ = unit_topics(solver.W, H)
        length = np.sqrt((H.astype(np.float64) ** 2).sum(axis=1))
        self.label_topic_ = (solver.B / np.where(length > 0, length, 1.0)).astype(solver.B.dtype)
        self.x_error_, self.y_error_ = solver.x_error, solver.y_error
        self.objective_ = self.trace_.objective[-1]
        self.n_iter_ = self.trace_.n_iter

    def _check_options(self) -> None:
        super()._check_options()
        check_number("label_strength", self.label_strength)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags = ClassifierTags()  # it predicts, besides transforming
        return tags


def _n_labels(supervision: Supervision) -> int:
    if supervision.targets is not None:
        return supervision.targets.shape[1]
    return supervision.n_labels


def _classes(y: Any, supervision: Supervision) -> np.ndarray | None:
    """What ``predict`` answers with: the caller's integers, or names; None for real numbers."""
    if supervision.targets is not None:
        return None
    listed = not (y is None or isinstance(y, Supervision) or sp.issparse(y))
    if listed and all(isinstance(value, (int, np.integer)) for value in y):
        return np.arange(supervision.n_labels)
    return np.array(supervision.names, dtype=object)


def _lifted(H: np.ndarray, X: sp.csr_array, share: float) -> np.ndarray:
    """Every topic may use every word of the corpus."""
    mean = np.asarray(X.mean(axis=0)).ravel()
    return np.ascontiguousarray(H + share * mean, dtype=X.dtype)


def _checked_start(
    start: tuple[np.ndarray, ...], X: sp.csr_array, known: Known, shape: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    n_labels, n_topics = shape
    W = np.array(start[0], dtype=X.dtype, order="C")
    H = np.array(start[1], dtype=X.dtype)
    if W.shape != (X.shape[0], n_topics) or H.shape != (n_topics, X.shape[1]):
        raise ModelError(
            f"A start of shapes {W.shape} and {H.shape} does not fit {X.shape[0]} documents, "
            f"{n_topics} topics and {X.shape[1]} terms."
        )
    check_start(W, H)
    W, H = W + X.dtype.type(LIFT), _lifted(H, X, LIFT)
    if len(start) == 2:
        return W, H, label_start(known, W, n_labels)
    B = np.array(start[2], dtype=X.dtype, order="C")
    if B.shape != (n_labels, n_topics):
        raise ModelError(f"B of shape {B.shape} does not fit {n_labels} labels, {n_topics} topics.")
    check_start(B)
    return W, H, B
