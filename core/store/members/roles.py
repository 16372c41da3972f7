"""The roles of the members of a project, and how a person is told from another."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Role(IntEnum):
    """What a member may do. Each role includes those before it."""

    READER = 1  # sees everything, changes nothing
    CODER = 2  # labels, changes topics, settings and texts
    OWNER = 3  # names members; renames, deletes and restores the project


@dataclass(frozen=True, slots=True)
class ProjectMember:
    """A person who may do something in a project."""

    person: str
    role: Role


def person_key(person: str) -> str:
    """The person as the table keeps them: case means nothing in an e-mail address.

    Only that of A to Z: other signs that look or sort like them are another's address.
    """
    plain = person.strip()
    return "".join(map(_lower, plain)) if "@" in plain else plain


def _lower(sign: str) -> str:
    return sign.lower() if sign.isascii() else sign
