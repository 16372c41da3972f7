"""The part of the store that knows the members of projects.

Roles are no events: an undo must not give somebody a role back. A project in which no role was ever
given belongs to whoever created it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import Connection, delete, func, insert, select

from core.errors import StoreError
from core.store.database import Database
from core.store.events.append import open_project
from core.store.events.checks import checked_text
from core.store.events.origin import AUTHOR_LIMIT
from core.store.members.roles import ProjectMember, Role, person_key
from core.store.tables import members, projects

LAST_OWNER = "A project needs an owner. Make somebody else an owner first."
NO_PERSON = "Say who, by the e-mail address with which they sign in."


class MemberStore:
    """Members of projects; the store it is part of brings the database."""

    _database: Database

    def members(self, project_id: int) -> list[ProjectMember]:
        """The members of a project, owners first."""
        with self._database.read() as connection:
            found = _read_members(connection, project_id)
        return sorted(found, key=lambda each: (-each.role, each.person))

    def role_of(self, project_id: int, person: str) -> Role | None:
        """The role of a person in a project; None for a stranger."""
        with self._database.read() as connection:
            found = _read_members(connection, project_id)
        return _role_among(found, person)

    def roles_of(self, person: str) -> dict[int, Role]:
        """The role of a person in every project in which they have one."""
        key = person_key(person)
        given = select(members.c.project, members.c.role).where(members.c.person == key)
        without = select(projects.c.id, projects.c.author).where(
            projects.c.id.not_in(select(members.c.project))
        )
        with self._database.read() as connection:
            roles = {row.project: Role[row.role] for row in connection.execute(given)}
            created = connection.execute(without).all()
        return roles | {row.id: Role.OWNER for row in created if person_key(row.author) == key}

    def set_member(self, project_id: int, person: str, role: Role, *, author: str) -> None:
        """Give a person a role in a project, in place of the one they had."""
        named = ProjectMember(_checked_person(person), role)
        with self._database.write() as connection:
            before = _open_members(connection, project_id, author)
            if role is not Role.OWNER:
                _require_another_owner(before, named.person)
            _delete_member(connection, project_id, named.person)
            _insert_member(connection, project_id, named, author)

    def remove_member(self, project_id: int, person: str, *, author: str) -> None:
        """Take a person's role in a project away; what they did there stays."""
        key = person_key(person)
        with self._database.write() as connection:
            _require_another_owner(_open_members(connection, project_id, author), key)
            _delete_member(connection, project_id, key)


def _checked_person(person: str) -> str:
    plain = checked_text(person, "The name of a person", AUTHOR_LIMIT)
    if not plain or not plain.isprintable():
        raise StoreError(NO_PERSON)
    return person_key(plain)


def _read_members(connection: Connection, project: int) -> list[ProjectMember]:
    query = select(members.c.person, members.c.role).where(members.c.project == project)
    rows = connection.execute(query).all()
    if rows:
        return [ProjectMember(row.person, Role[row.role]) for row in rows]
    creator = connection.scalar(select(projects.c.author).where(projects.c.id == project))
    return [] if creator is None else [ProjectMember(person_key(creator), Role.OWNER)]


def _role_among(found: Sequence[ProjectMember], person: str) -> Role | None:
    key = person_key(person)
    return next((each.role for each in found if each.person == key), None)


def _open_members(connection: Connection, project: int, author: str) -> list[ProjectMember]:
    """The members of a project as rows: from the first change on its creator has one, too."""
    open_project(connection, project)
    found = _read_members(connection, project)
    if connection.scalar(select(members.c.id).where(members.c.project == project).limit(1)) is None:
        for creator in found:
            _insert_member(connection, project, creator, author)
    return found


def _insert_member(
    connection: Connection, project: int, member: ProjectMember, author: str
) -> None:
    last = select(func.max(members.c.id)).where(members.c.project == project)
    values = {"project": project, "id": (connection.scalar(last) or 0) + 1, "changed_by": author}
    values |= {"person": member.person, "role": member.role.name, "changed": datetime.now(UTC)}
    connection.execute(insert(members), values)


def _delete_member(connection: Connection, project: int, person: str) -> None:
    its = (members.c.project == project) & (members.c.person == person)
    connection.execute(delete(members).where(its))


def _require_another_owner(found: Sequence[ProjectMember], person: str) -> None:
    """Refuse to take the role of the only owner away."""
    owners = {each.person for each in found if each.role is Role.OWNER}
    if owners == {person}:
        raise StoreError(LAST_OWNER)
