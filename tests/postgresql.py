"""A private PostgreSQL: a cluster in a temporary folder, on a free port, gone after the tests."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from itertools import count
from pathlib import Path

import psycopg
import pytest

from core.store.tables import SCHEMA

OWNER = "postgres"  # of the processes; PostgreSQL refuses to run as root
FOLDERS = "/usr/lib/postgresql"  # where Debian puts the programs
# Nobody pulls the plug on a test: what a killed writer has committed is in the server's memory.
SETTINGS = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
SETTINGS |= {"listen_addresses": "127.0.0.1", "max_connections": "200", "shared_buffers": "64MB"}


# Without triggers, which keep the log from being deleted.
EMPTY = """
SET search_path = {0}; SET session_replication_role = replica; SET lock_timeout = '1s';
DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables
        WHERE schemaname = '{0}' AND tablename <> 'schema_version' LOOP
        EXECUTE 'DELETE FROM ' || name;
    END LOOP;
    DELETE FROM schema_version WHERE version > {1};  -- where a test has gone on
    PERFORM setval(pg_get_serial_sequence('projects', 'id'), 1, false);
END $$
"""


def programs() -> Path | None:
    """The folder of ``initdb`` and ``pg_ctl``."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).parent
    return max(Path(FOLDERS).glob("*/bin"), default=None, key=lambda path: int(path.parent.name))


def require_programs() -> Path:
    """The same; without it a test is skipped, but not under CI."""
    folder = programs()
    if folder is not None:
        return folder
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail("There is no PostgreSQL on this machine, and CI must not skip its tests.")
    pytest.skip("There is no PostgreSQL on this machine.")


class Cluster:
    """A server with one database; every store has a schema of it."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self._programs, self._data = programs, folder / "data"
        self.port = _free_port()
        self._free: list[str] = []
        self._numbers = count(1)
        folder.chmod(0o755)
        self._user = OWNER if os.geteuid() == 0 else None
        if self._user:
            shutil.chown(folder, self._user)
        self._run("initdb", "-A", "trust", "-U", OWNER, "-E", "UTF8", "--locale=C.UTF-8", "-N")
        options = " ".join(f"-c {name}={value}" for name, value in SETTINGS.items())
        options += f" -p {self.port} -k {folder}"
        self._run("pg_ctl", "-w", "-o", options, "-l", str(folder / "log"), "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-m", "immediate", "stop")

    @property
    def address(self) -> str:
        """Of the whole database."""
        return f"postgresql+psycopg://{OWNER}@127.0.0.1:{self.port}/postgres"

    def take_schema(self, *, new: bool = False) -> str:
        """A schema without rows, from an earlier test if there is one: tables take long to make."""
        if self._free and not new:
            return self._free.pop()
        schema = f"studio_{next(self._numbers)}"
        with self.connect() as connection:
            connection.execute(f"CREATE SCHEMA {schema}")
        return schema

    def give_back(self, schemas: Iterable[str]) -> None:
        """Delete all rows; a schema that somebody still holds is left alone."""
        with self.connect() as connection:
            for schema in schemas:
                with suppress(psycopg.errors.LockNotAvailable, psycopg.errors.UndefinedTable):
                    connection.execute(EMPTY.format(schema, SCHEMA))
                    self._free.append(schema)

    def address_of(self, schema: str) -> str:
        return f"{self.address}?options=-csearch_path%3D{schema}"

    def connect(self) -> psycopg.Connection:
        return psycopg.connect(
            host="127.0.0.1", port=self.port, user=OWNER, dbname="postgres", autocommit=True
        )

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), "-D", str(self._data), *arguments]
        done = subprocess.run(command, user=self._user, cwd="/", stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)  # fmt: skip
        assert done.returncode == 0, done.stdout.decode(errors="replace")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
