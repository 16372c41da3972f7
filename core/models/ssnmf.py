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
W        observed          weight of each cell of X, 1 by default
L        known cells       weight of each cell of Y, 0 where nothing is known
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

from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp
from sklearn.metrics import r2_score
from sklearn.utils.validation import check_is_fitted

from core.engine.checks import check_start, checked_start
from core.engine.descent import Callback
from core.engine.documents import DocumentHost
from core.engine.estimator import (
    FitInputs,
    Matrix,
    Solution,
    Start,
    TopicModel,
    topic_scale,
    unit_topics,
)
from core.engine.joint import JointDescent, Unnamed, known_cells, label_start, project
from core.engine.joint_documents import JointLoss
from core.engine.kernels.joint import KnownCells
from core.engine.kernels.threads import one_blas_thread
from core.engine.label_strength import (
    StrengthRule,
    check_label_strength,
    label_strength_of,
    likeliest_label_strength,
)
from core.engine.losses import LOSSES, LossName
from core.engine.observed import ObservedData
from core.engine.prediction import row_shares
from core.engine.starts.topics import Init, labels_with_topics, start_topics, start_weights
from core.errors import ModelError
from core.supervision import Supervision

START_WEIGHT = 1e-8  # steps only multiply: what starts at zero stays there
MIN_LABEL_SCORE = 0.5  # from which a document that may carry several labels gets one
START_SHARE = 1e-3  # of the mean document, given to every topic of a fresh start


class SSNMF(TopicModel):
    """X ≈ W H and Y ≈ W Bᵀ with one W: topics that explain the words and predict the labels.

    Parameters
    ----------
    n_topics
        Topics in all; more than labels is usual, fewer is allowed.
    x_loss, y_loss
        ``"frobenius"`` or ``"i_divergence"``, for the words and for the labels.
    label_strength
        λ, how much the labels count against the words; 0 is plain NMF. ``"likelihood"``: the λ of
        the noise that a fit with λ = 1 leaves over. ``"validate"``: the one of five that predicts
        best for a quarter of the labels, held back.
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
    classes_ : ndarray, the labels as the caller writes them; None when targets were given instead
    x_error_, y_error_ : the two terms reached; n_cells_, n_label_cells_ : how many cells they have
    label_strength_ : λ, as given or found
    objective_ : ``x_error_`` + λ ``y_error_``; ``trace_`` holds it at every pass
    """

    takes_observed = True
    runs_on_cluster = True
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
        label_strength: float | StrengthRule = 1.0,
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
        start: Start | None = None,
        callback: Callback | None = None,
        host: DocumentHost | None = None,
    ) -> Self:
        """Fit to a document-term matrix, see ``TopicModel.fit``.

        ``host`` is where the documents are solved, a ``core.cluster.Cluster``; None: in this
        process.
        """
        inputs = replace(self._inputs(X, y, observed, start, callback), host=host)
        return self._fit_with(self._solve, inputs, y)

    def _solve(self, inputs: FitInputs) -> Solution:
        X, supervision = inputs.X, inputs.supervision
        known = known_cells(supervision, self.unnamed_labels, X.dtype)
        data = ObservedData.of(X, inputs.observed)
        begun = self._start(data.X, inputs, known)
        self.label_strength_ = label_strength_of(self, inputs)
        solver = JointDescent(data, known, begun, self._terms(), inputs.host)
        trace = self._descend(solver.step, solver.first_objective(), inputs)
        H = solver.Ht.T
        self.label_topic_ = (solver.B / topic_scale(H)).astype(solver.B.dtype)
        self.x_error_, self.y_error_ = solver.x_error, solver.y_error
        self.n_cells_, self.n_label_cells_ = data.weight, float(known.weight.sum(dtype=np.float64))
        return Solution(*unit_topics(solver.W, H), trace)

    def _set_classes(self, y: Any, labels: Supervision) -> None:
        super()._set_classes(y, labels)
        if labels.targets is not None:
            self.classes_ = None

    def transform(self, X: Matrix, observed: Any = None) -> np.ndarray:
        """Topic weights of new documents, without their labels (§2.3, step 2)."""
        return self._observed_weights(self._checked_new(X), observed)

    def _weights_of(self, X: sp.csr_array) -> np.ndarray:
        return self._observed_weights(X, None)

    def _observed_weights(self, X: sp.csr_array, observed: Any) -> np.ndarray:
        with one_blas_thread():
            data = ObservedData.of(X, observed)
            return project(data, self.components_, squared=self.x_loss == "frobenius")

    def predict_scores(self, X: Matrix, observed: Any = None) -> np.ndarray:
        """W Bᵀ of new documents: how much of each label, or the targets themselves."""
        X = self._checked_new(X)
        self._require_labels()
        return self._observed_weights(X, observed) @ self.label_topic_.T

    def predict_proba(self, X: Matrix, observed: Any = None) -> np.ndarray:
        """The scores with rows that sum to 1; all equal where every score is 0."""
        return row_shares(self.predict_scores(X, observed))

    def predict(self, X: Matrix, observed: Any = None) -> np.ndarray:
        """The likeliest label of each new document (§2.3, step 3), or its targets.

        An indicator matrix where documents carry several labels.
        """
        scores = self.predict_scores(X, observed)
        if self.classes_ is not None:
            return self._answers(scores)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def score(self, X: Matrix, y: Any) -> float:
        """Accuracy on labelled documents; R² where the model was fitted to real numbers."""
        check_is_fitted(self, "components_")
        if self.classes_ is not None:
            return super().score(X, y)
        truth = y.targets if isinstance(y, Supervision) else y
        return float(r2_score(truth, self.predict(X)))

    def _label_scores(self, X: sp.csr_array) -> np.ndarray:
        return self._observed_weights(X, None) @ self.label_topic_.T

    def _labels_given(self, scores: np.ndarray) -> np.ndarray:
        return scores >= MIN_LABEL_SCORE

    def _require_labels(self) -> None:
        if self.classes_ is not None:
            super()._require_labels()

    def suggest_label_strength(self) -> float:
        """λ by maximum likelihood, with the noise that this fit has left over.

        Ask a fit of moderate λ: a large one leaves little noise on the labels and asks for more.
        """
        check_is_fitted(self, "components_")
        return likeliest_label_strength(self)

    def _terms(self) -> JointLoss:
        return JointLoss(
            squared=self.x_loss == "frobenius",
            label_squared=self.y_loss == "frobenius",
            strength=self.label_strength_,
            printed=self.solver == "mu",
        )

    def _start(
        self, X: sp.csr_array, inputs: FitInputs, known: KnownCells
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """W, H and B; ``X`` is without the cells that are not observed."""
        supervision, rng = inputs.supervision, inputs.rng
        n_labels = _n_labels(supervision)
        if inputs.start is not None:
            return _checked_start(inputs.start, X, known, (n_labels, self.n_topics))
        used = labels_with_topics(supervision, self.n_topics)
        spread = self.y_loss == "i_divergence"  # why: docs/ssnmf.md, "Where a fit begins"
        H = start_topics(X, used, self.n_topics, self.init, rng, from_labelled=spread)
        H = _lifted(H, X, START_SHARE)
        W = start_weights(X, H, np.ones((X.shape[0], self.n_topics), bool), self.init, rng)
        if self.init == "acol":
            return W, H, rng.uniform(size=(n_labels, self.n_topics)).astype(X.dtype)
        return W, H, label_start(known, W, n_labels)

    def _check_options(self) -> None:
        super()._check_options()
        check_label_strength(self.label_strength)


def _n_labels(supervision: Supervision) -> int:
    if supervision.targets is not None:
        return supervision.targets.shape[1]
    return supervision.n_labels


def _lifted(H: np.ndarray, X: sp.csr_array, share: float) -> np.ndarray:
    """Every topic may use every word of the corpus."""
    mean = np.asarray(X.mean(axis=0)).ravel()
    return np.ascontiguousarray(H + share * mean, dtype=X.dtype)


def _checked_start(
    start: tuple[np.ndarray, ...], X: sp.csr_array, known: KnownCells, shape: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    n_labels, n_topics = shape
    W, H = checked_start(start, X, n_topics)
    W, H = W + X.dtype.type(START_WEIGHT), _lifted(H, X, START_WEIGHT)
    if len(start) == 2:
        return W, H, label_start(known, W, n_labels)
    B = np.array(start[2], dtype=X.dtype, order="C")
    if B.shape != (n_labels, n_topics):
        raise ModelError(f"B of shape {B.shape} does not fit {n_labels} labels, {n_topics} topics.")
    check_start(B)
    return W, H, B
