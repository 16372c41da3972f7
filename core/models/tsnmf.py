"""Topic-supervised NMF.

MacMillan & Wilson (2017), *Topic supervised non-negative matrix factorization*, arXiv:1706.05084.

=======  ==========  ==================================================
paper    code        meaning
=======  ==========  ==================================================
V        X           document-term matrix, documents in rows
W ∘ L    W           document-topic weights, zero outside the mask
H        H           topic-term weights
L        mask        topics a document may use
E        weight      how much each document counts; times ``observed``, how much each cell does
=======  ==========  ==================================================

Minimises Σ_i e_i ‖v_i − (w_i ∘ l_i) H‖². The print squares E in the loss (15) but not in the
updates (16)–(17); we define E as the weight of the squared error, so the printed updates are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np
import scipy.sparse as sp

from core.engine.checks import check_number
from core.engine.descent import Callback
from core.engine.documents import DocumentHost
from core.engine.estimator import FitInputs, Matrix, Solution, Start
from core.engine.factorisation import Factorisation, Problem, checked_weight
from core.engine.groups import Layout, Parts, check_parts, part_sizes
from core.engine.kernels.threads import one_blas_thread
from core.engine.limits import NO_LIMITS, TopicLimits
from core.engine.losses import LossName
from core.engine.prediction import row_shares
from core.engine.solvers import solve_documents
from core.engine.starts.topics import Init
from core.errors import ModelError
from core.guide.classifier import Guide
from core.guide.guided import NOT_GUIDED, Guided, GuidedRules, GuideSource, prices_of
from core.guide.pricing import Guidance
from core.guide.teachers import Descriptions
from core.guide.uncovered import UncoveredChance
from core.supervision import LabelledWeight

MIN_LABEL_PROBABILITY = 0.5  # from which a document that may carry several gets one


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
    guide_ : the classifier that prices topics and answers ``predict``; None without labels, and in
        a model that is not guided, which predicts by the shares of the labels' topics
    objective_ : the weighted loss reached; ``trace_`` holds it at every pass
    """

    labels_own_topics = True
    guide_: Guide | None
    uncovered_: UncoveredChance | None
    layout_: Layout
    part_doc_topic_: np.ndarray
    part_components_: np.ndarray

    def __init__(
        self,
        n_topics: int = 10,
        *,
        labelled_weight: LabelledWeight = 1.0,
        parts: Parts = 1,
        guidance: Guidance = "auto",
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

    def fit(
        self,
        X: Matrix,
        y: Any = None,
        *,
        observed: Any = None,
        start: Start | None = None,
        callback: Callback | None = None,
        limits: TopicLimits = NO_LIMITS,
        document_weight: np.ndarray | None = None,
        sizes: Sequence[int] | None = None,
        guide: Guide | None = None,
        vectors: np.ndarray | None = None,
        descriptions: Descriptions | None = None,
        host: DocumentHost | None = None,
    ) -> Self:
        """Fit to a document-term matrix, see ``TopicModel.fit``; a ``start`` is made of parts.

        Parameters
        ----------
        observed
            How much single cells count, times what their document counts: the paper's E, which it
            keeps constant along a row. By the multiplicative solver only.
        limits
            Which words a topic must keep, may not use or shall gain.
        document_weight
            How much the error of each document counts, times what its labels make it count.
        sizes
            How many parts each topic has, free topics included; None: as ``parts`` says.
        guide
            ``guide_`` of an earlier fit to the same matrix. The fit is the same without it; with it
            a refit after a few more labels takes less time.
        vectors
            What each document is about, documents × any number of columns: a third view of the
            documents for the guide, beside their words and the corpus's main directions.
        descriptions
            What people wrote about the labels, for the guide. In a guided model a label with
            neither a document nor a description that says something has no words and no documents.
        host
            Where the documents are solved, a ``core.cluster.Cluster``; None: in this process.
        """
        inputs = replace(self._inputs(X, y, observed, start, callback), host=host)
        weight = checked_weight(document_weight, inputs.X.shape[0])
        source = GuideSource(guide, vectors, descriptions)
        solve = partial(self._solve_parts, limits=limits, weight=weight, sizes=sizes, source=source)
        return self._fit_with(solve, inputs, y)

    def _solve_parts(
        self,
        inputs: FitInputs,
        *,
        limits: TopicLimits,
        weight: np.ndarray,
        sizes: Sequence[int] | None,
        source: GuideSource,
    ) -> Solution:
        inputs = self._with_weighted_cells(inputs)
        supervision = inputs.supervision
        mask = supervision.topic_mask(self.n_topics)
        layout = self._layout_of(inputs, sizes)
        guided = source.learn(inputs, self.n_topics) if self._guided() else NOT_GUIDED
        price = guided.prices(inputs, self.guidance)
        mask = guided.mask(mask)
        problem = Problem(  # a part may be used where its topic may, at the topic's price
            layout,
            layout.spread(mask),
            weight * supervision.row_weight(self.labelled_weight, self.n_topics),
            None if price is None else layout.spread(price),
            guided.begun(inputs),
            guided.examples(layout),
            GuidedRules(guided.without_documents(), layout, self.guidance, self.labelled_weight),
        )
        parts = self._minimise(inputs, problem, limits)
        W, H = parts.doc_topic, guided.named(parts.used, parts.components, layout)
        self.layout_, self.guide_, self.uncovered_ = layout, guided.guide, guided.uncovered
        self.part_doc_topic_, self.part_components_ = W, H
        return Solution(layout.gathered(W), layout.represented(W, H), parts.trace)

    def _layout_of(self, inputs: FitInputs, sizes: Sequence[int] | None) -> Layout:
        if sizes is None:
            sizes = part_sizes(self.parts, inputs.X, inputs.supervision, self.n_topics)
        if len(sizes) != self.n_topics:
            raise ModelError(f"{len(sizes)} sizes for {self.n_topics} topics.")
        return Layout(tuple(sizes))

    def transform(self, X: Matrix, vectors: np.ndarray | None = None) -> np.ndarray:
        """Topic weights of new documents; ``vectors`` say what they are about, as in ``fit``."""
        X = self._checked_new(X)
        with one_blas_thread():
            return self._weights_of(X, vectors)

    def _weights_of(self, X: sp.csr_array, vectors: np.ndarray | None = None) -> np.ndarray:
        return self.layout_.gathered(self._part_weights_of(X, vectors))

    def _part_weights_of(self, X: sp.csr_array, vectors: np.ndarray | None) -> np.ndarray:
        """A guided model prices the topics of new documents, too."""
        guided = Guided(self.guide_, self.uncovered_)
        prices = prices_of(X, guided, self.n_topics, self.guidance, vectors)
        if prices is None:
            return self._solve_documents(X, self.part_components_)
        return solve_documents(X, self.part_components_, price=self.layout_.spread(prices))

    @property
    def parts_(self) -> tuple[tuple[int, ...], ...]:
        """Columns of every topic's parts."""
        return self.layout_.columns

    def sizes(self, X: Matrix, y: Any, earlier: Sequence[int] = ()) -> tuple[int, ...]:
        """How many parts a fit would give each topic; ``earlier`` ones stay if they may."""
        check_parts(self.parts)
        X = sp.csr_array(X)
        supervision = self._read_labels(y, X.shape[0])
        return part_sizes(self.parts, X, supervision, self.n_topics, earlier)

    def predict(self, X: Matrix, vectors: np.ndarray | None = None) -> np.ndarray:
        """The label of each document, or an indicator matrix where documents carry several."""
        return self._answers(self.label_probabilities(X, vectors))

    def predict_proba(self, X: Matrix, vectors: np.ndarray | None = None) -> np.ndarray:
        """How likely each label is to be a document's main one; rows sum to 1."""
        return row_shares(self.label_probabilities(X, vectors))

    def label_probabilities(self, X: Matrix, vectors: np.ndarray | None = None) -> np.ndarray:
        """The probability that a document carries each label, documents × labels.

        Calibrated in a guided model; in another it is the share of the label's topic. A document
        may carry several labels or none, so rows do not sum to 1 as those of ``predict_proba`` do.
        ``vectors`` are those of the documents, where the model was fitted with some.
        """
        X = self._checked_new(X)
        self._require_labels()
        with one_blas_thread():
            return self._label_scores(X, vectors)

    def predict_labels(self, X: Matrix, *, least: float = 0.5) -> list[tuple[str, ...]]:
        """The labels of each document that are at least so likely, likeliest first; maybe none."""
        chances = self.label_probabilities(X)
        order = np.argsort(-chances, axis=1, kind="stable")
        return [
            tuple(self.label_names_[j] for j in row if chance[j] >= least)
            for row, chance in zip(order, chances, strict=True)
        ]

    def _label_scores(self, X: sp.csr_array, vectors: np.ndarray | None = None) -> np.ndarray:
        if self.guide_ is not None:
            return self.guide_.probabilities(X, vectors)
        shares = row_shares(self._weights_of(X).astype(np.float64))
        return shares[:, : len(self.label_names_)]

    def _labels_given(self, scores: np.ndarray) -> np.ndarray:
        if self.guide_ is None:
            return super()._labels_given(scores)
        return scores >= MIN_LABEL_PROBABILITY

    def _guided(self) -> bool:
        return self.solver == "cd" and (self.guidance == "auto" or self.guidance > 0)

    def _check_options(self) -> None:
        super()._check_options()
        check_parts(self.parts)
        if self.guidance != "auto":
            check_number("guidance", self.guidance)
            if self.guidance > 0 and self.solver != "cd":
                raise ModelError('Guidance needs solver="cd"; the printed updates have none.')
