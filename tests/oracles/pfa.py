"""Hu, Rai & Carin, *NMF for discrete data with hierarchical side-information*, dense and slow.

The paper's letters: X terms × documents there, but documents first in every index here: x_nm, u_rm,
v_nrl, q_r, g_lrp, h_pr, D_l documents of node l, A_l parents of node l, M_p children of parent p.
``nodes`` (N × L) and ``parents`` (L × P) are 0/1 matrices. Two levels; one level has P = 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Model:
    """The hyper-parameters and the side information."""

    nodes: np.ndarray  # (N, L)
    parents: np.ndarray  # (L, P); P = 0: one level only
    M: int
    R: int
    alpha: float = 0.5
    c: float = 10.0
    epsilon: float = 0.3
    s: float = 2.0
    beta0: float = 1.5
    beta1: float = 2.0
    binary: bool = False


def prior(model, size, rng):
    """``size`` draws of (u, q, h, g_lrp, v_nrl, x) from the stated model, eqs. (1)–(14)."""
    N, L = model.nodes.shape
    P, R, c, e = model.parents.shape[1], model.R, model.c, model.epsilon
    u = rng.dirichlet(np.full(model.M, model.alpha), (size, R))
    q = rng.beta(c * e, c * (1 - e), (size, R))
    if P:
        h = rng.gamma(model.s, 1 / model.beta1, (size, P, R))
        glp = rng.gamma(h[:, None], 1 / model.beta0, (size, L, P, R)) * model.parents[:, :, None]
        g = glp.sum(axis=2)
    else:
        h, glp = np.zeros((size, 0, R)), np.zeros((size, L, 0, R))
        g = rng.gamma(model.s, 1 / model.beta1, (size, L, R))
    odds = (q / (1 - q))[:, None, None]
    v = rng.gamma(g[:, None], odds, (size, N, L, R)) * model.nodes[:, :, None]
    return {"u": u, "q": q, "h": h, "glp": glp, "g": g, "v": v, "x": data(model, u, v, rng)}


def data(model, u, v, rng):
    """x | u, v: Poisson counts, or whether there are any, eqs. (1) and (13)."""
    x = rng.poisson(v.sum(axis=-2) @ u)
    return (x > 0).astype(int) if model.binary else x


def statistics(state):
    """What the joint-distribution test compares; the first axis runs over draws."""
    u, q, g, v, x = (state[name] for name in "uqgvx")
    total = v.sum(axis=2)
    columns = {
        "q": q.mean(axis=1), "q²": (q**2).mean(axis=1),
        "u²": (u**2).mean(axis=(1, 2)),
        "g": g.mean(axis=(1, 2)), "g²": (g**2).mean(axis=(1, 2)),
        "g of the last": g[:, -1].mean(axis=1), "g·q": (g * q[:, None]).mean(axis=(1, 2)),
        "v": total.mean(axis=(1, 2)), "√v": np.sqrt(total).mean(axis=(1, 2)),
        "√x": np.sqrt(x).mean(axis=(1, 2)),
        "√x·u": (np.sqrt(x)[:, :, None] * u[:, None]).mean(axis=(1, 2, 3)),
    }  # fmt: skip
    if state["h"].shape[1]:
        h = state["h"]
        columns |= {"h": h.mean(axis=(1, 2)), "h²": (h**2).mean(axis=(1, 2))}
        columns |= {"h·g": (h.mean(axis=1) * g.mean(axis=1)).mean(axis=1)}
    return columns


def z_scores(marginal, successive, batches=25):
    """(mean − mean) / standard error; the chain's error from means of long batches."""
    scores = {}
    for name, independent in statistics(marginal).items():
        chain = statistics(successive)[name]
        means = np.array([part.mean() for part in np.array_split(chain, batches)])
        error = independent.var() / independent.size + means.var(ddof=1) / batches
        scores[name] = float((chain.mean() - independent.mean()) / np.sqrt(error))
    return scores


# The conditionals of the stated model, as (shape, scale) or (a, b); ``xl`` is x_n·rl (N × L × R).


def topics(model, x_mr):
    """u_r ~ Dir(α + x_1·r, …), eq. (19); M × R."""
    return model.alpha + x_mr


def odds(model, x_r, g):
    """q_r ~ Beta, eq. (22)."""
    a = model.c * model.epsilon + x_r
    return a, model.c * (1 - model.epsilon) + model.nodes.sum(axis=0) @ g


def level_one(model, q, h, f_lp):
    """g_lrp ~ Ga(h_pr + f_lrp, 1/(β₀ − |D_l| ln(1 − q_r))); L × P × R."""
    D = model.nodes.sum(axis=0)[:, None, None]
    return h[None] + f_lp, 1 / (model.beta0 - D * np.log1p(-q))


def level_two(model, q, t_p):
    """h_pr ~ Ga(s + Σ_l CRT, 1/(β₁ − Σ_l ln(1 − p_lr))), e = −|D_l| ln(1 − q_r)."""
    e = -model.nodes.sum(axis=0)[:, None] * np.log1p(-q)
    p_lr = e / (model.beta0 + e)
    return model.s + t_p, 1 / (model.beta1 - model.parents.T @ np.log1p(-p_lr))


def documents(model, q, g, xl):
    """v_nrl ~ Ga(g_lr + x_n·rl, q_r), eq. (20)."""
    return (g[None] + xl) * model.nodes[:, :, None], q


# The sweep as printed.


def crt(n, g, rng):
    """Tables of a Chinese restaurant, cell by cell."""
    n, g = np.broadcast_arrays(n, g)
    tables = np.zeros(n.shape, int)
    for cell in np.ndindex(n.shape):
        customers = np.arange(n[cell])
        tables[cell] = (rng.random(customers.size) < g[cell] / (g[cell] + customers)).sum()
    return tables


def split(count, weights, rng):
    """Multinomial over the last axis of ``weights``."""
    total = weights.sum(axis=-1, keepdims=True)
    alike = np.full_like(weights, 1 / weights.shape[-1])
    chance = np.divide(weights, total, out=alike, where=total > 0)
    return rng.multinomial(count.astype(int), chance)


def printed_sweep(model, state, rng):
    """Eqs. (16)–(34) as printed: one CRT of sums in (27); CRT(·, s), no |D_l| in (30)–(34)."""
    u, q, h, glp, v, x = (state[name] for name in ("u", "q", "h", "glp", "v", "x"))
    D, Mp = model.nodes.sum(axis=0)[:, None], model.parents.sum(axis=0)[:, None]
    xr = split(x, v.sum(axis=1)[:, None, :] * u.T[None], rng)  # N × M × R
    xl = np.moveaxis(split(xr.sum(axis=1), np.moveaxis(v, 1, 2), rng), 2, 1)  # N × L × R
    u = np.array([rng.dirichlet(row) for row in (model.alpha + xr.sum(axis=0)).T])
    g = glp.sum(axis=1)
    q = rng.beta(*odds(model, xr.sum(axis=(0, 1)), g))
    f = crt(xl.sum(axis=0), D * g, rng)  # (27)
    f_lp = np.moveaxis(split(f, np.moveaxis(glp, 1, 2), rng), 2, 1)  # L × P × R
    Q = -np.log1p(-q) / (model.beta0 - np.log1p(-q))
    tables = crt(f_lp.sum(axis=0), model.s, rng)  # (33)
    h = rng.gamma(model.s + tables, 1 / (model.beta1 - Mp * np.log1p(-Q)))  # (34)
    scale = 1 / (model.beta0 - D * np.log1p(-q))
    glp = rng.gamma(h[None] + f_lp, scale[:, None]) * model.parents[:, :, None]  # (28)
    g = glp.sum(axis=1)
    v = rng.gamma(g[None] + xl, q) * model.nodes[:, :, None]  # (20)
    return {"u": u, "q": q, "h": h, "glp": glp, "g": g, "v": v, "x": data(model, u, v, rng)}
