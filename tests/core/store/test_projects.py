"""Projects, documents, settings and the database file itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from core.corpus import ColumnRoles, Corpus, DroppedRow, Reading
from core.errors import NotFound, StoreError
from core.spec import ModelSpec
from core.store import CreateTopic, Label, ProjectSettings, Store
from core.store.database import HOME_VARIABLE, URL_VARIABLE
from core.store.migrations import migrate
from core.store.tables import SCHEMA
from core.text import TextSettings

CORPUS = Corpus(
    ids=("a", "b", "c"),
    texts=("The bin was not emptied", "Ünïcode & <b>markup</b>", "lamp\x00out"),
    labels=(("waste",), (), ("light", "street")),
    dates=(date(2024, 5, 1), None, date(2025, 1, 31)),
    side={"district": ("North", "", "South"), "channel": ("web", "mail", "phone")},
    reading=Reading(
        source="desk.csv",
        kind="csv",
        columns=ColumnRoles(text="message", side=("district", "channel")),
        dropped=(DroppedRow(3, "empty text"),),
        duplicates=((2, 0),),
        notes=("guessed",),
    ),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(home=tmp_path) as opened:
        yield opened


def test_a_corpus_comes_back_as_it_was(store: Store) -> None:
    project = store.create_project("Desk", CORPUS, author="ann")
    back = store.corpus(project.id)
    assert back == CORPUS
    assert back.fingerprint == project.fingerprint == CORPUS.fingerprint


def test_documents_come_in_the_order_asked_for(store: Store) -> None:
    project = store.create_project("Desk", CORPUS, author="ann")
    assert store.documents(project.id, [2, 0, 2]) == [CORPUS[2], CORPUS[0], CORPUS[2]]
    assert store.document(project.id, 1) == CORPUS[1]


@pytest.mark.parametrize("position", [3, -1, 2**40, "1", True, None])
def test_a_position_that_does_not_exist_is_refused(store: Store, position: object) -> None:
    project = store.create_project("Desk", CORPUS, author="ann")
    with pytest.raises(StoreError, match=r"position"):
        store.document(project.id, position)  # type: ignore[arg-type]


def test_more_documents_than_one_statement_holds(store: Store) -> None:
    n = 2_345
    corpus = Corpus(ids=tuple(map(str, range(n))), texts=tuple(f"text {i}" for i in range(n)))
    project = store.create_project("Long", corpus, author="ann")
    assert [d.id for d in store.documents(project.id, range(n))] == list(corpus.ids)


def test_settings_survive_whole(store: Store) -> None:
    settings = ProjectSettings(
        text=TextSettings(lemmas=False),
        spec=ModelSpec(n_topics=7, random_state=3, options={"tol": 0.01}),
        n_free=2,
        truth=True,
        columns={"text": "message"},
        demo=True,
    )
    project = store.create_project("Desk", CORPUS, settings, author="ann")
    assert store.project(project.id).settings == settings
    changed = ProjectSettings(n_free=9)
    assert store.update_settings(project.id, changed).settings == changed


def test_projects_are_listed_by_their_last_event(store: Store) -> None:
    first = store.create_project("First", CORPUS, author="ann")
    second = store.create_project("Second", CORPUS, author="ann")
    assert [p.name for p in store.projects()] == ["Second", "First"]
    store.record(first.id, CreateTopic("Waste"), author="ann")
    assert [p.id for p in store.projects()] == [first.id, second.id]


def test_a_new_project_starts_at_nothing(store: Store) -> None:
    project = store.create_project("  Desk   one ", CORPUS, author="ann")
    assert (project.name, project.n_docs, project.n_labelled) == ("Desk one", 3, 0)
    assert (project.revision, project.last_run) == (0, None)


def test_a_deleted_project_is_gone_until_restored(store: Store) -> None:
    project = store.create_project("Desk", CORPUS, author="ann")
    store.delete_project(project.id)
    assert store.projects() == []
    assert [p.id for p in store.projects(deleted=True)] == [project.id]
    with pytest.raises(NotFound):
        store.record(project.id, CreateTopic("Waste"), author="ann")
    assert store.restore_project(project.id) == project


def test_renaming_keeps_the_rest(store: Store) -> None:
    project = store.create_project("Desk", CORPUS, author="ann")
    assert store.rename_project(project.id, "Port desk").name == "Port desk"
    assert store.project(project.id) == replace(project, name="Port desk")


@pytest.mark.parametrize("name", ["", "  \n ", "x" * 121, "bell\x07", "null\x00", "\ud800", 7])
def test_a_bad_project_name_is_refused(store: Store, name: str) -> None:
    with pytest.raises(StoreError):
        store.create_project(name, CORPUS, author="ann")
    assert store.projects() == []


def test_a_broken_text_leaves_no_half_project(store: Store) -> None:
    corpus = Corpus(ids=("a", "b"), texts=("fine", "broken \ud800"))
    with pytest.raises((StoreError, UnicodeEncodeError)):
        store.create_project("Desk", corpus, author="ann")
    assert store.projects() == []


def test_an_empty_corpus_is_no_project(store: Store) -> None:
    with pytest.raises(StoreError, match="at least one text"):
        store.create_project("Desk", Corpus(ids=(), texts=()), author="ann")


@pytest.mark.parametrize("call", ["project", "corpus", "revision", "delete_project"])
def test_an_unknown_project_is_not_found(store: Store, call: str) -> None:
    with pytest.raises(NotFound, match="no such project"):
        getattr(store, call)(99)


def test_first_events_come_with_the_project(store: Store) -> None:
    first = [(CreateTopic("Waste"), "ann"), (Label(0, (1,)), "ben")]
    project = store.create_project("Desk", CORPUS, author="ann", first_events=first)
    assert (project.revision, project.n_labelled) == (2, 1)
    assert store.annotations(project.id)[0].author == "ben"


@pytest.mark.sqlite_only
def test_the_environment_says_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "deep" / "home"))
    monkeypatch.setenv(URL_VARIABLE, f"sqlite:///{tmp_path / 'other.db'}")
    with Store.open() as store:
        assert store.home == tmp_path / "deep" / "home"
    assert (tmp_path / "other.db").exists()


@pytest.mark.sqlite_only
def test_sqlite_writes_ahead_and_in_full(store: Store) -> None:
    with store._database.read() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


@pytest.mark.parametrize("url", ["sqlite://", "nonsense", "nosuchdb://x/y"])
def test_an_address_that_cannot_work_is_one_sentence(tmp_path: Path, url: str) -> None:
    with pytest.raises(StoreError):
        Store.open(url, home=tmp_path)


@pytest.mark.sqlite_only
def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "studio.db"
    file.write_bytes(b"id,text\n" * 2_000)
    with pytest.raises(StoreError, match="cannot be opened"):
        Store.open(home=tmp_path)
    assert file.read_bytes() == b"id,text\n" * 2_000


@pytest.mark.sqlite_only
def test_a_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "studio.db") as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    with pytest.raises(StoreError, match="does not hold Studio projects"):
        Store.open(home=tmp_path)


@pytest.mark.sqlite_only
def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    Store.open(home=tmp_path).close()
    with sqlite3.connect(tmp_path / "studio.db") as raw:
        raw.execute("INSERT INTO schema_version VALUES (?, 0)", (SCHEMA + 1,))
    raw.close()
    with pytest.raises(StoreError, match="newer version"):
        Store.open(home=tmp_path)


def test_an_older_database_walks_up_step_by_step(store: Store) -> None:
    walked: list[int] = []
    steps = {SCHEMA: lambda _: walked.append(1), SCHEMA + 1: lambda _: walked.append(2)}
    with store._database.write() as connection:
        migrate(connection, steps, SCHEMA + 2)
        migrate(connection, steps, SCHEMA + 2)
    assert walked == [1, 2]
    with (
        store._database.write() as connection,
        pytest.raises(StoreError, match="cannot be upgraded"),
    ):
        migrate(connection, steps, SCHEMA + 3)


def test_a_model_that_no_file_could_bring_back_is_refused(store: Store) -> None:
    endless = ProjectSettings(spec=ModelSpec("pfa", options={"max_iter": 10**8}))
    with pytest.raises(StoreError, match=r"at most 20,000 steps, 100 parts"):
        store.create_project("Endless", CORPUS, endless, author="ann")
    made = store.create_project("Fine", CORPUS, author="ann")
    with pytest.raises(StoreError, match=r"a seed from 0"):
        store.update_settings(made.id, ProjectSettings(spec=ModelSpec(random_state=-1)))
    assert store.project(made.id).settings == made.settings
