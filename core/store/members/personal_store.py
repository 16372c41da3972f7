"""The store as one signed-in person may use it: every call asks for their role first.

A stranger is told what is told of a project that is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, BinaryIO

from core.corpus import Corpus
from core.errors import NotAllowed, NotFound
from core.store.events.new_events import NewEvent
from core.store.members.roles import Role
from core.store.store import Store
from core.store.values import Project, ProjectSettings, Run
from core.topics import Topics

READ_ONLY = "You can read this project, but not change it."
OWNERS_ONLY = "Only an owner of the project can do this."

READING = (
    *("additions", "annotation", "annotations", "assignments", "authors", "can_take_texts_back"),
    *("codebook", "corpus", "count_changes", "current_run", "dates", "difference_to", "document"),
    *("document_ids", "documents", "double_coding", "events", "export_project", "highlights"),
    *("history", "in_force", "kinds", "label_counts", "label_in_force", "labels_at", "last_topic"),
    *("lineage", "matching", "members", "memos", "note_at", "own_vectors"),
    *("own_vectors_fingerprint", "positions_with_id", "project", "recorded", "report_fields"),
    *("resting_run", "revision", "role_of", "run", "runs", "saved_searches", "search"),
    *("shared_highlights", "shown_events", "skipped", "state", "texts_between", "texts_revision"),
    *("topic_names", "topics", "undone_revisions", "waiting_labels", "waiting_labels_at"),
    *("withdrawn", "word_rules"),
)
CHANGING = (
    *("add_run", "add_texts", "build_index", "fit_lock", "note_run", "record", "record_batch"),
    *("record_label", "redo", "release_labels", "save_own_vectors", "undo", "update_settings"),
)
OWNING = ("delete_project", "remove_member", "rename_project", "restore_project", "set_member")

# The role that a call about a project needs; a method of the store that is neither here nor written
# out below fails a test.
NEEDED_ROLE: Mapping[str, Role] = {
    **dict.fromkeys(READING, Role.READER),
    **dict.fromkeys(CHANGING, Role.CODER),
    **dict.fromkeys(OWNING, Role.OWNER),
}


class PersonalStore(Store):
    """The store for one person. An administrator is an owner of every project."""

    def __init__(self, store: Store, person: str, *, administrator: bool = False) -> None:
        super().__init__(store.home, store._database)
        self._store, self.person, self.administrator = store, person, administrator

    @property
    def shared(self) -> Store:
        return self._store

    def role(self, project_id: int) -> Role | None:
        """The role of this person in a project; None for a stranger."""
        if self.administrator:
            return Role.OWNER
        return self._store.role_of(project_id, self.person)

    def require(self, project_id: int, needed: Role) -> None:
        """Refuse what this person may not do in a project."""
        role = self.role(project_id)
        if role is None:
            raise NotFound("There is no such project.")
        if role < needed:
            raise NotAllowed(READ_ONLY if needed is Role.CODER else OWNERS_ONLY)

    def projects(self, *, deleted: bool = False) -> list[Project]:
        """Those in which the person has a role; of deleted ones those they may restore."""
        found = self._store.projects(deleted=deleted)
        if self.administrator:
            return found
        roles, needed = self._store.roles_of(self.person), Role.OWNER if deleted else Role.READER
        return [each for each in found if each.id in roles and roles[each.id] >= needed]

    def roles_of(self, person: str) -> dict[int, Role]:
        """Nobody is told of projects that they do not see."""
        visible = {each.id for each in self.projects()}
        return {at: role for at, role in self._store.roles_of(person).items() if at in visible}

    def create_project(
        self,
        name: str,
        corpus: Corpus,
        settings: ProjectSettings | None = None,
        *,
        author: str,
        first_events: Iterable[tuple[NewEvent, str]] = (),
    ) -> Project:
        """A new project, which belongs to this person whoever its first events name."""
        return self._store.create_project(
            name, corpus, settings, author=self.person, first_events=first_events
        )

    def import_project(
        self, source: Path | str | BinaryIO, *, author: str | None = None
    ) -> Project:
        """A project from a file, which belongs to this person whoever the file names."""
        return self._store.import_project(source, author=self.person)

    def duplicate_project(
        self, project_id: int, name: str | None = None, *, author: str | None = None
    ) -> Project:
        """A copy that belongs to this person alone."""
        self.require(project_id, Role.READER)
        return self._store.duplicate_project(project_id, name, author=self.person)

    def run_topics(self, run: Run) -> Topics:
        self.require(run.project, Role.READER)
        return self._store.run_topics(run)


def _guarded(name: str, needed: Role) -> Callable[..., Any]:
    method = getattr(Store, name)

    @wraps(method)
    def call(self: PersonalStore, project_id: int, *given: Any, **named: Any) -> Any:
        self.require(project_id, needed)
        return method(self, project_id, *given, **named)

    return call


for _name, _needed in NEEDED_ROLE.items():
    setattr(PersonalStore, _name, _guarded(_name, _needed))
