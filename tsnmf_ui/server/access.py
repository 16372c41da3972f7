"""Who may do what in which project, for pages and routes alike; without login, everybody all.

Administrators are named in secrets.toml (``administrators`` in the section ``studio``) or in the
environment, and are owners of every project.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache

from streamlit.errors import StreamlitSecretNotFoundError
from streamlit.runtime.secrets import secrets_singleton

from core.errors import StudioError
from core.store import Store
from core.store.members.personal_store import PersonalStore
from core.store.members.roles import Role, person_key
from tsnmf_ui.server import login

ADMINISTRATORS_VARIABLE = "TSNMF_STUDIO_ADMINISTRATORS"  # e-mail addresses, by commas
NO_LIST = (
    "“administrators” in the section [studio] of secrets.toml must be a list of e-mail addresses."
)


@cache
def administrators() -> frozenset[str]:
    """Who is an owner of every project; settled when the server starts."""
    named = [*_from_secrets(), *os.environ.get(ADMINISTRATORS_VARIABLE, "").split(",")]
    return frozenset(person_key(each) for each in named if each.strip())


def _from_secrets() -> Iterable[str]:
    try:
        found = secrets_singleton.get("studio", {}).get("administrators", [])
    except StreamlitSecretNotFoundError:
        return []
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise StudioError(NO_LIST)
    return found


def personal_store(store: Store, person: str) -> PersonalStore:
    """The store as a signed-in person may use it."""
    return PersonalStore(store, person, administrator=person_key(person) in administrators())


def require(store: Store, person: str, project: int, needed: Role) -> None:
    """Refuse a request for which the person has no role that suffices."""
    if login.configured():
        personal_store(store, person).require(project, needed)


def may_read(store: Store, person: str, project: int) -> bool:
    """Whether a person still has a role in a project."""
    return not login.configured() or personal_store(store, person).role(project) is not None
