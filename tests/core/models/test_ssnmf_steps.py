"""SSNMF's steps against the paper written out densely."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core.engine.joint import JointDescent, label_rows_of
from core.engine.joint_documents import JointLoss
from core.engine.kernels.joint import KnownCells
from core.engine.observed import ObservedData
from tests.oracles import ssnmf as oracle

LOSSES = ("frobenius", "i_divergence")
PAIRS = list(product(LOSSES, LOSSES))
every_pair = pytest.mark.parametrize(("x_loss", "y_loss"), PAIRS)
mixed_pairs = pytest.mark.parametrize(("x_loss", "y_loss"), [p for p in PAIRS if p[0] != p[1]])


class Problem:
    """A random problem in the paper's letters, with weights, empty rows and empty columns."""

    def __init__(self, seed: int, *, scale: float = 1.0, weights: bool = True) -> None:
        rng = np.random.default_rng(seed)
        n_terms, n_docs, n_labels, n_topics = 9, 12, 3, 4
        self.X = rng.poisson(0.8, (n_terms, n_docs)) * rng.uniform(0.5, 2, (n_terms, n_docs))
        self.Y = rng.uniform(0, 2, (n_labels, n_docs)) * (
            rng.uniform(size=(n_labels, n_docs)) < 0.6
        )
        self.X[2], self.X[:, 3] = 0, 0
        self.W, self.L = np.ones_like(self.X), np.ones_like(self.Y)
        if weights:
            odd = rng.uniform(size=self.X.shape) < 0.3
            self.W[odd] = rng.choice([0.0, 0.0, 0.4, 3.0], size=self.X.shape)[odd]
            self.W[:, 5], self.W[4] = 0, 0
            self.L = rng.choice([0.0, 0.5, 1.0, 2.0], size=self.Y.shape)
            self.L[:, [0, 5]] = 0
            self.L[:, 6:10] = [0.5, 1.0, 1.0, 2.0]  # all of these documents' labels are known
        self.A = scale * rng.uniform(0.1, 1, (n_terms, n_topics))
        self.B = scale * rng.uniform(0.1, 1, (n_labels, n_topics))
        self.S = scale * rng.uniform(0.1, 1, (n_topics, n_docs))
        self.S[1, 2] = self.A[3, 0] = self.B[1, 1] = 0
        self.lam = float(rng.choice([0.1, 1.0, 20.0]))

    def solver(self, x_loss: str, y_loss: str, *, printed: bool = False) -> JointDescent:
        cells = sp.coo_array(self.W - 1)
        where = (self.W[cells.row, cells.col], (cells.col, cells.row))
        observed = sp.coo_array(where, shape=self.X.T.shape)  # zeros stored: not observed
        X = sp.csr_array(self.X.T)
        X = sp.csr_array((X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)), X.shape)
        terms = JointLoss(x_loss == "frobenius", y_loss == "frobenius", self.lam, printed)
        factors = (self.S.T.copy(), self.A.T.copy(), self.B.copy())
        return JointDescent(ObservedData.of(X, observed), self.known(), factors, terms)

    def known(self) -> KnownCells:
        document, label = (self.L.T > 0).nonzero()
        counts = (self.L > 0).sum(axis=0)
        return KnownCells(
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
            label.astype(np.int32),
            self.L[label, document],
            self.Y[label, document],
        )

    def step(self, x_loss: str, y_loss: str, *, printed: bool = False) -> None:
        self.A, self.B, self.S = oracle.step(
            x_loss, y_loss, self.X, self.Y, self.A, self.B, self.S, self.W, self.L, self.lam,
            printed=printed,
        )  # fmt: skip

    def objective(self, x_loss: str, y_loss: str) -> float:
        return oracle.objective(
            x_loss, y_loss, self.X, self.Y, self.A, self.B, self.S, self.W, self.L, self.lam
        )


def test_a_document_whose_labels_are_all_known_keeps_only_what_it_carries() -> None:
    known = KnownCells(
        indptr=np.array([0, 2, 4, 5, 5, 7], np.int32),
        indices=np.array([0, 1, 0, 1, 1, 0, 1], np.int32),
        weight=np.array([2.0, 2.0, 1.0, 3.0, 1.0, 0.5, 0.5]),
        value=np.array([0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0]),
    )
    told = label_rows_of(known, n_labels=2)
    assert told.whole.tolist() == [2, 0, 0, 0, 0.5]  # the second counts its labels differently
    assert told.indptr.tolist() == [0, 1, 3, 4, 4, 4]
    assert told.indices.tolist() == [1, 0, 1, 1]
    assert told.value.tolist() == [1, 0, 1, 0]


@every_pair
@pytest.mark.parametrize("printed", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_steps_match_the_paper(x_loss, y_loss, printed, seed):
    problem = Problem(seed, weights=seed > 0)
    solver = problem.solver(x_loss, y_loss, printed=printed)
    assert_allclose(solver.first_objective(), problem.objective(x_loss, y_loss), rtol=1e-12)
    for _ in range(3):
        reached = solver.step()
        problem.step(x_loss, y_loss, printed=printed)
        assert_allclose(solver.Ht, problem.A, rtol=1e-9, atol=1e-20)
        assert_allclose(solver.B, problem.B, rtol=1e-9, atol=1e-20)
        assert_allclose(solver.W, problem.S.T, rtol=1e-9, atol=1e-20)
        assert_allclose(reached, problem.objective(x_loss, y_loss), rtol=1e-11)


@every_pair
def test_work_in_several_parts_is_the_same_work(x_loss, y_loss, monkeypatch):
    monkeypatch.setattr("core.engine.kernels.threads.MIN_WORK_PER_RANGE", 10_000)
    rng = np.random.default_rng(0)
    p = Problem(0)
    p.X = rng.poisson(0.6, (150, 900)).astype(float)
    p.Y, p.L = rng.uniform(size=(3, 900)), rng.choice([0.0, 1.0], size=(3, 900))
    p.W = np.where(rng.uniform(size=p.X.shape) < 0.05, 0.0, 1.0)
    p.A, p.B, p.S = (rng.uniform(0.1, 1, n) for n in ((150, 4), (3, 4), (4, 900)))
    solver = p.solver(x_loss, y_loss)
    assert len(solver.documents.parts) > 1
    reached = solver.step()
    p.step(x_loss, y_loss)
    assert_allclose(solver.W, p.S.T, rtol=1e-9)
    assert_allclose(reached, p.objective(x_loss, y_loss), rtol=1e-11)


@every_pair
@pytest.mark.parametrize("seed", range(12))
def test_the_objective_never_rises(x_loss, y_loss, seed):
    solver = Problem(seed, scale=10.0 ** (seed % 4 - 2)).solver(x_loss, y_loss)
    trace = np.array([solver.first_objective(), *(solver.step() for _ in range(25))])
    assert (np.diff(trace) <= 1e-11 * np.abs(trace[:-1])).all()


@mixed_pairs
def test_the_printed_mixed_steps_do_rise(x_loss, y_loss):
    """A finding about the paper: the steps for S of its Algorithms 1 and 2 are no descent."""

    def worst(update) -> float:
        changes = []
        for seed in range(40):
            p = Problem(seed, weights=False)
            p.S *= 0.01  # small, and the divergence wants it far larger than the squared error
            far = p.Y if x_loss == "frobenius" else p.X
            far *= 30
            before = p.objective(x_loss, y_loss)
            p.S = update(x_loss, y_loss, p.X, p.Y, p.A, p.B, p.S, p.W, p.L, p.lam)
            changes.append(p.objective(x_loss, y_loss) / before - 1)
        return max(changes)

    assert worst(oracle.update_S_printed) > 10  # more than tenfold
    assert worst(oracle.update_S) < 0


@mixed_pairs
@pytest.mark.parametrize("lam", [1e-9, 1.0, 1e9])
def test_the_exact_step_loses_no_digit(x_loss, y_loss, lam):
    p = Problem(1, weights=False)
    args = (x_loss, y_loss, p.X, p.Y, p.A, p.B, p.S, p.W, p.L)
    (dX, uX), (dY, uY) = (oracle.halves_S(*of) for of in (
        (x_loss, p.X, p.A, p.S, p.W), (y_loss, p.Y, p.B, p.S, p.L),
    ))  # fmt: skip
    dY, uY = lam * dY, lam * uY
    (dF, uF), (dD, uD) = ((dX, uX), (dY, uY)) if x_loss == "frobenius" else ((dY, uY), (dX, uX))
    moving = (p.S > 0) & (dD > 0)
    ratio = oracle.update_S(*args, lam)[moving] / p.S[moving]
    up, down = 2 * uF[moving] * ratio + uD[moving], 2 * dF[moving] + dD[moving] / ratio
    assert_allclose(up, down, rtol=1e-12)  # the slope of the auxiliary function is zero


@mixed_pairs
def test_the_exact_step_minimises_the_auxiliary_function(x_loss, y_loss):
    p = Problem(1)
    args = (x_loss, y_loss, p.X, p.Y, p.A, p.B, p.S, p.W, p.L, p.lam)
    moved = oracle.update_S(*args)
    for cell in [(0, 0), (2, 1), (3, 6), (0, 11)]:
        best = oracle.auxiliary(*args, cell, moved[cell])
        for factor in (0.5, 0.99, 1.01, 2.0):
            assert oracle.auxiliary(*args, cell, factor * moved[cell]) > best


@every_pair
def test_gradient_halves_agree_with_finite_differences(x_loss, y_loss):
    p = Problem(2)
    p.S, p.A, p.B = p.S + 0.1, p.A + 0.1, p.B + 0.1
    two_x, two_y = (2 if loss == "frobenius" else 1 for loss in (x_loss, y_loss))
    down_x, up_x = oracle.halves_S(x_loss, p.X, p.A, p.S, p.W)
    down_y, up_y = oracle.halves_S(y_loss, p.Y, p.B, p.S, p.L)
    gradient = two_x * (up_x - down_x) + two_y * p.lam * (up_y - down_y)
    for cell in [(0, 0), (1, 4), (3, 7)]:
        centre, h, ends = p.S[cell], 1e-6, []
        for sign in (1, -1):
            p.S[cell] = centre + sign * h
            ends.append(p.objective(x_loss, y_loss))
        p.S[cell] = centre
        assert_allclose((ends[0] - ends[1]) / (2 * h), gradient[cell], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("loss", LOSSES)
def test_the_steps_of_topics_and_labels_follow_their_gradient(loss):
    """A ← A · down / up with up − down the slope of the objective in A; B the same on Y and L."""
    p = Problem(2)
    p.S, p.A, p.B = p.S + 0.1, p.A + 0.1, p.B + 0.1
    two = 2 if loss == "frobenius" else 1
    for factor, Z, M, weight in ((p.A, p.X, p.W, 1.0), (p.B, p.Y, p.L, p.lam)):
        down, up = (half.T for half in oracle.halves_S(loss, Z.T, p.S.T, factor.T, M.T))
        assert_allclose(oracle.update_A(loss, Z, factor, p.S, M), factor * oracle.over(down, up))
        for cell in [(0, 0), (1, 3), (2, 1)]:
            centre, h, ends = factor[cell], 1e-6, []
            for sign in (1, -1):
                factor[cell] = centre + sign * h
                ends.append(p.objective(loss, loss))
            factor[cell] = centre
            slope = weight * two * (up - down)[cell]
            assert_allclose((ends[0] - ends[1]) / (2 * h), slope, rtol=1e-5, atol=1e-6)
