"""Runs: factors on disk, evaluations and comparisons beside the database."""

__all__ = ["comparisons", "evaluations", "outcome"]
