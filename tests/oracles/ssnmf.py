"""Haddock et al. (2020) written out densely: X is terms × documents, A terms × topics, S topics ×
documents, Y labels × documents, B labels × topics, W and L the weights of X and Y.

The paper's objectives: F1 (F,F), F2 (F,D), F3 (D,F), F4 (D,D). The weights multiply an error once;
0/0 is 0.
"""

from __future__ import annotations

import numpy as np


def over(a, b):
    """a / b, and 0 where both vanish."""
    a, b = np.broadcast_arrays(np.asarray(a, float), b)
    return np.divide(a, b, out=np.zeros_like(a), where=b > 0)


def frobenius(M, Z, Zhat):
    return float((M * (Z - Zhat) ** 2).sum())


def divergence(M, Z, Zhat):
    """Eq. (1) with a weight for every cell."""
    logs = np.where(Z > 0, Z * np.log(np.where(Z > 0, Z, 1) / np.maximum(Zhat, 1e-300)), 0)
    return float((M * (logs - Z + Zhat)).sum())


ERRORS = {"frobenius": frobenius, "i_divergence": divergence}


def objective(R, E, X, Y, A, B, S, W, L, lam):
    """Eq. (5) for the losses named R and E."""
    return ERRORS[R](W, X, A @ S) + lam * ERRORS[E](L, Y, B @ S)


def update_A(R, X, A, S, W):
    """Algorithm 1 step 3, Algorithms 2 and 3 step 3; the update of B is the same on Y and L."""
    if R == "frobenius":
        return A * over((W * X) @ S.T, (W * (A @ S)) @ S.T)
    return A * over((over(W * X, A @ S)) @ S.T, W @ S.T)


def halves_S(R, Z, D, S, M):
    """What the gradient in S adds and takes away: up − down, the factor 2 of F left out."""
    if R == "frobenius":
        return D.T @ (M * Z), D.T @ (M * (D @ S))
    return D.T @ over(M * Z, D @ S), D.T @ M


def update_S_printed(R, E, X, Y, A, B, S, W, L, lam):
    """Step 5 of Algorithms 1, 2 and 3, and Lee et al. for (F,F)."""
    down_x, up_x = halves_S(R, X, A, S, W)
    down_y, up_y = halves_S(E, Y, B, S, L)
    two_x = 2 if R == "frobenius" != E else 1
    two_y = 2 if E == "frobenius" != R else 1
    return S * over(two_x * down_x + two_y * lam * down_y, two_x * up_x + two_y * lam * up_y)


def update_S(R, E, X, Y, A, B, S, W, L, lam):
    """The minimiser of the summed auxiliary function; the printed step unless the losses differ."""
    if R == E:
        return update_S_printed(R, E, X, Y, A, B, S, W, L, lam)
    dX, uX = halves_S(R, X, A, S, W)
    dY, uY = (lam * half for half in halves_S(E, Y, B, S, L))
    (dF, uF), (dD, uD) = ((dX, uX), (dY, uY)) if R == "frobenius" else ((dY, uY), (dX, uX))
    q = uD - 2 * dF
    root = np.sqrt(q**2 + 8 * uF * dD)
    return S * np.where(q > 0, over(2 * dD, q + root), over(root - q, 4 * uF))


def auxiliary(R, E, X, Y, A, B, S, W, L, lam, cell, value):
    """The summed auxiliary function at S[cell] = value, all else fixed, up to a constant."""
    total = 0.0
    for loss, Z, D, M, weight in ((R, X, A, W, 1.0), (E, Y, B, L, lam)):
        down, up = (weight * half[cell] for half in halves_S(loss, Z, D, S, M))
        if loss == "frobenius":
            total += up * value**2 / S[cell] - 2 * down * value
        else:
            total += up * value - down * S[cell] * np.log(value)
    return total


def step(R, E, X, Y, A, B, S, W, L, lam, *, printed=False):
    """A, then B, then S."""
    A, B = update_A(R, X, A, S, W), update_A(E, Y, B, S, L)
    update = update_S_printed if printed else update_S
    return A, B, update(R, E, X, Y, A, B, S, W, L, lam)
