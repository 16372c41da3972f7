"""Runs: factors on disk, evaluations, comparisons and what reports showed beside the database.

The rest of ``core.store`` uses ``run_store`` (what a store can do), ``factors`` and
``score_lines``, too.
"""

__all__ = ["comparisons", "evaluations", "issued_reports", "outcome"]
