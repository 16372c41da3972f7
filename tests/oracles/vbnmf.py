"""Ivek, *Supervised variational Bayesian NMF for documents*, dense, in the paper's letters.

X terms × documents (ν, τ); T terms × topics (ν, i); V topics × documents (i, τ); Λ topics × labels
(i, l); Δ documents × labels (τ, l). E and L are ⟨·⟩ and ⟨ln ·⟩; A, B with a letter are the prior's
shapes and *scales*; alpha, beta those of q.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import gammaln, psi


@dataclass(frozen=True)
class State:
    """Table A2 as the parameters of q; A^t, B^t, A^λ, B^λ of table A1."""

    alpha_t: np.ndarray
    beta_t: np.ndarray
    alpha_v: np.ndarray
    beta_v: np.ndarray
    alpha_lambda: np.ndarray
    beta_lambda: np.ndarray
    At: np.ndarray
    Bt: np.ndarray
    Al: np.ndarray
    Bl: np.ndarray
    Av: float = 1.0  # the paper's V is exponential; Cemgil's plain model lets the shape differ


def E(alpha, beta):
    return alpha * beta


def L(alpha, beta):
    return psi(alpha) + np.log(beta)


def sources(X, s):
    """⟨s_νiτ⟩ = x_ντ p_νiτ, all of them: terms × topics × documents."""
    p = np.exp(L(s.alpha_t, s.beta_t)[:, :, None] + L(s.alpha_v, s.beta_v)[None])
    return X[:, None, :] * p / p.sum(axis=1, keepdims=True)


def step(X, Delta, s, *, newest=True, accumulate=False, fixed_lambda=False):
    """Table A3. ``newest=False`` takes the old E_t for V and ``accumulate`` adds to the shapes of
    the pass before, both as printed; ``fixed_lambda`` is the burn-in."""
    S = sources(X, s)
    E_v, old_E_t = E(s.alpha_v, s.beta_v), E(s.alpha_t, s.beta_t)
    alpha_t = (s.alpha_t if accumulate else s.At) + S.sum(axis=2)
    beta_t = 1 / (1 / s.Bt + E_v.sum(axis=1)) * np.ones_like(alpha_t)
    E_t = E(alpha_t, beta_t) if newest else old_E_t
    alpha_v = s.Av + S.sum(axis=0)
    beta_v = 1 / (E(s.alpha_lambda, s.beta_lambda) @ Delta.T + E_t.sum(axis=0)[:, None])
    after = replace(s, alpha_t=alpha_t, beta_t=beta_t, alpha_v=alpha_v, beta_v=beta_v)
    return after if fixed_lambda else update_lambda(Delta, after)


def update_lambda(Delta, s):
    """α^λ sums over documents; ``E_v ∗ Δ`` is the matrix product."""
    alpha = s.Al + Delta.sum(axis=0)
    beta = 1 / (1 / s.Bl + E(s.alpha_v, s.beta_v) @ Delta)
    return replace(s, alpha_lambda=alpha, beta_lambda=beta)


def expected_log_gamma(alpha, beta, a, inverse_scale, log_inverse_scale):
    """⟨ln G(x | a, b)⟩ under q = G(α, β), the prior's 1/b being possibly random itself."""
    return float(
        (
            -inverse_scale * E(alpha, beta) + (a - 1) * L(alpha, beta)
            + a * log_inverse_scale - gammaln(a)
        ).sum()
    )  # fmt: skip


def entropy(alpha, beta):
    """H[G(x | α, β)], appendix A.2."""
    return float((-(alpha - 1) * psi(alpha) + np.log(beta) + alpha + gammaln(alpha)).sum())


def source_terms(X, s):
    """⟨ln p(X, S | T, V)⟩ + H[q(S)], straight from the definitions.

    Poisson: −t v + s ln(t v) − ln Γ(s + 1). Entropy of the multinomial (A.3):
    −ln Γ(x + 1) − Σ ⟨s⟩ ln p + Σ ⟨ln Γ(s + 1)⟩. The two ⟨ln Γ(s + 1)⟩ cancel.
    """
    S = sources(X, s)
    logs = L(s.alpha_t, s.beta_t)[:, :, None] + L(s.alpha_v, s.beta_v)[None]
    p = np.exp(logs)
    log_p = logs - np.log(p.sum(axis=1, keepdims=True))
    poisson = -(E(s.alpha_t, s.beta_t) @ E(s.alpha_v, s.beta_v)).sum() + (S * logs).sum()
    multinomial = -gammaln(X + 1).sum() - (S * log_p).sum()
    return float(poisson + multinomial)


def bound(X, Delta, s):
    """Eq. (10), with Jensen's ⟨ln Σ_l Δ λ⟩ ≥ Σ_l Δ ⟨ln λ⟩."""
    rate = E(s.alpha_lambda, s.beta_lambda) @ Delta.T
    log_rate = L(s.alpha_lambda, s.beta_lambda) @ Delta.T
    return (
        source_terms(X, s)
        + expected_log_gamma(s.alpha_t, s.beta_t, s.At, 1 / s.Bt, -np.log(s.Bt))
        + expected_log_gamma(s.alpha_v, s.beta_v, s.Av, rate, log_rate)
        + expected_log_gamma(s.alpha_lambda, s.beta_lambda, s.Al, 1 / s.Bl, -np.log(s.Bl))
        + entropy(s.alpha_t, s.beta_t)
        + entropy(s.alpha_v, s.beta_v)
        + entropy(s.alpha_lambda, s.beta_lambda)
    )


def plain_bound(X, s, bv):
    """The same for plain vbNMF, whose V has one prior G(a_v, b_v) and no Λ."""
    return (
        source_terms(X, s)
        + expected_log_gamma(s.alpha_t, s.beta_t, s.At, 1 / s.Bt, -np.log(s.Bt))
        + expected_log_gamma(s.alpha_v, s.beta_v, s.Av, 1 / bv, -np.log(bv))
        + entropy(s.alpha_t, s.beta_t)
        + entropy(s.alpha_v, s.beta_v)
    )
