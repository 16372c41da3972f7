"""What is wrong with a command, as far as that is known without the engine.

Loading the engine takes seconds. A project that is not there, or a folder that cannot be written
to, is told before that. The commands look again themselves: another database than SQLite, or one
that somebody is changing, is left to them.
"""

from __future__ import annotations

import argparse
import os
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from core.errors import NotFound, StudioError
from tsnmf_ui.cli.argument_types import (
    STORE_FILE,
    URL_VARIABLE,
    is_elsewhere,
    require_file,
    require_folder,
)
from tsnmf_ui.cli.known_names import EXPORT_SUFFIXES, PROJECT_SUFFIX, REPORT_SUFFIXES

HOME_VARIABLE = "TSNMF_STUDIO_HOME"
LOG_ENDINGS = ("wal", "shm")  # of the files that SQLite keeps beside a database
MODEL_START = re.compile(rb"PK\x03\x04.{26}model\.json", re.DOTALL)  # of a model's file
LISTED_PROJECTS = 20  # named in the sentence that says a project is not there
PROJECTS = "SELECT id, name FROM projects WHERE deleted IS NULL AND n_docs > 0 "
NEWEST_FIRST = "ORDER BY last_act DESC, id DESC"
FULL_FITS = "SELECT count(*) FROM runs WHERE project = ? AND NOT preview"

Check = Callable[[argparse.Namespace], None]


def check(chosen: argparse.Namespace) -> None:
    """A StudioError says what is wrong."""
    for each in CHECKS.get(chosen.handler, ()):
        each(chosen)


def _source(chosen: argparse.Namespace) -> None:
    file = chosen.file or chosen.file_option
    if file is None:
        raise StudioError("Name a file to read; - is the standard input.")
    if not chosen.cluster and is_elsewhere(file):
        raise StudioError(f"{file} needs --cluster: one machine reads one file or one folder.")


def _results_folder(chosen: argparse.Namespace) -> None:
    require_folder(chosen.out)
    if chosen.save_model:
        require_file(chosen.save_model)
        _require_a_model(chosen.save_model)
        _require_not_the_store(chosen.save_model, chosen)


def _require_a_model(path: Path) -> None:
    """A model replaces a model and nothing else: a stranger's settings may name any file."""
    if not path.exists():
        return
    try:
        with path.open("rb") as file:
            known = MODEL_START.match(file.read(100))
    except OSError:
        known = None
    if known is None:
        raise StudioError(f"{path} is there and is no model; name another file.")


def _paper_folder(chosen: argparse.Namespace) -> None:
    require_folder(chosen.results)


def _out_file(chosen: argparse.Namespace) -> None:
    if chosen.out is not None and str(chosen.out) != "-":
        require_file(chosen.out)
        _require_not_the_store(chosen.out, chosen)


def _backup_file(chosen: argparse.Namespace) -> None:
    _require_not_the_store(chosen.file, chosen)


def _require_not_the_store(path: Path, chosen: argparse.Namespace) -> None:
    """Nothing is written over the projects, by whatever name or link."""
    database = database_path(chosen.home)
    if path.expanduser().resolve() in [database, *(Path(f"{database}-{e}") for e in LOG_ENDINGS)]:
        raise StudioError(f"{path} holds the projects; name another file.")


def _report_format(chosen: argparse.Namespace) -> None:
    if chosen.out is not None and not chosen.format:
        _require_ending(chosen.out, tuple(REPORT_SUFFIXES.values()))


def _export_format(chosen: argparse.Namespace) -> None:
    if chosen.out is None:
        raise StudioError("Name a file to write with --out.")
    _require_ending(chosen.out, EXPORT_SUFFIXES)


def _require_ending(path: Path, suffixes: tuple[str, ...]) -> None:
    if not path.name.lower().endswith(suffixes):
        raise StudioError(f"“{path.name}” ends like no format: {', '.join(suffixes)}.")


def _new_name(chosen: argparse.Namespace) -> None:
    known = _rows(chosen, PROJECTS) if chosen.project else None
    if any(name.casefold() == chosen.project.casefold() for _, name in known or ()):
        raise StudioError(
            f"There is a project called “{chosen.project}” already; refit it, or take another name."
        )


def _project(chosen: argparse.Namespace) -> None:
    _number(chosen)


def _fitted_project(chosen: argparse.Namespace) -> None:
    """A project with a full fit; a whole project is exported without one."""
    number = _number(chosen)
    whole = str(chosen.out or "").endswith(PROJECT_SUFFIX) if "out" in chosen else False
    if number is None or whole:
        return
    if _rows(chosen, FULL_FITS, number) == [(0,)]:
        ((name,),) = _rows(chosen, "SELECT name FROM projects WHERE id = ?", number) or [("",)]
        raise NotFound(f"“{name}” has no fit yet; refit it first.")


def _number(chosen: argparse.Namespace) -> int | None:
    """The project's number; None if none is named or the database is left to the command."""
    asked = chosen.project
    known = None if asked is None else _rows(chosen, f"{PROJECTS} {NEWEST_FIRST}")
    if known is None:
        return None
    named = [number for number, name in known if name.casefold() == asked.casefold()]
    if len(named) == 1:
        return int(named[0])
    if asked.isdecimal():
        if int(asked) not in [number for number, _ in known]:
            raise NotFound("There is no such project.")
        return int(asked)
    if named:
        raise NotFound(f"Several projects are called “{asked}”; name it by its number.")
    there = ", ".join(f"{number} ({name})" for number, name in known[:LISTED_PROJECTS])
    raise NotFound(f"There is no project called “{asked}”. There are: {there or 'none'}.")


def _rows(chosen: argparse.Namespace, query: str, *values: int) -> list[Any] | None:
    """What the database says, which is not changed; None if it cannot be asked here."""
    database = database_path(chosen.home)
    if os.environ.get(URL_VARIABLE) or not database.is_file():
        return None
    log = database.with_name(f"{database.name}-wal")
    rests = not log.exists()  # then SQLite would make a log beside it, to read
    address = f"{database.as_uri()}?mode=ro{'&immutable=1' if rests else ''}"
    try:
        with closing(sqlite3.connect(address, uri=True)) as raw:
            return raw.execute(query, values).fetchall()
    except sqlite3.Error:
        return None


def database_path(home: Path | None) -> Path:
    """Where the database of the app, or of a folder, is."""
    import platformdirs

    chosen = home or os.environ.get(HOME_VARIABLE) or platformdirs.user_data_path("tsnmf-studio")
    return Path(chosen).expanduser().resolve() / STORE_FILE


CHECKS: dict[str, tuple[Check, ...]] = {
    "fit.fit": (_source, _new_name, _results_folder),
    "fit.refit": (_project,),
    "papers.papers": (_paper_folder,),
    "predict.predict": (_project, _out_file),
    "reports.report": (_report_format, _fitted_project, _out_file),
    "reports.export": (_export_format, _fitted_project, _out_file),
    "scores.score": (_fitted_project,),
    "scores.compare": (_project,),
    "labels.export": (_project, _out_file),
    "labels.bring_in": (_project,),
    "maintenance.backup": (_backup_file,),
}
