"""Where a visitor of the Label page is, and who sends a request."""

from __future__ import annotations

from dataclasses import dataclass

SAVED_MODE = "saved:"  # before the name of a saved search, in place of a queue mode


@dataclass(frozen=True, slots=True)
class Place:
    """Where a visitor is: project, queue mode, search or selection, and the open document."""

    project: int
    mode: str = "mixed"
    search: str = ""
    document: int | None = None
    documents: str = ""  # key of a selection

    @property
    def saved(self) -> str | None:
        """The name of the saved search that is worked through; None in any other mode."""
        return self.mode.removeprefix(SAVED_MODE) if self.mode.startswith(SAVED_MODE) else None


@dataclass(frozen=True, slots=True)
class Signature:
    """Who sends a request, and which of theirs it is: a repeated one changes nothing."""

    author: str
    client: str | None = None
    sequence: int | None = None
