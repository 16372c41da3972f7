"""Keep a run, and drop what was kept for the preview whose place it takes."""

from __future__ import annotations

from typing import Any

from core.store import Run, Store
from core.workspace.caches.paths import drop_files_of_run


def save_run(store: Store, project: int, **about: Any) -> Run:
    """``Store.add_run``; the files beside the database that spoke of a replaced preview go, too."""
    shown = store.current_run(project)
    run = store.add_run(project, **about)
    if shown is not None and shown.preview:
        drop_files_of_run(store, project, shown.id)
    return run
