"""What only PostgreSQL is asked: its addresses, its guard of the log, texts it would refuse."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.dialects.postgresql import dialect

from core.corpus import Corpus
from core.errors import StoreError
from core.store import CreateTopic, Store, postgresql
from core.store.column_types import AnyText
from core.store.database import Database
from core.store.disk_errors import DATABASE_GONE
from tests.postgresql import Cluster

CORPUS = Corpus(ids=("a",), texts=("The lamp is out",))
pytestmark = pytest.mark.sqlite_only  # each test names its database


@pytest.fixture
def address(postgresql: Cluster) -> str:
    return postgresql.address_of(postgresql.take_schema(new=True))


@pytest.fixture
def store(address: str, tmp_path: Path):
    with Store.open(address, home=tmp_path) as opened:
        opened.create_project("Desk", CORPUS, author="ann")
        opened.record(1, CreateTopic("Lamps"), author="ann")
        yield opened


def test_an_address_without_a_driver_means_psycopg(address: str, tmp_path: Path) -> None:
    plain = address.replace("postgresql+psycopg://", "postgresql://")
    with Store.open(plain, home=tmp_path) as store:
        assert store.projects() == []


def test_two_schemas_of_a_database_are_two_stores(
    store: Store, postgresql: Cluster, tmp_path: Path
) -> None:
    other = postgresql.address_of(postgresql.take_schema(new=True))
    with Store.open(other, home=tmp_path / "other") as empty:
        assert (len(store.projects()), len(empty.projects())) == (1, 0)


def test_the_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    with pytest.raises(StoreError) as refused:
        Store.open("postgresql+psycopg://127.0.0.1/studio", home=tmp_path)
    assert str(refused.value) == postgresql.NO_DRIVER


def test_a_database_that_does_not_answer_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="The database cannot be opened"):
        Store.open("postgresql+psycopg://127.0.0.1:1/studio", home=tmp_path)


def test_a_database_in_another_encoding_is_refused(postgresql: Cluster, tmp_path: Path) -> None:
    with postgresql.connect() as connection:
        connection.execute(
            "CREATE DATABASE latin ENCODING LATIN1 LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
        )
    with pytest.raises(StoreError) as refused:
        Store.open(postgresql.address.removesuffix("postgres") + "latin", home=tmp_path)
    assert str(refused.value) == "The PostgreSQL database must be in UTF8; it is in LATIN1."


def end_connections(postgresql: Cluster) -> None:
    """Of the Studio, as a restart of PostgreSQL does."""
    with postgresql.connect() as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = 'tsnmf-studio'"
        )


def test_after_a_restart_of_the_database_the_studio_connects_anew(
    store: Store, postgresql: Cluster
) -> None:
    end_connections(postgresql)
    store.record(1, CreateTopic("Roads"), author="ann")
    assert store.revision(1) == 2


def test_a_connection_that_breaks_in_the_middle_is_one_sentence(
    store: Store, postgresql: Cluster
) -> None:
    def write() -> None:
        with store._database.write() as connection:
            end_connections(postgresql)
            connection.exec_driver_sql("SELECT 1")

    with pytest.raises(StoreError) as refused:
        write()
    assert str(refused.value) == DATABASE_GONE
    assert store.revision(1) == 1


def test_readers_see_one_state(store: Store) -> None:
    with store._database.read() as connection:
        before = connection.exec_driver_sql("SELECT count(*) FROM events").scalar()
        store.record(1, CreateTopic("Roads"), author="ann")
        assert connection.exec_driver_sql("SELECT count(*) FROM events").scalar() == before


def test_numbers_have_64_bits(address: str) -> None:
    database = Database(address)
    with database.read() as connection:
        narrow = connection.exec_driver_sql(
            "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = "
            "current_schema() AND data_type = 'integer' ORDER BY 1, 2"
        ).all()
    database.close()
    assert [tuple(row) for row in narrow] == [("schema_version", "version"), ("topics", "colour")]


@given(st.text(st.sampled_from("a\x00\ufffe.:")))
def test_any_text_comes_back(text: str) -> None:
    spoken = dialect()
    kept = AnyText.dialect_impl(spoken)
    stored = kept.process_bind_param(text, spoken)
    assert "\x00" not in stored
    assert kept.process_result_value(stored, spoken) == text


def test_nul_in_ids_and_texts_is_kept_and_found(store: Store) -> None:
    corpus = Corpus(ids=("x\x00y",), texts=("lamp\x00out \ufffe",))
    project = store.create_project("Odd", corpus, author="ann")
    assert store.corpus(project.id).texts == corpus.texts
    assert store.positions_with_id(project.id, "x\x00y") == [0]
    assert store.matching(project.id, "lamp out").tolist() == [0]
