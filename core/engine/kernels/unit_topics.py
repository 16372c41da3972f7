"""Topics kept at unit length, for guided coordinate descent."""

from __future__ import annotations

import numpy as np

from core.engine.kernels.jit import compiled

TERMS_AT_ONCE = 1_024  # whose sums stay in a core's nearest cache


@compiled
def unit_topics_step(cross, square, H):  # type: ignore[no-untyped-def]
    """Each topic, a row of H, in turn becomes the best non-negative one of length one.

    With everything else fixed, the loss in topic k is −2 h · v plus a constant, for h of length one
    and v = cross_k − Σ_{j≠k} square_kj h_j; so the best h is the positive part of v, scaled. A
    topic that nothing asks for stays as it is. ``cross`` is used up.
    """
    n_topics, n_terms = H.shape
    for k in range(n_topics):
        if square[k, k] <= 0:
            continue
        wanted, total = cross[k], 0.0
        for first in range(0, n_terms, TERMS_AT_ONCE):
            last = min(first + TERMS_AT_ONCE, n_terms)
            for j in range(n_topics):
                if j != k and square[k, j] != 0:
                    for t in range(first, last):
                        wanted[t] -= square[k, j] * H[j, t]
            for t in range(first, last):
                wanted[t] = max(wanted[t], H.dtype.type(0))
                total += np.float64(wanted[t]) * wanted[t]
        if total > 0:
            scale = H.dtype.type(1 / np.sqrt(total))
            for t in range(n_terms):
                H[k, t] = wanted[t] * scale
