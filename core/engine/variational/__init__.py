"""Coordinate ascent on a variational bound: gamma priors, the loop, the base of both models."""

__all__ = ["ascent", "gamma_priors", "model"]
