"""Expected shares of the counts among topics, and the gammas they lead to.

Every cell x of the matrix is shared among the topics in proportion to G(W) G(H), where G is the
geometric mean. ``share_out`` meets each non-zero once and leaves what both factors need;
``update_rows`` turns that into the gamma of every cell of one factor.
"""

from __future__ import annotations

import numpy as np

from core.engine.kernels.divergence import dot
from core.engine.kernels.jit import compiled, inlined

MIN_PRODUCT = 1e-200  # of G(W) G(H): what underflows gets no share; x / this is finite
HALF_LOG_TAU = 0.9189385332046727  # ½ ln 2π
SHAPE_TOLERANCE = 1e-7  # change of a shape, relative to the document's mass, that ends a projection


@inlined
def psi_and_log_gamma(x):  # type: ignore[no-untyped-def]
    """ψ(x) and ln Γ(x): climb to x ≥ 8, where the asymptotic series hold to the last digits.

    Γ(x) = Γ(x + n) / (x (x+1) … (x+n−1)); the product and its derivative are built together, so
    the climb costs one division and one logarithm.
    """
    product, slope = 1.0, 0.0
    while x < 8.0:
        slope = slope * x + product
        product *= x
        x += 1.0
    u = 1.0 / x
    v = u * u
    log_x = np.log(x)
    psi = log_x - 0.5 * u - v * (
        1 / 12 - v * (1 / 120 - v * (1 / 252 - v * (
            1 / 240 - v * (1 / 132 - v * (691 / 32760 - v / 12)))))
    )  # fmt: skip
    log_gamma = (x - 0.5) * log_x - x + HALF_LOG_TAU + u * (
        1 / 12 - v * (1 / 360 - v * (1 / 1260 - v * (
            1 / 1680 - v * (1 / 1188 - v * (691 / 360360 - v / 156)))))
    )  # fmt: skip
    return psi - slope / product, log_gamma - np.log(product)


@compiled
def share_out(indptr, indices, data, first, last, rows, other, row_products, other_products):  # type: ignore[no-untyped-def]
    """Ξ = X / (rows · other) at the non-zeros of a range of rows, times both factors at once.

    Writes Ξ · other into ``row_products`` and (rows)ᵀ Ξ, of this range alone, into
    ``other_products``; returns Σ x ln(rows · other).
    """
    n_topics = rows.shape[1]
    other_products[:, :] = 0
    total = 0.0
    for i in range(first, last):
        for m in range(n_topics):
            row_products[i, m] = 0
        for p in range(indptr[i], indptr[i + 1]):
            t = indices[p]
            x = np.float64(data[p])
            product = max(dot(rows, i, other, t), MIN_PRODUCT)
            total += x * np.log(product)
            quotient = x / product
            for m in range(n_topics):
                row_products[i, m] += quotient * other[t, m]
                other_products[t, m] += quotient * rows[i, m]
    return total


@compiled
def update_rows(  # type: ignore[no-untyped-def]
    products, group_ptr, group_index, group_share, prior_shape, prior_rate, other_total,
    first, last, shape, geometric, group_total,
):  # fmt: skip
    """q of every cell in a range of rows: shape a + G ∘ Σ products, rate prior + other_total.

    A row's prior rate is the mean of its groups' rates by their shares. Leaves the new shapes and
    geometric means, adds Σ share · ⟨cell⟩ to ``group_total``, and returns what the bound needs of
    these cells: Σ (α + ln Γ(α) − α ψ(α)) and Σ ⟨ln cell⟩.
    """
    n_topics = shape.shape[1]
    rate = np.empty(n_topics)
    rest, logs = 0.0, 0.0
    for i in range(first, last):
        for m in range(n_topics):
            rate[m] = other_total[m]
            shape[i, m] = 0
        for p in range(group_ptr[i], group_ptr[i + 1]):
            for m in range(n_topics):
                rate[m] += group_share[p] * prior_rate[group_index[p], m]
        for part in range(products.shape[0]):
            for m in range(n_topics):
                shape[i, m] += products[part, i, m]
        for m in range(n_topics):
            alpha = prior_shape + geometric[i, m] * shape[i, m]
            psi, log_gamma = psi_and_log_gamma(alpha)
            shape[i, m] = alpha
            geometric[i, m] = np.exp(psi) / rate[m]
            rest += alpha + log_gamma - alpha * psi
            logs += psi - np.log(rate[m])
        for p in range(group_ptr[i], group_ptr[i + 1]):
            for m in range(n_topics):
                group_total[group_index[p], m] += group_share[p] * shape[i, m] / rate[m]
    return rest, logs


@compiled
def project_rows(  # type: ignore[no-untyped-def]
    indptr, indices, data, first, last, other, prior_shape, rate, sweeps, shape
):
    """Shapes of new rows with the other factor fixed; each row stops by itself.

    A row starts from its mass shared equally, so its result depends on nothing but the row.
    """
    n_topics = shape.shape[1]
    geometric, products = np.empty(n_topics), np.empty(n_topics)
    for i in range(first, last):
        mass = 0.0
        for p in range(indptr[i], indptr[i + 1]):
            mass += np.float64(data[p])
        for m in range(n_topics):
            shape[i, m] = prior_shape + mass / n_topics
            geometric[m] = shape[i, m] / rate[m]
        for _ in range(sweeps):
            products[:] = 0
            for p in range(indptr[i], indptr[i + 1]):
                t = indices[p]
                product = 0.0
                for m in range(n_topics):
                    product += geometric[m] * other[t, m]
                quotient = np.float64(data[p]) / max(product, MIN_PRODUCT)
                for m in range(n_topics):
                    products[m] += quotient * other[t, m]
            moved = 0.0
            for m in range(n_topics):
                alpha = prior_shape + geometric[m] * products[m]
                moved = max(moved, abs(alpha - shape[i, m]))
                shape[i, m] = alpha
                psi, _log_gamma = psi_and_log_gamma(alpha)
                geometric[m] = np.exp(psi) / rate[m]
            if moved <= SHAPE_TOLERANCE * mass:
                break
