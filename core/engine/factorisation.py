"""What NMF and TS-NMF share: a start, a mask, prices and limits, and the solver for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp

from core.engine.checks import checked_start
from core.engine.descent import Callback
from core.engine.documents import DocumentHost, place
from core.engine.estimator import (
    Factors,
    FitInputs,
    Matrix,
    Solution,
    Start,
    TopicModel,
    topic_scale,
    unit_topics,
)
from core.engine.groups import Layout
from core.engine.limits import NO_LIMITS, TopicLimits
from core.engine.losses import LOSSES
from core.engine.observed import excess, weigh
from core.engine.projection import project_documents
from core.engine.solvers import (
    MIN_DIVISOR,
    CoordinateDescent,
    DivergenceDocuments,
    GuidedDescent,
    Multiplicative,
    MultiplicativeDivergence,
    MultiplicativeDocuments,
    Solver,
    SquaredDocuments,
    WeightedCells,
    solve_documents,
)
from core.engine.starts.parts import start_parts
from core.engine.starts.positive import START_WEIGHT, with_every_word
from core.engine.starts.topics import Init, start_topics, start_weights
from core.errors import ModelError
from core.supervision import Supervision

LENGTH_TOLERANCE = 16  # roundings by which a topic of length one may miss it


@dataclass(frozen=True)
class Problem:
    """What is minimised: which topics documents may use, at which price, and how much they count.

    Columns of ``mask`` and ``price`` are the parts of ``layout``.
    """

    layout: Layout
    mask: np.ndarray
    weight: np.ndarray
    price: np.ndarray | None = None
    begun: np.ndarray | None = None  # a row per label: where its topic begins
    examples: np.ndarray | None = None  # documents that are known to be about each part
    rules: DocumentRules | None = None  # by which documents elsewhere get theirs


DocumentRules = Callable[[sp.csr_array, Supervision], Problem]  # mask, weight and price of some


@dataclass(frozen=True)
class PlainRules:
    """Every document may use every topic."""

    n_topics: int

    def __call__(self, X: sp.csr_array, supervision: Supervision) -> Problem:
        mask = np.ones((X.shape[0], self.n_topics), bool)
        return Problem(Layout.single(self.n_topics), mask, np.ones(X.shape[0]))


class Factorisation(TopicModel):
    """X ≈ W H, non-negative, under a mask and document weights."""

    solver: str
    loss: str
    init: Init

    takes_limits = True
    takes_observed = True
    runs_on_cluster = True
    CHOICES: ClassVar[dict[str, tuple[str, ...]]] = {
        "solver": ("cd", "mu"),
        "loss": tuple(LOSSES),
        "init": ("labels", "acol", "nndsvd"),
    }

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
        host: DocumentHost | None = None,
    ) -> Self:
        """Fit to a document-term matrix, see ``TopicModel.fit``.

        ``observed`` is the weight E of the paper for single cells (multiplicative solver only).
        ``limits`` are the words that a topic must keep, may not use or shall gain.
        ``document_weight`` is how much the error of each document counts. ``host`` is where the
        documents are solved, a ``core.cluster.Cluster``; None: in this process.
        """
        inputs = replace(self._inputs(X, y, observed, start, callback), host=host)
        solve = partial(self._solve, limits=limits, document_weight=document_weight)
        return self._fit_with(solve, inputs, y)

    def _solve(
        self,
        inputs: FitInputs,
        limits: TopicLimits = NO_LIMITS,
        document_weight: np.ndarray | None = None,
    ) -> Solution:
        inputs, n_docs = self._with_weighted_cells(inputs), inputs.X.shape[0]
        mask = np.ones((n_docs, self.n_topics), dtype=bool)
        weight = checked_weight(document_weight, n_docs)
        rules = PlainRules(self.n_topics)
        problem = Problem(Layout.single(self.n_topics), mask, weight, rules=rules)
        return self._minimise(inputs, problem, limits)

    def _with_weighted_cells(self, inputs: FitInputs) -> FitInputs:
        """Where cells differ in weight: X times the weights, and how much these differ from 1."""
        extra = None if inputs.observed is None else excess(inputs.observed, inputs.X)
        if extra is None:
            return replace(inputs, observed=None)
        if self.solver != "mu" or self.loss != "frobenius":
            raise ModelError(
                'Weights of single cells (observed) need solver="mu" and the squared error.'
            )
        if inputs.host is not None:
            raise ModelError("Cells that count differently (observed) need one machine.")
        return replace(inputs, X=weigh(inputs.X, extra), observed=extra)

    def _minimise(self, inputs: FitInputs, problem: Problem, limits: TopicLimits) -> Solution:
        """Descend; a row and a column of the result for every part."""
        solver = self._solver(inputs, problem, limits.spread(problem.layout.columns))
        trace = self._descend(solver.step, solver.first_objective(), inputs)
        W, H = solver.factors()
        if inputs.host is not None:
            inputs.host.finish(topic_scale(H))
        return Solution(*unit_topics(W, H, in_place=True), trace, solver.used())

    def _solver(self, inputs: FitInputs, problem: Problem, limits: TopicLimits) -> Solver:
        X, mask = inputs.X, problem.mask
        if inputs.start is None:
            H = limits.begin(self._start_topics(inputs, problem, limits), problem.examples)
            W = None
        else:
            W, H = checked_start(inputs.start, X, mask.shape[1])
        H = limits.hold(H)
        if self.solver == "cd":
            return _descent(inputs, problem, (W, H), limits)
        W = (
            start_weights(X, H, mask, self.init, inputs.rng)
            if W is None
            else (W + START_WEIGHT) * mask
        )
        return self._multiplicative(inputs, problem, (W.astype(X.dtype), H), limits)

    def _multiplicative(
        self, inputs: FitInputs, problem: Problem, start: Factors, limits: TopicLimits
    ) -> Solver:
        if inputs.observed is not None:
            H = limits.hold(with_every_word(start[1], inputs.X))
            return WeightedCells(inputs.X, inputs.observed, start[0], H, problem.weight, limits)
        squared = self.loss == "frobenius"
        kind = MultiplicativeDocuments if squared else DivergenceDocuments
        documents = place(kind(inputs.X, start[0], problem.weight), inputs.host)
        H = limits.hold(with_every_word(start[1], inputs.X))
        return (Multiplicative if squared else MultiplicativeDivergence)(documents, H, limits)

    def _start_topics(self, inputs: FitInputs, problem: Problem, limits: TopicLimits) -> np.ndarray:
        X, supervision, rng = inputs.X, inputs.supervision, inputs.rng
        if self.init == "labels":
            return start_parts(X, supervision, problem.layout, rng, problem.begun, limits.given)
        return start_topics(X, supervision, problem.layout.n_parts, self.init, rng, limits.given)

    def _weights_of(self, X: sp.csr_array) -> np.ndarray:
        return self._solve_documents(X, self.components_)

    def _solve_documents(self, X: sp.csr_array, H: np.ndarray) -> np.ndarray:
        """Weights of documents on fixed topics, under the loss of the fit."""
        solve = project_documents if self.loss == "i_divergence" else solve_documents
        return solve(X, H)

    def _check_options(self) -> None:
        super()._check_options()
        if self.loss == "i_divergence" and self.solver == "cd":
            raise ModelError('The i_divergence loss needs solver="mu".')


def _descent(
    inputs: FitInputs,
    problem: Problem,
    start: tuple[np.ndarray | None, np.ndarray],
    limits: TopicLimits,
) -> Solver:
    """Coordinate descent; where weights have a price or words a reward, at topics of length one."""
    W, H = start
    guided = problem.price is not None or len(limits.added) > 0
    if guided:
        W, H = _at_length_one(W, H, inputs.X.dtype)
    documents = SquaredDocuments(inputs.X, W, problem.mask, problem.weight, problem.price)
    kind = GuidedDescent if guided else CoordinateDescent
    make = problem.rules and partial(_squared_documents, problem.rules, documents.usable)
    return kind(place(documents, inputs.host, make), H, limits)


def _at_length_one(
    W: np.ndarray | None, H: np.ndarray, dtype: np.dtype[Any]
) -> tuple[np.ndarray | None, np.ndarray]:
    """The same product with topics of length one; after a fit they are, and W stays as it is.

    So does it where a topic is empty and no document uses it.
    """
    length = np.maximum(np.linalg.norm(H, axis=1), MIN_DIVISOR).astype(dtype)
    wrong = np.abs(length - 1) > LENGTH_TOLERANCE * np.finfo(dtype).eps
    if W is not None and W[:, wrong].any():
        W = W * length
    return W, H / length[:, None]


def _squared_documents(
    rules: DocumentRules, usable: np.ndarray, X: sp.csr_array, supervision: Supervision
) -> SquaredDocuments:
    """Documents that this process does not hold, under the rules of those it does."""
    problem = rules(X, supervision)
    return SquaredDocuments(X, None, problem.mask, problem.weight, problem.price, usable)


def checked_weight(weight: Any, n_docs: int) -> np.ndarray:
    """How much each document counts; 1 each if nothing is given."""
    weight = np.ones(n_docs) if weight is None else np.asarray(weight, dtype=np.float64)
    if weight.shape != (n_docs,) or not np.isfinite(weight).all() or (weight < 0).any():
        raise ModelError(f"document_weight needs {n_docs} finite numbers of at least 0.")
    return weight
