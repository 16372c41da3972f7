"""What the columns kept with the texts are taken for: groups, unless somebody says otherwise.

A column can be the true labels or the dates of the texts in place of those of the file, or be kept
without being a group in charts. Texts and log stay as they are: the way back is to say so again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from core.corpus import Corpus
from core.errors import StudioError
from core.loading.columns.dates import read_dates
from core.loading.columns.label_cells import CellLabels, guessed_labels
from core.store import Project, Store
from core.store.values import COLUMN_ROLES, ProjectSettings
from core.workspace.caches.corpora import corpus_of

GROUP = "group"  # the role of a column of which nothing is said
ONLY_ONE = ("truth", "date")  # roles that one column at a time can have


def change_role(store: Store, project: Project, column: str, role: str) -> Project:
    """Take a kept column for something else from now on; refit afterwards if it was the truth."""
    corpus = corpus_of(store, project.id, texts=False)
    if column is None or column not in corpus.side:
        raise StudioError(f"The texts have no column “{column}”.")
    if role not in (GROUP, *COLUMN_ROLES):
        raise StudioError(f"A column is one of {', '.join((GROUP, *COLUMN_ROLES))}; not “{role}”.")
    roles = {
        name: each
        for name, each in project.settings.column_roles.items()
        if name != column and not (each == role and role in ONLY_ONE)
    }
    roles |= {} if role == GROUP else {column: role}
    settings = replace(project.settings, column_roles=roles)
    if role == "date" and not any(dates_of(corpus, settings)):
        raise StudioError(f"No value of “{column}” is a date.")
    if role == "truth" and not any(labels_of(corpus, settings)):
        raise StudioError(f"No text has a value in “{column}”.")
    return store.update_settings(project.id, settings)


def labels_of(corpus: Corpus, settings: ProjectSettings) -> CellLabels:
    """The given labels: of the column that is the truth, or of the file."""
    column = settings.column_in("truth")
    if column is None or column not in corpus.side:
        return corpus.labels
    return guessed_labels(corpus.side[column], column)


def dates_of(corpus: Corpus, settings: ProjectSettings) -> tuple[date | None, ...]:
    """The dates: of the column that holds them, or of the file."""
    column = settings.column_in("date")
    if column is None or column not in corpus.side:
        return corpus.dates
    cells = corpus.side[column]
    _, known, _ = read_dates(cells)
    return tuple(known[cell] for cell in cells)


def groups_of_corpus(corpus: Corpus, settings: ProjectSettings) -> Mapping[str, tuple[str, ...]]:
    """The columns by which charts and reports group texts."""
    return {name: cells for name, cells in corpus.side.items() if name not in settings.column_roles}


def with_roles(corpus: Corpus, settings: ProjectSettings) -> Corpus:
    """The corpus with labels and dates as they are taken now."""
    if not settings.column_roles:
        return corpus
    labels, dates = labels_of(corpus, settings), dates_of(corpus, settings)
    return replace(corpus, labels=labels, dates=dates)
