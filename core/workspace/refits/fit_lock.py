"""One fit of a project at a time, also where several servers share a database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from core.engine.descent import Callback, Progress
from core.store import Project, Run, Store

NOT_BEGUN = Progress(iteration=0, max_iter=1, objective=float("nan"))


@contextmanager
def one_fit_at_a_time(
    store: Store, project: Project, callback: Callback | None, *, preview: bool
) -> Iterator[Run | None]:
    """Wait for the fit of another server; its run, if that is the one asked for here."""

    def should_stop() -> bool:
        return bool(callback is not None and callback(NOT_BEGUN))

    with store.fit_lock(project.id, should_stop) as waited:
        yield _made_meanwhile(store, project.id, preview) if waited else None


def _made_meanwhile(store: Store, project: int, preview: bool) -> Run | None:
    """The newest run, if it follows from labels and settings as they are now."""
    run, now = store.current_run(project), store.project(project)
    if run is None or (run.preview and not preview):
        return None
    same_settings = run.settings == now.settings.to_dict()
    unchanged = store.count_changes(project, after=run.revision) == 0
    return run if same_settings and unchanged else None
