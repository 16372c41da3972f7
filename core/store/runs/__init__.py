"""Runs: factors on disk, evaluations and comparisons beside the database.

The rest of ``core.store`` uses ``run_store`` (what a store can do), ``factors`` and
``score_lines``, too.
"""

__all__ = ["comparisons", "evaluations", "outcome"]
