"""How a model takes a step: losses, solvers, starts, the descent loop, and the compiled kernels."""

__all__ = [
    "checks",
    "descent",
    "estimator",
    "factorisation",
    "gibbs",
    "groups",
    "joint",
    "kernels",
    "label_strength",
    "learned",
    "limits",
    "losses",
    "margins",
    "observed",
    "prediction",
    "projection",
    "solvers",
    "starts",
    "validation",
    "variational",
]
