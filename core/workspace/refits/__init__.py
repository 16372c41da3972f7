"""Refits of a project: what goes in, the fit itself, what comes out, and when one is worth it.

``refit`` is the public call, for the full fit and for the preview before it; ``inputs`` turns
labels in force, settings and topics into engine values, ``refit_context`` knows what happened to
the topics since the last full fit.
"""

__all__ = [
    "fit_lock",
    "inputs",
    "refit",
    "refit_context",
    "run_scores",
    "save_run",
    "warm_up",
    "when_to_refit",
]
