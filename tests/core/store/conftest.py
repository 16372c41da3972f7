"""Every test of the store runs on SQLite and on PostgreSQL, but for those marked otherwise."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.store import CreateTopic, Store
from core.store import store as store_module
from core.store.database import URL_VARIABLE
from tests.core.store.desk import CORPUS

DATABASES = ("sqlite", "postgresql")
AddressOf = Callable[[Path], str | None]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marked = metafunc.definition.get_closest_marker("sqlite_only")
    names = DATABASES[:1] if marked else DATABASES
    metafunc.parametrize("database", names, indirect=True)


@pytest.fixture(autouse=True)
def database(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The database in which the homes of this test are."""
    if request.param == "postgresql":
        address_of = request.getfixturevalue("address_of")
        monkeypatch.setattr(
            store_module,
            "database_url",
            lambda home, url=None: url or os.environ.get(URL_VARIABLE) or address_of(home),
        )
    return str(request.param)


@pytest.fixture
def address_of(request: pytest.FixtureRequest) -> Iterator[AddressOf]:
    """The address of the database of a home, for processes that have to be told; None: its own."""
    if request.node.callspec.params["database"] == "sqlite":
        yield lambda home: None
        return
    schemas: dict[Path, str] = {}
    cluster = request.getfixturevalue("postgresql")

    def address(home: Path) -> str:
        where = Path(home).resolve()
        if where not in schemas:
            schemas[where] = cluster.take_schema()
        return str(cluster.address_of(schemas[where]))

    yield address
    cluster.give_back(schemas.values())


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """One project with three topics and no label."""
    with Store.open(home=tmp_path) as opened:
        opened.create_project("Desk", CORPUS, author="ann")
        for name in ("Waste", "Roads", "Lights"):
            opened.record(1, CreateTopic(name), author="setup")
        yield opened
