"""The part of the store that creates, changes, copies and exports projects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import Connection, select, update

from core.corpus import Corpus, Document
from core.errors import StoreError
from core.store.database import Database
from core.store.events import log
from core.store.events.append import open_project
from core.store.events.bulk_labels import group_labels
from core.store.events.checks import checked_name
from core.store.events.new_events import NewEvent
from core.store.events.origin import Origin
from core.store.files import project_file, project_import
from core.store.files.checked_parts import require_storable
from core.store.projects import added_texts, copies, documents, new_project, own_vectors
from core.store.projects.added_texts import TextChanges
from core.store.projects.document_finder import DocumentFinder
from core.store.tables import projects
from core.store.values import Event, Project, ProjectSettings
from core.text import DocumentVectors


class ProjectStore(DocumentFinder):
    """Projects and their documents; the store it is part of brings database and folder."""

    home: Path
    _database: Database

    def create_project(
        self,
        name: str,
        corpus: Corpus,
        settings: ProjectSettings | None = None,
        *,
        author: str,
        first_events: Iterable[tuple[NewEvent, str]] = (),
    ) -> Project:
        """A new project with its documents and, if given, its first events and their authors."""
        name, author = checked_name(name, "A project"), Origin(author).checked().author
        if not len(corpus):
            raise StoreError("A project needs at least one text.")
        first = [
            (Origin(author_of).checked(), group_labels(event for event, _ in several))
            for author_of, several in groupby(first_events, lambda pair: pair[1])
        ]

        def record_first(connection: Connection, number: int) -> None:
            for origin, several in first:
                log.record_many(connection, number, several, origin)

        chosen = settings or ProjectSettings()
        require_storable(chosen.spec)
        number = new_project.add_project(self._database, name, corpus, chosen, author, record_first)
        own_vectors.clear(self.home, number)
        self.build_index(number)
        return self.project(number)

    def projects(self, *, deleted: bool = False) -> list[Project]:
        """Projects, the one changed last first; or the deleted ones, which can be restored."""
        with self._database.read() as connection:
            return documents.read_projects(connection, deleted=deleted)

    def project(self, project_id: int) -> Project:
        with self._database.read() as connection:
            return documents.read_project(connection, project_id)

    def rename_project(self, project_id: int, name: str) -> Project:
        name = checked_name(name, "A project")
        with self._database.write() as connection:
            open_project(connection, project_id)
            self._update(connection, project_id, name=name)
        return self.project(project_id)

    def update_settings(self, project_id: int, settings: ProjectSettings) -> Project:
        require_storable(settings.spec)
        with self._database.write() as connection:
            open_project(connection, project_id)
            self._update(connection, project_id, settings=settings.to_dict())
        return self.project(project_id)

    def add_texts(self, project_id: int, new: TextChanges, *, author: str) -> Event:
        """Add and update texts, all or none; refused if the texts have changed since the plan."""
        origin = Origin(author).checked()
        with self._database.write() as connection:
            return added_texts.add_texts(connection, project_id, new, origin)

    def can_take_texts_back(self, project_id: int, event: Event) -> bool:
        """Whether an undo of its author can still take the texts of an addition back."""
        with self._database.read() as connection:
            return added_texts.can_take_back(connection, project_id, event.id, event.payload)

    def additions(self, project_id: int) -> list[Event]:
        """The additions of texts that were not taken back, oldest first."""
        with self._database.read() as connection:
            return added_texts.read_additions(connection, project_id)

    def texts_revision(self, project_id: int) -> int:
        """The last event that changed the texts; 0 if none has."""
        query = select(projects.c.texts_revision).where(projects.c.id == project_id)
        with self._database.read() as connection:
            return int(connection.scalar(query) or 0)

    def save_own_vectors(self, project_id: int, vectors: DocumentVectors) -> Project:
        """Keep the analyst's own vectors, one for each document, and let the project use them."""
        project = self.project(project_id)
        own_vectors.save(self.home, project_id, vectors, project.n_docs)
        return self.update_settings(project_id, replace(project.settings, meaning="own"))

    def own_vectors(self, project_id: int) -> DocumentVectors | None:
        """The analyst's own vectors, if they were ever given."""
        return own_vectors.load(self.home, project_id)

    def own_vectors_fingerprint(self, project_id: int) -> str | None:
        """Which vectors ``own_vectors`` would read, without reading them."""
        path = own_vectors.find(self.home, project_id)
        return None if path is None else path.stem

    def delete_project(self, project_id: int) -> None:
        """Hide a project; nothing of it is lost, and it can be restored."""
        with self._database.write() as connection:
            open_project(connection, project_id)
            self._update(connection, project_id, deleted=datetime.now(UTC))

    def restore_project(self, project_id: int) -> Project:
        with self._database.write() as connection:
            self._update(connection, project_id, deleted=None)
        return self.project(project_id)

    def duplicate_project(
        self, project_id: int, name: str | None = None, *, author: str | None = None
    ) -> Project:
        """A copy with its whole history; changes to one do not touch the other.

        ``author``: who made the copy, where it is not to be the author of the original.
        """
        with self._database.write() as connection:
            original = open_project(connection, project_id)
            taken = set(connection.scalars(select(projects.c.name)))
            title = checked_name(name or copies.copy_name(original.name, taken), "A project")
            number = copies.begin_copy(connection, project_id, title, author)
        with self._database.write() as connection:
            copies.copy_project(connection, self.home, project_id, number)
        self.build_index(number)
        return self.project(number)

    def export_project(self, project_id: int, path: Path | str) -> Path:
        """The project as one file: settings, documents, log, and the factors of the last run."""
        with self._database.read() as connection:
            documents.read_project(connection, project_id)
            return project_file.write_project(connection, self.home, project_id, Path(path))

    def import_project(
        self, source: Path | str | BinaryIO, *, author: str | None = None
    ) -> Project:
        """A project from a file that ``export_project`` wrote, checked line by line.

        A name that another project has becomes that of a copy, so that the two are told apart.
        ``author``: who imported it, where it is not to be the author that the file names.
        """
        number = project_import.import_project(self._database, self.home, source, author)
        with self._database.write() as connection:
            copies.name_apart(connection, number)
        self.build_index(number)
        return self.project(number)

    def documents(self, project_id: int, positions: Sequence[int]) -> list[Document]:
        with self._database.read() as connection:
            return documents.read_documents(connection, project_id, positions)

    def document(self, project_id: int, position: int) -> Document:
        return self.documents(project_id, [position])[0]

    def corpus(self, project_id: int, *, texts: bool = True) -> Corpus:
        """All documents; a large corpus is read much faster without texts (all empty)."""
        with self._database.read() as connection:
            return documents.read_corpus(connection, project_id, texts=texts)

    @staticmethod
    def _update(connection: Connection, project: int, **values: Any) -> None:
        connection.execute(update(projects).where(projects.c.id == project).values(**values))
