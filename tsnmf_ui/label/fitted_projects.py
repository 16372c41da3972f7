"""Projects as they stand, each with the topics of its newest run."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from core.errors import NotFound
from core.store import Project, Run, Store
from core.topics import Topics
from core.workspace.scores.left_out_trend import left_out_trend
from tsnmf_ui.label.snapshot import Fitted, Snapshots

MAX_CACHED_PROJECTS = 8  # projects remembered as they were read last

Load = Callable[[Run, tuple[str, ...]], Topics]  # names: what the topics are called now


class FittedProjects:
    """Reads what has changed, and remembers the rest."""

    def __init__(self, store: Store, snapshots: Snapshots, load: Load) -> None:
        self._store, self._snapshots, self._load = store, snapshots, load
        self._runs: dict[int, Run] = {}
        self._last: OrderedDict[int, Fitted] = OrderedDict()

    def of(self, number: int) -> Fitted:
        """A project as it stands, with the topics of its newest run.

        A preview may be replaced while it is read; then the run that took its place is there.
        """
        project = self._store.project(number)
        while True:
            try:
                return self._remember(self._read(project))
            except NotFound:
                before, project = project, self._store.project(number)
                if project.last_run == before.last_run:
                    raise

    def last(self, number: int) -> Fitted | None:
        """The project as it was read last."""
        return self._last.get(number)

    def _read(self, project: Project) -> Fitted:
        snapshot = self._snapshots.of(project)
        run = self._run(project)
        names = tuple(topic.name for topic in snapshot.topics)
        if run is None:
            return Fitted(project, snapshot, None, None)
        left_out = left_out_trend(self._store, run)
        return Fitted(project, snapshot, run, self._load(run, names), left_out)

    def _remember(self, fitted: Fitted) -> Fitted:
        self._last.pop(fitted.project.id, None)
        self._last[fitted.project.id] = fitted  # the newest last
        while len(self._last) > MAX_CACHED_PROJECTS:
            self._last.popitem(last=False)
        return fitted

    def _run(self, project: Project) -> Run | None:
        """The newest run; runs never change, so each is read once."""
        if project.last_run is None:
            return None
        known = self._runs.get(project.id)
        if known is None or known.id != project.last_run.run:
            known = self._store.run(project.id, project.last_run.run)
            self._runs[project.id] = known
        return known
