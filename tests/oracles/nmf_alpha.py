"""Cho & Saul, *NMF for semi-supervised dimensionality reduction*, dense in the paper's letters.

X inputs × documents (columns!), V basis, H coefficients, S dual coefficients (documents × 2p), λ.
"""

import numpy as np


def divergence(X, Y):
    """Eq. (2)."""
    logs = np.where(X > 0, X * np.log(np.where(X > 0, X, 1) / np.maximum(Y, 1e-300)), 0)
    return float((logs - X + Y).sum())


def loss(X, V, H, S, lam):
    """Eq. (14)."""
    return divergence(X, V @ H) + lam * divergence(X @ S, V @ H @ S)


def quotient(a, b):
    return np.divide(a, b, out=np.zeros_like(a), where=b > 0)


def update_V(X, V, H, S, lam):
    """Eq. (15), cell by cell."""
    VH, VHS, XS, HS = V @ H, V @ H @ S, X @ S, H @ S
    new = np.empty_like(V)
    for i in range(V.shape[0]):
        for k in range(V.shape[1]):
            down = (quotient(X[i], VH[i]) * H[k]).sum()
            down += lam * (quotient(XS[i], VHS[i]) * HS[k]).sum()
            new[i, k] = V[i, k] * down / (H[k].sum() + lam * HS[k].sum())
    return new


def update_H(X, V, H, S, lam):
    """Eq. (16), cell by cell."""
    VH, VHS, XS = V @ H, V @ H @ S, X @ S
    new = np.empty_like(H)
    for k in range(H.shape[0]):
        for j in range(H.shape[1]):
            down = (quotient(X[:, j], VH[:, j]) * V[:, k]).sum()
            down += lam * (quotient(XS, VHS) * np.outer(V[:, k], S[j])).sum()
            up = V[:, k].sum() + lam * np.outer(V[:, k], S[j]).sum()
            new[k, j] = H[k, j] * down / up
    return new


def corrected(V, H):
    """Eq. (5): Z = (VᵀV)^½ H."""
    values, vectors = np.linalg.eigh(V.T @ V)
    return vectors @ np.diag(np.sqrt(np.maximum(values, 0))) @ vectors.T @ H
