"""The exact Gibbs sampler of Poisson factor analysis: hierarchy, sweep, chains."""

__all__ = ["chains", "hierarchy", "levels", "poisson_factors", "sweep"]
