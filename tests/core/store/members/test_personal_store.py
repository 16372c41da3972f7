"""The store as one person may use it: every method asks for a role, and none is forgotten."""

from __future__ import annotations

import inspect
import io

import pytest

from core.errors import NotAllowed, NotFound
from core.store import Label, Store
from core.store.members.personal_store import NEEDED_ROLE, PersonalStore
from core.store.members.roles import Role
from tests.core.store.desk import CORPUS

# What is about no project, or gives nothing of one away.
ABOUT_NO_PROJECT = {"channel", "close", "open", "shared"}
PEOPLE = {"stranger": None, "reader": Role.READER, "coder": Role.CODER, "owner": Role.OWNER}


@pytest.fixture
def people(store: Store) -> dict[str, PersonalStore]:
    """The store of ann's project, for people of every role."""
    for name, role in PEOPLE.items():
        if role is not None:
            store.set_member(1, name, role, author="ann")
    found = {name: PersonalStore(store, name) for name in PEOPLE}
    return found | {"admin": PersonalStore(store, "admin", administrator=True)}


def methods_of_the_store() -> set[str]:
    return {name for name, _ in inspect.getmembers(Store) if not name.startswith("_")} - {"home"}


def test_no_method_of_the_store_is_forgotten():
    """A new one needs a line in NEEDED_ROLE, or a rule of its own in PersonalStore."""
    own = {name for name in vars(PersonalStore) if not name.startswith("_")}
    assert methods_of_the_store() - own == ABOUT_NO_PROJECT - {"shared"}
    assert set(NEEDED_ROLE) <= methods_of_the_store()


def call(store: Store, method: str) -> None:
    """A call about project 1 with arguments that a refusal never looks at."""
    getattr(store, method)(1)


@pytest.mark.sqlite_only
def test_each_method_is_refused_below_its_role(people):
    for method, needed in NEEDED_ROLE.items():
        with pytest.raises(NotFound, match="There is no such project"):
            call(people["stranger"], method)
        for name in ("reader", "coder"):
            if PEOPLE[name] < needed:
                with pytest.raises(NotAllowed):
                    call(people[name], method)


def test_a_reader_sees_everything_and_changes_nothing(people, store):
    before = store.revision(1)
    assert people["reader"].project(1).name == "Desk"
    assert people["reader"].document(1, 0).text
    with pytest.raises(NotAllowed, match="not change it"):
        people["reader"].record(1, Label(0, (1,)), author="reader")
    assert store.revision(1) == before


def test_a_coder_labels_but_does_not_own(people, store):
    people["coder"].record(1, Label(0, (1,)), author="coder")
    assert store.annotation(1, 0).author == "coder"
    with pytest.raises(NotAllowed, match="Only an owner"):
        people["coder"].set_member(1, "coder", Role.OWNER, author="coder")
    with pytest.raises(NotAllowed):
        people["coder"].delete_project(1)


@pytest.mark.parametrize("name", ["owner", "admin"])
def test_owners_and_administrators_do_everything(people, store, name):
    people[name].rename_project(1, "Counter")
    people[name].set_member(1, "new", Role.READER, author=name)
    people[name].delete_project(1)
    assert [each.id for each in people[name].projects(deleted=True)] == [1]
    assert people[name].restore_project(1).name == "Counter"


def test_each_sees_their_own_projects(people, store):
    store.create_project("Other", CORPUS, author="eve")
    seen = {name: {each.id for each in view.projects()} for name, view in people.items()}
    assert seen == {
        "stranger": set(), "reader": {1}, "coder": {1}, "owner": {1}, "admin": {1, 2}
    }  # fmt: skip
    assert people["coder"].roles_of("eve") == {}


def test_deleted_projects_are_listed_for_owners_alone(people, store):
    store.delete_project(1)
    listed = {name for name, view in people.items() if view.projects(deleted=True)}
    assert listed == {"owner", "admin"}


def test_who_creates_copies_or_imports_a_project_owns_it(people, store, tmp_path):
    made = people["stranger"].create_project("Mine", CORPUS, author="somebody else")
    copy = people["reader"].duplicate_project(1)
    file = store.export_project(1, tmp_path / "desk.zip").read_bytes()
    taken = people["stranger"].import_project(io.BytesIO(file))
    owners = [store.members(each.id)[0].person for each in (made, copy, taken)]
    assert owners == ["stranger", "reader", "stranger"]
    assert [len(store.members(each.id)) for each in (made, copy, taken)] == [1, 1, 1]
    with pytest.raises(NotFound):
        people["stranger"].duplicate_project(1)


def test_a_role_that_is_taken_away_counts_at_once(people, store):
    people["reader"].project(1)
    store.remove_member(1, "reader", author="owner")
    with pytest.raises(NotFound):
        people["reader"].project(1)
