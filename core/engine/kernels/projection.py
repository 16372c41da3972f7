"""New documents on fixed topics under the I-divergence, each until it stands still."""

from __future__ import annotations

from core.engine.kernels.divergence import MIN_DIVISOR, dot
from core.engine.kernels.jit import compiled


@compiled
def project_divergence_rows(  # type: ignore[no-untyped-def]
    indptr, indices, data, first, last, other, size, sweeps, tol, rows, step
):
    """Multiplicative steps on ``rows[first:last]``; a row stops when no weight moves by ``tol``.

    ``size`` holds the column sums of ``other``. Every row stops by itself, so a document gets the
    same weights whatever other documents it comes with. ``step`` is working space for one row.
    """
    floor = rows.dtype.type(MIN_DIVISOR)
    for i in range(first, last):
        for _ in range(sweeps):
            for m in range(rows.shape[1]):
                step[m] = 0
            for p in range(indptr[i], indptr[i + 1]):
                t = indices[p]
                quotient = data[p] / max(dot(rows, i, other, t), floor)
                for m in range(rows.shape[1]):
                    step[m] += quotient * other[t, m]
            moved, total = rows.dtype.type(0), rows.dtype.type(0)
            for m in range(rows.shape[1]):
                weight = rows[i, m] * step[m] / max(size[m], floor)
                moved = max(moved, abs(weight - rows[i, m]))
                total += weight
                rows[i, m] = weight
            if moved <= tol * total:
                break
