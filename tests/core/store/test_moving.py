"""Projects move from SQLite to PostgreSQL and back, and nothing of them changes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.corpus import Corpus
from core.errors import StoreError
from core.store import CreateTopic, Store, moving
from core.store.moving import MOVED_TABLES, NOT_EMPTY, SAME_DATABASE, move
from core.store.store_lock import IN_USE
from tests.core.store.maintenance.small_store import change, fill, tree
from tests.postgresql import Cluster

pytestmark = pytest.mark.sqlite_only  # each test names its databases
ODD = Corpus(ids=("é\x00", "b"), texts=("lamp\x00out 😀", "line\nend\ufffe"), labels=(("x",), ()))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A store with a bit of everything, texts that PostgreSQL would refuse, a number given away."""
    fill(tmp_path / "home")
    with Store.open(home=tmp_path / "home") as store:
        store.create_project("Odd", ODD, author="ann")
        store.delete_project(2)
    change(tmp_path / "home", "UPDATE sqlite_sequence SET seq = 7 WHERE name = 'projects'")
    return tmp_path / "home"


@pytest.fixture
def address(postgresql: Cluster) -> str:
    return postgresql.address_of(postgresql.take_schema(new=True))


def rows(database: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every table as it is stored, byte for byte."""
    with closing(sqlite3.connect(database)) as raw:
        return {
            table.name: raw.execute(f"SELECT * FROM {table.name} ORDER BY 1, 2, 3").fetchall()
            for table in MOVED_TABLES
        }


def test_there_and_back_again_nothing_has_changed(home: Path, address: str, tmp_path: Path) -> None:
    before, files = rows(home / "studio.db"), tree(home / "factors")
    moved = move(address, home=home)
    assert moved.projects == 3
    assert moved.events == len(before["events"])
    back = tmp_path / "back.db"
    move(f"sqlite:///{back}", source=address, home=home)
    assert rows(back) == rows(home / "studio.db") == before
    assert tree(home / "factors") == files


def test_the_same_projects_are_there(home: Path, address: str) -> None:
    move(address, home=home)
    with Store.open(home=home) as old, Store.open(address, home=home) as new:
        assert new.projects() == old.projects()
        assert new.projects(deleted=True) == old.projects(deleted=True)
        for project in old.projects():
            assert new.events(project.id) == old.events(project.id)
            assert new.corpus(project.id) == old.corpus(project.id)
            assert new.corpus(project.id).fingerprint == project.fingerprint
            assert new.state(project.id) == old.state(project.id)
        assert new.run_topics(new.runs(1)[0]) == old.run_topics(old.runs(1)[0])
        assert new.search(3, "out").positions == old.search(3, "out").positions == (0,)


def test_numbers_are_never_given_twice(home: Path, address: str, tmp_path: Path) -> None:
    move(address, home=home)
    with Store.open(address, home=home) as store:
        assert store.create_project("Next", ODD, author="ann").id == 8
        store.record(8, CreateTopic("Lamps"), author="ann")
    back = f"sqlite:///{tmp_path / 'back.db'}"
    move(back, source=address, home=home)
    with Store.open(back, home=home) as store:
        assert store.create_project("Next", ODD, author="ann").id == 9


def test_only_an_empty_database_is_filled(home: Path, address: str) -> None:
    move(address, home=home)
    with pytest.raises(StoreError) as refused:
        move(address, home=home)
    assert str(refused.value) == NOT_EMPTY


def test_a_store_that_is_open_is_not_moved(home: Path, address: str) -> None:
    with Store.open(home=home), pytest.raises(StoreError) as refused:
        move(address, home=home)
    assert str(refused.value) == IN_USE


def test_a_copy_that_differs_is_taken_back(
    home: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "_digest", lambda *_: "other")
    with pytest.raises(StoreError, match="differ after the copy: nothing was moved"):
        move(address, home=home)
    with Store.open(address, home=home) as store:
        assert store.projects() == []


def test_the_two_addresses_must_differ(home: Path) -> None:
    with pytest.raises(StoreError) as refused:
        move(f"sqlite:///{home / 'studio.db'}", home=home)
    assert str(refused.value) == SAME_DATABASE


def test_a_bad_address_is_one_sentence(home: Path) -> None:
    with pytest.raises(StoreError, match="The database address cannot be used"):
        move("nonsense", home=home)
