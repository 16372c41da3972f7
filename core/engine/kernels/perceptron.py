"""The perceptron's mistakes, for corpora on which a support vector machine takes too long."""

from __future__ import annotations

import numpy as np

from core.engine.kernels.jit import compiled


@compiled
def count_mistakes(indptr, indices, data, rows, sign, passes, n_terms):  # type: ignore[no-untyped-def]
    """How often each row of ``rows`` was on the wrong side while a perceptron read it.

    The normal it learns is Σ mistakes · sign · x, so the counts are its dual coefficients.
    """
    normal = np.zeros(n_terms)
    bias = 0.0
    mistakes = np.zeros(rows.size)
    for _ in range(passes):
        wrong = 0
        for place in range(rows.size):
            i = rows[place]
            score = bias
            for p in range(indptr[i], indptr[i + 1]):
                score += data[p] * normal[indices[p]]
            if sign[place] * score <= 0:
                for p in range(indptr[i], indptr[i + 1]):
                    normal[indices[p]] += sign[place] * data[p]
                bias += sign[place]
                mistakes[place] += 1
                wrong += 1
        if wrong == 0:
            break
    return mistakes
