"""The labels people gave: how far they agree, and the labels as a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from core.loading.columns.label_cells import guessed_labels
from core.store import Store
from core.store.files.label_files import Format, LabelRow, write_labels
from core.store.files.label_import import ImportPlan, plan_import
from core.store.history.disagreement import Agreement, agreement_among
from core.values import whole_file
from core.workspace.caches.corpora import corpus_of
from core.workspace.caches.store_cache import StoreCache

_agreements: StoreCache[Agreement] = StoreCache(max_entries=8)


def export_labels(
    store: Store, project: int, *, format: Format = "csv", texts: bool = False
) -> Iterator[bytes]:
    """The labels in force as CSV or JSON lines, on request with the texts, a piece at a time."""

    def read_texts(positions: Sequence[int]) -> Iterator[str]:
        return (document.text for document in store.documents(project, positions))

    return write_labels(
        store.annotations(project),
        store.topic_names(project),
        store.document_ids(project),
        read_texts if texts else None,
        format=format,
    )


def write_label_file(
    store: Store, project: int, path: Path, *, format: Format = "csv", texts: bool = False
) -> Path:
    """The same into a file, whole or not at all."""
    with whole_file(path) as file:
        file.writelines(export_labels(store, project, format=format, texts=texts))
    return path


def plan_from_column(store: Store, project: int, column: str) -> ImportPlan:
    """What it would do if the values of a column kept with the texts became labels."""
    side = corpus_of(store, project, texts=False).side
    labels = guessed_labels(side[column], column)
    rows = [
        LabelRow(row=place, id=id, permitted=each)
        for place, (id, each) in enumerate(zip(store.document_ids(project), labels, strict=True), 1)
    ]
    return plan_import(store, project, rows, f"column “{column}”")


def agreement_of(store: Store, project: int, revision: int) -> Agreement:
    """How people agree at a revision, or at one that has come since."""

    def found() -> Agreement:
        first = store.project(project).settings.labels_from_file_until
        return agreement_among(*store.in_force(project), first)

    return _agreements.get(store, (project, revision), found)
