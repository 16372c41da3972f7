"""Everything that can go wrong, in sentences fit for a user's eyes.

::

    StudioError
    ├── CorpusError        a file cannot be read as a corpus; names file, row and column
    ├── TextError          text settings leave nothing to model
    ├── SupervisionError   labels contradict each other, the corpus or the number of topics
    ├── ModelError         a model is asked for something it cannot do
    ├── QueryError         a search cannot be understood
    ├── ClusterError       a cluster cannot be reached, or has lost its workers
    ├── Cancelled          a fit was stopped on request; nothing was changed
    ├── StoreError         the store cannot do what was asked
    │   ├── NotFound       no such project, document, topic or run
    │   ├── Conflict       somebody else has labelled the document meanwhile
    │   └── NotAllowed     the role of this person in the project does not suffice
    └── ReportError        a report cannot be made from what is there
"""

from __future__ import annotations


class StudioError(Exception):
    """The root: catch this to show one plain sentence instead of a traceback."""


class CorpusError(StudioError):
    """A file that cannot be read, with the place that stopped us."""

    def __init__(
        self,
        sentence: str,
        *,
        file: str | None = None,
        row: int | None = None,
        column: str | None = None,
    ) -> None:
        self.sentence, self.file, self.row, self.column = sentence, file, row, column
        places = [
            file,
            None if row is None else f"row {row}",
            None if column is None else f"column “{column}”",
        ]
        where = ", ".join(place for place in places if place)
        super().__init__(f"{where}: {sentence}" if where else sentence)


class TextError(StudioError):
    """The text settings leave no vocabulary."""


class SupervisionError(StudioError):
    """Labels that cannot be turned into supervision."""


class ModelError(StudioError, ValueError):
    """A model or option that does not exist, or a combination that cannot work.

    It is a ValueError too, because that is what scikit-learn promises its callers.
    """


class QueryError(StudioError):
    """A search with a filter that makes no sense here."""


class ClusterError(StudioError):
    """A cluster cannot be reached or used."""


class Cancelled(StudioError):
    """The fit was stopped on request."""


class StoreError(StudioError):
    """The store refuses."""


class NotFound(StoreError):
    """No such thing in the store."""


class Conflict(StoreError):
    """A label that somebody else has given meanwhile and that nobody has confirmed to replace."""


class NotAllowed(StoreError):
    """Somebody may not do what they asked for."""


class ReportError(StudioError):
    """A report cannot be made."""
