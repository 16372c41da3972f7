"""The models of full fits, for texts beyond their projects: written by the fit process.

A fit hands its model over and goes on; it is written when there is time. A fit can always make it
again.
"""

from __future__ import annotations

from core.errors import StudioError
from core.fitted import FittedModel
from core.matrix import DocumentTermMatrix
from core.store import Run, Store
from core.topics import Topics
from core.workspace.caches.paths import drop_older_runs, model_path
from core.workspace.caches.store_cache import StoreCache

MODELS_ON_DISK = 3  # newest full fits of a project whose models are kept

_unwritten: StoreCache[tuple[Run, FittedModel]] = StoreCache(max_entries=2)


def hand_over(store: Store, run: Run, topics: Topics, matrix: DocumentTermMatrix) -> None:
    """Remember the model of a fit until ``write_model`` has time; a preview leaves none."""
    if not run.preview:
        _unwritten.put(store, run.project, (run, topics.fitted_model(matrix)))


def write_model(store: Store, project: int) -> None:
    """Write the model that the last fit handed over; nobody waits for it."""
    found = _unwritten.find(store, project)
    if found is None:
        return
    run, model = found
    path = model_path(store, project, run.id)
    model.save(path, compressed=False)
    _unwritten.forget(store, project)
    drop_older_runs(path, keep=MODELS_ON_DISK)


def read_model(store: Store, run: Run) -> FittedModel | None:
    """The model of a run, if it is still kept and can be read."""
    found = _unwritten.find(store, run.project)
    if found is not None and found[0].id == run.id:
        return found[1]
    try:
        return FittedModel.load(model_path(store, run.project, run.id))
    except StudioError:
        return None
