"""Liu & Wu's constrained NMF as Cho & Saul restate it, dense in their letters.

X inputs × documents (columns!), V basis, P shared coefficients, A which document takes which.
"""

import numpy as np


def label_matrix(labels, n_classes):
    """A of eq. (19), documents in any order; a document with several labels takes their mean."""
    alone = [j for j, row in enumerate(labels) if not row]
    A = np.zeros((n_classes + len(alone), len(labels)))
    for j, row in enumerate(labels):
        for label in row:
            A[label, j] = 1 / len(row)
    A[n_classes + np.arange(len(alone)), alone] = 1
    return A


def loss(X, V, P, A):
    """Eq. (20), squared."""
    return float(((X - V @ P @ A) ** 2).sum())


def update_V(X, V, P, A):
    H = P @ A
    return V * (X @ H.T) / (V @ H @ H.T)


def update_P(X, V, P, A):
    down, up = V.T @ X @ A.T, V.T @ V @ P @ A @ A.T
    return P * np.divide(down, up, out=np.zeros_like(down), where=up > 0)
