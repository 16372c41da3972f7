"""Long work outside the page: one runner for fits, background work, comparisons and downloads.

``service()`` is the runner of this server. ``request`` a job by its kind and project, ask for its
``state``, ``cancel`` it; its changes go to the ``event_feed``. What each kind does and where it
runs is the table in ``kinds``. A fit has two stages, a preview and the full fit: ``fit_state``,
``cancel_fit`` and ``fit_afresh`` speak of both.
"""

from tsnmf_ui.jobs.current import service, serving
from tsnmf_ui.jobs.refits import (
    cancel_fit,
    encode_when_needed,
    finish_preview,
    fit_afresh,
    fit_state,
    refit_after_label,
)
from tsnmf_ui.jobs.runner import JobRunner
from tsnmf_ui.jobs.state import (
    COMPARISON,
    ENCODE,
    EVALUATE,
    FIT,
    FULL_FIT,
    MAP,
    NO_PROJECT,
    PREDICT,
    REPORT,
    SEED_FITS,
    FinishedFit,
    JobState,
    download_kind,
)

__all__ = [
    "COMPARISON",
    "ENCODE",
    "EVALUATE",
    "FIT",
    "FULL_FIT",
    "FinishedFit",
    "JobRunner",
    "JobState",
    "MAP",
    "NO_PROJECT",
    "PREDICT",
    "REPORT",
    "SEED_FITS",
    "cancel_fit",
    "download_kind",
    "encode_when_needed",
    "event_feed",
    "executors",
    "finish_preview",
    "fit_afresh",
    "fit_state",
    "refit_after_label",
    "service",
    "serving",
    "shared_feed",
]
