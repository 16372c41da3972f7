"""Restoring: everything is checked first, nothing is lost, and a stranger's file does no harm."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import sqlite3
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.corpus import Corpus
from core.errors import StoreError
from core.store import CreateTopic, Label, Store
from core.store.disk_errors import DISK_FULL
from core.store.maintenance import replacement, restore
from core.store.maintenance.backup import back_up
from core.store.maintenance.backup_format import MANIFEST, NEWER_FORMAT, NO_BACKUP
from core.store.maintenance.checks import check_store
from core.store.maintenance.database_check import NEWER, NOT_OURS
from core.store.maintenance.restore import restore as bring_back
from core.store.runs import comparisons, evaluations
from core.store.tables import SCHEMA
from tests.core.store.maintenance.small_store import POINT, SEEDS, fill, tree
from tests.endurance.fuzz import content_of

pytestmark = pytest.mark.sqlite_only

Members = dict[str, bytes]


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    fill(tmp_path / "source")
    back_up(tmp_path / "backup.zip", tmp_path / "source")
    return tmp_path / "backup.zip"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a project of its own, and a file that is none of the Studio's."""
    fill(tmp_path / "home")
    with Store.open(home=tmp_path / "home") as store:
        store.record(1, Label(9, (1,), note="mine"), author="ann")
    (tmp_path / "home" / "letter.txt").write_text("dear", "utf-8")
    (tmp_path / "home" / "cache").mkdir()
    (tmp_path / "home" / "cache" / "old.npz").touch()
    return tmp_path / "home"


def beside(home: Path) -> set[str]:
    return {path.name for path in home.parent.iterdir()}


def test_projects_are_replaced_only_by_force_and_moved_aside(backup: Path, home: Path) -> None:
    before = tree(home)
    with pytest.raises(StoreError, match="holds projects already"):
        bring_back(backup, home)
    assert tree(home) == before
    aside = bring_back(backup, home, force=True).aside
    assert aside is not None
    assert aside.parent == home.parent
    kept = {name for name in before if name not in ("letter.txt", "studio.lock")}
    assert tree(aside) == {name: before[name] for name in kept}
    assert (home / "letter.txt").exists()
    assert not (home / "cache").exists()
    assert {each.level for each in check_store(home)} == {"ok"}
    assert bring_back(backup, home, force=True).aside != aside


def test_an_empty_store_makes_room_unasked(backup: Path, tmp_path: Path) -> None:
    Store.open(home=tmp_path / "new").close()
    assert bring_back(backup, tmp_path / "new").projects == 2


def test_a_database_that_cannot_be_read_is_replaced_only_by_force(
    backup: Path, tmp_path: Path
) -> None:
    home = tmp_path / "new"
    home.mkdir()
    (home / "studio.db").write_bytes(b"recipes")
    with pytest.raises(StoreError, match="holds projects already"):
        bring_back(backup, home)
    aside = bring_back(backup, home, force=True).aside
    assert aside is not None
    assert (aside / "studio.db").read_bytes() == b"recipes"


def test_a_store_in_use_is_left_alone(backup: Path, home: Path) -> None:
    with Store.open(home=home), pytest.raises(StoreError, match="has this store open"):
        bring_back(backup, home, force=True)
    with Store.open(home=home) as store:
        assert store.annotations(1)[9].note == "mine"


def test_a_failure_while_moving_leaves_everything_as_it_was(
    backup: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, names, original = tree(home), beside(home), os.replace

    def broken(source: Path, target: Path) -> None:
        if target == home / "scores" and ".restore-" in str(source):  # after some of the new
            raise OSError(28, "No space left on device", str(target))
        original(source, target)

    monkeypatch.setattr(replacement.os, "replace", broken)
    with pytest.raises(StoreError, match=DISK_FULL):
        bring_back(backup, home, force=True)
    assert (tree(home), beside(home)) == (before, names)


def test_a_home_on_a_disk_of_its_own_keeps_the_old_content_inside(
    backup: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replacement.os, "access", lambda *_: False)
    aside = bring_back(backup, home, force=True).aside
    assert aside is not None
    assert aside.parent == home


def test_no_room_on_the_disk_is_one_sentence(
    backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restore, "SPARE_BYTES", 2**62)
    with pytest.raises(StoreError, match="not enough room"):
        bring_back(backup, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_what_is_no_file_is_one_sentence(backup: Path, tmp_path: Path) -> None:
    for wrong in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(StoreError, match="There is no file"):
            bring_back(wrong, tmp_path / "new")
    with pytest.raises(StoreError, match="is not a folder"):
        bring_back(backup, backup)


# Backups of strangers


def members_of(backup: Path) -> Members:
    with zipfile.ZipFile(backup) as bundle:
        return {name: bundle.read(name) for name in bundle.namelist() if name != MANIFEST}


def write(backup: Path, content: Members, **about: object) -> None:
    """A backup whose manifest says the truth about whatever is in it."""
    listed = {name: [len(each), hashlib.sha256(each).hexdigest()] for name, each in content.items()}
    manifest = {"format": "tsnmf-studio backup", "version": 1, "app": "0", "made": "now"}
    manifest |= {"schema": SCHEMA, "members": listed, **about}
    with zipfile.ZipFile(backup, "w") as bundle:
        for name, each in content.items():
            bundle.writestr(name, each)
        bundle.writestr(MANIFEST, json.dumps(manifest))


def refused(backup: Path, home: Path) -> str:
    """The sentence; nothing has changed, neither in the home nor beside it."""
    before, names = tree(home), beside(home)
    with pytest.raises(StoreError) as error:
        bring_back(backup, home, force=True)
    assert (tree(home), beside(home)) == (before, names)
    return str(error.value)


def test_the_backups_of_these_tests_would_be_restored(backup: Path, home: Path) -> None:
    write(backup, members_of(backup))
    assert bring_back(backup, home, force=True).projects == 2


@pytest.mark.parametrize(
    "name",
    [
        "../evil.txt",
        "/tmp/evil.txt",
        "factors/../../evil.npz",
        "factors/1/../1/1.npz",
        "factors\\1\\1.npz",
        "C:/evil.npz",
        "studio.db-wal",
        "factors/1/1.npz\n",
        "factors/1/",
        "notes.txt",
        "scores/1/more/seeds.json",
        f"vectors/1/{'a' * 300}.npz",
    ],
)
def test_no_name_leads_anywhere_else(backup: Path, home: Path, name: str) -> None:
    write(backup, {**members_of(backup), name: b"evil"})
    assert refused(backup, home) == NO_BACKUP


def test_a_link_is_refused(backup: Path, home: Path) -> None:
    with zipfile.ZipFile(backup, "a") as bundle:
        link = zipfile.ZipInfo("scores/1/seeds.json")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        with pytest.warns(UserWarning, match="Duplicate name"):
            bundle.writestr(link, b"/etc/passwd")
    assert refused(backup, home) == NO_BACKUP
    members = members_of(backup)
    write(backup, {name: each for name, each in members.items() if name != "scores/1/seeds.json"})
    with zipfile.ZipFile(backup, "a") as bundle:
        link = zipfile.ZipInfo("scores/1/seeds.json")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        bundle.writestr(link, b"/etc/passwd")
    assert refused(backup, home) == NO_BACKUP


def test_a_wrong_hash_or_size_is_refused(backup: Path, home: Path) -> None:
    members = members_of(backup)
    for wrong in ([len(members["studio.db"]), "0" * 64], [5, "0" * 64], ["5", 7], [5]):
        write(backup, members, members=dict.fromkeys(members, wrong))
        assert refused(backup, home) == NO_BACKUP


@pytest.mark.parametrize(
    ("about", "sentence"),
    [
        ({"format": "other"}, NO_BACKUP),
        ({"version": 2}, NEWER_FORMAT),
        ({"version": "1"}, NO_BACKUP),
        ({"schema": SCHEMA - 1}, NO_BACKUP),
        ({"schema": None}, NO_BACKUP),
        ({"app": 5}, NO_BACKUP),
        ({"members": []}, NO_BACKUP),
        ({"members": {}}, NO_BACKUP),
    ],
)
def test_a_manifest_that_says_something_else_is_refused(
    backup: Path, home: Path, about: dict[str, object], sentence: str
) -> None:
    write(backup, members_of(backup), **about)
    assert refused(backup, home) == sentence


def test_a_manifest_that_is_none_is_refused(backup: Path, home: Path) -> None:
    for content in (b"[" * 100_000, b"\xff", b"5", b"null"):
        with zipfile.ZipFile(backup, "w") as bundle:
            bundle.writestr("studio.db", b"")
            bundle.writestr(MANIFEST, content)
        assert refused(backup, home) == NO_BACKUP


@pytest.mark.parametrize("part", [0.0, 0.3, 0.9, 0.999])
def test_a_cut_backup_is_refused(backup: Path, home: Path, part: float) -> None:
    content = backup.read_bytes()
    backup.write_bytes(content[: int(len(content) * part)])
    assert refused(backup, home) == NO_BACKUP


@pytest.mark.parametrize("part", range(1, 12))
def test_a_flipped_byte_is_refused(backup: Path, home: Path, part: int) -> None:
    content = bytearray(backup.read_bytes())
    manifest = content.rindex(b'{"format"')  # what follows says nothing of the content
    content[manifest * part // 12] ^= 0xFF
    backup.write_bytes(content)
    assert refused(backup, home) == NO_BACKUP


@pytest.mark.parametrize(
    ("part", "offset"),
    [
        *((b"PK\x03\x04", offset) for offset in (4, 8, 10, 14, 22)),  # of the first member
        *((b"PK\x01\x02", offset) for offset in (4, 8, 12, 36, 39)),  # of the directory
    ],
)
def test_damage_beside_the_content_changes_nothing(
    backup: Path, tmp_path: Path, part: bytes, offset: int
) -> None:
    """Versions, times and attributes in a ZIP file, and what it says twice, are not looked at."""
    bring_back(backup, tmp_path / "whole")
    content = bytearray(backup.read_bytes())
    start = content.index(b"PK\x01\x02", content.rindex(b'{"format"')) if part[2] == 1 else 0
    assert content[start : start + 4] == part
    content[start + offset] ^= 0x10
    backup.write_bytes(content)
    bring_back(backup, tmp_path / "damaged")
    assert content_of(tmp_path / "damaged") == content_of(tmp_path / "whole")


def test_a_packed_member_is_refused(backup: Path, home: Path) -> None:
    """A bomb: a little that unpacks to very much."""
    members = members_of(backup)
    write(backup, members)
    with zipfile.ZipFile(backup, "a", zipfile.ZIP_DEFLATED) as bundle:
        bundle.writestr("scores/2/history.jsonl", b"\n" * 5_000_000)
    assert refused(backup, home) == NO_BACKUP


def test_members_that_lie_over_one_another_are_refused(backup: Path, home: Path) -> None:
    """A bomb without packing: many members share the same bytes of the file."""
    seeds = b"[" + b"1," * 50_000 + b"1]"
    members = {**members_of(backup), **{f"scores/{n}/seeds.json": seeds for n in range(2, 9)}}
    write(backup, members)
    with zipfile.ZipFile(backup) as bundle:
        entries = {each.filename: each for each in bundle.infolist()}
        first = entries["scores/2/seeds.json"]
    content = bytearray(backup.read_bytes())
    directory = content.index(b"PK\x01\x02")
    for n in range(3, 9):
        old = entries[f"scores/{n}/seeds.json"].header_offset.to_bytes(4, "little")
        at = content.index(old + f"scores/{n}/seeds.json".encode(), directory)
        content[at : at + 4] = first.header_offset.to_bytes(4, "little")
    backup.write_bytes(content)
    assert refused(backup, home) == NO_BACKUP


def array_file(**arrays: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def wrong_header() -> bytes:
    """An array that says it has a million million numbers."""
    array = io.BytesIO()
    header = {"descr": "<f8", "fortran_order": False, "shape": (10**12,)}
    np.lib.format.write_array_header_1_0(array, header)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as bundle:
        bundle.writestr("doc_topic.npy", array.getvalue())
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("factors/1/1.npz", lambda: array_file(bomb=np.zeros(8_000_000))),
        ("factors/1/1.npz", lambda: array_file(objects=np.array([{}], dtype=object))),
        ("factors/1/1.npz", lambda: b"not an archive"),
        ("vectors/1/0f.npz", lambda: array_file(values=np.zeros(3))[:-40]),
        ("scores/1/seeds.json", lambda: b"[" * 100_000 + b"]" * 100_000),
        ("comparisons/1/1/found.json", lambda: b"{"),
    ],
)
def test_arrays_and_structures_that_would_harm_the_server_are_refused(
    backup: Path, home: Path, name: str, make: Callable[[], bytes]
) -> None:
    write(backup, {**members_of(backup), name: make()})
    assert refused(backup, home) == NO_BACKUP


def test_an_array_without_end_is_refused(backup: Path, home: Path) -> None:
    write(backup, {**members_of(backup), "factors/1/1.npz": wrong_header()})
    assert "GB of memory" in refused(backup, home)


def altered_database(backup: Path, *statements: str) -> bytes:
    path = backup.with_name("altered.db")
    path.write_bytes(members_of(backup)["studio.db"])
    raw = sqlite3.connect(path)
    with raw:
        for statement in statements:
            raw.execute(statement)
    raw.close()
    return path.read_bytes()


@pytest.mark.parametrize(
    ("statements", "sentence"),
    [
        (["CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM topics; END"], NOT_OURS),
        (["CREATE VIEW v AS SELECT 1"], NOT_OURS),
        (["CREATE TABLE recipes (name TEXT)"], NOT_OURS),
        (["CREATE TABLE search_7 (name TEXT)"], NOT_OURS),
        (["CREATE INDEX i ON topics (name)"], NOT_OURS),
        (["ALTER TABLE topics DROP COLUMN colour"], NOT_OURS),
        (["ALTER TABLE topics ADD COLUMN shade"], NOT_OURS),
        (["DROP TABLE marks"], NOT_OURS),
        (["DELETE FROM schema_version"], NOT_OURS),
        ([f"INSERT INTO schema_version VALUES ({SCHEMA + 1}, 0)"], NEWER),
        (["DROP TABLE marks", "CREATE VIEW marks AS SELECT * FROM annotations"], NOT_OURS),
        (["DROP TABLE marks", "CREATE VIRTUAL TABLE marks USING fts5(text)"], NOT_OURS),
    ],
)
def test_a_foreign_or_newer_database_is_refused(
    backup: Path, home: Path, statements: list[str], sentence: str
) -> None:
    altered = altered_database(backup, *statements)
    backup.with_name("altered.db").unlink()
    write(backup, {**members_of(backup), "studio.db": altered})
    assert refused(backup, home) == sentence


SWALLOWING = "UNIQUE (project, kind, position) ON CONFLICT IGNORE"
COLUMNS = "project, id, kind, position, undoes, payload, author, time, client, sequence"


def restored_from(backup: Path, home: Path, *statements: str) -> None:
    altered = altered_database(backup, *statements)
    write(backup, {**members_of(backup), "studio.db": altered})
    bring_back(backup, home)


def schema_of(home: Path) -> dict[str, str]:
    raw = sqlite3.connect(home / "studio.db")
    rows = raw.execute("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'search_%'")
    found = dict(rows.fetchall())
    raw.close()
    return found


def indexes_and_triggers(home: Path, table: str) -> list[str]:
    """The statements that make those of a table."""
    raw = sqlite3.connect(home / "studio.db")
    made = "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND type != 'table' AND sql != ''"
    found = [sql for (sql,) in raw.execute(made, (table,))]
    raw.close()
    return found


def test_no_schema_of_a_stranger_is_kept(tmp_path: Path) -> None:
    """One that ignores the second label of a text would let labels vanish."""
    corpus = Corpus(ids=("a",), texts=("text",))
    with Store.open(home=tmp_path / "source") as store:
        store.create_project("Desk", corpus, author="ann")
        store.record(1, CreateTopic("Waste"), author="ann")
        store.record(1, Label(0, note="first"), author="ann")
    back_up(tmp_path / "backup.zip", tmp_path / "source")
    restored_from(
        tmp_path / "backup.zip",
        tmp_path / "new",
        "ALTER TABLE events RENAME TO kept",
        f"CREATE TABLE events ({COLUMNS}, {SWALLOWING})",
        f"INSERT INTO events ({COLUMNS}) SELECT {COLUMNS} FROM kept",
        "DROP TABLE kept",
        *indexes_and_triggers(tmp_path / "source", "events"),
    )
    with Store.open(home=tmp_path / "new") as store:
        store.record(1, Label(0, (1,), note="second"), author="ann")
        assert store.annotations(1)[0].note == "second"
        assert store.revision(1) == len(store.events(1)) == 3
    assert schema_of(tmp_path / "new") == schema_of(tmp_path / "source")


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TRIGGER events_no_delete",
        "INSERT INTO annotations VALUES (77, 1, NULL, 0, 1)",
        "UPDATE annotations SET labelled = 0, event = 1",
        "UPDATE acts SET status = 'undone', author = 'eve'",
        "UPDATE topics SET name = 'Evil', colour = 'red'",
        "DELETE FROM marks",
        "UPDATE projects SET n_labelled = 99, revision = 7, last_topic = 0, fingerprint = 'x'",
        "DELETE FROM search_1_data",
        "UPDATE projects SET searchable = 0",
    ],
)
def test_what_follows_from_the_log_is_found_anew(
    backup: Path, tmp_path: Path, statement: str
) -> None:
    """Whatever the tables of a backup say."""
    restored_from(backup, tmp_path / "new", "DROP TRIGGER events_no_update", statement)
    source, new = tmp_path / "source", tmp_path / "new"
    assert {each.level for each in check_store(new)} == {"ok"}
    with Store.open(home=source) as old, Store.open(home=new) as now:
        assert now.state(1) == old.state(1)
        assert now.project(1) == old.project(1)
        assert now.search(1, "text 17") == old.search(1, "text 17")
    assert schema_of(new) == schema_of(source)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE projects SET created = 9000000000000000000",
        "UPDATE projects SET last_act = 253402300799000000",
        "UPDATE projects SET deleted = 'yesterday'",
        "UPDATE projects SET settings = '{'",
        "UPDATE projects SET settings = '[]'",
        """UPDATE projects SET settings = replace(settings, '"n_free": 3', '"n_free": -3')""",
        "UPDATE projects SET reading = '{\"notes\": [7]}'",
        "UPDATE projects SET side = '[7]'",
        "UPDATE projects SET name = ''",
        "UPDATE projects SET name = x'00ff'",
        "UPDATE projects SET author = ''",
        "UPDATE projects SET last_run = -1",
        "UPDATE projects SET id = -1 WHERE id = 2",
        "UPDATE documents SET text = x'ff'",
        "UPDATE documents SET date = 'soon'",
        "UPDATE documents SET labels = '7'",
        "UPDATE documents SET side = '[\"a\"]'",
        "UPDATE documents SET position = position + 1 WHERE position = 149",
        "DELETE FROM documents WHERE position = 70",
        "DELETE FROM documents",
        "UPDATE events SET time = 9000000000000000000 WHERE id = 2",
        "UPDATE events SET payload = '[[[' WHERE id = 2",
        "UPDATE events SET payload = '{}' WHERE id = 2",
        "UPDATE events SET kind = 'hop' WHERE id = 2",
        "UPDATE events SET position = 150 WHERE kind = 'label' AND id = 4",
        "UPDATE events SET id = 3000 WHERE id = 3",
        "UPDATE events SET undoes = 4 WHERE kind = 'undo'",
        "UPDATE events SET client = 'a' WHERE id = 2",
        "UPDATE events SET author = '' WHERE id = 2",
        "UPDATE runs SET finished = 9000000000000000000",
        'UPDATE runs SET scores = \'{"mean_jaccard": "a text"}\'',
        'UPDATE runs SET spec = \'{"model": "oracle"}\'',
        "UPDATE runs SET topic_ids = '[77]'",
        "UPDATE runs SET revision = 9999",
        "UPDATE runs SET automatic = 7",
        "UPDATE runs SET seconds = 'long'",
        "UPDATE runs SET settings = 'null'",
    ],
)
def test_every_row_is_checked(backup: Path, home: Path, statement: str) -> None:
    altered = altered_database(backup, "DROP TRIGGER events_no_update", statement)
    backup.with_name("altered.db").unlink()
    write(backup, {**members_of(backup), "studio.db": altered})
    assert refused(backup, home).endswith(".")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("scores/1/history.jsonl", b"[" * 100_000),
        ("scores/1/history.jsonl", b'{"run": "one"}'),
        ("scores/1/history.jsonl", json.dumps({**POINT, "run": 1, "basis": "dreams"}).encode()),
        ("scores/1/history.jsonl", b"[" + b"[]," * 3_000_000 + b"[]]"),
        ("scores/1/seeds.json", b"{}"),
        ("scores/1/seeds.json", json.dumps({**SEEDS, "finished": "9999-01-01"}).encode()),
        ("scores/1/seeds.json", json.dumps({**SEEDS, "words": ["x"]}).encode()),
        ("comparisons/1/1/found.json", b"{}"),
        ("comparisons/1/1/about.json", b'{"kind": "rates", "made": "now"}'),
        ("comparisons/1/2/about.json", b"{}"),
    ],
)
def test_every_file_beside_the_database_is_checked(
    backup: Path, home: Path, name: str, content: bytes
) -> None:
    write(backup, {**members_of(backup), name: content})
    assert refused(backup, home) == NO_BACKUP


def test_a_backup_cannot_name_a_model_folder_of_this_machine(backup: Path, tmp_path: Path) -> None:
    folder = "UPDATE projects SET settings = replace(settings, '\"own\"', '\"/opt/model\"')"
    altered = altered_database(backup, folder)
    write(backup, {**members_of(backup), "studio.db": altered})
    assert bring_back(backup, tmp_path / "new").without_model_folder == ("Desk",)
    with Store.open(home=tmp_path / "new") as store:
        assert store.project(1).settings.meaning == "auto"


def test_scores_and_comparisons_come_back(backup: Path, tmp_path: Path) -> None:
    """Those of the newest run are counted again when its scores are looked at."""
    bring_back(backup, tmp_path / "new")
    source, new = tmp_path / "source", tmp_path / "new"
    assert evaluations.history(new, 1) == evaluations.history(source, 1)[:1]
    assert evaluations.judged(new, 1, 1) == evaluations.judged(source, 1, 1)
    assert evaluations.seeds(new, 1) == evaluations.seeds(source, 1)
    assert comparisons.summaries(new, 1) == comparisons.summaries(source, 1)
    assert comparisons.results(new, 1, 1) == comparisons.results(source, 1, 1)
    assert comparisons.load_topics(new, 1, 1, 0) == comparisons.load_topics(source, 1, 1, 0)


def test_a_damaged_database_is_refused(backup: Path, home: Path) -> None:
    members = members_of(backup)
    database = bytearray(members["studio.db"])
    for page in range(2, len(database) // 4096):
        database[page * 4096] ^= 0xFF
    for wrong in (bytes(database), b"id,text\n" * 2_000, b"", members["studio.db"][:-8192]):
        write(backup, {**members, "studio.db": wrong})
        assert refused(backup, home) in (NO_BACKUP, NOT_OURS) or "damaged" in refused(backup, home)


def test_an_older_backup_is_upgraded_when_it_is_opened(backup: Path, tmp_path: Path) -> None:
    older = altered_database(
        backup,
        "ALTER TABLE runs DROP COLUMN preview",
        "DELETE FROM schema_version",
        "INSERT INTO schema_version VALUES (2, 0)",
    )
    write(backup, {**members_of(backup), "studio.db": older}, schema=2)
    bring_back(backup, tmp_path / "new")
    with Store.open(home=tmp_path / "new") as store:
        assert [run.preview for run in store.runs(1)] == [False, False]
    assert {each.level for each in check_store(tmp_path / "new")} == {"ok"}
    shutil.rmtree(tmp_path / "new")
