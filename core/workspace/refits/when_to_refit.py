"""Whether a label is worth a refit, and whether that refit needs a preview."""

from __future__ import annotations

from core.store import Project, Run

MAX_QUICK_DOCUMENTS = 20_000  # any model is fitted soon enough to so many
QUICK_SECONDS = 0.4  # a full fit that takes no longer is made at once


def worth_a_refit(project: Project) -> bool:
    """Whether to refit after a label: not if that takes long and the model ignores labels."""
    needed = project.settings.spec.uses_labels or project.last_run is None
    return needed or project.n_docs <= MAX_QUICK_DOCUMENTS


def needs_preview(last: Run | None) -> bool:
    """Whether a full fit, which takes as long as the last one, is worth a preview."""
    return last is not None and last.seconds > QUICK_SECONDS
