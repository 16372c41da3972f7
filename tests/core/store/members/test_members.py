"""Members of projects: who has which role, and that a project always has an owner."""

from __future__ import annotations

import pytest

from core.errors import NotFound, StoreError
from core.store.members.roles import ProjectMember, Role
from tests.core.store.desk import CORPUS


def test_a_project_without_members_is_its_creators(store):
    assert store.members(1) == [ProjectMember("ann", Role.OWNER)]
    assert (store.role_of(1, "ann"), store.role_of(1, "bob")) == (Role.OWNER, None)
    assert (store.roles_of("ann"), store.roles_of("bob")) == ({1: Role.OWNER}, {})


def test_the_creator_stays_an_owner_when_others_come(store):
    store.set_member(1, "bob@example.org", Role.CODER, author="ann")
    store.set_member(1, "cy@example.org", Role.READER, author="ann")
    roles = [(each.person, each.role.name) for each in store.members(1)]
    assert roles == [("ann", "OWNER"), ("bob@example.org", "CODER"), ("cy@example.org", "READER")]
    assert store.roles_of("bob@example.org") == {1: Role.CODER}


def test_a_role_can_be_changed_and_taken_away(store):
    for role in (Role.READER, Role.OWNER, Role.CODER):
        store.set_member(1, "bob", role, author="ann")
        assert store.role_of(1, "bob") is role
    store.remove_member(1, "bob", author="ann")
    assert store.role_of(1, "bob") is None
    assert store.members(1) == [ProjectMember("ann", Role.OWNER)]


def test_roles_are_no_events(store):
    before = store.revision(1)
    store.set_member(1, "bob", Role.OWNER, author="ann")
    store.remove_member(1, "bob", author="ann")
    assert store.revision(1) == before


@pytest.mark.parametrize("given", [False, True])
def test_the_last_owner_stays(store, given):
    if given:
        store.set_member(1, "bob", Role.CODER, author="ann")
    with pytest.raises(StoreError, match="needs an owner"):
        store.remove_member(1, "ann", author="ann")
    with pytest.raises(StoreError, match="needs an owner"):
        store.set_member(1, "ann", Role.CODER, author="ann")
    assert store.role_of(1, "ann") is Role.OWNER


def test_a_creator_can_hand_the_project_over(store):
    store.set_member(1, "bob", Role.OWNER, author="ann")
    store.remove_member(1, "ann", author="bob")
    assert store.role_of(1, "ann") is None
    assert store.roles_of("ann") == {}


def test_case_means_nothing_in_an_address_and_something_in_a_name(store):
    store.set_member(1, " Bob@Example.org ", Role.CODER, author="ann")
    assert store.role_of(1, "bob@EXAMPLE.org") is Role.CODER
    assert store.role_of(1, "Ann") is None


@pytest.mark.parametrize(
    "lookalike", ["bo\u017fs@example.org", "\u212aim@example.org", "stra\u00dfe@a.b"]
)
def test_a_sign_that_is_like_another_is_another_persons(store, lookalike):
    for person in ("boss@example.org", "kim@example.org", "strasse@a.b"):
        store.set_member(1, person, Role.OWNER, author="ann")
    assert store.role_of(1, lookalike) is None


@pytest.mark.parametrize("person", ["", "  ", "a\nb", "a\x00b", "x" * 201])
def test_what_names_nobody_is_refused(store, person):
    with pytest.raises(StoreError):
        store.set_member(1, person, Role.CODER, author="ann")


def test_projects_do_not_share_members(store):
    store.create_project("Other", CORPUS, author="eve")
    store.set_member(1, "bob", Role.CODER, author="ann")
    assert store.role_of(2, "bob") is None
    assert store.members(2) == [ProjectMember("eve", Role.OWNER)]


def test_a_project_that_is_not_there_has_no_members(store):
    assert store.members(9) == []
    with pytest.raises(NotFound):
        store.set_member(9, "bob", Role.CODER, author="ann")
