"""Texts that were added to a project, or updated, after it was made: what the log says of it.

Labels name a text by its place. New texts go behind the old ones and updated texts keep their
place, so all labels stay where they are. An undo takes the new texts back as long as nothing on the
log names one of them: a label of a text that is gone could turn up on another one in its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, Self

from core.errors import StoreError
from core.store.events.checks import checked_name, whole
from core.values import count


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedTexts:
    """How many texts of a file were added, updated and left out, and what came before."""

    file: str
    first: int  # the place of the first new text: so many were there before
    added: int
    updated: int = 0
    skipped: int = 0  # texts of the file whose ids were there, left as they were
    dropped: int = 0  # rows of the file that are no texts
    vocabulary_texts: int = 0  # as in ``ProjectSettings``, from now on
    vocabulary_texts_before: int = 0

    def checked(self) -> Self:
        counts = {
            each.name: whole(getattr(self, each.name), "A number of texts")
            for each in fields(self)
            if each.name != "file"
        }
        checked = replace(self, file=checked_name(self.file, "A file"), **counts)
        most = checked.first + checked.added
        if not checked.first or not checked.added + checked.updated:
            raise StoreError("There is nothing to add.")
        if max(checked.updated, checked.vocabulary_texts_before) > checked.first:
            raise StoreError("A project has no more texts than it has.")
        if max(checked.vocabulary_texts, most) >= 2**31 or checked.vocabulary_texts > most:
            raise StoreError("A project has no more texts than it has.")
        return checked

    def sentence(self, time: datetime) -> str:
        """“From b.csv, 17 November 2026: 40 texts were added.”"""
        parts = [f"{count(self.added, 'text was', 'texts were')} added"] if self.added else []
        if self.updated:
            parts.append(f"{count(self.updated, 'text was', 'texts were')} updated")
        if self.skipped:
            parts.append(f"{count(self.skipped, 'text was', 'texts were')} there already")
        if self.dropped:
            parts.append(f"{count(self.dropped, 'row was', 'rows were')} left out")
        return f"From {self.file}, {time.day} {time:%B %Y}: {', '.join(parts)}."

    def payload(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @classmethod
    def read(cls, payload: Mapping[str, Any]) -> Self:
        return cls(**payload)
