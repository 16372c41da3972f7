"""Backups: one private file, consistent while others write, and back again."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import StoreError
from core.store import Label, Store
from core.store.database import URL_VARIABLE
from core.store.disk_errors import DISK_FULL
from core.store.maintenance import backup, checks, read_only, restore
from core.store.maintenance.backup import back_up
from core.store.maintenance.backup_format import MANIFEST
from core.store.maintenance.store_folder import SQLITE_ONLY
from core.store.tables import SCHEMA
from tests.core.store.maintenance.small_store import SIZE, add_run, change, fill, tree

pytestmark = pytest.mark.sqlite_only


@pytest.fixture
def home(tmp_path: Path) -> Path:
    fill(tmp_path / "home")
    return tmp_path / "home"


@pytest.fixture
def target(tmp_path: Path) -> Path:
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups" / "monday.zip"


def is_sound(home: Path) -> bool:
    return all(each.level == "ok" for each in checks.check_store(home))


def test_a_backup_holds_what_the_manifest_says(home: Path, target: Path) -> None:
    made = back_up(target, home).manifest
    assert os.listdir(target.parent) == [target.name]
    with zipfile.ZipFile(target) as bundle:
        about = json.loads(bundle.read(MANIFEST))
        assert (about["format"], about["version"]) == ("tsnmf-studio backup", 1)
        assert about["schema"] == SCHEMA
        assert set(bundle.namelist()) == {MANIFEST, *about["members"]}
        for name, (size, digest) in about["members"].items():
            content = bundle.read(name)
            assert (len(content), hashlib.sha256(content).hexdigest()) == (size, digest)
    assert set(made.members) == set(tree(home)) - {"studio.lock"}


@pytest.mark.skipif(os.name != "posix", reason="Permissions are those of POSIX.")
def test_a_backup_is_its_owners_alone(home: Path, target: Path) -> None:
    back_up(target, home)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_what_was_backed_up_comes_back(home: Path, target: Path, tmp_path: Path) -> None:
    before = tree(home)
    back_up(target, home)
    assert tree(home) == before
    done = restore.restore(target, tmp_path / "new")
    assert (done.projects, done.aside) == (2, None)
    assert is_sound(tmp_path / "new")
    with Store.open(home=home) as old, Store.open(home=tmp_path / "new") as new:
        assert new.events(1) == old.events(1)
        assert new.annotations(1) == old.annotations(1)
        assert [run.id for run in new.runs(1)] == [run.id for run in old.runs(1)]
        assert new.run_topics(new.runs(1)[0]) == old.run_topics(old.runs(1)[0])
        assert new.own_vectors(1) == old.own_vectors(1)
        new.record(1, Label(5, (1,)), author="ann")
        assert new.search(1, "text 17").total == old.search(1, "text 17").total


@pytest.fixture
def writing(home: Path) -> Iterator[Store]:
    """Labels, batches, undo and previews, on and on, until the test is over."""
    begun, over = threading.Event(), threading.Event()
    store = Store.open(home=home)

    def write() -> None:
        n = 0
        while not over.is_set():
            n += 1
            store.record(1, Label(n % SIZE, (1 + n % 2,)), author="ann")
            if n % 5 == 0:
                labels = [Label(i, (1 + (n + i) % 2,)) for i in range(SIZE)]
                store.record_batch(1, f"Batch {n}", labels, author="ben")
                store.undo(1, author="ben")
            add_run(store, preview=True)
            begun.set()

    thread = threading.Thread(target=write)
    thread.start()
    begun.wait()
    yield store
    over.set()
    thread.join()
    store.close()


def test_a_backup_amid_writers_is_a_prefix_of_the_log(
    writing: Store, target: Path, tmp_path: Path
) -> None:
    revisions = []
    for n in range(4):
        before = writing.revision(1)
        back_up(target, writing.home, force=True)
        restore.restore(target, tmp_path / f"new{n}")
        assert is_sound(tmp_path / f"new{n}")  # log and tables agree, no file is missing
        with Store.open(home=tmp_path / f"new{n}") as copy:
            revisions.append(copy.revision(1))
            assert copy.revision(1) >= before
            assert copy.events(1) == writing.events(1, limit=copy.revision(1))
    assert revisions == sorted(revisions)
    assert revisions[0] < revisions[-1]


def test_a_preview_that_goes_meanwhile_goes_from_the_copy_too(
    home: Path, target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(home=home) as store:
        preview = add_run(store, preview=True)
        original = backup._copy_database

        def copy_then_refit(*paths: Path) -> None:
            original(*paths)
            add_run(store)

        monkeypatch.setattr(backup, "_copy_database", copy_then_refit)
        back_up(target, home)
    restore.restore(target, tmp_path / "new")
    assert is_sound(tmp_path / "new")
    with Store.open(home=tmp_path / "new") as copy:
        current = copy.current_run(1)
        assert current is not None
        assert current.id == preview - 1


def test_a_store_that_is_opened_during_the_copy_is_copied_again(
    home: Path, target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores: list[Store] = []
    original = read_only._read

    def meanwhile(*given: object) -> object:
        if not stores:
            stores.append(Store.open(home=home))
            stores[0].record(1, Label(7, (1,)), author="ann")
        return original(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(read_only, "_read", meanwhile)
    back_up(target, home)
    restore.restore(target, tmp_path / "new")
    with Store.open(home=tmp_path / "new") as copy:
        assert copy.revision(1) == stores[0].revision(1)
    stores[0].close()


def test_a_file_is_not_replaced_unasked(home: Path, target: Path) -> None:
    target.write_bytes(b"mine")
    with pytest.raises(StoreError, match=r"is there already\. Add --force"):
        back_up(target, home)
    assert target.read_bytes() == b"mine"
    back_up(target, home, force=True)
    assert zipfile.is_zipfile(target)
    with pytest.raises(StoreError, match="is a folder"):
        back_up(target.parent, home, force=True)
    with pytest.raises(StoreError, match="There is no folder"):
        back_up(target.parent / "nowhere" / "file.zip", home)


@pytest.mark.parametrize(("number", "sentence"), [(errno.ENOSPC, DISK_FULL), (errno.EACCES, "why")])
def test_a_disk_that_takes_no_more_is_one_sentence_and_no_file(
    home: Path, target: Path, monkeypatch: pytest.MonkeyPatch, number: int, sentence: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(number, "why", str(target))

    monkeypatch.setattr(backup, "_add", full)
    with pytest.raises(StoreError, match=sentence):
        back_up(target, home)
    assert os.listdir(target.parent) == []


def test_a_database_copy_that_finds_no_room_is_one_sentence(
    home: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = backup.sqlite3.connect

    def small(path: Path | str, **options: object) -> object:
        raw = original(path, **options)
        if not options:  # the copy
            raw.execute("PRAGMA max_page_count = 2")
        return raw

    monkeypatch.setattr(backup.sqlite3, "connect", small)
    with pytest.raises(StoreError, match=DISK_FULL):
        back_up(target, home)
    assert os.listdir(target.parent) == []


def test_a_damaged_store_is_not_called_a_backup(home: Path, target: Path) -> None:
    database = home / "studio.db"
    database.write_bytes(database.read_bytes()[:-8192])
    with pytest.raises(StoreError, match="The database is damaged"):
        back_up(target, home)
    assert os.listdir(target.parent) == []


def test_a_damaged_file_is_left_out_and_named(home: Path, target: Path, tmp_path: Path) -> None:
    (home / "factors/1/1.npz").write_bytes(b"PK")
    assert back_up(target, home).damaged == ("factors/1/1.npz",)
    restore.restore(target, tmp_path / "new")
    assert not (tmp_path / "new/factors/1/1.npz").exists()


def test_files_of_nobody_stay_behind(home: Path, target: Path) -> None:
    for name in ("factors/1/9.npz", "scores/77/seeds.json", "vectors/1/notes.txt"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(b"")
    assert "factors/1/9.npz" not in back_up(target, home).manifest.members


def test_only_sqlite_is_backed_up(
    home: Path, target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(StoreError, match="There is no folder"):
        back_up(target, tmp_path / "nowhere")
    monkeypatch.setenv(URL_VARIABLE, "postgresql://db/studio")
    for command in (back_up, restore.restore):
        with pytest.raises(StoreError) as refused:
            command(target, home)
        assert str(refused.value) == SQLITE_ONLY


def make_older(home: Path) -> None:
    change(home, "ALTER TABLE runs DROP COLUMN preview")
    change(home, "DELETE FROM schema_version")
    change(home, "INSERT INTO schema_version VALUES (2, 0)")


def test_a_store_not_yet_upgraded_can_be_backed_up(
    home: Path, target: Path, tmp_path: Path
) -> None:
    make_older(home)
    before = tree(home)
    assert back_up(target, home).manifest.schema == SCHEMA
    assert tree(home) == before
    restore.restore(target, tmp_path / "new")
    assert is_sound(tmp_path / "new")
