"""Coordinate descent on the squared error: the fast solver, plain and with a guide.

The compiled loops take eight topics at a time; a rest of one to seven would cost them as much as
several rounds. So their factors are padded with empty topics, which nothing ever fills.
"""

from __future__ import annotations

import numpy as np

from core.engine.documents import Documents
from core.engine.estimator import Factors
from core.engine.kernels.simd import padded
from core.engine.kernels.squared import sweep_given
from core.engine.kernels.threads import MAX_RANGES, each_part, even_parts, ranges
from core.engine.kernels.unit_topics import TERMS_AT_ONCE, unit_topics_step
from core.engine.limits import NO_LIMITS, TopicLimits
from core.engine.products import transposed
from core.engine.solvers.squared_documents import SquaredSums
from core.engine.solvers.sweeps import gradient_room

TOPICS_AT_ONCE = 32  # topics of length one that are improved together
RELAXATION_BY_PASS = ((1, 1.0), (8, 1.6), (None, 1.8))  # up to which pass; below 2 descends


class CoordinateDescent:
    """Squared error; the documents, ``SquaredDocuments``, are here or elsewhere."""

    def __init__(
        self, documents: Documents, H: np.ndarray, limits: TopicLimits = NO_LIMITS
    ) -> None:
        self.documents, self.n_topics, self.limits = documents, H.shape[0], limits
        self.Ht = padded(transposed(H))
        self.gram = self.Ht.T @ self.Ht
        self.passes = 0
        self.square = self.gram * 0  # Wᵀ E W after the last pass
        self.reward = np.empty(0, H.dtype)  # of added words
        self.moved: SquaredSums | None = None  # sums of a move that no step has used yet

    def factors(self) -> Factors:
        return self.documents.weights(), self.Ht[:, : self.n_topics].T

    def used(self) -> np.ndarray:
        return np.asarray(self.square.diagonal()[: self.n_topics] > 0)

    def first_objective(self) -> float:
        """The objective at the start.

        The first move of the documents comes upon it, and is then not made again by ``step``.
        """
        self.moved = self._move()
        return self.documents.total + self.moved.found

    def step(self) -> float:
        """W given H, then H given W; the objective afterwards."""
        sums = self._sums()
        self.square = sums.square
        slope = self._sweep_terms(sums.cross, self._bound(sums))
        self.gram = self.Ht.T @ self.Ht
        if self.limits:
            return self._reached(sums)
        # h · gradient = h G hᵀ − h · c, so h G hᵀ − 2 h · c = 2 h · gradient − h G hᵀ
        return self.documents.total + 2 * slope - self._size(sums.square)

    def _sums(self) -> SquaredSums:
        """What the topics' step needs once W has moved."""
        sums, self.moved = self.moved, None
        return self._move() if sums is None else sums

    def _move(self) -> SquaredSums:
        self.passes += 1
        return SquaredSums(*self.documents.move(self.Ht, self.gram, *self._pace()))

    def _bound(self, sums: SquaredSums) -> np.ndarray:
        """The square that the topics' step may see."""
        square = _without_traces(sums.square, self.gram)
        if not self.limits:
            return square
        return self.limits.bind(sums.cross, square, self.reward)

    def _reached(self, sums: SquaredSums) -> float:
        explained = float(np.einsum("tk,tk->", sums.cross, self.Ht, dtype=np.float64))
        return self.documents.total - 2 * explained + self._size(sums.square) + sums.cost

    def _pace(self) -> tuple[float, int]:
        """Over-relaxation and sweeps of this pass; the first, from nothing, looks twice."""
        return relaxation_and_sweeps(self.passes)

    def _sweep_terms(self, cross: np.ndarray, square: np.ndarray) -> float:
        (relax, sweeps), real, n_terms = self._pace(), self.Ht.dtype.type, self.Ht.shape[0]
        square = np.ascontiguousarray(square)

        def work(first: int, last: int) -> float:
            step = (real(relax), sweeps, real(0), self.Ht, gradient_room(self.Ht))
            return float(sweep_given(cross, square, first, last, *step))

        return sum(each_part(work, even_parts(n_terms, self._n_parts())))

    def _n_parts(self) -> int:
        """As many as the documents have; where they are elsewhere, all this machine can use."""
        return len(getattr(self.documents, "parts", range(MAX_RANGES)))

    def _size(self, square: np.ndarray) -> float:
        return float(np.einsum("jk,jk->", square, self.gram, dtype=np.float64))


class GuidedDescent(CoordinateDescent):
    """The same with a price on weights and every topic held at unit length.

    Minimises Σ_i e_i (‖x_i − w_i H‖² + 2 c_i · w_i). Without the fixed length a topic could grow
    and its weights shrink until the prices c no longer counted. The rewards of added words need
    the fixed length, too, prices or none. H begins with rows of unit length, or empty ones.
    """

    def __init__(
        self, documents: Documents, H: np.ndarray, limits: TopicLimits = NO_LIMITS
    ) -> None:
        super().__init__(documents, H, limits)
        if len(limits.added):
            self._prepare_reward()

    def _prepare_reward(self) -> None:
        """Rewards are fixed before the first pass, by how much the topics are used by then."""
        documents, added = self.documents, self.limits.added.columns
        size = None if documents.fresh else documents.look()[0].diagonal()
        if size is None or not (size[added] > 0).all():
            size = documents.move(self.Ht, self.gram, *relaxation_and_sweeps(1))[0].diagonal()
        self.reward = self.limits.reward(size).astype(self.Ht.dtype)

    def first_objective(self) -> float:
        cells = self.limits.added
        rewarded = self.reward @ self.Ht[cells.terms, cells.columns] if len(cells) else 0.0
        return super().first_objective() - 2 * float(rewarded)

    def step(self) -> float:
        sums = self._sums()
        self.square = sums.square
        move_unit_topics(sums.cross, self._bound(sums), self.Ht)
        self.gram = self.Ht.T @ self.Ht
        return self._reached(sums)


def move_unit_topics(cross: np.ndarray, square: np.ndarray, Ht: np.ndarray) -> None:
    """``unit_topics_step`` over all topics, some at a time.

    What the others explain changes for none of them meanwhile, so it is one product of matrices;
    topic by topic, all of Ht would be read for each.
    """
    for first, last in ranges(Ht.shape[1], TOPICS_AT_ONCE):
        _move_some(cross, square, Ht, slice(first, last))


def _move_some(cross: np.ndarray, square: np.ndarray, Ht: np.ndarray, some: slice) -> None:
    others = square[some].T.copy()
    others[some] = 0
    blocks = ranges(len(Ht), TERMS_AT_ONCE)
    wanted, H = (np.empty((others.shape[1], len(Ht)), Ht.dtype) for _ in range(2))

    def read(first: int, last: int) -> None:
        rows = slice(first, last)
        wanted[:, rows] = (cross[rows, some] - Ht[rows] @ others).T
        H[:, rows] = Ht[rows, some].T

    def write(first: int, last: int) -> None:
        Ht[first:last, some] = H[:, first:last].T

    each_part(read, blocks)
    unit_topics_step(wanted, np.ascontiguousarray(square[some, some]), H)
    each_part(write, blocks)


def _without_traces(square: np.ndarray, gram: np.ndarray) -> np.ndarray:
    """Zero on the diagonal, which passes a topic over, where its weights are but rounding.

    Labels met in the same documents begin alike, and the first explains what all would. Words for
    what rounding left to the others would be that rounding, as large as it is small.
    """
    size = square.diagonal() * gram.diagonal()
    traces = np.flatnonzero((size > 0) & (size <= np.finfo(size.dtype).eps ** 2 * size.max()))
    if not traces.size:
        return square
    square = square.copy()
    square[traces, traces] = 0
    return square


def relaxation_and_sweeps(number: int) -> tuple[float, int]:
    """Over-relaxation and sweeps over a row in a pass; passes count from 1."""
    relax = next(relax for last, relax in RELAXATION_BY_PASS if last is None or number <= last)
    return relax, 2 if number == 1 else 1
