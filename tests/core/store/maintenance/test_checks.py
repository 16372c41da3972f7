"""The checks find every kind of damage, and change nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.store import Label, Store, replay
from core.store.database import URL_VARIABLE
from core.store.maintenance import checks
from core.store.maintenance.checks import check_store
from core.store.maintenance.findings import Finding
from core.store.maintenance.store_folder import SQLITE_ONLY
from core.store.tables import SCHEMA
from core.values import bytes_in_words
from tests.core.store.maintenance.small_store import add_run, change, fill, tree

pytestmark = pytest.mark.sqlite_only


@pytest.fixture
def home(tmp_path: Path) -> Path:
    fill(tmp_path / "home")
    return tmp_path / "home"


def faults(home: Path) -> list[Finding]:
    return [each for each in check_store(home) if each.level != "ok"]


def only_fault(home: Path) -> Finding:
    [found] = faults(home)
    assert found.advice
    return found


def test_a_sound_store_is_sound_and_stays_as_it_is(home: Path) -> None:
    before, made = tree(home), home.stat().st_mtime_ns
    assert faults(home) == []
    assert (tree(home), home.stat().st_mtime_ns) == (before, made)  # no file came or went
    sentences = {each.check: each.sentence for each in check_store(home)}
    assert sentences["Log"].startswith("Tables and log agree: 2 projects, 1")
    assert sentences["Files"] == "2 runs: all files are there and whole."
    assert sentences["Store"].startswith("No server or other program has")


def test_a_store_in_use_is_checked_with_what_was_just_written(home: Path) -> None:
    with Store.open(home=home) as store:
        store.record(1, Label(7, (1,)), author="ann")
        found = {each.check: each for each in check_store(home)}
        assert {each.level for each in found.values()} == {"ok"}
        assert f"{store.revision(1)} events" in found["Log"].sentence
        assert found["Store"].sentence.startswith("A server or another program has")


def test_a_store_that_is_opened_while_it_is_read_is_read_again(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores: list[Store] = []

    def meanwhile(connection: object) -> list[str]:
        if not stores:
            stores.append(Store.open(home=home))
            stores[0].record(1, Label(7, (1,)), author="ann")
        return original(connection)  # type: ignore[arg-type]

    original = checks.database_check.integrity_faults
    monkeypatch.setattr(checks.database_check, "integrity_faults", meanwhile)
    events = [each.sentence for each in check_store(home) if each.check == "Log"]
    assert events == [f"Tables and log agree: 2 projects, {stores[0].revision(1)} events."]
    stores[0].close()


def test_a_flipped_byte_in_a_page_is_found(home: Path) -> None:
    database = home / "studio.db"
    content = bytearray(database.read_bytes())
    for page in range(2, len(content) // 4096):  # the header of every page but the first
        content[page * 4096] ^= 0xFF
    database.write_bytes(content)
    found = only_fault(home)
    assert (found.check, found.level) == ("Database", "problem")
    assert "damaged" in found.sentence
    assert "restore" in found.advice


def test_a_cut_database_is_found(home: Path) -> None:
    database = home / "studio.db"
    database.write_bytes(database.read_bytes()[:-8192])
    assert only_fault(home).check == "Database"


@pytest.mark.parametrize(
    ("statement", "phrase"),
    [
        ("UPDATE annotations SET event = 5 WHERE position = 3", "labels in force"),
        ("UPDATE annotations SET skipped = 1 WHERE position = 3", "labels in force"),
        ("UPDATE annotations SET labelled = 0 WHERE position = 3", "labels in force"),
        ("DELETE FROM annotations WHERE position = 141", "labels in force"),
        ("INSERT INTO annotations VALUES (1, 149, NULL, 0, 1)", "labels in force"),
        ("UPDATE acts SET status = 'undone' WHERE event = 9", "events in force"),
        ("UPDATE acts SET author = 'eve' WHERE event = 9", "events in force"),
        ("UPDATE acts SET position = 148 WHERE event = 9", "events in force"),
        ("DELETE FROM acts WHERE event = 9", "events in force"),
        ("INSERT INTO acts VALUES (1, 9999, 'label', 'ann', 1, NULL, 'done')", "events in force"),
        ("UPDATE topics SET name = 'Bins' WHERE id = 1", "topics"),
        ("UPDATE topics SET alive = 1 WHERE id = 3", "topics"),
        ("UPDATE topics SET alive = 0 WHERE id = 1", "topics"),
        ("UPDATE marks SET topic = 1 WHERE position = 3 AND topic = 2", "topics of labels"),
        ("DELETE FROM marks WHERE position = 3", "topics of labels"),
        ("INSERT INTO marks VALUES (1, 149, 1, 1)", "topics of labels"),
        ("UPDATE projects SET n_labelled = 5 WHERE id = 1", "number of labelled texts"),
        ("UPDATE projects SET revision = 5 WHERE id = 1", "numbers of events"),
    ],
)
def test_a_row_changed_behind_the_log_is_found(home: Path, statement: str, phrase: str) -> None:
    change(home, statement)
    found = only_fault(home)
    assert (found.check, found.level) == ("Log", "problem")
    assert found.sentence.startswith("Tables of “Desk” differ from its log: ")
    assert phrase in found.sentence
    assert "import it again" in found.advice


def test_an_event_that_cannot_be_read_is_found(home: Path) -> None:
    change(home, "DROP TRIGGER events_no_update")
    change(home, "UPDATE events SET payload = '{' WHERE id = 5")
    assert "an event cannot be read" in only_fault(home).sentence


def test_the_checks_agree_with_a_replay_of_the_log(home: Path) -> None:
    """What the checks call sound is what the store reads and what a replay gives."""
    with Store.open(home=home) as store:
        state = replay(store.events(1))
        assert state.annotations == store.annotations(1)
        assert list(state.topics) == store.topics(1)
        assert state.skipped == store.skipped(1)
    change(home, "UPDATE annotations SET event = 4 WHERE position = 3")
    with Store.open(home=home) as store:
        assert replay(store.events(1)).annotations != store.annotations(1)


def test_rows_without_a_project_are_found(home: Path) -> None:
    change(home, "INSERT INTO annotations VALUES (77, 1, NULL, 0, 1)")
    assert "annotations" in only_fault(home).sentence


def test_missing_and_damaged_factors_are_found(home: Path) -> None:
    (home / "factors/1/1.npz").unlink()
    damaged = home / "factors/1/2.npz"
    content = bytearray(damaged.read_bytes())
    content[len(content) // 2] ^= 0xFF
    damaged.write_bytes(content)
    missing, broken = faults(home)
    assert missing.sentence == "The topics of run 1 of “Desk” are missing."
    assert broken.sentence == "The topics of run 2 of “Desk” are damaged."
    assert "Refit from scratch" in missing.advice


def test_factors_that_the_studio_itself_deleted_are_not_missed(home: Path) -> None:
    with Store.open(home=home) as store:
        for _ in range(21):
            add_run(store)
    assert not (home / "factors/1/1.npz").exists()
    assert faults(home) == []


@pytest.mark.parametrize(
    "name",
    [
        "factors/1/9.npz",
        "factors/77/1.npz",
        "factors/1/2.npz.31-17.partial",
        "scores/77/history.jsonl",
        "scores/1/notes.txt",
        "comparisons/77/1/about.json",
        "comparisons/1/31.partial/found.json",
        "vectors/77/0f.npz",
    ],
)
def test_files_of_nobody_are_found(home: Path, name: str) -> None:
    (home / name).parent.mkdir(parents=True, exist_ok=True)
    (home / name).write_bytes(b"")
    found = only_fault(home)
    assert found == Finding(
        "Files",
        "warning",
        f"1 file belongs to no run or project: {name}.",
        "You can delete them while nothing runs.",
    )


def test_files_in_the_making_are_left_out_while_the_store_is_in_use(home: Path) -> None:
    (home / "factors/1/9.npz").write_bytes(b"")
    (home / "factors/1/9.npz.31-17.partial").write_bytes(b"")
    with Store.open(home=home):
        assert faults(home) == []
    assert "2 files" in only_fault(home).sentence


@pytest.mark.skipif(os.name != "posix", reason="Permissions are those of POSIX.")
@pytest.mark.parametrize("name", [".", "studio.db"])
def test_wrong_permissions_are_found(home: Path, name: str) -> None:
    (home / name).chmod(0o755)
    found = only_fault(home)
    assert (found.check, found.level) == ("Permissions", "problem")
    assert str(home / name) in found.sentence


def test_little_space_is_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "LITTLE_SPACE", 2**62)
    assert only_fault(home).level == "warning"
    monkeypatch.setattr(checks, "HARDLY_SPACE", 2**62)
    assert only_fault(home).level == "problem"


def test_sizes_are_told_as_people_say_them() -> None:
    assert [bytes_in_words(n) for n in (12, 3_400, 5_600_000, 7_800_000_000)] == [
        *("12 bytes", "3 kB", "6 MB", "7.8 GB"),
    ]


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    folder = tmp_path / "foreign"
    folder.mkdir(mode=0o700)
    (folder / "studio.db").touch(mode=0o600)
    return folder


def test_a_missing_or_foreign_home_is_one_sentence(foreign: Path, tmp_path: Path) -> None:
    assert only_fault(tmp_path / "nowhere").sentence.startswith("There is no folder")
    assert only_fault(foreign / "studio.db").sentence.endswith("is not a folder.")
    assert "not an SQLite database" in only_fault(foreign).sentence
    (foreign / "studio.db").unlink()
    assert only_fault(foreign).sentence.startswith("There is no studio.db in")
    assert list(tmp_path.rglob("*")) == [foreign]


def test_a_database_of_something_else_is_one_sentence(foreign: Path) -> None:
    change(foreign, "CREATE TABLE recipes (name TEXT)")
    found = only_fault(foreign)
    assert (found.check, found.sentence) == (
        "Version",
        "This database does not hold Studio projects.",
    )


def test_other_versions_of_the_database_are_told(home: Path) -> None:
    change(home, f"DELETE FROM schema_version WHERE version = {SCHEMA}")
    change(home, f"INSERT INTO schema_version VALUES ({SCHEMA - 1}, 0)")
    assert (only_fault(home).check, only_fault(home).level) == ("Version", "warning")
    change(home, f"INSERT INTO schema_version VALUES ({SCHEMA + 1}, 0)")
    assert "newer version of the Studio" in only_fault(home).sentence


def test_another_database_than_sqlite_is_one_sentence(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(URL_VARIABLE, "postgresql://db/studio")
    assert only_fault(home).sentence == SQLITE_ONLY
    monkeypatch.setenv(URL_VARIABLE, "no address")
    assert only_fault(home).sentence == SQLITE_ONLY
    monkeypatch.setenv(URL_VARIABLE, f"sqlite:///{home / 'studio.db'}")
    assert faults(home) == []


def test_without_a_store_there_is_nothing_to_complain_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TSNMF_STUDIO_HOME", str(tmp_path / "new"))
    found = list(check_store())
    assert [each.level for each in found] == ["ok", "ok"]
    assert not (tmp_path / "new").exists()
