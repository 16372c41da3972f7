"""The two stages of a fit as one: requested after a label, looked at, stopped, healed.

And the vectors that a fit did without, requested after it.
"""

from __future__ import annotations

from core.store import Store
from core.workspace.caches.vectors import needs_encoding
from core.workspace.refits.when_to_refit import worth_a_refit
from tsnmf_ui.jobs.current import Jobs
from tsnmf_ui.jobs.state import ENCODE, FIT, FULL_FIT, JobState


def refit_after_label(runner: Jobs, store: Store, project: int, delay: float | None = None) -> None:
    """Request a fit if it is worth its time; one that waits was found to be worth it."""
    waiting = runner.state(FIT, project).phase == "waiting"
    if waiting or worth_a_refit(store.project(project)):
        runner.request(FIT, project, delay=delay)


def fit_afresh(runner: Jobs, project: int) -> None:
    """Request a full fit now, whatever there is; one that is under way is just that."""
    runner.request(FULL_FIT, project, {"afresh": True})


def finish_preview(runner: Jobs, project: int) -> None:
    """Request the full fit of a preview that a server left without one when it ended.

    Not while a fit is under way, which leads to it, nor after one that was stopped or failed.
    """
    follows = runner.state(FIT, project).active
    if not follows and runner.state(FULL_FIT, project).phase in ("idle", "done"):
        runner.request(FULL_FIT, project)


def fit_state(runner: Jobs, project: int) -> JobState:
    """Where the fit of a project stands: the stage that runs, or was requested last."""
    stages = (runner.state(FIT, project), runner.state(FULL_FIT, project))
    return max(stages, key=lambda stage: (stage.phase == "running", stage.number))


def cancel_fit(runner: Jobs, project: int) -> None:
    """Stop both stages; what is shown stays."""
    for stage in (FULL_FIT, FIT):
        runner.cancel(stage, project)


def encode_when_needed(runner: Jobs, store: Store, project: int) -> None:
    """After a fit without vectors that should be there: make them; another fit follows.

    An encoder that failed is not asked again until another is chosen.
    """
    found = store.project(project)
    last, chosen = runner.state(ENCODE, project), found.settings.meaning
    failed = last.phase == "failed" and last.title == chosen
    if not failed and needs_encoding(store, found):
        runner.request(ENCODE, project, title=chosen)
