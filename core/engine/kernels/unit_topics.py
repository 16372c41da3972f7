"""Topics kept at unit length, for guided coordinate descent."""

from __future__ import annotations

import numpy as np

from core.engine.kernels.jit import compiled


@compiled
def unit_topics_step(cross, square, Ht):  # type: ignore[no-untyped-def]
    """Each topic in turn becomes the best non-negative one of length one.

    With everything else fixed, the loss in topic k is −2 h · v plus a constant, for h of length one
    and v = cross_k − Σ_{j≠k} square_kj h_j; so the best h is the positive part of v, scaled. A
    topic that nothing asks for stays as it is.
    """
    n_terms, n_topics = Ht.shape
    wanted = np.empty(n_terms, Ht.dtype)
    for k in range(n_topics):
        own = square[k, k]
        if own <= 0:
            continue
        total = 0.0
        for t in range(n_terms):
            value = cross[t, k] + own * Ht[t, k]
            for j in range(n_topics):
                value -= square[k, j] * Ht[t, j]
            wanted[t] = max(value, Ht.dtype.type(0))
            total += np.float64(wanted[t]) * wanted[t]
        if total > 0:
            scale = Ht.dtype.type(1 / np.sqrt(total))
            for t in range(n_terms):
                Ht[t, k] = wanted[t] * scale
