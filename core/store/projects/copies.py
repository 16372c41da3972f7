"""Copy a project inside the database."""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from sqlalchemy import Connection, Table, func, insert, literal, select, update

from core.store.events.checks import NAME_LIMIT
from core.store.projects import own_vectors
from core.store.runs import comparisons, evaluations, issued_reports
from core.store.runs.factors import factors_path
from core.store.tables import (
    annotated,
    documents,
    event_status,
    events,
    marks,
    projects,
    replaced_documents,
    runs,
    topics,
)

COPIED_TABLES = (documents, replaced_documents, events, event_status, topics, annotated, marks)


def copy_name(name: str, taken: Collection[str]) -> str:
    """“Desk (copy)”, then “Desk (copy 2)”, whichever of them is copied."""
    stem = re.sub(r" \(copy( \d+)?\)$", "", name)[: NAME_LIMIT - 12]
    wanted = (f"{stem} (copy{f' {n}' if n > 1 else ''})" for n in count(1))
    return next(each for each in wanted if each not in taken)


def name_apart(connection: Connection, project: int) -> None:
    """Call a project a copy if there is another of its name."""
    names = select(projects.c.id, projects.c.name).where(projects.c.deleted.is_(None))
    known = {row.id: row.name for row in connection.execute(names)}
    name = known.pop(project)
    if name in known.values():
        apart = copy_name(name, set(known.values()))
        connection.execute(update(projects).where(projects.c.id == project).values(name=apart))


def begin_copy(connection: Connection, project: int, name: str, author: str | None = None) -> int:
    """The number of the copy, which nobody sees before it is complete.

    It is taken in a transaction of its own, and so for good: the files of a copy that fails
    half-way never turn up in another project.
    """
    row = connection.execute(select(projects).where(projects.c.id == project)).one()
    now = datetime.now(UTC)
    values = {key: value for key, value in row._mapping.items() if key != "id"}
    values |= {"name": name, "created": now, "last_act": now, "searchable": False, "n_docs": 0}
    values |= {} if author is None else {"author": author}
    copied = connection.execute(insert(projects), values).inserted_primary_key
    assert copied is not None
    return int(copied[0])


def copy_project(connection: Connection, home: Path, project: int, number: int) -> None:
    """Copy all rows; numbers within a project stay, so nothing has to be renumbered."""
    row = connection.execute(select(projects).where(projects.c.id == project)).one()
    derived = ("n_docs", "n_labelled", "revision", "last_topic", "last_run", "texts_revision")
    same = {name: row._mapping[name] for name in derived}  # an event may have come in between
    connection.execute(update(projects).where(projects.c.id == number).values(**same))
    for table in COPIED_TABLES:
        _copy_rows(connection, table, project, number)
    rests = select(func.max(runs.c.id)).where(runs.c.project == project, ~runs.c.preview)
    last = connection.scalar(rests)
    if last is not None:
        _copy_run(connection, home, project, number, last)
    comparisons.copy(home, project, number)
    evaluations.copy(home, project, number)
    issued_reports.copy(home, project, number)
    own_vectors.copy(home, project, number)


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
    """The last run that rests goes along if its factors can: a fit can always be made again."""
    old, new = factors_path(home, project, run), factors_path(home, number, run)
    new.parent.mkdir(parents=True, exist_ok=True)
    try:
        shutil.copyfile(old, new)
    except OSError:
        return
    _copy_rows(connection, runs, project, number, run)
