"""MacMillan & Wilson, *Topic supervised NMF*, written out dense in the paper's letters.

V documents × terms, W documents × topics, H topics × terms, L permitted topics, E error weights.
"""

import numpy as np


def loss(V, W, H, L, E):
    """Eq. (15) with E as the weight of the squared error (see the misprints)."""
    return float((E * (V - (W * L) @ H) ** 2).sum())


def update_H(V, W, H, L, E):
    """Eq. (16)."""
    WL = W * L
    return H * (WL.T @ (E * V)) / (WL.T @ (E * (WL @ H)))


def update_W(V, W, H, L, E):
    """Eq. (17); a cell outside L has 0/0 there and stays zero."""
    down = ((E * V) @ H.T) * L
    up = ((E * ((W * L) @ H)) @ H.T) * L
    return W * np.divide(down, up, out=np.zeros_like(down), where=up > 0)


def divergence(V, W, H, L, E):
    """The same objective with the I-divergence in place of the squared error."""
    Z = (W * L) @ H
    logs = np.where(V > 0, V * np.log(np.where(V > 0, V, 1) / np.maximum(Z, 1e-300)), 0)
    return float((E * (logs - V + Z)).sum())


def divergence_update_H(V, W, H, L, E):
    WL = W * L
    return H * (WL.T @ (E * V / (WL @ H))) / (WL.T @ E)


def divergence_update_W(V, W, H, L, E):
    down = ((E * V / ((W * L) @ H)) @ H.T) * L
    up = (E @ H.T) * L
    return W * np.divide(down, up, out=np.zeros_like(down), where=up > 0)


def coordinate_pass(V, W, H, L, e, relax, sweeps):
    """One pass of cyclic coordinate descent, a cell at a time, straight from the gradient."""
    W, H = W.copy(), H.copy()
    for i, _, j in np.ndindex(W.shape[0], sweeps, W.shape[1]):
        if L[i, j] and H[j] @ H[j] > 0:
            slope = (W[i] @ H - V[i]) @ H[j]
            W[i, j] = max(0.0, W[i, j] - relax * slope / (H[j] @ H[j]))
    for t, _, j in np.ndindex(H.shape[1], sweeps, H.shape[0]):
        curvature = float(e @ W[:, j] ** 2)
        if curvature > 0:
            slope = float((e * (W @ H[:, t] - V[:, t])) @ W[:, j])
            H[j, t] = max(0.0, H[j, t] - relax * slope / curvature)
    return W, H
