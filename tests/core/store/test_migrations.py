"""Databases of every earlier version are brought up to this one, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, inspect, text

from core.errors import StoreError
from core.store import Label, ProjectSettings, Store
from core.store import database as database_module
from core.store.column_types import as_text
from core.store.database import Database
from core.store.migrations import MIGRATIONS, migrate
from core.store.tables import SCHEMA

SCHEMAS = Path(__file__).parent / "schemas"  # as each version made them
VERSIONS = range(1, SCHEMA)
SETTINGS = as_text(ProjectSettings().to_dict())
ROWS = (
    "INSERT INTO schema_version VALUES ({version}, 0)",
    "INSERT INTO projects (name, author, created, settings, reading, side, fingerprint, n_docs, "
    "n_labelled, revision, last_act, last_topic, last_run, searchable) VALUES ('Desk', 'ann', 0, "
    "'{settings}', '{{}}', '[]', '', 1, 0, 1, 0, 1, 1, false)",
    "INSERT INTO documents (project, position, id, text) VALUES (1, 0, 'a', 'The lamp is out')",
    "INSERT INTO events (project, id, kind, payload, author, time) VALUES (1, 1, 'create_topic', "
    """'{{"topic": 1, "name": "Lamps", "colour": 0}}', 'ann', 0)""",
    "INSERT INTO acts (project, event, kind, author, topic, status) "
    "VALUES (1, 1, 'create_topic', 'ann', 1, 'done')",
    "INSERT INTO topics VALUES (1, 1, 'Lamps', 0, 0, true)",
)


@pytest.fixture
def url(tmp_path: Path, database: str, request: pytest.FixtureRequest) -> str:
    """The address of an empty database that no other test uses."""
    if database == "sqlite":
        return f"sqlite:///{tmp_path / 'studio.db'}"
    cluster = request.getfixturevalue("postgresql")
    return str(cluster.address_of(cluster.take_schema(new=True)))


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    engine = create_engine(url)
    yield engine
    engine.dispose()


def make(engine: Engine, version: int) -> None:
    """A database of an earlier version with a project in it."""
    script = (SCHEMAS / f"{engine.dialect.name}_{version}.sql").read_text("utf-8")
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.connection.driver_connection.executescript(script)
        else:
            connection.exec_driver_sql(script)
        for statement in ROWS:
            connection.exec_driver_sql(statement.format(version=version, settings=SETTINGS))


def shape(engine: Engine) -> dict[str, Any]:
    """Columns with their types, and indexes."""
    found = inspect(engine)
    return {
        table: (
            {c["name"]: (str(c["type"]), c["nullable"]) for c in found.get_columns(table)},
            {i["name"]: i["column_names"] for i in found.get_indexes(table)},
        )
        for table in found.get_table_names()
        if not table.startswith("search_")
    }


@pytest.fixture
def fresh(tmp_path: Path, database: str, request: pytest.FixtureRequest) -> dict[str, Any]:
    """How a database of this version is made."""
    address = f"sqlite:///{tmp_path / 'fresh.db'}"
    if database == "postgresql":
        cluster = request.getfixturevalue("postgresql")
        address = cluster.address_of(cluster.take_schema(new=True))
    made = Database(address)
    found = shape(made.engine)
    made.close()
    return found


@pytest.mark.parametrize("version", VERSIONS)
def test_an_earlier_database_becomes_one_of_this_version(
    tmp_path: Path, url: str, engine: Engine, version: int, fresh: dict[str, Any]
) -> None:
    make(engine, version)
    with Store.open(url, home=tmp_path) as store:
        assert [topic.name for topic in store.topics(1)] == ["Lamps"]
        store.record(1, Label(0, (1,)), author="ann")
        assert (store.revision(1), store.project(1).n_labelled) == (2, 1)
        assert store.matching(1, "lamp").tolist() == [0]
    assert shape(engine) == fresh


@pytest.mark.parametrize("version", VERSIONS)
def test_a_step_that_fails_changes_nothing(
    url: str, engine: Engine, version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(engine, version)
    before = shape(engine)

    def fail(_connection: Any) -> None:
        raise StoreError("no room")

    steps = {**MIGRATIONS, SCHEMA: fail}
    monkeypatch.setattr(database_module, "migrate", lambda found: migrate(found, steps, SCHEMA + 1))
    with pytest.raises(StoreError, match="no room"):
        Database(url)
    assert shape(engine) == before
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT max(version) FROM schema_version")) == version


def test_every_version_before_this_has_a_step() -> None:
    assert set(MIGRATIONS) == set(VERSIONS)
