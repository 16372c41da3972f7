"""A disk that is full or read-only is told in one sentence, and nothing is half saved."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from sqlalchemy import event

from core.corpus import Corpus
from core.errors import StoreError
from core.store import CreateTopic, Label, Store
from core.store.disk_errors import DISK_FULL, DISK_REFUSES, READ_ONLY, disk_sentence

pytestmark = pytest.mark.sqlite_only

CORPUS = Corpus(ids=("a", "b"), texts=("lamp", "bins"))


def test_a_full_disk_is_one_sentence_and_the_log_stays_whole(tmp_path: Path) -> None:
    with Store.open(home=tmp_path) as store:
        store.create_project("Desk", CORPUS, author="ann")
        store.record(1, CreateTopic("Light"), author="ann")

        def full(connection: object, cursor: object, statement: str, *_: object) -> None:
            if statement.startswith("BEGIN"):
                cursor.execute("PRAGMA max_page_count = 1")  # as many as there are: no more

        event.listen(store._database.engine, "before_cursor_execute", full)
        with pytest.raises(StoreError, match=DISK_FULL):
            store.create_project(
                "Large", Corpus(ids=("z",), texts=("x" * 3_000_000,)), author="ann"
            )
        event.remove(store._database.engine, "before_cursor_execute", full)
        store._database.engine.dispose()
        store.record(1, Label(0, (1,)), author="ann")
        assert [each.name for each in store.projects()] == ["Desk"]


def test_a_read_only_store_is_one_sentence(tmp_path: Path) -> None:
    with Store.open(home=tmp_path) as store:
        store.create_project("Desk", CORPUS, author="ann")
    url = f"sqlite:///file:{tmp_path / 'studio.db'}?mode=ro&uri=true"
    with Store.open(url=url, home=tmp_path) as store:
        assert store.project(1).name == "Desk"
        with pytest.raises(StoreError, match=READ_ONLY):
            store.record(1, CreateTopic("Light"), author="ann")


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.ENOSPC, DISK_FULL),
        (errno.EDQUOT, DISK_FULL),
        (errno.EROFS, READ_ONLY),
        (errno.EACCES, READ_ONLY),
        (errno.EIO, DISK_REFUSES),
    ],
)
def test_a_file_that_cannot_be_written_has_its_sentence(number: int, sentence: str) -> None:
    assert disk_sentence(OSError(number, "why")) == sentence
