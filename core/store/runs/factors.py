"""Runs: a row for what went in and came out, a file for the factors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, select, update

from core.errors import NotFound
from core.spec import ModelSpec, with_sizes_of
from core.store.runs.outcome import RunOutcome
from core.store.tables import documents, projects, runs
from core.store.values import Run
from core.topics import Topics

_RESTS = runs.c.preview.is_(False)

DELETED = "The factors of this run have been deleted; fit it again."
NOT_IN_FOLDER = (
    "The factors of this run are not at “{}”. Either they have been deleted, and fitting it again "
    "helps, or this server has a folder of its own: all servers of a database must see one folder."
)
AUTOMATIC_RUNS_WITH_FACTORS = 20  # the newest that rest; factors of older ones are deleted


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
    connection: Connection,
    home: Path,
    project: int,
    limit: int | None = None,
    *,
    previews: bool = False,
) -> list[Run]:
    """Runs, newest first; previews only if they are asked for."""
    wanted = [runs.c.project == project] if previews else [runs.c.project == project, _RESTS]
    query = select(runs).where(*wanted).order_by(runs.c.id.desc()).limit(limit)
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
        spec=_spec(row),
        settings=row.settings,
        topic_ids=tuple(row.topic_ids),
        outcome=RunOutcome.from_dict(row.scores),
        seconds=row.seconds,
        finished=row.finished,
        automatic=row.automatic,
        factors=factors_path(home, row.project, row.id),
        preview=row.preview,
    )


def _spec(row: Row[Any]) -> ModelSpec:
    """Runs of earlier versions had the sizes of labels by name, but by id in their settings."""
    settings = row.settings.get("spec")
    spec = ModelSpec.from_dict(row.spec)
    return spec if settings is None else with_sizes_of(spec, ModelSpec.from_dict(settings))


def changed_ids(connection: Connection, run: Run) -> tuple[str, ...] | None:
    """The ids of all documents, if the texts have changed since the run; None if not."""
    query = select(projects.c.texts_revision).where(projects.c.id == run.project)
    if run.revision >= (connection.scalar(query) or 0):
        return None
    ids = select(documents.c.id).where(documents.c.project == run.project)
    return tuple(connection.scalars(ids.order_by(documents.c.position)))


def load_factors(run: Run, names: Mapping[int, str], *, several_servers: bool = False) -> Topics:
    """The run's topics, by the ids of their labels and under the names these have today."""
    try:
        topics = Topics.load(run.factors)
    except FileNotFoundError:
        raise NotFound(NOT_IN_FOLDER.format(run.factors) if several_servers else DELETED) from None
    topics = with_label_keys(topics, run.topic_ids)
    named = (names.get(key) if isinstance(key, int) else None for key in topics.keys)
    return topics.renamed(tuple(new or old for new, old in zip(named, topics.names, strict=True)))


def with_label_keys(topics: Topics, ids: Sequence[int]) -> Topics:
    """The first topics by the ids of their labels: earlier versions wrote no keys to the file."""
    return replace(topics, keys=(*ids, *topics.keys[len(ids) :]))


def delete_previews(connection: Connection, project: int, before: int) -> list[int]:
    """Delete the previews that a run takes the place of; their numbers, never given again."""
    replaced = and_(runs.c.project == project, runs.c.preview, runs.c.id < before)
    numbers = list(connection.scalars(select(runs.c.id).where(replaced)))
    connection.execute(delete(runs).where(replaced))
    return numbers


def unused(connection: Connection, home: Path, project: int) -> list[Path]:
    """Factors of old automatic runs, and what a crash between file and row left."""
    query = select(runs.c.id, runs.c.automatic).where(runs.c.project == project, _RESTS)
    rows = connection.execute(query.order_by(runs.c.id.desc())).all()
    automatic = [row.id for row in rows if row.automatic]
    if len(automatic) <= AUTOMATIC_RUNS_WITH_FACTORS:
        return []
    oldest = automatic[AUTOMATIC_RUNS_WITH_FACTORS - 1]
    wanted = {row.id for row in rows if not row.automatic}
    files = {path: path.stem for path in factors_path(home, project, 0).parent.glob("*.npz")}
    numbers = {path: int(stem) for path, stem in files.items() if stem.isdecimal()}
    return [path for path, n in numbers.items() if n < oldest and n not in wanted]
