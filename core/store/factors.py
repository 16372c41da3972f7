"""Runs: a row for what went in and came out, a file for the factors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, select, update

from core.errors import NotFound
from core.fitting import ModelSpec
from core.store.tables import projects, runs
from core.store.values import Run
from core.topics import Topics

KEPT = 20  # automatic runs whose factors stay on disk


def factors_path(home: Path, project: int, run: int) -> Path:
    return home / "factors" / str(project) / f"{run}.npz"


def reserve(connection: Connection, project: int) -> int:
    """A run number nobody else gets, so that the factors can be written before the row."""
    raised = projects.c.last_run + 1
    connection.execute(update(projects).where(projects.c.id == project).values(last_run=raised))
    number = connection.scalar(select(projects.c.last_run).where(projects.c.id == project))
    if number is None:
        raise NotFound("There is no such project.")
    return int(number)


def plain(value: Any) -> Any:
    """Scores as JSON can hold them: NumPy scalars become numbers, not-a-number becomes None."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def read_runs(
    connection: Connection, home: Path, project: int, limit: int | None = None
) -> list[Run]:
    """Runs, newest first."""
    query = select(runs).where(runs.c.project == project).order_by(runs.c.id.desc()).limit(limit)
    return [_run(row, home) for row in connection.execute(query)]


def read_run(connection: Connection, home: Path, project: int, run: int) -> Run:
    query = select(runs).where(runs.c.project == project, runs.c.id == run)
    row = connection.execute(query).first()
    if row is None:
        raise NotFound("There is no such run.")
    return _run(row, home)


def _run(row: Row[Any], home: Path) -> Run:
    return Run(
        id=row.id,
        project=row.project,
        revision=row.revision,
        spec=ModelSpec.from_dict(row.spec),
        settings=row.settings,
        topic_ids=tuple(row.topic_ids),
        scores=row.scores,
        seconds=row.seconds,
        finished=row.finished,
        automatic=row.automatic,
        factors=factors_path(home, row.project, row.id),
    )


def load_factors(run: Run, names: Mapping[int, str]) -> Topics:
    """The run's topics under the names their topics have today."""
    try:
        topics = Topics.load(run.factors)
    except FileNotFoundError:
        raise NotFound("The factors of this run are no longer kept; fit it again.") from None
    present = [names.get(number) for number in run.topic_ids]
    renamed = [new or old for new, old in zip(present, topics.names, strict=False)]
    return topics.renamed((*renamed, *topics.names[len(renamed) :]))


def sweep(connection: Connection, home: Path, project: int) -> None:
    """Remove factors that no kept run needs, and what a crash between file and row left."""
    query = select(runs.c.id, runs.c.automatic).where(runs.c.project == project)
    rows = connection.execute(query.order_by(runs.c.id.desc())).all()
    automatic = [row.id for row in rows if row.automatic]
    if len(automatic) <= KEPT:
        return
    oldest = automatic[KEPT - 1]
    wanted = {row.id for row in rows if not row.automatic}
    for path in factors_path(home, project, 0).parent.glob("*.npz"):
        number = int(path.stem) if path.stem.isdecimal() else None
        if number is not None and number < oldest and number not in wanted:
            path.unlink(missing_ok=True)
