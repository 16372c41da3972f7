"""The part of the store that saves and reads runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from core.store.database import Database
from core.store.events.append import open_project
from core.store.runs import factors, fit_lock
from core.store.runs.outcome import RunOutcome
from core.store.state.topics import read_topics
from core.store.tables import runs
from core.store.values import ProjectSettings, Run
from core.topics import Topics


class RunStore:
    """Runs never change once they are saved; the store brings database and folder."""

    home: Path
    _database: Database

    def add_run(
        self,
        project_id: int,
        *,
        revision: int,
        topics: Topics,
        outcome: RunOutcome,
        seconds: float,
        settings: ProjectSettings | Mapping[str, Any],
        automatic: bool = True,
        preview: bool = False,
    ) -> Run:
        """Save a finished fit: first the factors on disk, then the row that names them.

        The keys of the topics that carry labels are the ids of these labels in the project. The run
        takes the place of previews before it: their rows go as its own comes, then their factors.
        """
        with self._database.write() as connection:
            open_project(connection, project_id)
            number = factors.reserve(connection, project_id)
        topics.save(factors.factors_path(self.home, project_id, number))
        given = settings.to_dict() if isinstance(settings, ProjectSettings) else settings
        values = {
            "project": project_id,
            "id": number,
            "revision": revision,
            "spec": topics.spec.to_dict(),
            "settings": factors.plain(given),
            "topic_ids": [int(key) for key in topics.label_keys],
            "scores": factors.plain(outcome.to_dict()),
            "seconds": float(seconds),
            "finished": datetime.now(UTC),
            "automatic": automatic,
            "preview": preview,
        }
        with self._database.write() as connection:
            connection.execute(insert(runs), values)
            replaced = factors.delete_previews(connection, project_id, before=number)
            unused = factors.unused(connection, self.home, project_id)
            run = factors.read_run(connection, self.home, project_id, number)
        unused += [factors.factors_path(self.home, project_id, each) for each in replaced]
        for path in unused:  # now that the row is there: a crash before it must lose nothing
            path.unlink(missing_ok=True)
        return run

    @contextmanager
    def fit_lock(self, project_id: int, should_stop: Callable[[], bool]) -> Iterator[bool]:
        """No other server fits the project inside the block; whether there was one to wait for."""
        with fit_lock.fit_lock(self._database, project_id, should_stop) as waited:
            yield waited

    def runs(self, project_id: int, limit: int | None = None) -> list[Run]:
        """Runs that rest, newest first; previews are left out."""
        with self._database.read() as connection:
            return factors.read_runs(connection, self.home, project_id, limit)

    def run(self, project_id: int, run_id: int) -> Run:
        with self._database.read() as connection:
            return factors.read_run(connection, self.home, project_id, run_id)

    def current_run(self, project_id: int) -> Run | None:
        """The newest run, which pages show, be it a preview; None before the first fit."""
        with self._database.read() as connection:
            newest = factors.read_runs(connection, self.home, project_id, limit=1, previews=True)
        return newest[0] if newest else None

    def resting_run(self, project_id: int) -> Run | None:
        """The newest run that is no preview: the one to score, to export and to compare with."""
        newest = self.runs(project_id, limit=1)
        return newest[0] if newest else None

    def run_topics(self, run: Run) -> Topics:
        """The run's factors under the names the topics have now, beside the texts of today.

        Texts that came after the run have no weight in it until the next fit.
        """
        with self._database.read() as connection:
            named = read_topics(connection, run.project)
            ids = factors.changed_ids(connection, run)
        names, several = {topic.id: topic.name for topic in named}, not self._database.is_sqlite
        topics = factors.load_factors(run, names, several_servers=several)
        return topics if ids is None else topics.of_documents(ids)
