"""Roles come back with a backup; what is no role is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from core.errors import StoreError
from core.store import Store
from core.store.maintenance.backup import back_up
from core.store.maintenance.restore import restore as bring_back
from core.store.members.roles import Role
from tests.core.store.desk import CORPUS

pytestmark = pytest.mark.sqlite_only


def backup_of(folder: Path, change: str = "") -> Path:
    """A backup of a project with a member, after a change of its database."""
    with Store.open(home=folder / "source") as store:
        store.create_project("Desk", CORPUS, author="ann")
        store.set_member(1, "bob@example.org", Role.CODER, author="ann")
        if change:
            with store._database.write() as connection:
                connection.execute(text(change))
    back_up(folder / "backup.zip", folder / "source")
    return folder / "backup.zip"


def test_members_come_back(tmp_path: Path) -> None:
    bring_back(backup_of(tmp_path), tmp_path / "new")
    with Store.open(home=tmp_path / "new") as store:
        roles = {each.person: each.role for each in store.members(1)}
    assert roles == {"ann": Role.OWNER, "bob@example.org": Role.CODER}


def test_a_backup_from_before_there_were_members_is_restored(tmp_path: Path) -> None:
    bring_back(backup_of(tmp_path, "DROP TABLE members"), tmp_path / "new")
    with Store.open(home=tmp_path / "new") as store:
        assert store.role_of(1, "bob@example.org") is None


@pytest.mark.parametrize("change", ["role = 'KING'", "person = ''", "changed = 'soon'", "id = -1"])
def test_what_is_no_role_is_refused(tmp_path: Path, change: str) -> None:
    spoilt = f"UPDATE members SET {change} WHERE role = 'CODER'"
    with pytest.raises(StoreError):
        bring_back(backup_of(tmp_path, spoilt), tmp_path / "new")
    assert not (tmp_path / "new" / "studio.db").exists()
