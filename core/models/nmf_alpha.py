"""NMF-α: a factorisation that keeps what separates the labels.

Cho & Saul, *Nonnegative matrix factorization for semi-supervised dimensionality reduction*.

=========  ===========  =========================================================
paper      code         meaning
=========  ===========  =========================================================
Xᵀ         X            document-term matrix, documents in rows here
Hᵀ         W            document-topic weights
Vᵀ         H            topic-term weights
S          margins      dual coefficients of linear classifiers, two columns each
(XS)ᵀ      normals      their two half-normals: extra documents to reconstruct
λ          strength     how much the half-normals count
Z          corrected    the space that keeps inner products, eq. (5)
=========  ===========  =========================================================

Minimises D(X ‖ WH) + λ D(SᵀX ‖ SᵀWH), both I-divergences, eq. (14).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import check_is_fitted

from core.engine.checks import canonical_csr, check_number, check_positive
from core.engine.estimator import Factors, FitInputs, Matrix, Solution, TopicModel, unit_topics
from core.engine.losses import IDivergence
from core.engine.margins import LabelMachines, Learner, Machines, dual_coefficients
from core.engine.products import square_root
from core.engine.projection import project_documents
from core.engine.solvers import multiply
from core.engine.starts.positive import positive_start
from core.engine.starts.topics import Init
from core.engine.validation import CancelOnce, choose_options

VALIDATED_BALANCES = (0.0, 0.001, 0.01, 0.1, 1.0)  # tried by margin_strength="validate"


class NMFAlpha(TopicModel):
    """X ≈ W H, and the same for the half-normals of classifiers between the labels.

    Parameters
    ----------
    n_topics
        Topics in all; they need not match the labels, and may be fewer.
    margin_strength
        λ, how much the classifiers' half-normals count; 0 is plain I-divergence NMF.
        ``"validate"`` holds back a quarter of the labels and tries 0, then a thousandth, a
        hundredth, a tenth and all of the strength at which they weigh as much as the corpus.
    machines
        Which classifiers: ``"pairs"`` of labels, one for each of the ``"labels"``, or ``"auto"``:
        pairs where labels exclude one another, else labels.
    learner
        ``"svm"``, ``"perceptron"``, or ``"auto"``: machines until they would read more than two
        hundred million non-zeros in one pass, then perceptrons.
    cost
        The machines' C, also of those that predict.
    init, max_iter, tol, random_state
        As in ``NMF``; ``init="labels"`` starts topics from the means of labelled documents.

    Attributes
    ----------
    components_, doc_topic_, objective_, trace_
        As in ``NMF``.
    margins_ : sparse array of shape (n_docs, 2 × machines), S; unlabelled documents have zero rows
    margin_strength_ : the λ used
    corrected_ : ndarray of shape (n_docs, n_topics), the documents where inner products are kept
    label_machines_ : the classifiers behind ``predict``
    """

    CHOICES: ClassVar[dict[str, tuple[str, ...]]] = {
        "machines": ("auto", "pairs", "labels"),
        "learner": ("auto", "svm", "perceptron"),
        "init": ("labels", "acol", "nndsvd"),
    }

    def __init__(
        self,
        n_topics: int = 10,
        *,
        margin_strength: float | Literal["validate"] = 0.3,
        machines: Machines = "auto",
        learner: Learner = "auto",
        cost: float = 1.0,
        init: Init = "labels",
        max_iter: int = 200,
        tol: float = 1e-4,
        random_state: Any = None,
    ) -> None:
        self.n_topics = n_topics
        self.margin_strength = margin_strength
        self.machines = machines
        self.learner = learner
        self.cost = cost
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _solve(self, inputs: FitInputs) -> Solution:
        if inputs.callback is not None:  # validation and the fit are cancelled together
            inputs = replace(inputs, callback=CancelOnce(inputs.callback))
        margins = dual_coefficients(
            inputs.X,
            inputs.supervision,
            machines=self.machines,
            learner=self.learner,
            cost=self.cost,
            rng=inputs.rng,
        )
        strength = self._strength(inputs, margins)
        self.margins_, self.margin_strength_ = margins, strength
        steps = MarginSteps(
            inputs.X, *positive_start(inputs, self.n_topics, self.init), margins, strength
        )
        trace = self._descend(steps.step, steps.first_objective(), inputs)
        return Solution(*unit_topics(*steps.factors()), trace)

    def _weights_of(self, X: sp.csr_array) -> np.ndarray:
        return project_documents(X, self.components_)

    def corrected(self, W: np.ndarray) -> np.ndarray:
        """W (H Hᵀ)^½, eq. (5): the same documents where inner products are those of W H."""
        check_is_fitted(self, "components_")
        return np.asarray(W @ square_root(self.components_).astype(W.dtype))

    @property
    def corrected_(self) -> np.ndarray:
        return self.corrected(self.doc_topic_)

    def decision_function(self, X: Matrix) -> np.ndarray:
        """n_docs × n_labels: how far a document lies on each label's side."""
        return self._scores_of(X)

    def _label_scores(self, X: sp.csr_array) -> np.ndarray:
        return self.label_machines_.scores(self.corrected(self._weights_of(X)))

    def _labels_given(self, scores: np.ndarray) -> np.ndarray:
        return scores > 0

    def _probability_weights(self, scores: np.ndarray) -> np.ndarray:
        return np.exp(scores - scores.max(axis=1, keepdims=True))

    def _strength(self, inputs: FitInputs, margins: sp.csr_array) -> float:
        if self.margin_strength != "validate":
            return float(self.margin_strength)
        X = inputs.X
        corpus, normals = float(X.sum()), float(margins.sum(axis=1) @ X.sum(axis=1))
        even = corpus / normals if normals > 0 else 1.0
        grid = {"margin_strength": [even * balance for balance in VALIDATED_BALANCES]}
        best = choose_options(self, X, inputs.supervision, grid, callback=inputs.callback)
        return float(best.get("margin_strength", even))

    def _learn_labels(self, inputs: FitInputs) -> None:
        """A machine per label on the corrected space of the labelled documents.

        They are mapped without their labels, as the documents to be predicted will be.
        """
        supervision = inputs.supervision
        if not supervision.permitted.nnz:
            self.label_machines_ = LabelMachines.constant(supervision.n_labels, self.n_topics)
            return
        labelled = np.flatnonzero(supervision.labelled)
        Z = self.corrected(project_documents(canonical_csr(inputs.X[labelled]), self.components_))
        carried = supervision.permitted[labelled].toarray().astype(bool)
        self.label_machines_ = LabelMachines.fit(
            Z.astype(np.float64), carried, self.cost, supervision.confidence[labelled]
        )

    def _check_options(self) -> None:
        super()._check_options()
        check_positive("cost", self.cost)
        if self.margin_strength != "validate":
            check_number("margin_strength", self.margin_strength)


class MarginSteps:
    """Updates (15)–(16), H first; neither raises the loss (14)."""

    def __init__(
        self, X: sp.csr_array, W: np.ndarray, H: np.ndarray, margins: sp.csr_array, strength: float
    ) -> None:
        self.X, self.W, self.Ht = X, W, np.ascontiguousarray(H.T)
        self.Xt = sp.csr_array(X.T)
        self.margins = margins
        self.strength = X.dtype.type(strength if margins.nnz else 0.0)
        self.normals = canonical_csr(sp.csr_array(margins.T @ X))  # SᵀX: two rows per machine
        self.normals_t = sp.csr_array(self.normals.T)
        self.loss = IDivergence()

    def factors(self) -> Factors:
        return self.W, self.Ht.T

    def first_objective(self) -> float:
        value = self._value(self.X, self.W)
        return value + float(self.strength) * self._value(self.normals, self._sides())

    def step(self) -> float:
        multiply(self.Ht, *self._topic_halves())
        multiply(self.W, *self._document_halves())
        return self.first_objective()

    def _topic_halves(self) -> Factors:
        """Eq. (15): the half-normals are further documents, λ times each."""
        down, up = self.loss.halves(self.Xt, self.Ht, self.W)
        if not self.strength:
            return down, up
        more_down, more_up = self.loss.halves(self.normals_t, self.Ht, self._sides())
        return down + self.strength * more_down, up + self.strength * more_up

    def _document_halves(self) -> Factors:
        """Eq. (16): a document answers for each half-normal in which it has a coefficient."""
        down, up = self.loss.halves(self.X, self.W, self.Ht)
        if not self.strength:
            return down, up
        more_down, more_up = self.loss.halves(self.normals, self._sides(), self.Ht)
        return (
            down + self.strength * (self.margins @ more_down),
            up + self.strength * (self.margins @ more_up),
        )

    def _sides(self) -> np.ndarray:
        """SᵀW: the half-normals' topic weights."""
        return np.ascontiguousarray(self.margins.T @ self.W)

    def _value(self, X: sp.csr_array, W: np.ndarray) -> float:
        return self.loss.value(X, W, self.Ht, np.ones(X.shape[0], X.dtype))
