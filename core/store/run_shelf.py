"""The part of the store that keeps runs: what was fitted, with what, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from core.fitting import ModelSpec
from core.store import factors, log, topic_log
from core.store.database import Database
from core.store.tables import runs
from core.store.values import ProjectSettings, Run
from core.topics import Topics


class Runs:
    """Runs never change once they are kept; the store brings the database and the folder."""

    home: Path
    _database: Database

    def add_run(
        self,
        project_id: int,
        *,
        revision: int,
        spec: ModelSpec,
        topic_ids: Sequence[int],
        topics: Topics,
        scores: Mapping[str, Any],
        seconds: float,
        settings: ProjectSettings | Mapping[str, Any],
        automatic: bool = True,
    ) -> Run:
        """Keep a finished fit: first the factors on disk, then the row that names them."""
        with self._database.write() as connection:
            log.open_project(connection, project_id)
            number = factors.reserve(connection, project_id)
        topics.save(factors.factors_path(self.home, project_id, number))
        given = settings.to_dict() if isinstance(settings, ProjectSettings) else settings
        values = {
            "project": project_id,
            "id": number,
            "revision": revision,
            "spec": spec.to_dict(),
            "settings": factors.plain(given),
            "topic_ids": [int(topic) for topic in topic_ids],
            "scores": factors.plain(scores),
            "seconds": float(seconds),
            "finished": datetime.now(UTC),
            "automatic": automatic,
        }
        with self._database.write() as connection:
            connection.execute(insert(runs), values)
            factors.sweep(connection, self.home, project_id)
            return factors.read_run(connection, self.home, project_id, number)

    def runs(self, project_id: int, limit: int | None = None) -> list[Run]:
        """Runs, newest first."""
        with self._database.read() as connection:
            return factors.read_runs(connection, self.home, project_id, limit)

    def run(self, project_id: int, run_id: int) -> Run:
        with self._database.read() as connection:
            return factors.read_run(connection, self.home, project_id, run_id)

    def current_run(self, project_id: int) -> Run | None:
        """The newest run, or None before the first fit."""
        with self._database.read() as connection:
            newest = factors.read_runs(connection, self.home, project_id, limit=1)
        return newest[0] if newest else None

    def run_topics(self, run: Run) -> Topics:
        """The run's factors under the names the topics have now."""
        with self._database.read() as connection:
            named = topic_log.read_topics(connection, run.project)
        return factors.load_factors(run, {topic.id: topic.name for topic in named})
