"""A second copy of a project, row by row inside the database."""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from sqlalchemy import Connection, Table, func, insert, literal, select

from core.store import comparisons, evaluations
from core.store.checks import NAME_LIMIT
from core.store.factors import factors_path
from core.store.tables import acts, annotated, documents, events, marks, projects, runs, topics

PARTS = (documents, events, acts, topics, annotated, marks)


def copy_name(name: str, taken: Collection[str]) -> str:
    """“Desk (copy)”, then “Desk (copy 2)”, whichever of them is copied."""
    stem = re.sub(r" \(copy( \d+)?\)$", "", name)[: NAME_LIMIT - 12]
    wanted = (f"{stem} (copy{f' {n}' if n > 1 else ''})" for n in count(1))
    return next(each for each in wanted if each not in taken)


def copy_project(connection: Connection, home: Path, project: int, name: str) -> int:
    """Numbers within a project stay as they are, so nothing has to be renumbered."""
    row = connection.execute(select(projects).where(projects.c.id == project)).one()
    now = datetime.now(UTC)
    values = {key: value for key, value in row._mapping.items() if key != "id"}
    values |= {"name": name, "created": now, "last_act": now, "searchable": False}
    copied = connection.execute(insert(projects), values).inserted_primary_key
    assert copied is not None
    number = int(copied[0])
    for table in PARTS:
        _copy_rows(connection, table, project, number)
    last = connection.scalar(select(func.max(runs.c.id)).where(runs.c.project == project))
    if last is not None:
        _copy_run(connection, home, project, number, last)
    comparisons.copy(home, project, number)
    evaluations.copy(home, project, number)
    return number


def _copy_rows(
    connection: Connection, table: Table, project: int, number: int, run: int | None = None
) -> None:
    columns = [column for column in table.c if column.name != "project"]
    chosen = select(literal(number), *columns).where(table.c.project == project)
    if run is not None:
        chosen = chosen.where(table.c.id == run)
    names = ["project", *(column.name for column in columns)]
    connection.execute(insert(table).from_select(names, chosen))


def _copy_run(connection: Connection, home: Path, project: int, number: int, run: int) -> None:
    """The last run goes along if its factors can: a fit can always be made again."""
    old, new = factors_path(home, project, run), factors_path(home, number, run)
    new.parent.mkdir(parents=True, exist_ok=True)
    try:
        shutil.copyfile(old, new)
    except OSError:
        return
    _copy_rows(connection, runs, project, number, run)
