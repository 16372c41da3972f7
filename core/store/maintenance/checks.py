"""All checks of a store. They change nothing, and can be made while a server runs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, Engine

from core.errors import StoreError
from core.store import tables
from core.store.maintenance import database_check, file_check, log_check, stored_files
from core.store.maintenance.findings import Finding, ok, problem, warning
from core.store.maintenance.read_only import read_database
from core.store.maintenance.store_folder import StoreFolder, find_store, require_store
from core.store.maintenance.stored_files import StoredRun
from core.store.store_lock import is_open
from core.values import bytes_in_words, count

LITTLE_SPACE, HARDLY_SPACE = 2 * 2**30, 200 * 2**20  # bytes free
MAX_NAMED = 5  # files or projects named one by one
RESTORE_ADVICE = "Restore the last backup: tsnmf-studio restore FILE."
FIT_ADVICE = "Open the project and choose Refit from scratch, or restore a backup."
REBUILD_ADVICE = (
    "Export the project as a file and import it again: that builds the tables anew from the log."
)


def check_store(home: Path | str | None = None) -> Iterator[Finding]:
    """Every finding about the store in a folder, or in the app's own."""
    try:
        folder = find_store(home)
    except StoreError as error:
        yield problem("Store", str(error), "Unset it to check the folder.")
        return
    if home is None and not folder.database.exists():
        yield ok("Store", f"There is none yet; it will be made in “{folder.home}”.")
        yield from _space(folder.home)
        return
    try:
        require_store(folder)
    except StoreError as error:
        yield problem("Store", str(error), "Name the Studio's folder with --home.")
        return
    in_use = is_open(folder.home)
    who = "A server or another program has" if in_use else "No server or other program has"
    yield ok("Store", f"{who} “{folder.home}” open.")
    yield from _space(folder.home)
    yield _permissions(folder.home)
    yield from _database(folder, in_use)


def _space(home: Path) -> Iterator[Finding]:
    place = next(path for path in (home, *home.parents) if path.exists())
    free = shutil.disk_usage(place).free
    sentence = f"{bytes_in_words(free)} free on the disk of the store."
    if free < HARDLY_SPACE:
        yield problem("Space", sentence, "Make room: labels cannot be saved on a full disk.")
    elif free < LITTLE_SPACE:
        yield warning("Space", sentence, "Make room before you add a corpus or make a backup.")
    else:
        yield ok("Space", sentence)


def _permissions(home: Path) -> Finding:
    found = file_check.open_to_others(home)
    if not found:
        return ok("Permissions", "Only their owner can read the store's folder and database.")
    listed = ", ".join(str(path) for path in found)
    advice = "Start the Studio once, which closes them, or use chmod go-rwx."
    return problem("Permissions", f"Other people of this machine can open {listed}.", advice)


def _database(folder: StoreFolder, in_use: bool) -> list[Finding]:
    """The findings that need the database; they are all of one moment or later."""

    def read(engine: Engine) -> list[Finding]:
        with engine.connect() as connection:
            found = [_integrity(connection)]
        if found[0].level == "problem":
            return found
        with engine.connect() as connection:
            found += _schema(connection)
        if found[-1].level == "ok":
            found += _references(engine)
            found += _logs(engine)
            found += _files(engine, folder.home, in_use)
        return found

    try:
        return read_database(folder.database, read)
    except database_check.DATABASE_ERRORS as error:
        sentence = f"The database cannot be read: {database_check.reason(error)}."
        return [problem("Database", sentence, RESTORE_ADVICE)]


def _integrity(connection: Connection) -> Finding:
    faults = database_check.integrity_faults(connection)
    if not faults:
        return ok("Database", "SQLite finds no fault in the file.")
    return problem("Database", f"The file is damaged: {faults[0]}.", RESTORE_ADVICE)


def _schema(connection: Connection) -> list[Finding]:
    try:
        version = database_check.schema_version(connection)
    except StoreError as error:
        return [problem("Version", str(error), "Name the Studio's folder, or update the Studio.")]
    if version < tables.SCHEMA:
        sentence = f"The database is of version {version}; this Studio writes {tables.SCHEMA}."
        advice = "It is upgraded when the Studio starts; doctor checks its content after that."
        return [warning("Version", sentence, advice)]
    return [ok("Version", f"The database is of version {version}, the newest.")]


def _references(engine: Engine) -> list[Finding]:
    with engine.connect() as connection:
        faults = database_check.reference_faults(connection)
    if not faults:
        return [ok("References", "Every row belongs to a project.")]
    return [problem("References", f"No project: {', '.join(faults)}.", RESTORE_ADVICE)]


def _logs(engine: Engine) -> list[Finding]:
    """Log against tables, each project in a moment of its own; one finding if all agree."""
    with engine.connect() as connection:
        names = stored_files.read_project_names(connection)
    found, n_events = [], 0
    for project, name in names.items():
        with engine.connect() as connection:
            faults = log_check.log_faults(connection, project)
            n_events += log_check.count_events(connection, project)
        if faults:
            sentence = f"Tables of “{name}” differ from its log: {', '.join(faults)}."
            found.append(problem("Log", sentence, REBUILD_ADVICE))
    agree = f"Tables and log agree: {count(len(names), 'project')}, {count(n_events, 'event')}."
    return found or [ok("Log", agree)]


def _files(engine: Engine, home: Path, in_use: bool) -> list[Finding]:
    with engine.connect() as connection:
        names = stored_files.read_project_names(connection)
        stored = stored_files.read_stored_runs(connection)
    missing = file_check.missing_factors(home, stored)
    damaged = file_check.damaged_factors(home, stored)
    with engine.connect() as connection:  # a preview may have gone meanwhile, file and row
        still = set(stored_files.read_stored_runs(connection))
    found = [*_runs("missing", still, missing, names), *_runs("damaged", still, damaged, names)]
    nobodys = list(file_check.files_of_nobody(home, names, stored, in_use=in_use))
    if nobodys:
        how_many = count(len(nobodys), "file belongs", "files belong")
        sentence = f"{how_many} to no run or project: {_listed(nobodys)}."
        advice = "You can delete them while nothing runs."
        found.append(warning("Files", sentence, advice))
    return found or [ok("Files", f"{count(len(stored), 'run')}: all files are there and whole.")]


def _runs(
    what: str, still: set[StoredRun], concerned: list[StoredRun], names: dict[int, str]
) -> Iterator[Finding]:
    there = [each for each in concerned if each in still]
    if there:
        listed = _listed([f"run {each.run} of “{names.get(each.project)}”" for each in there])
        yield problem("Files", f"The topics of {listed} are {what}.", FIT_ADVICE)


def _listed(names: list[str]) -> str:
    rest = f" and {len(names) - MAX_NAMED:,} more" if len(names) > MAX_NAMED else ""
    return ", ".join(names[:MAX_NAMED]) + rest
