"""Which columns of a file of labels hold the ids of texts and the labels, whatever they are called.

Names that say it are believed. Otherwise the ids are looked for among those of the project: the
column that names most of its texts is the column of ids.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from core.errors import CorpusError
from core.loading.formats.table import Table

ID_COLUMN, LABELS_COLUMN = "id", "labels"
LABEL_FILE_COLUMNS = (
    ID_COLUMN,
    LABELS_COLUMN,
    "forbidden",
    "confidence",
    "nothing fits",
    "note",
    "author",
    "time",
)
COLUMN_ALIASES = {
    "document": ID_COLUMN,
    "document_id": ID_COLUMN,
    "doc_id": ID_COLUMN,
    "text_id": ID_COLUMN,
    "label": LABELS_COLUMN,
    "topic": LABELS_COLUMN,
    "topics": LABELS_COLUMN,
    "permitted": LABELS_COLUMN,
    "category": LABELS_COLUMN,
    "categories": LABELS_COLUMN,
    "code": LABELS_COLUMN,
    "codes": LABELS_COLUMN,
    "tag": LABELS_COLUMN,
    "tags": LABELS_COLUMN,
    "class": LABELS_COLUMN,
    "not_permitted": "forbidden",
    "nothing_fits": "nothing fits",
}
MIN_KNOWN_IDS = 0.5  # of the cells of a column that are ids of the project, to be its ids


@dataclass(frozen=True, slots=True)
class LabelColumns:
    """The columns of the ids and of the labels, by their names in the file; None: not found."""

    id: str | None
    labels: str | None

    @property
    def chosen(self) -> bool:
        return self.id is not None and self.labels is not None and self.id != self.labels


def guess_columns(table: Table, ids: Collection[str] = ()) -> LabelColumns:
    """The columns by name, the ids else by what they hold; ``ids`` are those of the project."""
    named = _named(table)
    id = named.get(ID_COLUMN) or _column_of_ids(table, frozenset(ids))
    labels = named.get(LABELS_COLUMN)
    return LabelColumns(id, labels if labels != id else None)


def cells_by_role(
    table: Table, file: str, columns: LabelColumns | None = None
) -> dict[str, tuple[str, ...]]:
    """The cells of every column that has a role; an error if ids or labels are missing."""
    named = _named(table)
    if columns is not None:
        taken = {columns.id, columns.labels}
        named = {role: name for role, name in named.items() if name not in taken}
        named |= {ID_COLUMN: str(columns.id), LABELS_COLUMN: str(columns.labels)}
    for needed in (ID_COLUMN, LABELS_COLUMN):
        if named.get(needed) not in table.header:
            raise CorpusError(
                f"there is no column called “{needed}”; a file of labels needs “id” and “labels”. "
                f"Its columns are {', '.join(f'“{name}”' for name in table.header)}.",
                file=file,
            )
    return {role: table.column(name) for role, name in named.items()}


def _named(table: Table) -> Mapping[str, str]:
    """The column of every role that a name tells; the first of several."""
    found: dict[str, str] = {}
    for name in table.header:
        plain = "_".join(name.casefold().split())
        role = COLUMN_ALIASES.get(plain, plain)
        if role in LABEL_FILE_COLUMNS:
            found.setdefault(role, name)
    return found


def _column_of_ids(table: Table, ids: frozenset[str]) -> str | None:
    known = {
        name: sum(cell.strip() in ids for cell in cells)
        for name, cells in zip(table.header, table.columns, strict=True)
    }
    best = max(known, key=lambda name: known[name], default=None)
    return best if best is not None and known[best] > MIN_KNOWN_IDS * len(table) else None
