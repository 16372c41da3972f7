"""Other people of the same machine see nothing of the store."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from core.corpus import Corpus
from core.store import Store

pytestmark = [
    pytest.mark.sqlite_only,
    pytest.mark.skipif(os.name != "posix", reason="Permissions are those of POSIX."),
]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("existed", [False, True])
def test_the_store_is_its_owners_alone(tmp_path: Path, existed: bool) -> None:
    home = tmp_path / "home"
    if existed:
        home.mkdir(mode=0o755)
        (home / "studio.db").touch(mode=0o644)
    with Store.open(home=home) as store:
        store.create_project("Desk", Corpus(ids=("a",), texts=("a",)), author="ann")
        assert mode(home) == 0o700
        there = [path for path in home.iterdir() if path.name.startswith("studio.db")]
        assert len(there) == 3
        assert {mode(path) for path in there} == {0o600}


def test_a_persons_home_folder_is_not_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path))
    with Store.open(home=tmp_path):
        assert mode(tmp_path) == 0o755
        assert mode(tmp_path / "studio.db") == 0o600
